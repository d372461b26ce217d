"""The audit log of a club: complete, in both languages, in pages, and for the owners only."""

from __future__ import annotations

import csv
import io
import re
from importlib import import_module
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import translation

from league import audit
from league.audit import What, sentences, texts
from league.models import AuditEntry
from league.triggers import drop
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


def address(people, name="club-log"):
    return reverse(name, kwargs={"club": people.home.club.slug})


def written_entry(people, what=What.CLUB_CHANGED, **more):
    return audit.write(what, club=people.home.club, actor=people.home.owner, **more)


# --- Sentences ---------------------------------------------------------------------------------------------


def without_sentence():
    """Return the actions without a sentence, or without a kind by which they are filtered."""
    filtered = {what for kind in texts.KINDS for what in texts.of_kind(kind)}
    return set(What) - (set(texts.SENTENCES) & filtered)


def test_every_action_has_a_sentence_and_a_kind():
    assert without_sentence() == set()


@pytest.mark.parametrize("table", ["SENTENCES", "KIND_OF"])
def test_an_action_whose_room_registers_nothing_is_found(monkeypatch, table):
    monkeypatch.delitem(getattr(texts, table), What.TOKEN_MADE)
    assert without_sentence() == {What.TOKEN_MADE}


def unregistered():
    """Return the rooms of whose texts one is not in the log."""
    folders = set()
    for file in sorted([*Path("league").glob("**/audit_texts.py"), *Path("games").glob("**/audit_texts.py")]):
        room = import_module(".".join(file.with_suffix("").parts))
        own = [*getattr(room, "SENTENCES", {}).values(), getattr(room, "VARIANTS", {}), getattr(room, "FIELDS", {})]
        tables = [*([texts.SENTENCES] * (len(own) - 2)), texts.VARIANTS, texts.FIELDS]
        for name, labels in getattr(room, "VALUES", {}).items():
            own.append(labels)
            tables.append(texts.VALUES.get(name, {}))
        if any(
            table.get(key) is not text for part, table in zip(own, tables, strict=True) for key, text in part.items()
        ):
            folders.add(str(file.parent))
    return folders


def test_the_texts_of_every_room_are_registered():
    assert unregistered() == set()


def test_a_room_that_is_not_registered_is_found(monkeypatch):
    monkeypatch.delitem(texts.FIELDS, "logo")
    monkeypatch.delitem(texts.VALUES["file"], "debts")
    assert unregistered() == {"league/logo", "games/closing"}


@pytest.mark.parametrize(
    "again",
    [
        {"sentences": {"club": {What.TOKEN_MADE: "twice"}}},
        {"variants": {(What.PLAYER_ADDED, "guest", True): "twice"}},
        {"fields": {"logo": "twice"}},
        {"values": {"file": {"log": "twice"}}},
        {"parts": {"scopes": str}},
        {"readers": {"player": list}},
        {"field_objects": {"main": "player"}},
        {"mentions": {What.HAND_LEFT_OUT: list}},
    ],
)
def test_a_text_is_registered_once(again):
    with pytest.raises(ValueError, match="already"):
        texts.register(**again)


def test_a_text_that_is_new_is_registered(monkeypatch):
    monkeypatch.setattr(texts, "FIELDS", {})
    texts.register(fields={"logo": "once"})
    assert texts.FIELDS == {"logo": "once"}


def test_a_kind_of_entries_that_the_page_does_not_have_is_refused():
    with pytest.raises(ValueError, match="no kind of entries 'juggling'"):
        texts.register(sentences={"juggling": {}})


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
        english = str(texts.SENTENCES[what])
    with translation.override("de"):
        german = str(texts.SENTENCES[what])
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

    player, other = (PlayerFactory(club=people.home.club) for _ in range(2))
    players_merge(club=people.home.club, player=player, main=other, reason="one", actor=None)


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


PLACE = re.compile(r"%\((\w+)\)s")


def unfilled() -> set[str]:
    """The places of sentences that no value of an entry fills."""
    known = {"who", "about", "fields", *sentences._NUMBERS, *sentences._DAYS, *sentences.FIELD_OBJECTS}
    known |= {*texts.VALUES, *texts.PARTS}
    names = {
        name for text in (*texts.SENTENCES.values(), *texts.VARIANTS.values()) for name in PLACE.findall(str(text))
    }
    return names - known


def test_each_place_of_a_sentence_is_filled() -> None:
    assert unfilled() == set()


def test_a_place_that_nothing_fills_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "_NUMBERS", ("number",))
    assert {"evenings", "rows", "year", "failed"} < unfilled()
