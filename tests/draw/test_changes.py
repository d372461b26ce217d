"""A drawn round that changes before it is played: few move, and the report of the change is exact."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as some

from draw import (
    MODES,
    Changes,
    Entrant,
    Mode,
    Move,
    PastRound,
    Round,
    Sizes,
    Table,
    draw_round,
    judge,
    swap,
    table_sizes,
)
from draw import redraw_round as redraw
from tests.draw.check import entrants, everybody_once, repeats, seated, sizes_of

SIZES = [Sizes(), Sizes(4, 4, 5), Sizes(4, 4, 4), Sizes(3, 3, 3), Sizes(5, 4, 6), Sizes(4, 3, 7)]


def places(drawn: Round) -> dict[int, int | None]:
    tables: dict[int, int | None] = dict.fromkeys(drawn.out)
    tables.update({number: table.number for table in drawn.tables for number in table.seats})
    return tables


def some_round(count: int, sizes: Sizes = Sizes(), seed: int = 1) -> tuple[Round, list[PastRound]]:  # noqa: B008
    past = [draw_round(entrants(count), (), sizes, seed=seed, seconds=0.02).as_past()]
    return draw_round(entrants(count), past, sizes, seed=seed, seconds=0.02), past


@settings(max_examples=80)
@given(
    some.integers(7, 40),
    some.sampled_from(SIZES),
    some.sampled_from(MODES),
    some.integers(0, 2**40),
    some.sets(some.integers(1, 40), max_size=3),
    some.integers(0, 3),
)
def test_after_a_change_everybody_has_a_place_and_the_changes_are_exact(
    count: int, sizes: Sizes, mode: Mode, seed: int, withdrawn: set[int], late: int
) -> None:
    before, past = some_round(count, sizes, seed)
    left = [entrant for entrant in entrants(count) if entrant.number not in withdrawn]
    now = [*left, *(Entrant(100 + number) for number in range(late))]
    assume(len(now) >= sizes.least)
    after, changes = redraw(before, now, past, sizes, mode=mode, seed=seed, seconds=0.02)
    assert everybody_once(after, [entrant.number for entrant in now])
    assert all(sizes.least <= size <= sizes.most for size in sizes_of(after))
    assert len(seated(after)) == sum(table_sizes(len(now), sizes))
    was, is_now = places(before), places(after)
    assert changes.moves == tuple(
        Move(number, was[number], is_now[number])
        for number in sorted(was.keys() & is_now.keys())
        if was[number] != is_now[number]
    )
    assert set(changes.arrived) == is_now.keys() - was.keys()
    assert set(changes.withdrawn) == was.keys() - is_now.keys()
    numbers = [{table.number for table in drawn.tables} for drawn in (before, after)]
    assert (set(changes.new_tables), set(changes.closed_tables)) == (numbers[1] - numbers[0], numbers[0] - numbers[1])
    assert redraw(before, now, past, sizes, mode=mode, seed=seed, seconds=0.02) == (after, changes)


def test_without_a_change_nothing_changes() -> None:
    before, past = some_round(32)
    after, changes = redraw(before, entrants(32), past, seed=9)
    assert changes == Changes((), (), (), (), ())
    assert after.tables == before.tables


def test_a_withdrawal_from_a_full_table_moves_nobody() -> None:
    before, past = some_round(32)
    after, changes = redraw(before, entrants(31), past, seed=1)
    assert changes == Changes((), (), (32,), (), ())
    for table, old in zip(after.tables, before.tables, strict=True):
        assert table.seats == tuple(number for number in old.seats if number != 32)


def test_a_late_arrival_joins_a_table_and_moves_nobody() -> None:
    before, past = some_round(32)
    after, changes = redraw(before, [*entrants(32), Entrant(40)], past, seed=1)
    assert changes == Changes((), (40,), (), (), ())
    (joined,) = [table for table in after.tables if 40 in table.seats]
    (old,) = [table for table in before.tables if table.number == joined.number]
    assert tuple(number for number in joined.seats if number != 40) == old.seats
    assert joined.seats[0] == old.seats[0]


def test_a_late_arrival_takes_the_free_seat() -> None:
    before, past = some_round(32)
    left = [entrant for entrant in entrants(32) if entrant.number != before.tables[2].seats[1]]
    after, changes = redraw(before, [*left, Entrant(40)], past, seed=1)
    assert changes.moves == ()
    assert after.tables[2].seats == (before.tables[2].seats[0], 40, *before.tables[2].seats[2:])


def test_one_moves_where_a_table_would_be_too_small() -> None:
    before, past = some_round(32)
    gone = before.tables[3].seats[:2]
    _, changes = redraw(before, [entrant for entrant in entrants(32) if entrant.number not in gone], past, seed=1)
    ((_, _, after),) = [(move.number, move.before, move.after) for move in changes.moves]
    assert after == 4
    assert changes.closed_tables == ()


def test_three_late_arrivals_fill_a_new_table_if_no_other_has_room() -> None:
    before, past = some_round(32, Sizes(4, 3, 4))
    now = [*entrants(32), Entrant(40), Entrant(41), Entrant(42)]
    after, changes = redraw(before, now, past, Sizes(4, 3, 4), seed=1)
    assert (changes.moves, changes.new_tables) == ((), (9,))
    assert set(after.tables[8].seats) == {40, 41, 42}


def test_a_table_of_which_one_is_left_is_closed() -> None:
    before, past = some_round(32)
    gone = before.tables[0].seats[:3]
    last = before.tables[0].seats[3]
    _, changes = redraw(before, [entrant for entrant in entrants(32) if entrant.number not in gone], past, seed=1)
    assert [move.number for move in changes.moves] == [last]
    assert changes.closed_tables == (1,)


def test_an_entrant_who_sits_out_takes_a_free_seat() -> None:
    sizes = Sizes(4, 4, 4)
    before, past = some_round(9, sizes)
    left = [entrant for entrant in entrants(9) if entrant.number != before.tables[0].seats[0]]
    after, changes = redraw(before, left, past, sizes, seed=1)
    assert after.out == ()
    assert changes.moves == (Move(before.out[0], None, 1),)


def test_a_late_arrival_with_a_fixed_table_gets_it() -> None:
    before, past = some_round(32)
    after, changes = redraw(before, [*entrants(32), Entrant(40, fixed_table=6)], past, seed=1)
    assert places(after)[40] == 6
    assert changes.moves == ()
    after, _ = redraw(before, [*entrants(32), Entrant(40, fixed_table=20)], past, seed=1)
    assert places(after)[40] == 20


def test_a_fixed_table_that_is_full_makes_room() -> None:
    before, past = some_round(20, Sizes(4, 3, 4))
    after, changes = redraw(before, [*entrants(20), Entrant(40, fixed_table=2)], past, Sizes(4, 3, 4), seed=1)
    assert places(after)[40] == 2
    assert len(changes.moves) == 3
    assert everybody_once(after, [*range(1, 21), 40])


def test_a_new_table_opens_for_a_fixed_number() -> None:
    tables = (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8)))
    before = Round(tables, (), judge([PastRound(tables)]))
    who = [Entrant(number, fixed_table={1: 1, 5: 2, 40: 9}.get(number)) for number in [*range(1, 9), 40]]
    after, changes = redraw(before, who, seed=1)
    assert [(places(after)[number]) for number in (1, 5, 40)] == [1, 2, 9]
    assert (changes.new_tables, len(changes.moves)) == ((9,), 2)


def test_smaller_tables_than_before_release_some() -> None:
    before, past = some_round(21)
    after, _ = redraw(before, entrants(21), past, Sizes(4, 3, 4), seed=1)
    assert sizes_of(after)[0] == 4
    assert everybody_once(after, range(1, 22))


@pytest.mark.parametrize(
    ("fixed", "sentence"),
    [
        (dict.fromkeys(range(40, 46), 1), "Table 1 is fixed for more entrants than it may have."),
        ({1: 1, 5: 2, 40: 9, 41: 10, 42: 11}, "5 tables are fixed, but there are only 3 tables in this round."),
    ],
)
def test_impossible_fixed_tables_are_refused(fixed: dict[int, int], sentence: str) -> None:
    tables = (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8)))
    before = Round(tables, (), judge([PastRound(tables)]))
    numbers = {*range(1, 9), *fixed}
    with pytest.raises(ValueError, match=sentence):
        redraw(before, [Entrant(number, fixed_table=fixed.get(number)) for number in numbers], seed=1)


def test_a_late_arrival_avoids_the_label_and_those_met_before() -> None:
    before, past = some_round(32)
    who = [
        replace(entrant, labels=frozenset({"x"} if places(before)[entrant.number] != 5 else ()))
        for entrant in entrants(32)
    ]
    after, _ = redraw(before, [*who, Entrant(40, frozenset({"x"}))], past, seed=1)
    assert places(after)[40] == 5


def test_a_table_that_is_left_out_gets_another_number() -> None:
    before, past = some_round(12)
    after, changes = redraw(before, entrants(12), past, seed=1, closed_tables=frozenset({2}))
    assert [table.number for table in after.tables] == [1, 3, 4]
    assert (changes.new_tables, changes.closed_tables) == ((4,), (2,))
    assert len(changes.moves) == 4


@settings(max_examples=40)
@given(some.integers(8, 33), some.integers(0, 2**40), some.data())
def test_the_cost_of_a_swap_equals_the_reports(count: int, seed: int, data: some.DataObject) -> None:
    before, past = some_round(count, Sizes(4, 4, 5) if count > 11 else Sizes(), seed)
    entrant, other = data.draw(some.lists(some.integers(1, count), min_size=2, max_size=2, unique=True))
    after, old, new = swap(before, entrant, other, past)
    assert places(after) == {**places(before), entrant: places(before)[other], other: places(before)[entrant]}
    assert (old.repeats, new.repeats) == (repeats([*past, before]), repeats([*past, after]))
    assert new == after.report
    assert swap(after, entrant, other, past)[0].tables == before.tables


def test_a_swap_with_a_sit_out() -> None:
    before, past = some_round(9, Sizes(4, 4, 4))
    entrant, other = before.out[0], before.tables[0].seats[0]
    after, _, _ = swap(before, entrant, other, past, sizes=Sizes(4, 4, 4))
    assert after.out == (other,)
    assert after.tables[0].seats == (entrant, *before.tables[0].seats[1:])


def test_a_swap_shows_labels_that_come_together() -> None:
    tables = (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8)))
    who = [replace(entrant, labels=frozenset({"x"} if entrant.number in (1, 5) else ())) for entrant in entrants(8)]
    drawn = Round(tables, (), judge([PastRound(tables)]))
    _, before, after = swap(drawn, 2, 5, entrants=who)
    assert (before.labels_together, after.labels_together) == (0, 1)


@pytest.mark.parametrize(
    ("pair", "who", "sentence"),
    [
        ((1, 77), [], "Entrant 77 is not in this round."),
        ((1, 1), [], "Entrants 1 and 1 cannot change places: both have the same."),
        ((1, 5), [Entrant(1, fixed_table=1)], "Entrant 1 cannot leave the fixed table 1."),
        ((9, 10), [], "Entrants 9 and 10 cannot change places: both have the same."),
    ],
)
def test_an_impossible_swap_is_refused(pair: tuple[int, int], who: list[Entrant], sentence: str) -> None:
    tables = (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8)))
    drawn = Round(tables, (9, 10), judge([PastRound(tables)]))
    with pytest.raises(ValueError, match=sentence):
        swap(drawn, *pair, entrants=who)
