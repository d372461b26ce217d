"""Several recorders at one evening at once: nobody sits twice, no coin is moved twice, and the books are right."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from games import audit
from games.errors import Refused
from games.models import Happening, Place, Table
from games.night.acts import Act, Arrive, Leave, Merge, Split
from games.night.services import carry_out
from games.services import hand_enter
from tests.factories import FAILED, PlayerFactory, body, enter, open_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

PEOPLE = 6
ROUNDS = 10


def at_once(calls: list[Callable[[], object]]) -> list[str]:
    """Run them all at the same time; '' for each that was done, else the code of its refusal."""

    def run(call: Callable[[], object]) -> str:
        try:
            call()
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def doing(table: Table, act: Act) -> Callable[[], object]:
    return lambda: carry_out(table=table, act=act, author=None, key=uuid.uuid4())


def seats(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


@pytest.fixture
def tables() -> tuple[Table, Table]:
    first = open_table(seats=6)
    enter(first, FAILED)
    people = seats(first)
    carry_out(table=first, act=Split(people[:3], people[0], by_heads=True), author=None, key=uuid.uuid4())
    return first, Table.objects.get(evening=first.evening, number=2)


def test_one_player_whom_several_recorders_seat_sits_once(tables):
    club = tables[0].evening.club
    for _round in range(ROUNDS):
        late = PlayerFactory(club=club)
        calls = [doing(table, Arrive(late.pk, seats(table)[0])) for table in tables * (PEOPLE // 2)]
        said = at_once(calls)
        assert sorted(said) == ["", *["seating"] * (PEOPLE - 1)]
        assert Place.objects.filter(player=late).count() == 1
        at = Place.objects.get(player=late).table
        carry_out(table=at, act=Leave(late.pk), author=None, key=uuid.uuid4())
    assert list(audit.differences()) == []


def test_two_tables_that_are_joined_both_ways_at_once_are_joined_once(tables):
    first, second = tables
    pots = sum(Table.objects.values_list("pot_minor", flat=True))
    there, back = Merge(second.pk, seats(second)[0]), Merge(first.pk, seats(first)[0])
    said = at_once([doing(first, there), doing(second, back)])
    # The one that comes second finds itself, or its goal, joined already.
    assert said.count("") == 1
    assert set(said) - {""} <= {"dissolved", "table"}
    assert Table.objects.filter(dissolved=False).get().pot_minor == pots
    assert Happening.objects.filter(kind="merged").count() == 2
    assert list(audit.differences()) == []


def test_hands_and_people_come_at_once_and_the_books_are_right(tables):
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
        assert list(audit.differences()) == []
    assert Place.objects.filter(table=first).count() == len(set(seats(first)))
