"""Rank players by a formula, from each player's scores. Uses neither Django nor floats: averages are fractions.

`Race` takes the evenings of a season in order. After each evening it gives the value and the rank of every player;
so the course of a season costs players × evenings. Where the list of tie-breaks ends, equal players share a rank.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import groupby, islice
from typing import NamedTuple, TypeAlias

from ...rounding import divided
from .parts import AVERAGES, Formula

Value: TypeAlias = "int | Fraction"

RANKED, TOO_LITTLE, GUEST, NO_PART = 0, 1, 2, 3
"""The groups of players, in the order in which they are listed. Those who took no part yet have no line."""
_LAST = (0, float("inf"))


class NightScore(NamedTuple):
    """A player's score of an evening. Without hands: absent, or the points that a tournament gave."""

    hands: int
    points: int
    change_minor: int

    @property
    def takes_part(self) -> bool:
        """False for somebody who was absent, or got a share of a pot alone."""
        return self.hands > 0 or self.points != 0


class CountedEvening(NamedTuple):
    """An evening with the players who are known by then, also those who were absent."""

    evening: int
    held_on: date
    scores: Mapping[int, NightScore]
    number: int = 0


class Adjustment(NamedTuple):
    """A penalty (below 0) or a bonus. It counts from the first evening of its date on, or from the last evening."""

    player: int
    points: int
    on: date


class Played(NamedTuple):
    """An evening that a player played: its worth under the formula, and the value that measured it.

    Sorts with the best evening first, of equal ones the earlier first.
    """

    minus_worth: Value
    nth: int
    evening: int
    measure: int
    hands: int

    @property
    def worth(self) -> Value:
        return -self.minus_worth


class NightLine(NamedTuple):
    """An evening in the explanation of a player's value. `why` it does not count: `dropped`, `few_hands`,
    `guest`, or ''.
    `kind`: `played`, `extra` (the points of a tournament, or a share of a pot), `absent` (an evening of 0 points)."""

    evening: int
    kind: str
    worth: Value
    hands: int
    counts: bool
    why: str = ""


class RaceLine(NamedTuple):
    """A player's line. `unranked`: the reason if the player is not ranked (`evenings`, `hands` or `guest`). `tie`: the
    tie-break that put the player apart from the one above or below with the same value. `bonus`: for the evenings
    played; `adjusted`: the sum of penalties and bonuses."""

    player: int
    rank: int
    value: Value
    unranked: str
    tie: str
    evenings: int
    hands: int
    bonus: int
    adjusted: int
    nights: tuple[NightLine, ...]


class Contribution(NamedTuple):
    """What a team counts of a player: the reason if the player is not ranked, and the nights that were played or that
    count."""

    player: int
    unranked: str
    nights: tuple[NightLine, ...]


@dataclass
class Runner:
    """A player's running state. The best evenings are counted in `total` as they change, so that a ranking does not add
    them up again: the sum of what they are worth, or, for an average of hands, of what they measured."""

    player: int
    handicap: int
    played: list[Played] = field(default_factory=list)
    counted: int = 0
    total: int = 0
    total_hands: int = 0
    few: list[NightLine] = field(default_factory=list)
    extras: list[NightLine] = field(default_factory=list)
    hands: int = 0
    measure: int = 0
    best: int | None = None
    won: int = 0
    extra: int = 0
    adjusted: int = 0
    value: Value = 0
    stale: bool = True
    took_part: bool = False

    def copied(self) -> Runner:
        """Return an independent copy."""
        runner = copy(self)
        runner.played, runner.few, runner.extras = list(self.played), list(self.few), list(self.extras)
        return runner


def evaluate(
    formula: Formula,
    evenings: Sequence[CountedEvening],
    *,
    guests: Collection[int] = (),
    adjustments: Sequence[Adjustment] = (),
) -> list[RaceLine]:
    """Return the players' lines after the last of these evenings, the first one first."""
    race = Race(formula, guests=guests, adjustments=adjustments)
    for number, evening in enumerate(evenings, 1):
        race.play(evening, last=number == len(evenings))
    return race.lines()


def stored(formula: Formula, value: Value) -> int:
    """Return a value as it is stored: whole, of averages the thousandths by `league.rounding`."""
    if formula.counts not in AVERAGES:
        return int(value)
    scaled = Fraction(value) * formula.scale
    return divided(scaled.numerator, scaled.denominator)


def points_and_amount(formula: Formula, value: Value) -> tuple[int, int | None]:
    """Return points and amount as they are stored. Amounts never become points, which everybody may see."""
    return (0, int(value)) if formula.in_money else (stored(formula, value), None)


