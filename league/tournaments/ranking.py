"""The ranking of a tournament: from the results of the finished rounds to ranks. Pure: no database.

The order of the rules, each as `docs/tournaments.md` explains it with an example:

1. The value of a round: chips, points or the placing at the table (`round_values`).
2. A round without a table: a sit-out is worth the mean of the entrant's played rounds; a missed round has the worth of
   the format's `missed`.
3. The worst rounds are dropped: after r finished rounds min(K, r - 1) of them, so that one always counts.
4. The sum of the rounds that count, then the format's tie-breaks in their order. Entrants that are equal in all of
   them share a rank (1, 1, 3).
5. After a final: first the finalists by the final, then all others by the rounds before it. Withdrawn entrants rank
   behind all others.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from ..rounding import divided
from .formats import Format, TieBreak

CellKind = Literal["played", "mean", "missed", "none"]


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one entrant in one finished round: net `chips`, season `points`, goals `made` and `missed`, at a
    `table`."""

    table: int
    chips: int
    points: int = 0
    made: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """The rounds of one entrant, by number from 1: the result, or None for a sit-out. A round that is not in
    `rounds` was missed.

    `joined_round` is the first round in whose draw the entrant was (None: in none yet), `withdrawn_round` the first one
    without an entrant who withdrew.
    """

    number: int
    rounds: Mapping[int, Played | None]
    joined_round: int | None = 1
    withdrawn_round: int | None = None
    team: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of a line.

    `kind`: *played*; *mean*: a sit-out; *missed*: the entrant had not come yet, or was away; *none*: the entrant had
    withdrawn, or was not in the final. `value` is None where there is nothing to count (kind *none*, or a mean before
    the first played round). A `dropped` value is not in the total.
    """

    round: int
    value: int | None
    kind: CellKind
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class RankingLine:
    """One entrant in the ranking.

    `total` is the sum that ranks: of a finalist it is the final's value, with the rounds before it if they carry.
    `before` is the total of the rounds without the final. `tie` names the last tie-break that separated the entrant
    from others of the same total, '' if none did. `shared`: others have the same rank.
    """

    number: int
    rank: int
    total: int
    before: int
    cells: tuple[Cell, ...]
    tie: TieBreak | Literal[""] = ""
    withdrawn: bool = False
    finalist: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True)
class TeamLine:
    """One team: the start numbers of its `members`, the best one first, and of those whose totals `count`."""

    team: str
    rank: int
    total: int
    members: tuple[int, ...]
    count: tuple[int, ...]
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """All lines in the order of the ranks; lines of one rank in the order of the start numbers."""

    lines: tuple[RankingLine, ...]
    teams: tuple[TeamLine, ...] = ()


def round_values(format: Format, round: Mapping[int, Played]) -> dict[int, int]:
    """Return the value of one round for each start number that played in it.

    *placing*: the rank by chips at the table, scaled so that tables of every size are worth the same: the first one of
    n gets 100, the last one 0, the place p 100 · (n - p) / (n - 1); equal ones share the mean of their places, rounded
    by `league.rounding`. n are those in `round`: a struck entrant who sat there is not compared.
    """
    if format.result == "chips":
        return {number: played.chips for number, played in round.items()}
    if format.result == "points":
        return {number: played.points for number, played in round.items()}
    chips: defaultdict[int, list[int]] = defaultdict(list)
    for played in round.values():
        chips[played.table].append(played.chips)
    return {number: _placing(played, chips[played.table]) for number, played in round.items()}


def _placing(played: Played, table: Sequence[int]) -> int:
    less = sum(chips < played.chips for chips in table)
    equal = table.count(played.chips) - 1
    return divided(100 * (2 * less + equal), 2 * max(len(table) - 1, 1))


def rank(
    format: Format, courses: Sequence[Course], *, played_rounds: int, lot_seed: int, final_round: int | None = None
) -> Ranking:
    """Rank the entrants after the rounds 1 to `played_rounds`; later rounds in `courses` are not looked at, nor a round
    of which nobody has a result or a sit-out.

    `courses` has every entrant once, in any order, without the struck ones. An entrant who was in no draw is left out
    once a round was played. `final_round` is the number of the final, if one was drawn. `lot_seed` is the published
    seed of the lots. Before the first round all share rank 1.
    """
    results = _Results(format, courses, played_rounds, final_round)
    entries = [
        _entry(results, course)
        for course in courses
        if course.rounds or course.joined_round is not None or not played_rounds
    ]
    breaks = _tie_breaks(format, results, lot_seed) if played_rounds else []
    entries.sort(key=lambda entry: (entry.group, -entry.total, entry.number))
    lines: list[RankingLine] = []
    for _, equal in groupby(entries, key=lambda entry: (entry.group, entry.total)):
        for tied, decided in _separate(list(equal), breaks, ""):
            shared, place = len(tied) > 1, len(lines) + 1
            lines += [entry.line(place, decided, shared) for entry in tied]
    teams = _rank_teams(format, courses, lines) if format.team_size else ()
    return Ranking(lines=tuple(lines), teams=teams)


class _Results:
    """The finished rounds: the value of each for each entrant, and the people of each table."""

    def __init__(self, format: Format, courses: Sequence[Course], played_rounds: int, final_round: int | None) -> None:
        self.format = format
        here = {number for course in courses for number in course.rounds if number <= played_rounds}
        self.final = final_round if final_round in here else None
        self.numbers = sorted(here - {self.final})
        rounds: dict[int, dict[int, Played]] = {number: {} for number in sorted(here)}
        self.tables: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for course in courses:
            for number, played in course.rounds.items():
                if played is not None and number in rounds:
                    rounds[number][course.number] = played
                    self.tables[number, played.table].append(course.number)
        self.values = {number: round_values(format, played) for number, played in rounds.items()}
        self.most = {
            (number, table): max(self.values[number][member] for member in members)
            for (number, table), members in self.tables.items()
        }


@dataclass(slots=True)
class _Entry:
    """An entrant while the ranks are found. Entries of a lower `group` rank before all of a higher one."""

    number: int
    group: tuple[int, int]
    total: int
    before: int
    cells: tuple[Cell, ...]
    withdrawn: bool
    tables: dict[int, int] = field(default_factory=dict)
    won: int = 0
    made: int = 0
    missed: int = 0

    def line(self, rank: int, tie: TieBreak | Literal[""], shared: bool) -> RankingLine:
        return RankingLine(
            number=self.number,
            rank=rank,
            total=self.total,
            before=self.before,
            cells=self.cells,
            tie=tie,
            withdrawn=self.withdrawn,
            finalist=self.group[0] == 0,
            shared=shared,
        )


def _entry(results: _Results, course: Course) -> _Entry:
    format = results.format
    cells = _cells(results, course)
    before = sum(cell.value or 0 for cell in cells if not cell.dropped)
    total = before
    withdrawn = course.withdrawn_round is not None and course.withdrawn_round <= format.rounds
    # Of two withdrawn entrants the one with more rounds, played or sat out, ranks first.
    group = (2, -sum(number in course.rounds for number in results.numbers)) if withdrawn else (1, 0)
    if results.final is not None:
        value = results.values[results.final].get(course.number)
        cells.append(Cell(results.final, value, "none" if value is None else "played"))
        if value is not None:
            group, total, withdrawn = (0, 0), value + (before if format.final_carries else 0), False
    entry = _Entry(course.number, group, total, before, tuple(cells), withdrawn)
    for number, values in results.values.items():
        played = course.rounds.get(number)
        if played is not None:
            entry.tables[number] = played.table
            entry.won += values[course.number] == results.most[number, played.table]
            entry.made += played.made
            entry.missed += played.missed
    return entry


def _cells(results: _Results, course: Course) -> list[Cell]:
    """Return the cells of the rounds without the final, with the dropped ones marked."""
    format = results.format
    played = [results.values[number][course.number] for number in results.numbers if course.rounds.get(number)]
    mean = divided(sum(played), len(played)) if played else None
    cells = []
    for number in results.numbers:
        if course.rounds.get(number) is not None:
            cells.append(Cell(number, results.values[number][course.number], "played"))
        elif number in course.rounds:
            cells.append(Cell(number, mean, "mean"))
        elif course.withdrawn_round is not None and number >= course.withdrawn_round:
            cells.append(Cell(number, None, "none"))
        else:
            cells.append(Cell(number, mean if format.missed == "mean" else 0, "missed"))
    return _without_worst(format, cells)


def _without_worst(format: Format, cells: list[Cell]) -> list[Cell]:
    """Mark the worst rounds as dropped: min(K, r - 1) after r rounds; of equal ones the earlier one.

    Where a missed round is worth nothing, it takes the place of a dropped one: each leaves one less to drop.
    """
    droppable = [cell for cell in cells if cell.kind != "none"]
    drops = min(format.drop_worst, len(droppable) - 1)
    if format.missed == "nothing":
        drops -= sum(cell.kind == "missed" for cell in droppable)
        droppable = [cell for cell in droppable if cell.kind != "missed"]
    worst = sorted(droppable, key=lambda cell: (cell.value or 0, cell.round))[: max(drops, 0)]
    dropped = {cell.round for cell in worst}
    return [Cell(cell.round, cell.value, cell.kind, cell.round in dropped) for cell in cells]


Key = Callable[[Sequence[_Entry]], list[tuple[int, ...]]]
"""Gives each of some equal entries a key; the lowest key ranks first."""


def _tie_breaks(format: Format, results: _Results, lot_seed: int) -> list[tuple[TieBreak, Key]]:
    def lot(entry: _Entry) -> tuple[int, ...]:
        return (lot_of(lot_seed, entry.number),)

    keys: dict[TieBreak, Key] = {
        "best_round": _each(_best_rounds),
        "rounds_won": _each(lambda entry: (-entry.won,)),
        "direct": lambda tied: _direct(results, tied),
        "made": _each(lambda entry: (-entry.made,)),
        "missed": _each(lambda entry: (entry.missed,)),
        "lot": _each(lot),
    }
    return [(name, keys[name]) for name in format.tie_breaks]


def _each(key: Callable[[_Entry], tuple[int, ...]]) -> Key:
    return lambda tied: [key(entry) for entry in tied]


def lot_of(seed: int, number: int) -> int:
    """Return the lot of a start number: the lowest one ranks first. The same on every machine: the first 8 bytes of
    SHA-256 of the text '<seed>:<number>', as a whole number."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{number}".encode()).digest()[:8], "big")


