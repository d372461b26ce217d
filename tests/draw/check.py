"""A plain recount of a tournament, independent of `draw.judge`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from draw import Entrant, PastRound, Round, Sizes

Drawn = PastRound | Round


def meetings(rounds: Iterable[Drawn]) -> Counter[frozenset[int]]:
    """Return the number of times that each pair sat at one table."""
    return Counter(
        frozenset(pair) for played in rounds for table in played.tables for pair in combinations(table.seats, 2)
    )


def repeats(rounds: Iterable[Drawn]) -> int:
    return sum(times - 1 for times in meetings(rounds).values())


def everybody_once(drawn: Drawn, numbers: Iterable[int]) -> bool:
    seen = [number for table in drawn.tables for number in table.seats]
    return sorted([*seen, *drawn.out]) == sorted(numbers)


def sizes_of(drawn: Drawn) -> list[int]:
    return sorted((len(table.seats) for table in drawn.tables), reverse=True)


def in_turn(chosen: Sequence[Iterable[int]], present: Sequence[Iterable[int]]) -> bool:
    """Return True if no round chooses an entrant again while a present one was chosen less often."""
    counts: Counter[int] = Counter()
    for now, here in zip(chosen, present, strict=True):
        taken = set(now)
        waiting = [counts[number] for number in here if number not in taken]
        if taken and waiting and max(counts[number] for number in taken) > min(waiting):
            return False
        counts.update(taken)
    return True


def at_odd_tables(drawn: Drawn, sizes: Sizes) -> list[int]:
    return [number for table in drawn.tables if len(table.seats) != sizes.wished for number in table.seats]


def seated(drawn: Drawn) -> list[int]:
    return [number for table in drawn.tables for number in table.seats]


def entrants(count: int) -> list[Entrant]:
    return [Entrant(number) for number in range(1, count + 1)]
