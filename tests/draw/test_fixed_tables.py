"""Fixed tables hold in every mode, with labels, withdrawals and late arrivals, in draws and redraws."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import MODES, Entrant, Mode, PastRound, Round, Sizes, draw_round, redraw_round, table_sizes
from tests.draw.check import everybody_once, sizes_of


def holds(drawn: Round, who: list[Entrant]) -> bool:
    places = {number: table.number for table in drawn.tables for number in table.seats}
    numbers = [table.number for table in drawn.tables]
    return (
        len(set(numbers)) == len(numbers)
        and all(3 <= size <= 5 for size in sizes_of(drawn))
        and everybody_once(drawn, [entrant.number for entrant in who])
        and all(
            places[entrant.number] == entrant.fixed_table
            for entrant in who
            if entrant.fixed_table and entrant.number in places
        )
    )


@settings(max_examples=60)
@given(
    some.integers(12, 36),
    some.lists(some.integers(1, 5), min_size=1, max_size=3, unique=True),
    some.lists(some.sampled_from(MODES), min_size=1, max_size=3),
    some.randoms(use_true_random=False),
)
def test_fixed_tables_hold(count: int, fixed: list[int], modes: list[Mode], random: object) -> None:
    shuffle = random.shuffle  # type: ignore[attr-defined]
    who = [Entrant(number, frozenset({"most"} if number % 3 else ())) for number in range(1, count + 1)]
    places = list(range(count))
    shuffle(places)
    tables = len(table_sizes(count - 1, Sizes()))
    for place, table in zip(places, fixed[:tables], strict=False):
        who[place] = replace(who[place], fixed_table=table)
    leaving = places[-1]
    past: list[PastRound] = []
    for mode in modes:
        drawn = draw_round(who, past, mode=mode, seed=count, seconds=0.01)
        assert holds(drawn, who)
        fewer = [entrant for place, entrant in enumerate(who) if place != leaving]
        assert holds(redraw_round(drawn, fewer, past, mode=mode, seed=1, seconds=0.01)[0], fewer)
        more = [*who, Entrant(99)]
        assert holds(redraw_round(drawn, more, past, mode=mode, seed=1, seconds=0.01)[0], more)
        past.append(drawn.as_past())


@pytest.mark.rest
def test_two_with_a_fixed_table_never_follow_a_design_to_one_table() -> None:
    # Most share a label, so a design may bring labels together; the fixed tables must hold all the same.
    who = [Entrant(number, frozenset({"most"}), fixed_table={3: 1, 9: 4}.get(number)) for number in range(1, 17)]
    for seed in range(20):
        past: list[PastRound] = []
        for _ in range(5):
            drawn = draw_round(who, past, seed=seed, seconds=0.01)
            assert holds(drawn, who)
            past.append(drawn.as_past())
