"""The order of play: neighbours, first deals and seat numbers, in a round and over a plan."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import PastRound, Sizes, Table, draw_round, judge, plan
from draw.lot import Lot
from draw.seats_over_rounds import spread_seats
from tests.draw.check import entrants


def neighbours(rounds: list[PastRound]) -> int:
    orders = [table.seats for played in rounds for table in played.tables]
    right = Counter(pair for order in orders for pair in zip(order, (*order[1:], order[0]), strict=True))
    return sum(times - 1 for times in right.values())


@pytest.mark.parametrize(("players", "rounds"), [(32, 8), (32, 4), (16, 4), (28, 8)])
def test_everybody_deals_equally_often_in_a_plan_where_that_is_possible(players: int, rounds: int) -> None:
    made = plan(players, rounds, seed=1)
    deals = Counter(table.seats[0] for drawn in made.rounds for table in drawn.tables)
    assert set(deals.values()) == {rounds // 4}
    assert made.report.deals == 0


@settings(max_examples=20)
@given(some.integers(8, 60), some.integers(2, 8), some.integers(0, 2**40))
def test_first_deals_differ_by_one_at_most_in_a_plan(players: int, rounds: int, seed: int) -> None:
    report = plan(players, rounds, seed=seed, seconds=0).report
    assert report.deals <= 1
    assert report.seats <= 2 or report.repeats


def test_nobody_has_a_neighbour_twice_at_a_table_of_five_for_two_rounds() -> None:
    past: list[PastRound] = []
    for _ in range(2):
        past.append(draw_round(entrants(5), past, Sizes(5, 3, 5), seed=1).as_past())
    assert neighbours(past) == judge(past, (), Sizes(5, 3, 5)).neighbours == 0


def test_a_table_of_seven_is_ordered_by_exchanges() -> None:
    past: list[PastRound] = []
    for _ in range(3):
        past.append(draw_round(entrants(7), past, Sizes(7, 3, 7), seed=1).as_past())
    report = judge(past, (), Sizes(7, 3, 7))
    assert (report.deals, report.neighbours) == (1, neighbours(past))
    assert report.neighbours <= 4


def test_other_orders_keep_who_sits_where() -> None:
    rounds = [[Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8))]] * 4
    spread = spread_seats(rounds, Lot(1))
    assert [[(table.number, set(table.seats)) for table in tables] for tables in spread] == [
        [(1, {1, 2, 3, 4}), (2, {5, 6, 7, 8})]
    ] * 4
    report = judge([PastRound(tuple(tables)) for tables in spread])
    assert report.deals == 0
    assert judge([PastRound(tuple(tables)) for tables in rounds]).deals == 4
