"""All rounds ahead: the reference cases have no repeat, also when they are drawn one by one."""

from dataclasses import replace
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import ORDERS, Entrant, Order, PastRound, Round, Sizes, draw_round, judge, plan
from draw.bounds import Seated, bounds
from tests.draw.check import at_odd_tables, entrants, everybody_once, in_turn, repeats, seated, sizes_of

REFERENCE = [
    # tables, size, rounds
    (8, 4, 9),
    (7, 4, 9),
    (9, 4, 8),
    (9, 4, 11),
    (10, 4, 9),
    (10, 4, 13),
    (4, 4, 5),
    (5, 3, 7),
    (6, 3, 8),
    (7, 3, 10),
    (5, 5, 6),
    (6, 5, 6),
    (7, 5, 7),
    (8, 5, 8),
    (9, 5, 9),
    (10, 5, 9),
    (11, 5, 11),
    (12, 5, 12),
]


def by_rounds(
    who: list[Entrant], count: int, sizes: Sizes, seeds: list[int], first: Round | None = None
) -> list[PastRound]:
    past = [first.as_past()] if first else []
    while len(past) < count:
        past.append(draw_round(who, past, sizes, seed=seeds[len(past) % len(seeds)], seconds=0.01).as_past())
    return past


def groups(drawn: Round | PastRound) -> set[frozenset[int]]:
    return {frozenset(table.seats) for table in drawn.tables}


def exactly(size: int) -> Sizes:
    return Sizes(size, 3, max(5, size))


@pytest.mark.parametrize(("tables", "size", "rounds"), REFERENCE)
def test_a_reference_case_has_no_repeat(tables: int, size: int, rounds: int) -> None:
    made = plan(tables * size, rounds, exactly(size), seed=1, seconds=0)
    assert repeats(made.rounds) == made.report.repeats == 0
    for drawn in made.rounds:
        assert everybody_once(drawn, range(1, tables * size + 1))
        assert sizes_of(drawn) == [size] * tables


@pytest.mark.parametrize("seeds", [[5], [5, 6, 7]])
@pytest.mark.parametrize(("tables", "size", "rounds"), REFERENCE)
def test_a_reference_case_drawn_round_by_round_has_no_repeat(
    tables: int, size: int, rounds: int, seeds: list[int]
) -> None:
    past = by_rounds(entrants(tables * size), rounds, exactly(size), seeds)
    assert repeats(past) == 0
    if len(seeds) == 1:
        made = plan(tables * size, rounds, exactly(size), seed=seeds[0])
        assert [groups(drawn) for drawn in made.rounds] == [groups(drawn) for drawn in past]


@pytest.mark.parametrize("mode", ["random", "standing"])
def test_a_design_goes_on_from_any_first_round(mode: str) -> None:
    who = entrants(32)
    first = draw_round(who, mode=mode, seed=77)  # type: ignore[arg-type]
    assert repeats(by_rounds(who, 9, Sizes(), [1, 2], first)) == 0


def test_a_search_goes_on_where_no_design_does() -> None:
    who = entrants(32)
    first = draw_round(who, mode="random", seed=77)
    past = [first.as_past(), draw_round(who, [first.as_past()], mode="random", seed=78).as_past()]
    assert repeats([*past, draw_round(who, past, seed=1)]) == repeats(past)


def test_a_design_goes_on_without_one_who_withdrew() -> None:
    who = entrants(32)
    past = by_rounds(who, 4, Sizes(), [3])
    left = [entrant for entrant in who if entrant.number != 9]
    while len(past) < 9:
        past.append(draw_round(left, past, seed=3, seconds=0).as_past())
        assert sizes_of(past[-1]) == [4] * 7 + [3]
    assert repeats(past) == 0


@pytest.mark.parametrize(("rounds", "share"), [(5, 2), (8, 2), (4, 4), (3, 7)])
def test_a_design_keeps_labels_apart(rounds: int, share: int) -> None:
    who = [replace(entrant, labels=frozenset({f"group {entrant.number // share}"})) for entrant in entrants(28)]
    past = by_rounds(who, rounds, Sizes(), [3])
    assert judge(past, who).labels_together == 0
    assert repeats(past) == 0


def test_203_entrants_at_4_and_5_meet_nobody_twice_in_8_rounds() -> None:
    sizes = Sizes(4, 4, 5)
    made = plan(203, 8, sizes, seed=1)
    assert repeats(made.rounds) == 0
    for drawn in made.rounds:
        assert sizes_of(drawn) == [5] * 3 + [4] * 47
    odd = [at_odd_tables(drawn, sizes) for drawn in made.rounds]
    assert in_turn(odd, [seated(drawn) for drawn in made.rounds])


@pytest.mark.rest
def test_a_thousand_entrants_can_be_drawn() -> None:
    assert plan(1000, 3, seed=1).report.repeats == 0


@pytest.mark.rest
def test_the_search_over_all_rounds_finds_more_than_round_by_round() -> None:
    past = by_rounds(entrants(41), 9, Sizes(), [1])
    assert plan(41, 9, seed=1, seconds=1).report.repeats < repeats(past)


def test_beyond_a_design_the_bound_is_reached() -> None:
    report = plan(16, 10, seed=1).report
    assert report.bound == 120
    assert (report.repeats, report.most) == (120, 2)


