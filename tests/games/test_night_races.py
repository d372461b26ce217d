"""Two phones at once: one key is one evening, one nickname is one player, one number is one hand."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from games.models import Hand, Place, Revision, Table
from games.night.services import begin, store
from games.night.writes import read_write
from league.models import Club, Evening, Player
from tests.cast import House, house
from tests.factories import PlayerFactory, create_table
from tests.games import night_writes
from tests.games.night_writes import seats
from tests.races import Race, at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Call = Callable[[], object]


@pytest.fixture
def home() -> House:
    return house("roessli")


def beginning(home: House, sent: dict[str, Any]) -> Call:
    write = read_write(sent)
    return lambda: begin(write=write, body=write.body, club=home.club, author=None)  # type: ignore[arg-type]


def storing(table: Table, sent: dict[str, Any]) -> Call:
    rows = Table.objects.select_related("evening__club", "evening__season", "evening__house_rules")
    write, current = read_write(sent), rows.get(pk=table.pk)
    return lambda: store(write=write, table=current, author=None)


def two(home: House) -> list[int]:
    return [PlayerFactory(club=home.club, nickname=name).pk for name in ("Anna", "Beni")]


def test_a_beginning_sent_twice_at_once_is_one_evening(home: House) -> None:
    sent = night_writes.begin(home.season, [*two(home), "Fritz"])
    assert at_once([beginning(home, sent)] * 2) == ["", ""]
    assert (Evening.objects.count(), Player.objects.filter(nickname="Fritz").count()) == (1, 1)


@pytest.mark.parametrize("guarded", [True, False])
def test_two_evenings_with_one_guest_have_one_player(
    home: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    anna, beni = two(home)
    race = Race(monkeypatch)
    race.after_lock(Club, taken=guarded)
    calls = [beginning(home, night_writes.begin(home.season, [player, "Fritz"])) for player in (anna, beni)]
    answers = at_once(calls)
    assert race.met
    assert (answers == ["", ""]) == guarded
    assert Player.objects.filter(nickname="Fritz").count() == 1


def test_two_phones_let_one_guest_come_once(home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=3)
    sent = [night_writes.write("come", table, guest="Fritz", after=seats(table)[0]) for _ in range(2)]
    assert at_once([storing(table, entry) for entry in sent]) == ["", "seating"]
    assert Place.objects.filter(table=table).count() == 4


@pytest.mark.parametrize("one_key", [True, False], ids=["one key", "two keys"])
def test_one_number_at_once_is_one_hand(home: House, one_key: bool) -> None:
    table = create_table(club=home.club, season=home.season, seats=3)
    first = night_writes.hand(table)
    other = first if one_key else first | {"key": str(uuid.uuid4())}
    assert at_once([storing(table, entry) for entry in (first, other)]) == (["", ""] if one_key else ["", "taken"])
    assert (Hand.objects.count(), Revision.objects.count()) == (1, 1)


def test_a_pause_of_two_phones_is_one(home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=3)
    sent = night_writes.write("pause", table)
    calls = [storing(table, sent), storing(table, sent), storing(table, night_writes.write("pause", table))]
    assert at_once(calls) == ["", "", ""]
    assert Table.objects.get().paused_at is not None
