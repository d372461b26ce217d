"""The club's log: complete, in both languages, by pages, and for the owners alone."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import translation

from league import audit, audit_words
from league.audit import What
from league.models import AuditEntry
from league.triggers import drop
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


def address(people, name="club-log"):
    return reverse(name, kwargs={"club": people.home.club.slug})


def wrote(people, what=What.CLUB_CHANGED, **more):
    return audit.write(what, club=people.home.club, actor=people.home.owner, **more)


# --- Words -------------------------------------------------------------------------------------------------


def test_every_deed_has_a_sentence_and_a_kind():
    assert set(audit_words.SENTENCES) == set(What)
    assert sorted(what for _label, whats in audit_words.KINDS.values() for what in whats) == sorted(What)


@pytest.mark.parametrize("what", What)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_sentence_reads_in_both_languages_whatever_the_entry_has(people, what, language):
    with translation.override(language):
        entry = wrote(people, what)
        (line,) = audit_words.told([entry])
        assert line.said.endswith(".")
        assert "%(" not in line.said
        assert "Owner" in line.said or what in (What.SIGN_IN_FAILED,)


@pytest.mark.parametrize("what", What)
def test_every_sentence_is_there_in_german(what):
    with translation.override("en"):
        english = str(audit_words.SENTENCES[what])
    with translation.override("de"):
        german = str(audit_words.SENTENCES[what])
    assert german != english
    named = re.compile(r"%\((\w+)\)s")
    assert sorted(named.findall(german)) == sorted(named.findall(english))


def test_a_line_names_things_as_they_are_called_today(people, en):
    player = PlayerFactory(club=people.home.club, nickname="Anna")
    main = PlayerFactory(club=people.home.club, nickname="Beni")
    entry = wrote(people, What.PLAYERS_MERGED, about=f"player:{player.pk}", data={"main": main.pk})
    assert audit_words.told([entry])[0].said == "Owner said that Anna and Beni are one person."
    player.nickname = "Somebody 1"
    player.save()
    assert "Anna" not in audit_words.told([entry])[0].said


def test_an_entry_of_another_version_is_told_as_such(people, en):
    entry = AuditEntry.objects.create(club=people.home.club, what="juggled", about="ball:3")
    assert audit_words.told([entry])[0].said.startswith("Somebody: ")


# --- The page ----------------------------------------------------------------------------------------------


def test_the_log_goes_on_page_by_page_without_a_gap(owner, people, django_assert_max_num_queries):
    for n in range(120):
        wrote(people, data={"fields": ["name"] if n % 2 else ["place"]})
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


def test_the_log_is_narrowed_to_a_kind_and_a_person(owner, people):
    wrote(people)
    audit.write(What.SIGNED_IN, club=people.home.club, actor=people.home.member)
    assert owner.get(address(people), {"kind": "accounts"}).content.count(b'class="entry"') == 1
    assert owner.get(address(people), {"person": people.home.owner.pk}).content.count(b'class="entry"') == 1
    both = {"kind": "accounts", "person": people.home.owner.pk}
    assert owner.get(address(people), both).content.count(b'class="entry"') == 0
    for nonsense in ({"kind": "x"}, {"person": "x"}, {"before": "x"}, {"person": "9" * 30}):
        assert owner.get(address(people), nonsense).content.count(b'class="entry"') == 2


def test_another_clubs_log_is_another_one(owner, people):
    audit.write(What.CLUB_CHANGED, club=people.away.club, actor=people.away.owner)
    audit.write(What.SIGNED_IN, club=None, actor=people.home.member)
    answer = owner.get(address(people))
    assert b'class="entry"' not in answer.content
    assert b"Nothing yet" in answer.content


def test_the_log_can_be_taken_along_and_says_so(owner, people):
    wrote(people)
    answer = owner.get(address(people, "log-csv"))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert [row["what"] for row in rows] == ["exported", "club_changed"]
    assert rows[0]["said"].startswith("Owner took the file log")


# --- Nothing of it changes ---------------------------------------------------------------------------------

ATTACKS = [
    "UPDATE league_auditentry SET what = 'nothing'",
    "DELETE FROM league_auditentry",
    "UPDATE league_playermerge SET joined = NOT joined",
    "DELETE FROM league_playermerge",
]


def attacked(sql):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture
def written(people):
    from league.roster.merging import players_merge

    one, other = (PlayerFactory(club=people.home.club) for _ in range(2))
    players_merge(club=people.home.club, player=one, main=other, reason="one", actor=None)


@pytest.mark.parametrize("sql", ATTACKS)
def test_the_database_refuses_to_rewrite_it(written, sql):
    with pytest.raises(DatabaseError, match="append-only"):
        attacked(sql)


@pytest.mark.needs_postgres
def test_the_database_refuses_to_empty_it(written):
    with connection.cursor() as cursor:
        # Nothing is left to be checked later; that alone would refuse it.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(DatabaseError, match="append-only"):
        attacked("TRUNCATE league_auditentry")


@pytest.mark.parametrize("sql", ATTACKS)
def test_without_the_triggers_it_would_be_rewritten(written, sql):
    drop(connection, ("league_auditentry", "league_playermerge"))
    attacked(sql)


def test_nor_does_the_program(written):
    entry = AuditEntry.objects.first()
    entry.what = "nothing"
    with pytest.raises(DatabaseError), transaction.atomic():
        entry.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.update(what="nothing")