@pytest.mark.rest
def test_a_draw_that_knows_the_number_of_rounds_follows_the_plan() -> None:
    made = plan(37, 8, seed=4, seconds=1)
    past: list[PastRound] = []
    for seed in range(4, 12):
        past.append(draw_round(entrants(37), past, seed=seed, seconds=1, rounds=8).as_past())
    assert [played.tables for played in past] == [drawn.tables for drawn in made.rounds]
    late = draw_round(entrants(38), past[:4], seed=8, seconds=0.01, rounds=8)
    assert late.tables != past[4].tables
    assert everybody_once(late, range(1, 39))


@settings(max_examples=25)
@given(some.integers(3, 40), some.integers(1, 7), some.integers(0, 2**40), some.sampled_from(ORDERS))
def test_a_plan_keeps_sizes_and_its_bounds_hold(players: int, rounds: int, seed: int, order: Order) -> None:
    made = plan(players, rounds, seed=seed, seconds=0.1, order=order)
    numbers = range(1, players + 1)
    assert all(everybody_once(drawn, numbers) for drawn in made.rounds)
    if order == "sizes":
        odd = [at_odd_tables(drawn, Sizes()) for drawn in made.rounds]
        assert in_turn(odd, [seated(drawn) for drawn in made.rounds])
        assert made.report.odd_again == 0
    assert made.report.bound <= made.report.repeats == repeats(made.rounds)
    assert made.report.most_bound <= made.report.most


FIVES = Sizes(5, 4, 5)


@pytest.mark.parametrize(
    ("players", "rounds", "bound", "most_repeats"),
    # The least that is known; 18 at four tables have six where nobody meets three times.
    [(23, 3, 0, 0), (22, 3, 0, 0), (26, 3, 0, 0), (27, 3, 0, 0), (18, 3, 4, 6), (21, 5, 0, 0)],
)
def test_repeats_come_before_tables_of_another_size(players: int, rounds: int, bound: int, most_repeats: int) -> None:
    report = plan(players, rounds, FIVES, seed=1, seconds=0.5).report
    assert (report.bound, report.order) == (bound, "repeats")
    assert bound <= report.repeats <= most_repeats
    if players == 27:
        assert (report.odd_uneven, report.searched) == (0, 0)


def test_repeats_are_judged_before_turns_unless_the_order_says_otherwise() -> None:
    report = plan(18, 3, FIVES, seed=1, seconds=0).report
    few_repeats, by_turns = replace(report, repeats=3, odd_again=5), replace(report, repeats=5, odd_again=0)
    assert few_repeats.figures < by_turns.figures
    assert replace(by_turns, order="sizes").figures < replace(few_repeats, order="sizes").figures


def test_the_search_gives_up_turns_for_a_repeat() -> None:
    by_repeats = plan(18, 4, FIVES, seed=2, seconds=0.5).report
    by_turns = plan(18, 4, FIVES, seed=2, seconds=0.5, order="sizes").report
    assert (by_repeats.repeats, by_turns.odd_again) == (12, 0)
    assert by_repeats.repeats < by_turns.repeats


def test_tables_of_another_size_by_turns_cost_repeats_and_the_bound_names_the_rule() -> None:
    report = plan(23, 3, FIVES, seed=1, seconds=0.3, order="sizes").report
    assert (report.odd_again, report.bound_by, report.searched) == (0, "turns", 300)
    assert 0 < report.bound <= report.repeats


@pytest.mark.parametrize(
    ("sizes", "people", "rounds", "order", "bound", "reason"),
    [
        ((4, 4), 8, 2, "repeats", 4, "tables"),
        ((4, 4), 8, 3, "repeats", 8, "people"),
        ((4, 4, 4, 4), 16, 10, "repeats", 120, "people"),
        ((5, 5, 4, 4), 18, 3, "repeats", 4, "tables"),
        ((5, 5, 5, 4, 4), 23, 2, "repeats", 0, ""),
        ((5, 5, 5, 4, 4), 23, 2, "sizes", 2, "turns"),
    ],
)
def test_a_bound_counted_by_hand(
    sizes: tuple[int, ...], people: int, rounds: int, order: Order, bound: int, reason: str
) -> None:
    result = bounds([Seated(sizes, frozenset(range(people)))] * rounds, max(sizes), order)
    assert (result.repeats, result.reason) == (bound, reason)


def test_the_bounds_of_two_rounds_hold_in_every_pair_of_rounds_of_seven_people() -> None:
    before = [{0, 1, 2, 3}, {4, 5, 6}]

    def again(four: set[int]) -> int:
        return sum(comb(len(table & old), 2) for table in (four, set(range(7)) - four) for old in before)

    least = min(again(set(four)) for four in combinations(range(7), 4))
    assert bounds([Seated((4, 3), frozenset(range(7)))] * 2, 4, "repeats").repeats == least


def test_after_a_late_arrival_the_rounds_to_come_are_planned_again() -> None:
    past: list[PastRound] = []
    for count in (23, 24, 24):
        past.append(draw_round(entrants(count), past, FIVES, seed=3, seconds=0.3, rounds=3).as_past())
    alone = [past[0]]
    for _ in range(2):
        alone.append(draw_round(entrants(24), alone, FIVES, seed=3, seconds=0.3).as_past())
    assert repeats(past) <= repeats(alone)
    assert everybody_once(past[2], range(1, 25))


@pytest.mark.parametrize(
    ("players", "rounds", "sentence"),
    [
        (2, 1, "2 entrants cannot fill a table"),
        (8, 0, "A plan has 1 to 200 rounds, not 0."),
        (5000, 1, "A plan is for 1 to 2000 players, not 5000."),
    ],
)
def test_an_impossible_plan_is_refused(players: int, rounds: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        plan(players, rounds)