class Race:
    """A season under a formula, evening by evening. Without `minimums` every player with a hand is ranked:
    a part of a season has too few evenings and hands for the least numbers of the formula."""

    def __init__(
        self,
        formula: Formula,
        *,
        guests: Collection[int] = (),
        adjustments: Iterable[Adjustment] = (),
        minimums: bool = True,
    ) -> None:
        self.formula = formula
        self.guests = set() if formula.guests else set(guests)
        self.handicap = dict(formula.handicap)
        # Amounts are counted as they are.
        self.due = [] if formula.in_money else list(adjustments)
        self.minimums = minimums
        self.runners: dict[int, Runner] = {}
        self.evenings: list[tuple[int, dict[int, int]]] = []
        # For each group of equal players in the last ranking: the evenings read, and what `_beaten` returned.
        self.compared: dict[frozenset[int], tuple[int, dict[int, int]]] = {}
        self.compared_before = self.compared
        self.drawn: dict[int, tuple[int, ...]] = {}
        """For each player of the last ranking who has a rank by lot: all of that draw, the lowest lot first."""
        self.by_net = formula.by_amounts
        self.by_hand = formula.counts == "average_hand"

    def copied(self) -> Race:
        """Return an independent copy."""
        for runner in self.runners.values():
            # Once for all copies.
            self._value(runner)
        race = copy(self)
        race.due, race.evenings = list(self.due), list(self.evenings)
        race.runners = {player: old.copied() for player, old in self.runners.items()}
        return race

    # --- One evening -------------------------------------------------------------------------------------

    def play(self, evening: CountedEvening, *, last: bool) -> None:
        """Add the next evening. Adjustments of a later date count from the `last` one on."""
        for player in evening.scores:
            if player not in self.runners:
                self.runners[player] = Runner(player, self.handicap.get(player, 0))
        self._adjust(None if last else evening.held_on)
        measures = {
            player: self.measure(player, score)
            for player, score in evening.scores.items()
            if self.counts(player, score)
        }
        worths = self._worths(measures, evening.scores)
        top = max(measures.values(), default=0)
        # Nobody wins an evening alone at the table.
        has_company = sum(score.hands > 0 for score in evening.scores.values()) > 1
        for player, score in evening.scores.items():
            runner = self.runners[player]
            runner.took_part = runner.took_part or score.takes_part
            if player in measures:
                self._add(runner, evening, score, measures[player], worths[player])
                runner.won += has_company and measures[player] == top
            elif score.hands:
                why = "guest" if player in self.guests else "few_hands"
                runner.few.append(
                    NightLine(evening.evening, "played", self._worth_of_few(score), score.hands, False, why)
                )
            else:
                self._add_extra(runner, evening.evening, score)
        if measures:
            self.evenings.append((evening.evening, measures))
        if self.formula.absences == "zero":
            for runner in self.runners.values():
                runner.stale = True

    def _adjust(self, until: date | None) -> None:
        """Add the adjustments up to this date (None: all), of players who are known."""
        later = []
        for adjustment in self.due:
            if adjustment.player in self.runners and (until is None or adjustment.on <= until):
                self.runners[adjustment.player].adjusted += adjustment.points
                self.runners[adjustment.player].stale = True
            else:
                later.append(adjustment)
        self.due = later

    def counts(self, player: int, score: NightScore) -> bool:
        """Return True if this evening counts for the player, or is one of those of which the best count."""
        return score.hands >= max(1, self.formula.hands_minimum_evening) and player not in self.guests

    def measure(self, player: int, score: NightScore) -> int:
        """Return the value that ranks the players of an evening: the amount, or the points with the handicap."""
        return score.change_minor if self.by_net else score.points + self.handicap.get(player, 0)

    def _worth_of_few(self, score: NightScore) -> Value:
        """Return the shown value of an evening that does not count. Without a place it has no points for one."""
        if self.formula.counts == "places":
            return 0
        if self.formula.counts == "average_hand":
            return Fraction(score.points, score.hands)
        return score.change_minor if self.by_net else score.points

    def _worths(self, measures: Mapping[int, int], scores: Mapping[int, NightScore]) -> Mapping[int, Value]:
        """Return the worth of the evening for each of its players."""
        if self.formula.counts == "average_hand":
            return {player: Fraction(measure, scores[player].hands) for player, measure in measures.items()}
        if self.formula.counts != "places":
            return measures
        table = self.formula.places
        ordered = sorted(measures.values(), reverse=True)
        place = {measure: ordered.index(measure) for measure in set(ordered)}
        return {p: table[place[m]] if place[m] < len(table) else 0 for p, m in measures.items()}

    def _add(self, runner: Runner, evening: CountedEvening, score: NightScore, measure: int, worth: Value) -> None:
        played = Played(-worth, len(runner.played), evening.evening, measure, score.hands)
        place = bisect_right(runner.played, played)
        runner.played.insert(place, played)
        if place < runner.counted:
            self._count(runner, played, 1)
            self._count(runner, runner.played[runner.counted], -1)
        runner.hands += score.hands
        runner.measure += measure
        runner.best = measure if runner.best is None else max(runner.best, measure)
        runner.stale = True

    def _add_extra(self, runner: Runner, evening: int, score: NightScore) -> None:
        extra = score.change_minor if self.formula.in_money else score.points
        if not extra or self.formula.counts in AVERAGES or not (self.formula.in_money or self.formula.tournaments):
            return
        runner.extras.append(NightLine(evening, "extra", extra, 0, True))
        runner.extra += extra
        runner.stale = True

    # --- A player's evenings and sums --------------------------------------------------------------------

    def _slots(self, runner: Runner) -> tuple[int, int]:
        """Return the number of evenings that count, and the number of absences of 0 points among them."""
        formula, attended = self.formula, len(runner.played)
        zeros = len(self.evenings) - attended if formula.absences == "zero" else 0
        number = attended + zeros
        dropped = formula.drop
        if formula.drop_one_more_every is not None:
            dropped += max(0, number - formula.attendance_minimum) // formula.drop_one_more_every
        # The last evening is never dropped.
        slots = max(min(number, 1), number - dropped)
        if formula.best is not None:
            slots = min(slots, formula.best)
        if not zeros:
            return slots, 0
        # An absence counts before an evening below 0, and after one of 0.
        not_below = bisect_right(runner.played, _LAST)
        return slots, min(zeros, max(0, slots - not_below))

    def _count(self, runner: Runner, played: Played, times: int) -> None:
        """Add an evening to the sum of those that count (1), or take it out (-1)."""
        if self.by_hand:
            runner.total += times * played.measure
            runner.total_hands += times * played.hands
        else:
            runner.total -= times * int(played.minus_worth)

    def _count_best(self, runner: Runner, number: int) -> None:
        """Let this number of the best evenings count."""
        while runner.counted < number:
            self._count(runner, runner.played[runner.counted], 1)
            runner.counted += 1
        while runner.counted > number:
            runner.counted -= 1
            self._count(runner, runner.played[runner.counted], -1)

    def _value(self, runner: Runner) -> Value:
        if not runner.stale:
            return runner.value
        slots, zeros = self._slots(runner)
        self._count_best(runner, slots - zeros)
        total: Value = runner.total
        if self.by_hand:
            total = Fraction(runner.total, runner.total_hands) if runner.total_hands else 0
        elif self.formula.counts == "average_evening":
            total = Fraction(runner.total, slots) if slots else 0
        bonus = self.formula.attendance_bonus * len(runner.played)
        runner.value = total + runner.extra + bonus + runner.adjusted
        runner.stale = False
        return runner.value

    def _unranked(self, runner: Runner) -> str:
        if runner.player in self.guests:
            return "guest"
        if not self.minimums:
            return ""
        if len(runner.played) < self.formula.attendance_minimum:
            return "evenings"
        return "hands" if runner.hands < self.formula.hands_minimum else ""

    # --- Ranks -------------------------------------------------------------------------------------------

    def ranks(self) -> dict[int, tuple[int, Value, str, str]]:
        """Return each player's rank, value, reason for having no rank, and tie-break; in the order of ranks."""
        ranked: dict[int, tuple[int, Value, str, str]] = {}
        self.compared_before, self.compared = self.compared, {}
        self.drawn = {}
        unranked = {player: self._unranked(runner) for player, runner in self.runners.items()}
        group = {"": RANKED, "guest": GUEST}
        key = {
            p: (group.get(unranked[p], TOO_LITTLE) if r.took_part else NO_PART, -self._value(r))
            for p, r in self.runners.items()
        }
        for _key, same in groupby(sorted(self.runners, key=lambda player: key[player]), key=lambda player: key[player]):
            for equal, tie in self._parted(list(same), self.formula.ties, ""):
                rank = len(ranked) + 1
                for player in equal:
                    ranked[player] = (rank, self.runners[player].value, unranked[player], tie)
        return ranked

    def _parted(self, equal: list[int], ties: Sequence[str], decided: str) -> Iterator[tuple[list[int], str]]:
        """Yield the players with one value in the order that the tie-breaks give, those of one rank together."""
        if len(equal) == 1 or not ties:
            yield equal, decided
            return
        keys = self._tie_keys(ties[0], equal)
        ordered = sorted(equal, key=lambda player: keys[player])
        parts = [list(part) for _key, part in groupby(ordered, key=lambda player: keys[player])]
        for part in parts:
            yield from self._parted(part, ties[1:], ties[0] if len(parts) > 1 else decided)

    def _tie_keys(self, tie: str, equal: Sequence[int]) -> Mapping[int, int | Fraction | str]:
        """Return a key for each of these players: the lowest comes first."""
        if tie == "head_to_head":
            return self._beaten(equal)
        if tie == "lot":
            return self._draw(equal)
        key = _KEYS[tie]
        return {player: key(self.runners[player]) for player in equal}

    def _draw(self, equal: Sequence[int]) -> Mapping[int, str]:
        """Return the lot of each of these players."""
        lots = {player: lot(self.formula.lot_seed, player) for player in equal}
        self.drawn.update(dict.fromkeys(equal, tuple(sorted(equal, key=lambda player: lots[player]))))
        return lots

    def _beaten(self, equal: Collection[int]) -> Mapping[int, int]:
        """Return for each of these players the evenings lost against the others of them, less those won.

        A group that was equal in the last ranking, too, costs the evenings since.
        """
        chosen = frozenset(equal)
        read, before = self.compared_before.get(chosen, (0, dict.fromkeys(equal, 0)))
        beaten = dict(before)
        for _evening, measures in self.evenings[read:]:
            there = sorted((measure, player) for player, measure in measures.items() if player in chosen)
            below = 0
            for _measure, same in groupby(there, key=lambda pair: pair[0]):
                players = [player for _measure, player in same]
                above = len(there) - below - len(players)
                for player in players:
                    beaten[player] += above - below
                below += len(players)
        self.compared[chosen] = (len(self.evenings), beaten)
        return beaten

    def counting(self) -> dict[int, int]:
        """Return the number of evenings of each player that count, of those played."""
        return {p: slots - zeros for p, runner in self.runners.items() for slots, zeros in [self._slots(runner)]}

    # --- Teams -------------------------------------------------------------------------------------------

    def whole(self, player: int) -> tuple[Value, bool, str]:
        """Return a player's value, whether evenings or the points of a tournament are in it, and the reason for no
        rank."""
        runner = self.runners[player]
        counts = bool(runner.played or runner.extras or self._slots(runner)[1])
        return self._value(runner), counts, self._unranked(runner)

    def contribution(self, player: int) -> Contribution:
        """Return what teams count of a player, night by night, in no order. It reads all evenings of the player."""
        runner = self.runners[player]
        slots, zeros = self._slots(runner)
        nights = list(self._played_nights(runner, slots - zeros))
        if zeros:
            nights += islice(self._missed(runner), zeros)
        return Contribution(player, self._unranked(runner), (*nights, *runner.extras))

    # --- The explanation ---------------------------------------------------------------------------------

    def lines(self) -> list[RaceLine]:
        """Return every player's line with its evenings."""
        order = {evening: nth for nth, (evening, _measures) in enumerate(self.evenings)}
        ranked_lines = []
        for player, (rank, value, unranked, tie) in self.ranks().items():
            runner = self.runners[player]
            nights = sorted(self._explained(runner), key=lambda night: order.get(night.evening, len(order)))
            bonus = self.formula.attendance_bonus * len(runner.played)
            numbers = (len(runner.played), runner.hands, bonus, runner.adjusted)
            ranked_lines.append(RaceLine(player, rank, value, unranked, tie, *numbers, tuple(nights)))
        return ranked_lines

    def _explained(self, runner: Runner) -> Iterator[NightLine]:
        slots, zeros = self._slots(runner)
        yield from self._played_nights(runner, slots - zeros)
        if self.formula.absences == "zero":
            for nth, night in enumerate(self._missed(runner)):
                yield night if nth < zeros else night._replace(counts=False, why="dropped")
        yield from runner.few
        yield from runner.extras

    def _played_nights(self, runner: Runner, counted: int) -> Iterator[NightLine]:
        for nth, played in enumerate(runner.played):
            counts = nth < counted
            yield NightLine(played.evening, "played", played.worth, played.hands, counts, "" if counts else "dropped")

    def _missed(self, runner: Runner) -> Iterator[NightLine]:
        """Yield the evenings that a player missed, in their order, as if each counted."""
        there = {played.evening for played in runner.played}
        for evening, _measures in self.evenings:
            if evening not in there:
                yield NightLine(evening, "absent", 0, 0, True)


_KEYS: Mapping[str, Callable[[Runner], int | Fraction]] = {
    "evenings_won": lambda runner: -runner.won,
    "best_night": lambda runner: -runner.best if runner.best is not None else 2**62,
    "evenings": lambda runner: -len(runner.played),
    "hands": lambda runner: -runner.hands,
    "average": lambda runner: -Fraction(runner.measure, runner.hands or 1),
}


def lot(seed: str, player: int) -> str:
    """Return the lot of a player: the SHA-256 of `seed:player`. The lowest one comes first."""
    return hashlib.sha256(f"{seed}:{player}".encode()).hexdigest()
