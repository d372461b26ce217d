"""All rounds ahead: the reference cases have no repeat, also when they are drawn one by one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import Entrant, PastRound, Round, Sizes, draw_round, judge, plan
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
    (6, 5, 5),
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
    left = [one for one in who if one.number != 9]
    while len(past) < 9:
        past.append(draw_round(left, past, seed=3, seconds=0).as_past())
        assert sizes_of(past[-1]) == [4] * 7 + [3]
    assert repeats(past) == 0


@pytest.mark.parametrize(("rounds", "share"), [(5, 2), (4, 4), (3, 7)])
def test_a_design_keeps_labels_apart(rounds: int, share: int) -> None:
    who = [replace(one, labels=frozenset({f"group {one.number // share}"})) for one in entrants(28)]
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


def test_a_thousand_entrants_can_be_drawn() -> None:
    assert plan(1000, 3, seed=1).report.repeats == 0


def test_the_search_over_all_rounds_finds_more_than_round_by_round() -> None:
    past = by_rounds(entrants(37), 8, Sizes(), [1])
    assert plan(37, 8, seed=1, seconds=1).report.repeats < repeats(past)


def test_beyond_a_design_the_bound_is_reached() -> None:
    report = plan(16, 10, seed=1).report
    assert report.bound == 120
    assert (report.repeats, report.most) == (120, 2)


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
@given(some.integers(3, 40), some.integers(1, 7), some.integers(0, 2**40))
def test_a_plan_keeps_sizes_and_turns(players: int, rounds: int, seed: int) -> None:
    made = plan(players, rounds, seed=seed, seconds=0.1)
    numbers = range(1, players + 1)
    assert all(everybody_once(drawn, numbers) for drawn in made.rounds)
    assert in_turn([at_odd_tables(drawn, Sizes()) for drawn in made.rounds], [seated(drawn) for drawn in made.rounds])
    assert made.report.odd_again == 0
    assert made.report.bound <= made.report.repeats == repeats(made.rounds)


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
