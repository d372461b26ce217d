"""The audit log of a club: complete, in both languages, in pages, and for the owners only."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import translation

from league import audit
from league.audit import What, sentences
from league.models import AuditEntry
from league.triggers import drop
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


def address(people, name="club-log"):
    return reverse(name, kwargs={"club": people.home.club.slug})


def written_entry(people, what=What.CLUB_CHANGED, **more):
    return audit.write(what, club=people.home.club, actor=people.home.owner, **more)


# --- Sentences ---------------------------------------------------------------------------------------------


def test_every_action_has_a_sentence_and_a_kind():
    assert set(sentences.SENTENCES) == set(What)
    assert sorted(what for _label, whats in sentences.KINDS.values() for what in whats) == sorted(What)


@pytest.mark.parametrize("what", What)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_sentence_is_complete_in_both_languages_for_an_entry_without_data(people, what, language):
    with translation.override(language):
        entry = written_entry(people, what)
        (line,) = sentences.lines_of([entry])
        assert line.sentence.endswith(".")
        assert "%(" not in line.sentence
        assert "Owner" in line.sentence or what in (What.SIGN_IN_FAILED,)


@pytest.mark.parametrize("what", What)
def test_every_sentence_is_translated_into_german(what):
    with translation.override("en"):
        english = str(sentences.SENTENCES[what])
    with translation.override("de"):
        german = str(sentences.SENTENCES[what])
    assert german != english
    named = re.compile(r"%\((\w+)\)s")
    assert sorted(named.findall(german)) == sorted(named.findall(english))


def test_a_sentence_has_the_current_names(people, en):
    player = PlayerFactory(club=people.home.club, nickname="Anna")
    main = PlayerFactory(club=people.home.club, nickname="Beni")
    entry = written_entry(people, What.PLAYERS_MERGED, about=f"player:{player.pk}", data={"main": main.pk})
    assert sentences.lines_of([entry])[0].sentence == "Owner said that Anna and Beni are one person."
    player.nickname = "Somebody 1"
    player.save()
    assert "Anna" not in sentences.lines_of([entry])[0].sentence


def test_numbers_below_zero_have_the_sign_of_all_pages(people, en):
    player = PlayerFactory(club=people.home.club, nickname="Anna")
    about = f"season:{people.home.season.pk}"
    data = {"did": "adjusted", "player": player.pk, "points": -3, "day": "2026-11-20"}
    given = written_entry(people, What.SEASON_CHANGED, about=about, data=data)
    assert sentences.lines_of([given])[0].sentence.endswith(": −3 points.")
    data = {"fields": ["points_declared_failed"], "values": ["points_declared_failed -2 -1"]}
    changed = written_entry(people, What.SEASON_CHANGED, about=about, data=data)
    assert "(−1 instead of −2)" in sentences.lines_of([changed])[0].sentence


def test_an_entry_of_another_version_has_a_sentence_of_its_own(people, en):
    entry = AuditEntry.objects.create(club=people.home.club, what="juggled", about="ball:3")
    assert sentences.lines_of([entry])[0].sentence.startswith("Somebody: ")


# --- The page ----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_pages_of_the_log_have_no_gap(owner, people, django_assert_max_num_queries):
    for n in range(120):
        written_entry(people, data={"fields": ["name"] if n % 2 else ["place"]})
    seen, query = 0, ""
    counts = []
    while True:
        with django_assert_max_num_queries(8) as done:
            answer = owner.get(address(people) + query)
        counts.append(len(done))
        seen += answer.content.count(b'class="entry"')
        older = answer.context["older"]
        if not older:
            break
        query = "?" + older
    assert seen == 120
    assert len(set(counts)) == 1


def test_the_log_is_filtered_by_kind_and_person(owner, people):
    written_entry(people)
    audit.write(What.SIGNED_IN, club=people.home.club, actor=people.home.member)
    assert owner.get(address(people), {"kind": "accounts"}).content.count(b'class="entry"') == 1
    assert owner.get(address(people), {"person": people.home.owner.pk}).content.count(b'class="entry"') == 1
    both = {"kind": "accounts", "person": people.home.owner.pk}
    assert owner.get(address(people), both).content.count(b'class="entry"') == 0
    for nonsense in ({"kind": "x"}, {"person": "x"}, {"before": "x"}, {"person": "9" * 30}):
        assert owner.get(address(people), nonsense).content.count(b'class="entry"') == 2


def test_the_log_has_no_entries_of_other_clubs(owner, people):
    audit.write(What.CLUB_CHANGED, club=people.away.club, actor=people.away.owner)
    audit.write(What.SIGNED_IN, club=None, actor=people.home.member)
    answer = owner.get(address(people))
    assert b'class="entry"' not in answer.content
    assert b"Nothing yet" in answer.content


def test_a_download_of_the_log_is_logged(owner, people):
    written_entry(people)
    answer = owner.get(address(people, "log-csv"))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert [row["what"] for row in rows] == ["exported", "club_changed"]
    assert rows[0]["said"].startswith("Owner downloaded the file log")


# --- Append-only -------------------------------------------------------------------------------------------

ATTACKS = [
    "UPDATE league_auditentry SET what = 'nothing'",
    "DELETE FROM league_auditentry",
    "UPDATE league_playermerge SET joined = NOT joined",
    "DELETE FROM league_playermerge",
]


def attack(sql):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture
def written(people):
    from league.roster.merging import players_merge

    one, other = (PlayerFactory(club=people.home.club) for _ in range(2))
    players_merge(club=people.home.club, player=one, main=other, reason="one", actor=None)


@pytest.mark.both_databases
@pytest.mark.parametrize("sql", ATTACKS)
def test_the_database_refuses_to_rewrite_the_log(written, sql):
    with pytest.raises(DatabaseError, match="append-only"):
        attack(sql)


@pytest.mark.needs_postgres
def test_the_database_refuses_to_truncate_the_log(written):
    with connection.cursor() as cursor:
        # Check deferred constraints now: pending trigger events alone would refuse a TRUNCATE.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(DatabaseError, match="append-only"):
        attack("TRUNCATE league_auditentry")


@pytest.mark.both_databases
@pytest.mark.parametrize("sql", ATTACKS)
def test_without_the_triggers_the_log_is_rewritten(written, sql):
    drop(connection, ("league_auditentry", "league_playermerge"))
    attack(sql)


@pytest.mark.both_databases
def test_models_cannot_rewrite_the_log(written):
    entry = AuditEntry.objects.first()
    entry.what = "nothing"
    with pytest.raises(DatabaseError), transaction.atomic():
        entry.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.update(what="nothing")
