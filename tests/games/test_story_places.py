"""What happened between two hands keeps its place when hands before it are put in, taken out or moved."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from games.mending.corrections import correct
from games.mending.edits import Edit, Move, PutIn, TakeOut
from games.models import Happening, Table
from games.night import selectors
from games.night.acts import NEWCOMER, Arrive, Leave, Pause
from games.night.selectors import stories
from games.night.services import Guest, carry_out
from tests.factories import FAILED, MADE, WALKOVER, enter, open_table, void

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """Three hands, Zoé comes, two more hands, a pause."""
    table = open_table()
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    carry_out(table=table, act=Arrive(NEWCOMER, seats(table)[4]), author=None, key=uuid.uuid4(), guest=Guest("Zoé"))
    for record in (FAILED, WALKOVER):
        enter(table, record)
    carry_out(table=table, act=Pause(), author=None, key=uuid.uuid4())
    return Table.objects.select_related("evening__club").get(pk=table.pk)


def seats(table: Table) -> list[int]:
    return list(table.places.order_by("seat").values_list("player_id", flat=True))


def story(table: Table) -> list[tuple[int, str]]:
    return [(one.after, one.kind) for one in reversed(stories([table], amounts=True, currency="CHF")[table.pk])]


def mend(table: Table, edit: Edit) -> None:
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
def test_its_place_follows(table: Table, edit: Any, places: list[int]) -> None:
    assert story(table) == [(3, "arrived"), (5, "paused")]
    mend(table, edit(table))
    assert story(table) == list(zip(places, ("arrived", "paused"), strict=True))


def test_the_twin_that_goes_by_what_was_written_is_wrong(table: Table) -> None:
    mend(table, TakeOut(1))
    assert list(Happening.objects.values_list("after", flat=True)) == [3, 5]
    assert [after for after, _kind in story(table)] != [3, 5]


def test_one_after_the_other(table: Table) -> None:
    mend(table, TakeOut(1))
    mend(table, put_in(1)(table))
    assert story(table) == [(3, "arrived"), (5, "paused")]
    mend(table, put_in(1)(table))
    mend(table, put_in(1)(table))
    assert story(table) == [(5, "arrived"), (7, "paused")]


def test_what_was_corrected_before_it_happened_moves_nothing(table: Table) -> None:
    mend(table, TakeOut(1))
    carry_out(table=table, act=Leave(seats(table)[5]), author=None, key=uuid.uuid4())
    assert story(table) == [(2, "arrived"), (4, "paused"), (4, "left")]


def test_an_undone_last_hand_is_played_again_after_it(table: Table) -> None:
    void(table)
    assert story(table) == [(3, "arrived"), (4, "paused")]
    enter(table, MADE)
    assert story(table) == [(3, "arrived"), (4, "paused")]


def test_another_table_is_another_story(table: Table) -> None:
    other = open_table(season=table.evening.season, club=table.evening.club)
    enter(other, MADE)
    carry_out(table=other, act=Pause(), author=None, key=uuid.uuid4())
    mend(table, TakeOut(1))
    assert story(other) == [(1, "paused")]


def test_four_queries_however_much_was_corrected(table: Table, django_assert_num_queries: Any) -> None:
    mend(table, TakeOut(1))
    mend(table, put_in(1)(table))
    with django_assert_num_queries(4):
        selectors.stories([table], amounts=True, currency="CHF")
