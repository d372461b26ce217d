"""Simulate the evenings that a season has left, under its formula. Does not use Django.

A simulated evening draws the players who attend, each as often as so far, and for each of them a night: one of the
player's
own past nights, or one of everybody's, the more often the fewer own ones there are (`PULL`). The ranking after it is
that of the formula (`league.standings.formula.ranking`).

The bounds of a chance come from groups of runs (a bootstrap): each group draws from a resample of the past nights. The
groups differ by the luck of their runs; any further difference is the uncertainty of having few past nights.

The same `Start` and seed give the same numbers: only `Random.random` is used, whose sequence Python keeps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from typing import TypeAlias

from ..standings.formula.parts import Formula
from ..standings.formula.ranking import Adjustment, CountedEvening, NightScore, Race

Counts: TypeAlias = "dict[tuple[str, int], list[int]]"

GROUPS, RUNS = 20, 50
"""Groups of runs, and the runs of each: a thousand simulated evenings or seasons."""
NEED_RUNS = 100
"""The simulated evenings for what a player needs."""
LEAST_EVENINGS = 4
"""With fewer evenings a season has no chances yet."""
LEAST_OWN = 3
"""With fewer own evenings a player has no chances on the page, but takes part in the simulation."""
PULL = 3
"""The nights of all players together weigh as much as this number of own nights."""
MOST_LEFT = 60
TOP = 3
WIDTH = 1.64
"""Standard errors on each side: 9 of 10 chances lie within."""
MINOR_STEP = 10
"""An amount that a player needs is rounded up to a multiple of this number of Rappen."""


@dataclass(frozen=True)
class Start:
    """All that the chances depend on. `evenings`: those that were played, in order. `left`: the number of evenings
    to come, None if unknown. `away`: players who do not come any more."""

    formula: Formula
    evenings: Sequence[CountedEvening]
    left: int | None = None
    guests: frozenset[int] = frozenset()
    adjustments: tuple[Adjustment, ...] = ()
    away: frozenset[int] = frozenset()

    @property
    def held(self) -> int:
        """The number of evenings with hands."""
        return sum(any(score.hands for score in counted.scores.values()) for counted in self.evenings)


@dataclass(frozen=True)
class Chance:
    """A chance and its bounds, in thousandths."""

    permille: int
    low: int
    high: int


@dataclass(frozen=True)
class Needs:
    """The results that a player needs in the next evening, in points or Rappen, to be first in 9 and in 5 of 10
    simulated evenings,
    and among the first three in 9 of 10. None: not even the best evening of the season is enough."""

    first: int | None
    first_half: int | None
    top: int | None


@dataclass(frozen=True)
class Prospect:
    """A player's chances to be first, and among the first three: after the next evening, and at the end of the season
    (None if its last evening is not known). A shared first rank is a first rank. `needs` is None with few own
    evenings."""

    player: int
    evenings: int
    next_first: Chance
    next_top: Chance
    end_first: Chance | None
    end_top: Chance | None
    needs: Needs | None


@dataclass(frozen=True)
class Forecast:
    """The chances of all players. `least` and `most`: the worst and the best night of the season; a player who needs
    only `least` needs nothing."""

    prospects: tuple[Prospect, ...]
    least: int
    most: int


def forecast(
    start: Start, seed: int, *, groups: int = GROUPS, runs: int = RUNS, need_runs: int = NEED_RUNS
) -> Forecast:
    """Return the chances of every player of the season. The caller has checked `LEAST_EVENINGS`."""
    past = Past.of(start)
    race = after_evenings(start)
    counts = _counts(start, past, race, Random(seed), groups, runs)  # noqa: S311  Repeatable, not secret.
    worth = past.worths(by_net=race.by_net)
    step = MINOR_STEP if race.by_net else 1
    least, most = step * (min(worth) // step), step * -(-max(worth) // step)
    range_ = range(least, most + step, step)
    needs = _needs(past, race, Random(seed + 1), range_, need_runs)  # noqa: S311
    prospects = tuple(_prospect(player, past, counts, runs, needs, ends=bool(start.left)) for player in past.own)
    return Forecast(prospects, least, most)


def _prospect(
    player: int, past: Past, counts: Counts, runs: int, needs: Mapping[int, Needs], *, ends: bool
) -> Prospect:
    return Prospect(
        player=player,
        evenings=len(past.own[player]),
        next_first=chance(counts["next_first", player], runs),
        next_top=chance(counts["next_top", player], runs),
        end_first=chance(counts["end_first", player], runs) if ends else None,
        end_top=chance(counts["end_top", player], runs) if ends else None,
        needs=needs.get(player),
    )


# --- The past --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Past:
    """The past nights by player, those of everybody, and the attendance of each player (0 to 1)."""

    own: Mapping[int, Sequence[NightScore]]
    pool: Sequence[NightScore]
    rate: Mapping[int, float]

    @classmethod
    def of(cls, start: Start) -> Past:
        """Collect the nights with hands."""
        own: dict[int, list[NightScore]] = {}
        since: dict[int, int] = {}
        played = [counted for counted in start.evenings if any(score.hands for score in counted.scores.values())]
        for nth, evening in enumerate(played):
            for player, score in evening.scores.items():
                if score.hands:
                    own.setdefault(player, []).append(score)
                    since.setdefault(player, nth)
        possible = {player: len(played) - first for player, first in since.items()}
        club = sum(map(len, own.values())) / max(1, sum(possible.values()))
        rate = {
            player: 0.0 if player in start.away else (len(own[player]) + club) / (possible[player] + 1)
            for player in own
        }
        return cls(own, [score for scores in own.values() for score in scores], rate)

    def resampled(self, random: Random) -> Past:
        """Return a resample: the nights of each player drawn again from these, with replacement."""
        own = {player: [pick(random, scores) for _ in scores] for player, scores in self.own.items()}
        return replace(self, own=own, pool=[score for scores in own.values() for score in scores])

    def worths(self, *, by_net: bool) -> list[int]:
        """Return the values of the nights: points, or Rappen."""
        return [score.change_minor if by_net else score.points for score in self.pool]

    def evening(self, random: Random, *, surely: int | None = None) -> dict[int, NightScore]:
        """Draw an evening of two players at least; `surely` comes in any case."""
        present = [player for player, rate in self.rate.items() if random.random() < rate or player == surely]
        if len(present) < 2:
            often = sorted(
                (candidate for candidate in self.rate if candidate not in present),
                key=lambda candidate: -self.rate[candidate],
            )
            present += often[: 2 - len(present)]
        return {player: self._night(random, player) for player in present}

    def _night(self, random: Random, player: int) -> NightScore:
        own = self.own[player]
        from_own = random.random() * (len(own) + PULL) >= PULL
        return pick(random, own if from_own else self.pool)


def pick(random: Random, scores: Sequence[NightScore]) -> NightScore:
    """Draw one."""
    return scores[int(random.random() * len(scores))]


def balanced(scores: Mapping[int, NightScore], fixed: int | None = None) -> dict[int, NightScore]:
    """Return the same evening with amounts that add up to 0: the gain of one is the loss of the others. Those of
    `fixed` stay."""
    others = sorted(player for player in scores if player != fixed)
    total = sum(score.change_minor for score in scores.values())
    share, rest = divmod(total, len(others))
    less = {player: share + (nth < rest) for nth, player in enumerate(others)}
    return {p: score._replace(change_minor=score.change_minor - less.get(p, 0)) for p, score in scores.items()}


# --- Runs ------------------------------------------------------------------------------------------------


def after_evenings(start: Start) -> Race:
    """Return the race after the evenings played. Every adjustment counts from the next evening on."""
    race = Race(start.formula, guests=start.guests, adjustments=start.adjustments)
    for evening in start.evenings:
        race.play(evening, last=False)
    return race


def play(race: Race, scores: Mapping[int, NightScore]) -> None:
    """Add a simulated evening."""
    race.play(CountedEvening(0, date.max, scores), last=True)


def places(race: Race) -> tuple[set[int], set[int]]:
    """Return the players of the first rank, and those of the first three ranks."""
    ranks = race.ranks()
    ranked = [(player, rank) for player, (rank, _value, unranked, _tie) in ranks.items() if not unranked]
    return {player for player, rank in ranked if rank == 1}, {player for player, rank in ranked if rank <= TOP}


def _counts(start: Start, past: Past, race: Race, random: Random, groups: int, runs: int) -> Counts:
    """Return for each kind of chance and player the number of runs of each group in which it came true."""
    kinds = ("next_first", "next_top", "end_first", "end_top")
    counts: Counts = {(kind, player): [0] * groups for kind in kinds for player in past.own}
    more = min(start.left or 1, MOST_LEFT) - 1
    for group in range(groups):
        drawn = past.resampled(random)
        for _ in range(runs):
            other = race.copied()
            play(other, _evening(drawn, random, other))
            holders = [*places(other)]
            for _nth in range(more):
                play(other, _evening(drawn, random, other))
            holders += places(other) if more else holders
            for kind, players in zip(kinds, holders, strict=True):
                for player in players & past.own.keys():
                    counts[kind, player][group] += 1
    return counts


def _evening(past: Past, random: Random, race: Race) -> dict[int, NightScore]:
    scores = past.evening(random)
    return balanced(scores) if race.by_net else scores


def chance(counts: Sequence[int], runs: int) -> Chance:
    """Return the chance from the counts of the groups, each of so many runs, with bounds that hold 9 times of 10."""
    groups = len(counts)
    share = sum(counts) / (groups * runs)
    by_chance = share * (1 - share) / runs
    between = sum((count / runs - share) ** 2 for count in counts) / max(1, groups - 1)
    half = WIDTH * math.sqrt(max(0.0, between - by_chance) + by_chance / groups)
    # The rule of three: if something never happened in n runs, its chance is at most 3 / n (in 95 of 100 cases).
    half = max(half, 3 / (groups * runs)) if share in (0, 1) else half
    low, high = max(0.0, share - half), min(1.0, share + half)
    return Chance(math.floor(1000 * share + 0.5), math.floor(1000 * low), math.ceil(1000 * high))


# --- The results that a player needs ---------------------------------------------------------------------


def _needs(past: Past, race: Race, random: Random, values: range, runs: int) -> dict[int, Needs]:
    """Return the results that each player with enough own evenings needs in the next one."""
    wanted = [player for player, own in past.own.items() if len(own) >= LEAST_OWN]
    return {player: _needs_of(player, past, race, random, values, runs) for player in wanted}


def _needs_of(player: int, past: Past, race: Race, random: Random, values: range, runs: int) -> Needs:
    evenings = [past.evening(random, surely=player) for _ in range(runs)]
    hands = usual_hands(past.own[player])
    known: dict[int, tuple[int, int]] = {}

    def counts(value: int) -> tuple[int, int]:
        if value not in known:
            known[value] = _true_with(value, player, race, evenings, hands)
        return known[value]

    nine, half = math.ceil(0.9 * runs), math.ceil(0.5 * runs)
    return Needs(
        first=lowest(values, lambda value: counts(value)[0] >= nine),
        first_half=lowest(values, lambda value: counts(value)[0] >= half),
        top=lowest(values, lambda value: counts(value)[1] >= nine),
    )


def _true_with(
    value: int, player: int, race: Race, evenings: Iterable[Mapping[int, NightScore]], hands: int
) -> tuple[int, int]:
    """Return the number of these evenings in which a player with this result is first, and among the first three."""
    first = top = 0
    for drawn in evenings:
        scores = {**drawn, player: NightScore(hands, 0 if race.by_net else value, value if race.by_net else 0)}
        other = race.copied()
        play(other, balanced(scores, player) if race.by_net else scores)
        firsts, tops = places(other)
        first += player in firsts
        top += player in tops
    return first, top


def usual_hands(own: Collection[NightScore]) -> int:
    """Return the median of the hands of a player's nights."""
    return sorted(score.hands for score in own)[len(own) // 2]


def lowest(values: Sequence[int], enough: Callable[[int], bool]) -> int | None:
    """Return the lowest of these rising values that is enough; None if none is. More is never worse."""
    if not enough(values[-1]):
        return None
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if enough(values[middle]):
            high = middle
        else:
            low = middle + 1
    return values[low]
