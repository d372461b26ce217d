"""Slips: each has a place of its own, and the tables fill so that few must take another seat."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import Entrant, Sizes, Slip, redraw_round, slips, table_sizes
from draw.slip_order import WAVE, round_of_slips

SIZES = [Sizes(), Sizes(4, 4, 5), Sizes(3, 3, 4), Sizes(5, 4, 6), Sizes(4, 3, 7)]


def counts(taken: tuple[Slip, ...]) -> list[int]:
    return list(Counter(slip.table for slip in taken).values())


@settings(max_examples=60)
@given(some.integers(7, 80), some.sampled_from(SIZES), some.integers(0, 2**40))
def test_no_place_is_given_twice_and_seats_fill_in_order(players: int, sizes: Sizes, seed: int) -> None:
    taken = slips(players, sizes, seed)
    assert len(taken) >= 2 * players
    assert len(set(taken)) == len(taken)
    assert taken == slips(players, sizes, seed)
    for number in {slip.table for slip in taken}:
        seats = [slip.seat for slip in taken if slip.table == number]
        assert seats == list(range(1, len(seats) + 1))


@settings(max_examples=60)
@given(some.integers(7, 80), some.sampled_from(SIZES), some.integers(0, 2**40))
def test_about_the_expected_head_count_every_table_has_an_allowed_size(players: int, sizes: Sizes, seed: int) -> None:
    taken = slips(players, sizes, seed)
    tables = len(table_sizes(players, sizes))
    for count in range(tables * sizes.least, tables * sizes.most + 1):
        assert all(sizes.least <= size <= sizes.most for size in counts(taken[:count]))
    expected = table_sizes(players, sizes)
    if sum(expected) == players and sizes.most <= 5:
        assert sorted(counts(taken[:players]), reverse=True) == list(expected)


@settings(max_examples=60)
@given(some.integers(7, 60), some.sampled_from(SIZES), some.integers(0, 2**40), some.data())
def test_any_head_count_is_made_right_by_few_moves(
    players: int, sizes: Sizes, seed: int, data: some.DataObject
) -> None:
    count = data.draw(some.integers(sizes.least, 2 * players))
    numbers = range(1, count + 1)
    drawn = round_of_slips(slips(players, sizes, seed)[:count], numbers)
    after, changes = redraw_round(drawn, [Entrant(number) for number in numbers], (), sizes, mode="random", seed=seed)
    assert all(sizes.least <= len(table.seats) <= sizes.most for table in after.tables)
    assert len(changes.moves) <= WAVE * (sizes.least - 1)


def test_a_slip_says_where_its_taker_sits() -> None:
    drawn = round_of_slips([Slip(2, 1), Slip(1, 1), Slip(1, 2), Slip(2, 2)], [9, 8, 7, 6])
    assert [(table.number, table.seats) for table in drawn.tables] == [(1, (8, 7)), (2, (9, 6))]


def test_those_who_come_together_seldom_sit_together() -> None:
    taken = slips(40, Sizes(), 1)
    together = sum(slip.table == other.table for slip, other in pairwise(taken))
    assert together < len(taken) / 4


def test_slips_for_too_few_are_refused() -> None:
    with pytest.raises(ValueError, match="2 entrants cannot fill a table"):
        slips(2, Sizes(), 1)


@settings(max_examples=60)
@given(
    some.integers(7, 60),
    some.sampled_from(SIZES),
    some.integers(0, 2**40),
    some.frozensets(some.integers(1, 20), max_size=5),
    some.frozensets(some.integers(1, 40), max_size=3),
)
def test_closed_tables_get_no_slip_and_fixed_ones_are_among_the_first(
    players: int, sizes: Sizes, seed: int, closed: frozenset[int], fixed: frozenset[int]
) -> None:
    fixed = frozenset(sorted(fixed)[: len(table_sizes(players, sizes))])
    taken = slips(players, sizes, seed, closed_tables=closed, fixed_tables=fixed)
    tables = {slip.table for slip in taken}
    assert not tables & closed
    assert len(set(taken)) == len(taken)
    plain = slips(players, sizes, seed)
    count = len(table_sizes(players, sizes)) * sizes.most
    assert fixed - closed <= {slip.table for slip in taken[:count]}
    names = dict(zip((slip.table for slip in plain), (slip.table for slip in taken), strict=True))
    assert [Slip(names[slip.table], slip.seat) for slip in plain] == list(taken)
