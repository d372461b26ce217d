"""Properties of every round, in every mode: everybody once, allowed sizes, turns, labels, reproducible."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import MODES, Entrant, Mode, PastRound, Round, Sizes, Table, draw_round, judge, table_sizes
from tests.draw.check import at_odd_tables, entrants, everybody_once, in_turn, meetings, seated, sizes_of

SIZES = [Sizes(), Sizes(4, 4, 5), Sizes(4, 4, 4), Sizes(3, 3, 3), Sizes(5, 4, 6), Sizes(4, 3, 7), Sizes(7, 3, 7)]
modes = some.sampled_from(MODES)
sizes_of_tables = some.sampled_from(SIZES)


def rounds(
    who: list[Entrant], count: int, sizes: Sizes, mode: Mode, seed: int, seconds: float = 0.02
) -> tuple[list[Round], list[PastRound]]:
    past: list[PastRound] = []
    drawn = []
    for _ in range(count):
        drawn.append(draw_round(who, past, sizes, mode=mode, seed=seed, seconds=seconds))
        past.append(drawn[-1].as_past())
    return drawn, past


@settings(max_examples=60)
@given(some.integers(7, 45), sizes_of_tables, modes, some.integers(0, 2**40))
def test_everybody_sits_or_sits_out_in_turn_at_tables_of_allowed_sizes(
    count: int, sizes: Sizes, mode: Mode, seed: int
) -> None:
    numbers = range(1, count + 1)
    drawn, _ = rounds(entrants(count), 4, sizes, mode, seed)
    for draw in drawn:
        assert everybody_once(draw, numbers)
        assert sizes_of(draw) == list(table_sizes(count, sizes))
        assert [table.number for table in draw.tables] == list(range(1, len(draw.tables) + 1))
    assert in_turn([draw.out for draw in drawn], [numbers] * 4)
    if mode == "random":
        assert in_turn([at_odd_tables(draw, sizes) for draw in drawn], [seated(draw) for draw in drawn])


@settings(max_examples=20)
@given(some.integers(7, 40), modes, some.integers(0, 2**40))
def test_the_same_input_gives_the_same_round(count: int, mode: Mode, seed: int) -> None:
    who = entrants(count)
    assert rounds(who, 3, Sizes(), mode, seed) == rounds(who[::-1], 3, Sizes(), mode, seed)


def test_another_seed_gives_another_round() -> None:
    drawn = {draw_round(entrants(32), seed=seed).tables for seed in range(20)}
    assert len(drawn) == 20


@settings(max_examples=30)
@given(some.integers(4, 10), modes, some.integers(2, 4), some.integers(0, 2**40))
def test_labels_are_kept_apart(tables: int, mode: Mode, share: int, seed: int) -> None:
    count = 4 * tables
    who = [
        replace(
            entrant, labels=frozenset({f"club {entrant.number // tables}"} if entrant.number < share * tables else ())
        )
        for entrant in entrants(count)
    ]
    for draw in rounds(who, 3, Sizes(), mode, seed, seconds=0.2)[0]:
        assert (draw.report.labels_together, draw.report.labels_bound) == (0, 0)
        names = [[who[number - 1].labels for number in table.seats] for table in draw.tables]
        assert all(len({*filter(None, labels)}) == len([*filter(None, labels)]) for labels in names)


def test_a_draw_that_knows_no_labels_brings_them_together() -> None:
    labelled = [replace(entrant, labels=frozenset({str(entrant.number % 4)})) for entrant in entrants(32)]
    blind = draw_round(entrants(32), seed=1, mode="random")
    assert judge([blind], labelled).labels_together > 0
    assert draw_round(labelled, seed=1, mode="random").report.labels_together == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_label_that_most_share_is_spread_and_the_report_says_so(mode: Mode) -> None:
    who = [replace(entrant, labels=frozenset({"most"} if entrant.number <= 20 else ())) for entrant in entrants(32)]
    report = draw_round(who, mode=mode, seed=1).report
    assert report.labels_together == report.labels_bound == 4 * 3 + 4 * 1


def test_by_standing_seats_the_best_at_the_first_table() -> None:
    who = [replace(entrant, score=-entrant.number) for entrant in entrants(32)]
    drawn = draw_round(who, mode="standing", seed=1)
    assert [set(table.seats) for table in drawn.tables] == [set(range(4 * n + 1, 4 * n + 5)) for n in range(8)]


def test_by_standing_keeps_labels_apart_over_the_smallest_distance() -> None:
    who = [
        replace(entrant, score=-entrant.number, labels=frozenset({"x"} if entrant.number <= 2 else ()))
        for entrant in entrants(16)
    ]
    drawn = draw_round(who, mode="standing", seed=1)
    assert drawn.report.labels_together == 0
    assert len({1, 2, 3, 4} & set(drawn.tables[0].seats)) == 3


def test_the_desk_names_the_sit_outs() -> None:
    drawn = draw_round(entrants(33), seed=1, out=(7,))
    assert drawn.out == (7,)
    assert sizes_of(drawn) == [4] * 8


def test_an_entrant_who_sat_out_sits_while_others_have_not() -> None:
    past = [PastRound((Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7, 8))), (9,))]
    drawn = draw_round(entrants(9), past, Sizes(4, 4, 4), seed=3)
    assert 9 not in drawn.out
    assert drawn.report.outs_again == 0


def test_a_number_that_is_left_out_is_no_table() -> None:
    drawn = draw_round(entrants(12), seed=1, closed_tables=frozenset({1, 3}))
    assert [table.number for table in drawn.tables] == [2, 4, 5]


@pytest.mark.parametrize("mode", MODES)
def test_a_fixed_table_is_kept_and_is_nobody_elses(mode: Mode) -> None:
    who = entrants(24)
    who[4] = replace(who[4], fixed_table=3, score=100)
    who[9] = replace(who[9], fixed_table=12)
    drawn, _ = rounds(who, 5, Sizes(), mode, 1)
    for draw in drawn:
        places = {number: table.number for table in draw.tables for number in table.seats}
        assert (places[5], places[10]) == (3, 12)
        assert len(draw.tables) == 6


def test_a_fixed_table_is_not_the_first_of_a_ranking() -> None:
    who = [replace(entrant, score=-entrant.number) for entrant in entrants(12)]
    who[0] = replace(who[0], fixed_table=3)
    drawn = draw_round(who, mode="standing", seed=1)
    assert set(drawn.tables[0].seats) == {2, 3, 4, 5}


def test_few_change_the_table_number() -> None:
    drawn, _ = rounds(entrants(32), 2, Sizes(), "balanced", 1)
    # Nobody meets twice, so one of each table can stay.
    assert drawn[1].report.moved == 32 - 8


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: draw_round(entrants(2), seed=1), "2 entrants cannot fill a table: the smallest allowed has 3 seats."),
        (lambda: draw_round([Entrant(1)] * 4, seed=1), "Start number 1 is there twice."),
        (
            lambda: draw_round(entrants(8), seed=1, out=(9,)),
            "Entrant 9 cannot sit out: nobody with this start number is",
        ),
        (
            lambda: draw_round(entrants(8), seed=1, mode="wild"),
            "The mode of a draw is one of random, balanced, standing",
        ),
        (
            lambda: draw_round([Entrant(n, fixed_table=1) for n in range(8)], seed=1),
            "Table 1 is fixed for 8 entrants; no table of this round has so many seats.",
        ),
        (
            lambda: draw_round([Entrant(n, fixed_table=n) for n in range(8)], seed=1),
            "8 tables are fixed, but there are only 2 tables in this round.",
        ),
        (
            lambda: draw_round([*entrants(8), Entrant(9, fixed_table=2)], seed=1, closed_tables=frozenset({2})),
            "Entrant 9 has the fixed table 2, which is left out.",
        ),
        (lambda: Sizes(4, 5, 5), "The wished size of a table (4) must lie between the least (5) and the greatest (5)."),
        (lambda: Sizes(8, 3, 8), "A table has 3 to 7 seats, not 8."),
    ],
)
def test_bad_input_is_refused_with_a_sentence(call: object, sentence: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the sentence is compared
        call()
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("players", "sizes", "expected"),
    [
        (3, Sizes(), (3,)),
        (5, Sizes(), (5,)),
        (6, Sizes(), (3, 3)),
        (7, Sizes(), (4, 3)),
        (7, Sizes(7, 3, 7), (7,)),
        (7, Sizes(4, 3, 7), (4, 3)),
        (10, Sizes(), (4, 3, 3)),
        (10, Sizes(4, 4, 5), (5, 5)),
        (11, Sizes(4, 4, 5), (5, 5)),
        (37, Sizes(4, 4, 5), (5, *[4] * 8)),
        (203, Sizes(4, 4, 5), (5, 5, 5, *[4] * 47)),
        (9, Sizes(4, 3, 7), (5, 4)),
        (1000, Sizes(), (4,) * 250),
    ],
)
def test_few_tables_have_another_size(players: int, sizes: Sizes, expected: tuple[int, ...]) -> None:
    assert table_sizes(players, sizes) == expected


@settings(max_examples=15)
@given(some.integers(5, 60), some.integers(1, 6), some.integers(0, 2**40))
def test_the_report_equals_a_recount(count: int, number: int, seed: int) -> None:
    drawn, past = rounds(entrants(count), number, Sizes(), "balanced", seed)
    met = meetings(past)
    report = drawn[-1].report
    assert report == judge(past, (), Sizes(), seed=seed, searched=report.searched / 1000)
    assert report.repeats == sum(met.values()) - len(met)
    assert report.most == max(met.values())
    assert report.bound <= report.repeats
    had = Counter({entrant: 0 for played in past for entrant in seated(played)})
    had.update(entrant for played in past for entrant in at_odd_tables(played, Sizes()))
    assert report.odd_uneven == moves_to_even(had)


def moves_to_even(had: Counter[int]) -> int:
    """Return how often one has to go from who has most to who has least until they differ by one at most."""
    moves = 0
    while had and max(had.values()) - min(had.values()) > 1:
        had[max(had, key=lambda entrant: had[entrant])] -= 1
        had[min(had, key=lambda entrant: had[entrant])] += 1
        moves += 1
    return moves
