"""Every end of a hand, from the rules alone (C6.1, K8.1): what an entry leaves undecided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

TRICKS = 4
Marks = tuple[bool | None, ...]
Counts = tuple[int | None, ...]


@cache
def possible_counts(active: int) -> tuple[tuple[int, ...], ...]:
    """Every way to share four tricks among the declarer, who comes first, and the joiners."""
    return tuple(counts for counts in product(range(TRICKS + 1), repeat=active) if sum(counts) == TRICKS)


def made_by(counts: Sequence[int]) -> tuple[bool, ...]:
    """Who reached the goal: two tricks for the declarer, one for a joiner."""
    return (counts[0] >= 2, *(n >= 1 for n in counts[1:]))


@cache
def possible_results(active: int) -> frozenset[tuple[bool, ...]]:
    """Every set of results that four tricks allow."""
    return frozenset(made_by(counts) for counts in possible_counts(active))


@cache
def results_of(marks: Marks) -> frozenset[tuple[bool, ...]]:
    """The possible results that agree with the marks; None is no mark."""
    return frozenset(result for result in possible_results(len(marks)) if agrees(result, marks))


@cache
def counts_of(counts: Counts) -> tuple[tuple[int, ...], ...]:
    """The possible tricks that agree with the counts that were tapped."""
    return tuple(result for result in possible_counts(len(counts)) if agrees(result, counts))


def agrees(result: Sequence[int], given: Sequence[int | None]) -> bool:
    return all(value is None or value == other for value, other in zip(given, result, strict=True))


def all_marks(active: int) -> Iterator[Marks]:
    """Every combination of marks."""
    return product((None, True, False), repeat=active)


def others_made_it(marks: Marks) -> tuple[bool, ...]:
    """The usual result: everybody without a mark made it."""
    return tuple(mark is not False for mark in marks)