def _best_rounds(entry: _Entry) -> tuple[int, ...]:
    return tuple(sorted(-(cell.value or 0) for cell in entry.cells))


def _direct(results: _Results, tied: Sequence[_Entry]) -> list[tuple[int, ...]]:
    """Compare each with the others of `tied` in the rounds in which they sat at one table: sum of the differences.

    Decides only if every two of them met at least once; else all are equal.
    """
    numbers = {entry.number for entry in tied}
    sums: list[tuple[int, ...]] = []
    for entry in tied:
        met: set[int] = set()
        ahead = 0
        for number, table in entry.tables.items():
            others = numbers.intersection(results.tables[number, table]) - {entry.number}
            values = results.values[number]
            ahead += sum(values[entry.number] - values[other] for other in others)
            met |= others
        if not _met_all(met, tied):
            return [()] * len(tied)
        sums.append((-ahead,))
    return sums


def _met_all(met: set[int], tied: Sequence[_Entry]) -> bool:
    return len(met) == len(tied) - 1


def _separate(
    tied: list[_Entry], breaks: Sequence[tuple[TieBreak, Key]], decided: TieBreak | Literal[""]
) -> list[tuple[list[_Entry], TieBreak | Literal[""]]]:
    """Return the entries in groups that share a rank, each with the last tie-break that separated it from others.

    Where the direct meeting separates some and leaves others equal, it is asked again of those alone.
    """
    if len(tied) == 1 or not breaks:
        return [(tied, decided)]
    name, keys = breaks[0]
    order = sorted(zip(keys(tied), tied, strict=True), key=lambda pair: (pair[0], pair[1].number))
    groups = [[entry for _, entry in pairs] for _, pairs in groupby(order, key=lambda pair: pair[0])]
    if len(groups) == 1:
        return _separate(tied, breaks[1:], decided)
    further = breaks if name == "direct" else breaks[1:]
    return [part for group in groups for part in _separate(group, further, name)]


def _rank_teams(format: Format, courses: Iterable[Course], lines: Sequence[RankingLine]) -> tuple[TeamLine, ...]:
    """Rank the teams by the totals of their members before the final: of all, or of the best M.

    Of teams with the same sum the one whose best counting member ranks higher is first, then by the second and so on;
    teams that are equal to the end share a rank.
    """
    team_of = {course.number: course.team for course in courses}
    members: defaultdict[str, list[RankingLine]] = defaultdict(list)
    for line in lines:
        if team_of[line.number]:
            members[team_of[line.number]].append(line)
    ranked = []
    for team, of_team in members.items():
        of_team.sort(key=lambda line: (-line.before, line.rank, line.number))
        count = of_team[: format.team_best or None]
        key = (-sum(line.before for line in count), sorted(line.rank for line in count))
        ranked.append((key, team, tuple(line.number for line in of_team), tuple(line.number for line in count)))
    ranked.sort()
    keys = [key for key, *_ in ranked]
    return tuple(
        TeamLine(team, keys.index(key) + 1, -key[0], of_team, count, shared=keys.count(key) > 1)
        for key, team, of_team, count in ranked
    )
