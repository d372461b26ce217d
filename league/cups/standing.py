"""The standing of a cup: from the places in its tournaments and evenings to ranks. Pure: no database.

1. A result is worth the points of its place, or the total of the tournament (`Rules.kind`).
2. The best `best_of` results of a person count, all of them without that number. What somebody did not play is worth
   nothing, and is no result.
3. The sum ranks. Of equal ones the higher best result is first, then the second best and so on, over all results;
   where one has none more, it is compared as 0. Who is equal to the end shares the rank (1, 1, 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["places", "chips", "points"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts in a cup. `place_points` are those of the first place, the second and so on."""

    kind: Kind
    place_points: tuple[int, ...] = ()
    best_of: int | None = None
    qualifiers: int | None = None

    def worth(self, rank: int, total: int) -> int:
        """Return the points of a place, or the total of a tournament."""
        if self.kind != "places":
            return total
        return self.place_points[rank - 1] if rank <= len(self.place_points) else 0


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one entrant in an event, a tournament or an evening of the cup by its number: the place, and the
    total of the rounds of a tournament, 0 of an evening."""

    event: int
    rank: int
    total: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A result of a line with its worth; it `counts`, or better ones of the person do."""

    event: int
    rank: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class CupLine:
    """One person of the cup: `person` as in the request, the rank, the sum of the results that count, and all results
    by event. `qualified`: plays the final."""

    person: int
    rank: int
    points: int
    cells: Mapping[int, Cell]
    shared: bool
    qualified: bool


def cup_standing(rules: Rules, results: Mapping[int, Sequence[Result]]) -> list[CupLine]:
    """Rank people by their results. `results`: by person; who has none is left out. Of two results of one person in one
    event the better place counts. Lines of one rank are in the order of the keys."""
    entries = []
    for person, given in results.items():
        best: dict[int, Result] = {}
        for result in given:
            known = best.get(result.event)
            if known is None or (result.rank, -result.total) < (known.rank, -known.total):
                best[result.event] = result
        if best:
            entries.append(_entry(rules, person, list(best.values())))
    longest = max((len(item.worths) for item in entries), default=0)
    keys = {item.person: _key(item, longest) for item in entries}
    shared = Counter(keys.values())
    lines: list[CupLine] = []
    for place, entry in enumerate(sorted(entries, key=lambda item: (keys[item.person], item.person)), start=1):
        same = bool(lines) and keys[lines[-1].person] == keys[entry.person]
        rank = lines[-1].rank if same else place
        lines.append(
            CupLine(
                person=entry.person,
                rank=rank,
                points=entry.points,
                cells=entry.cells,
                shared=shared[keys[entry.person]] > 1,
                qualified=rules.qualifiers is not None and rank <= rules.qualifiers,
            )
        )
    return lines


@dataclass(frozen=True, slots=True)
class _Entry:
    person: int
    points: int
    cells: Mapping[int, Cell]
    worths: tuple[int, ...]


def _key(entry: _Entry, longest: int) -> tuple[int, ...]:
    worths = sorted([*entry.worths, *[0] * (longest - len(entry.worths))], reverse=True)
    return (-entry.points, *(-worth for worth in worths))


def _entry(rules: Rules, person: int, results: Sequence[Result]) -> _Entry:
    worths = {result.event: rules.worth(result.rank, result.total) for result in results}
    # Of equally good results the earlier one counts.
    order = sorted(results, key=lambda result: (-worths[result.event], result.event))
    counted = {result.event for result in order[: rules.best_of]}
    points = sum(worths[event] for event in counted)
    cells = {
        result.event: Cell(result.event, result.rank, worths[result.event], result.event in counted)
        for result in results
    }
    return _Entry(person, points, cells, tuple(worths.values()))
