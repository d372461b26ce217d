"""Prizes bound to places, for all and for those with one label, read from the words about the prizes. Pure.

One prize a line: `1. A ham`, `4-6. A sausage`; with a label before the place it goes to the best of that label:
`Women 1. Flowers`, or `Women: Flowers`. All other lines stay words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .ranking import RankingLine

PLACED = re.compile(
    r"(?:(?P<label>\S.*?)\s+)?(?P<first>\d{1,3})(?:\s*[-–]\s*(?P<last>\d{1,3}))?\s*[.:]\s*(?P<prize>\S.*)"
)
LABELLED = re.compile(r"(?P<label>\S[^:]*?)\s*:\s*(?P<prize>\S.*)")


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for the places `first` to `last`, among all or among those with the label."""

    label: str
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes of a tournament, and the lines that are words alone."""

    listed: tuple[Prize, ...]
    words: str


def read_prizes(text: str, labels: Iterable[str] = ()) -> Prizes:
    """Read the prizes from the words; `labels` are those of the entrants."""
    known = {label.casefold() for label in labels}
    listed, words = [], []
    for line in text.splitlines():
        prize = _prize(line.strip(), known)
        if prize is None:
            words.append(line)
        else:
            listed.append(prize)
    # Those for all first, then each label in the order of its first line.
    order = list(dict.fromkeys(["", *(listed_prize.label.casefold() for listed_prize in listed)]))
    listed.sort(key=lambda listed_prize: (order.index(listed_prize.label.casefold()), listed_prize.first))
    return Prizes(tuple(listed), "\n".join(words).strip())


def _prize(line: str, known: set[str]) -> Prize | None:
    if match := PLACED.fullmatch(line):
        first = int(match["first"])
        last = int(match["last"] or first)
        return Prize(match["label"] or "", first, last, match["prize"]) if 1 <= first <= last else None
    match = LABELLED.fullmatch(line)
    return Prize(match["label"], 1, 1, match["prize"]) if match and match["label"].casefold() in known else None


def winners(prize: Prize, lines: Sequence[RankingLine], labels: Mapping[int, Sequence[str]]) -> list[int]:
    """Return the start numbers of those who get a prize, in the order of the ranking.

    Entrants who share a place share the prizes of all the places that they take up. Who withdrew gets none.
    """
    label = prize.label.casefold()
    ranks = [
        (line.rank, line.number)
        for line in lines
        if not line.withdrawn
        and (not label or any(own_label.casefold() == label for own_label in labels.get(line.number, ())))
    ]
    numbers = []
    for rank, number in ranks:
        place = 1 + sum(other < rank for other, _number in ranks)
        same = sum(other == rank for other, _number in ranks)
        if place <= prize.last and place + same > prize.first:
            numbers.append(number)
    return numbers
