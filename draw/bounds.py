"""Lower bounds of the judgement: what no draw can go below, for the sizes of the tables and those who sat."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from draw.model import Order

PEOPLE, TABLES, TURNS = "people", "tables", "turns"
REASONS: Final = ("", PEOPLE, TABLES, TURNS)
_MOST_ROUNDS = 40
"""The number of rounds of which each two are compared."""


class Seated(NamedTuple):
    """A round without its seating: the sizes of its tables, and who sat."""

    sizes: tuple[int, ...]
    people: frozenset[int]


class Bounds(NamedTuple):
    """The least number of repeats with its reason, and the least greatest number of meetings."""

    repeats: int
    reason: str
    most: int


def bounds(rounds: Sequence[Seated], wished: int, order: Order) -> Bounds:
    """Return the bounds of repeats and meetings.

    - *people*: in all rounds together, more meet than there are pairs of people who ever sat in one round.
    - *tables*: at a table sit more people than the tables of another round, so that some of them sat together there.
    - *turns*: the same where tables of another size go by turns: in the first turn those who sit there all come from
      tables of the wished size. This holds for the order *sizes* alone.
    """
    meetings = sum(size * (size - 1) // 2 for played in rounds for size in played.sizes)
    pairs = _pairs(rounds)
    limits = [(max(0, meetings - pairs), PEOPLE)]
    compared = rounds[:_MOST_ROUNDS]
    limits.append((_over_rounds(compared, [False] * len(compared), wished), TABLES))
    if order == "sizes":
        limits.append((_over_rounds(compared, _first_turn(compared, wished), wished), TURNS))
    best, reason = max(limits, key=lambda limit: limit[0])
    most = max(-(-meetings // pairs) if pairs else 0, 2 if best else 0)
    return Bounds(best, reason if best else "", most)


def _pairs(rounds: Sequence[Seated]) -> int:
    """Return the number of pairs who sat in the same round at least once."""
    when: Counter[int] = Counter()
    for number, played in enumerate(rounds):
        for person in played.people:
            when[person] |= 1 << number
    kinds = sorted(Counter(when.values()).items())
    within = sum(count * (count - 1) // 2 for _, count in kinds)
    return within + sum(
        count * other_count for (mask, count), (other, other_count) in combinations(kinds, 2) if mask & other
    )


def _first_turn(rounds: Sequence[Seated], wished: int) -> list[bool]:
    """Return for each round True if nobody can have had a table of another size twice up to it, by turns."""
    taken = 0
    first = []
    for played in rounds:
        taken += sum(size for size in played.sizes if size != wished)
        first.append(taken <= len(played.people) and played.people == rounds[0].people)
    return first


def _over_rounds(rounds: Sequence[Seated], by_turns: Sequence[bool], wished: int) -> int:
    """Return the repeats that each two rounds force.

    Two who meet m times are together in m(m - 1)/2 pairs of rounds; in R rounds these are at most R/2 for each repeat.
    The first rounds alone give bounds, too; the greatest is returned.
    """
    best = total = 0
    for number, played in enumerate(rounds):
        for earlier in range(number):
            turns = by_turns[number] and by_turns[earlier]
            total += _forced(rounds[earlier], played, wished, by_turns=turns)
        if total:
            best = max(best, -(-2 * total // (number + 1)))
    return best


def _forced(first: Seated, other: Seated, wished: int, *, by_turns: bool) -> int:
    """Return the least number of pairs who sit together in both rounds."""
    return max(_at(first, other, wished, by_turns), _at(other, first, wished, by_turns))


def _at(there: Seated, here: Seated, wished: int, by_turns: bool) -> int:
    """Return the least number of pairs at the tables *here* who sat together *there*.

    People who were not there take the seats that cost most.
    """
    normal = sum(size == wished for size in there.sizes)
    new = 0 if here.people == there.people else len(here.people - there.people)
    return _least_at(here.sizes, len(there.sizes), normal if by_turns else len(there.sizes), wished, new)


@lru_cache(maxsize=1024)
def _least_at(sizes: tuple[int, ...], tables: int, for_odd: int, wished: int, new: int) -> int:
    """Return the least sum over tables of the pairs who come from one of so many tables."""
    costs = []
    for size in sizes:
        origins = tables if size == wished else for_odd
        if not origins:
            return 0
        costs += [place // origins for place in range(size)]
    return sum(sorted(costs)[: len(costs) - new])
