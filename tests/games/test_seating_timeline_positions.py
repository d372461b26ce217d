"""A happening keeps its place in the timeline when hands before it are inserted, taken out or moved."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from games.corrections.edits import Edit, Move, PutIn, TakeOut
from games.corrections.services import correct
from games.models import Happening, Table
from games.seating import selectors
from games.seating.changes import NEWCOMER, Arrive, Leave, Pause
from games.seating.selectors import timelines
from games.seating.services import Guest, carry_out
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter, void

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """Three hands, Zoé comes, two more hands, a pause."""
    table = create_table()
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    carry_out(table=table, change=Arrive(NEWCOMER, seats(table)[4]), author=None, key=uuid.uuid4(), guest=Guest("Zoé"))
    for record in (FAILED, WALKOVER):
        enter(table, record)
    carry_out(table=table, change=Pause(), author=None, key=uuid.uuid4())
    return Table.objects.select_related("evening__club").get(pk=table.pk)


def seats(table: Table) -> list[int]:
    return list(table.places.order_by("seat").values_list("player_id", flat=True))


def timeline(table: Table) -> list[tuple[int, str]]:
    return [(entry.after, entry.kind) for entry in reversed(timelines([table], amounts=True, currency="CHF")[table.pk])]


def make_correction(table: Table, edit: Edit) -> None:
    correct(table=Table.objects.get(pk=table.pk), edit=edit, author=None, key=uuid.uuid4())


def put_in(number: int, people: int = 5) -> Callable[[Table], Edit]:
    """A forgotten hand of the first `people` at the table."""
    return lambda table: PutIn(number, tuple(seats(table)[:people]), dict(WALKOVER))


CASES: list[tuple[str, Callable[[Table], Edit], list[int]]] = [
    ("put in before both", put_in(2), [4, 6]),
    ("put in between them", put_in(5, people=6), [3, 6]),
    ("put in at the place, Zoé in it", put_in(4, people=6), [3, 6]),
    ("put in at the place, Zoé not in it", put_in(4), [4, 6]),
    ("put in as the last one", put_in(6, people=6), [3, 6]),
    ("taken out before both", lambda table: TakeOut(1), [2, 4]),
    ("taken out right before", lambda table: TakeOut(3), [2, 4]),
    ("taken out right after", lambda table: TakeOut(4), [3, 4]),
    ("moved up across it", lambda table: Move(1, 5), [3, 5]),
    ("moved down across it", lambda table: Move(5, 1), [3, 5]),
    ("moved beside it", lambda table: Move(1, 2), [3, 5]),
]


@pytest.mark.parametrize(("edit", "places"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_happening_moves_with_the_hands_before_it(table: Table, edit: Any, places: list[int]) -> None:
    assert timeline(table) == [(3, "arrived"), (5, "paused")]
    make_correction(table, edit(table))
    assert timeline(table) == list(zip(places, ("arrived", "paused"), strict=True))


def test_the_stored_positions_alone_would_be_wrong(table: Table) -> None:
    make_correction(table, TakeOut(1))
    assert list(Happening.objects.values_list("after", flat=True)) == [3, 5]
    assert [after for after, _kind in timeline(table)] != [3, 5]


def test_several_corrections_add_up(table: Table) -> None:
    make_correction(table, TakeOut(1))
    make_correction(table, put_in(1)(table))
    assert timeline(table) == [(3, "arrived"), (5, "paused")]
    make_correction(table, put_in(1)(table))
    make_correction(table, put_in(1)(table))
    assert timeline(table) == [(5, "arrived"), (7, "paused")]


def test_a_correction_before_a_happening_does_not_move_it(table: Table) -> None:
    make_correction(table, TakeOut(1))
    carry_out(table=table, change=Leave(seats(table)[5]), author=None, key=uuid.uuid4())
    assert timeline(table) == [(2, "arrived"), (4, "paused"), (4, "left")]


def test_an_undone_last_hand_is_played_again_after_it(table: Table) -> None:
    void(table)
    assert timeline(table) == [(3, "arrived"), (4, "paused")]
    enter(table, MADE)
    assert timeline(table) == [(3, "arrived"), (4, "paused")]


def test_a_correction_at_another_table_moves_nothing(table: Table) -> None:
    other = create_table(season=table.evening.season, club=table.evening.club)
    enter(other, MADE)
    carry_out(table=other, change=Pause(), author=None, key=uuid.uuid4())
    make_correction(table, TakeOut(1))
    assert timeline(other) == [(1, "paused")]


def test_four_queries_for_any_number_of_corrections(table: Table, django_assert_num_queries: Any) -> None:
    make_correction(table, TakeOut(1))
    make_correction(table, put_in(1)(table))
    with django_assert_num_queries(4):
        selectors.timelines([table], amounts=True, currency="CHF")
