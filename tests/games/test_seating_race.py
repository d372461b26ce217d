"""Several recorders at one evening at once: nobody sits twice, no coin is moved twice, and all sums are right."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable

import pytest

from games.hands.services import hand_enter
from games.integrity import verify
from games.models import Happening, Place, Table
from games.seating.changes import Arrive, Leave, Merge, SeatingChange, Split
from games.seating.services import carry_out
from tests.factories import FAILED, PlayerFactory, body, create_table, enter
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

PEOPLE = 6
ROUNDS = 10


def doing(table: Table, change: SeatingChange) -> Callable[[], object]:
    return lambda: carry_out(table=table, change=change, author=None, key=uuid.uuid4())


def seats(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


@pytest.fixture
def tables() -> tuple[Table, Table]:
    first = create_table(seats=6)
    enter(first, FAILED)
    people = seats(first)
    carry_out(table=first, change=Split(people[:3], people[0], by_heads=True), author=None, key=uuid.uuid4())
    return first, Table.objects.get(evening=first.evening, number=2)


def test_one_player_whom_several_recorders_seat_sits_once(tables):
    club = tables[0].evening.club
    for _round in range(ROUNDS):
        late = PlayerFactory(club=club)
        calls = [doing(table, Arrive(late.pk, seats(table)[0])) for table in tables * (PEOPLE // 2)]
        said = at_once(calls)
        assert sorted(said) == ["", *["seating"] * (PEOPLE - 1)]
        assert Place.objects.filter(player=late).count() == 1
        current = Place.objects.get(player=late).table
        carry_out(table=current, change=Leave(late.pk), author=None, key=uuid.uuid4())
    assert list(verify.differences()) == []


def test_two_tables_that_are_merged_both_ways_at_once_are_merged_once(tables):
    first, second = tables
    pots = sum(Table.objects.values_list("pot_minor", flat=True))
    there, back = Merge(second.pk, seats(second)[0]), Merge(first.pk, seats(first)[0])
    said = at_once([doing(first, there), doing(second, back)])
    # The second one finds its own table, or the other one, already dissolved.
    assert said.count("") == 1
    assert set(said) - {""} <= {"dissolved", "table"}
    assert Table.objects.filter(dissolved=False).get().pot_minor == pots
    assert Happening.objects.filter(kind="merged").count() == 2
    assert list(verify.differences()) == []


def test_with_hands_and_players_at_once_all_sums_are_right(tables):
    first, second = tables
    dice = random.Random(1)
    for _round in range(ROUNDS):
        late = PlayerFactory(club=first.evening.club)
        people = seats(first)
        sent = body(first, {"declarer": 0, "joiners": [1], "made": [dice.randint(0, 1)]})
        calls: list[Callable[[], object]] = [
            lambda sent=sent: hand_enter(table=first, author=None, key=uuid.uuid4(), body=sent),  # type: ignore[misc]
            doing(first, Arrive(late.pk, people[0])),
            doing(first, Leave(people[-1])),
            doing(second, Merge(first.pk, people[0])) if _round == ROUNDS - 1 else doing(first, Leave(people[-1])),
        ]
        said = at_once(calls)
        assert set(said) <= {"", "seating", "seats"}
        assert list(verify.differences()) == []
    assert Place.objects.filter(table=first).count() == len(set(seats(first)))
