"""The luck of an evening: what each player was to expect, hand by hand, and the band that chance alone leaves. Does not
use Django.

Each outcome of a hand is settled whole by the rules, so for each outcome the changes of all players and of the pot add
up to 0, and so do their means. Means are kept in millionths of the smallest unit of money, rounded so that each hand
adds up to 0; an evening is rounded in the same way.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import isqrt

from .rates import Rates, Weights
from .situations import MUSS, SIEBENERMUSS, Outcome, Situation, reached

FINE = 1_000_000
"""Parts of the smallest unit of money in which means are kept, and parts of one goal."""
DRAWS = 2000
"""So often an evening is played again at random."""
TURNS = 25
"""So many times other shares are drawn: nobody knows them exactly."""
EQUAL = 20
"""The evenings of players as which equal play counts beside those of a club: four evenings of five."""
OUTSIDE = 20
"""One of so many draws is below the band, and one above it: nine of ten lie within."""
POT = 0
"""The key of the pot beside those of the players."""
JOINED = "joined"

Settle = Callable[[Outcome], Sequence[int]]


@dataclass(frozen=True)
class Hand:
    """A hand as it was recorded: the player of each seat, the change of each seat. A hand that was played has a
    `situation` with its `outcome`, the seats that played in their order after the dealer, and `settle`, which returns
    the changes of all seats for another outcome. A share of a divided pot is no hand, but moves money as one."""

    players: Sequence[int]
    changes: Sequence[int]
    situation: Situation | None = None
    outcome: Outcome = ()
    active: Sequence[int] = ()
    settle: Settle | None = None
    is_share: bool = False


@dataclass
class Calls:
    """What a player did with one call: `hands`, of which `made` reached the goal; what was to `expect` in millionths,
    with its `variance` in millionths; and the luck in millionths of the smallest unit of money."""

    hands: int = 0
    made: int = 0
    expected: int = 0
    variance: int = 0
    luck: int = 0

    def packed(self) -> list[int]:
        """Return the numbers in their order, for JSON."""
        return [self.hands, self.made, self.expected, self.variance, self.luck]


@dataclass
class PlayerNight:
    """A player's evening in the smallest unit of money: what the hands brought, what was to be expected, the bounds of
    chance, and one standard deviation; `hands` at which the player sat; `calls` by the call, `joined` for all hands
    that the player joined."""

    hands: int = 0
    actual: int = 0
    expected: int = 0
    low: int = 0
    high: int = 0
    spread: int = 0
    calls: dict[str, Calls] = field(default_factory=dict)


@dataclass
class Past:
    """How far earlier evenings of a club ended from what was to be expected: the sum of the squares of these
    deviations, each in standard deviations, in millionths, and their number.

    People do not play equally well, so their evenings are further apart than those of equal players. The band of an
    evening is as much wider as the club's earlier evenings were, and never narrower (the dispersion of a generalised
    linear model). `EQUAL` evenings of equal players are added, as few evenings say little.
    """

    squares: int = 0
    sums: int = 0

    @property
    def dispersion(self) -> int:
        """The mean of the squares, in millionths: 1 for equal players."""
        return max(FINE, (self.squares + EQUAL * FINE) // (self.sums + EQUAL))

    def add(self, squares: int, sums: int) -> None:
        """Add an evening."""
        self.squares += squares
        self.sums += sums


EQUALS = Past()


@dataclass(frozen=True)
class Night:
    """The evening of all players, and of the pot: its change by the hands, and the one that was to be expected.
    `squares` and `sums`: what it adds to the past."""

    players: Mapping[int, PlayerNight]
    pot_actual: int
    pot_expected: int
    squares: int
    sums: int


def balanced(parts: Mapping[int, int], unit: int) -> dict[int, int]:
    """Divide parts that add up to 0 by a unit, so that the results add up to 0: each is rounded down, and as many as
    are missing are rounded up, those with the largest remainder first."""
    whole = {key: part // unit for key, part in parts.items()}
    missing = -sum(whole.values())
    order = sorted(parts, key=lambda key: (-(parts[key] % unit), key))
    for key in order[:missing]:
        whole[key] += 1
    return whole


def night_of(hands: Sequence[Hand], rates: Rates, seed: str, past: Past = EQUALS) -> Night:
    """Return the luck of an evening's hands, in their order. The same hands, rates, past and seed give the same
    numbers."""
    actual: Counter[int] = Counter()
    fine: Counter[int] = Counter()
    people: dict[int, PlayerNight] = {}
    draws = _Draws(seed)
    for hand in hands:
        for player, change in zip(hand.players, hand.changes, strict=True):
            people.setdefault(player, PlayerNight()).hands += not hand.is_share
            actual[player] += change
            actual[POT] -= change
        if hand.situation is None or hand.settle is None:
            _add(fine, dict(zip(hand.players, hand.changes, strict=True)))
            draws.add_fixed(hand)
            continue
        weights = rates.of(hand.situation)
        settled = [hand.settle(outcome) for outcome in weights.outcomes]
        means = _means(hand, weights, settled)
        fine.update(means)
        draws.add(hand, weights, settled)
        _count_calls(people, hand, weights, means)
    expected = balanced(fine, FINE) if fine else {}
    squares, sums = 0, 0
    for player, night in people.items():
        night.actual, night.expected = actual[player], expected[player]
        low, high = draws.band(player)
        spread = draws.spread(player)
        night.low, night.high = (night.expected + _wider(bound - night.expected, past) for bound in (low, high))
        night.spread = _wider(spread, past)
        if spread:
            squares += (night.actual - night.expected) ** 2 * FINE // spread**2
            sums += 1
    return Night(people, actual[POT], expected.get(POT, 0), squares, sums)


def _wider(distance: int, past: Past) -> int:
    """Return a distance from what was to be expected, as much wider as earlier evenings were."""
    wide = isqrt(distance * distance * past.dispersion // FINE)
    return wide if distance >= 0 else -wide


def _add(fine: Counter[int], changes: Mapping[int, int]) -> None:
    for player, change in changes.items():
        fine[player] += change * FINE
        fine[POT] -= change * FINE


def _means(hand: Hand, weights: Weights, settled: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the mean change of each player of a hand and of the pot, in millionths; they add up to 0."""
    parts: dict[int, int] = {POT: 0}
    for seat, player in enumerate(hand.players):
        parts[player] = sum(w * changes[seat] for w, changes in zip(weights.weights, settled, strict=True)) * FINE
        parts[POT] -= parts[player]
    return balanced(parts, weights.total)


def _count_calls(people: Mapping[int, PlayerNight], hand: Hand, weights: Weights, means: Mapping[int, int]) -> None:
    """Count the hand for each of those who played it."""
    situation = hand.situation
    if situation is None:
        return
    made, total = reached(situation, hand.outcome), weights.total
    goals = [reached(situation, outcome) for outcome in weights.outcomes]
    for place, seat in enumerate(hand.active):
        forced = situation.call in (MUSS, SIEBENERMUSS)
        call = MUSS if forced else situation.call if place == situation.declarer else JOINED
        player = hand.players[seat]
        own = people[player].calls.setdefault(call, Calls())
        ways = sum(w for w, goal in zip(weights.weights, goals, strict=True) if goal[place])
        own.hands += 1
        own.made += made[place]
        own.expected += ways * FINE // total
        own.variance += ways * (total - ways) * FINE // (total * total)
        own.luck += hand.changes[seat] * FINE - means[player]


class _Draws:
    """The evening, played again `DRAWS` times: each hand with an outcome at random, for all its players at once.

    The shares are known from a limited number of hands. So they are drawn, too, again for each of `TURNS` parts of the
    draws: as far from the known ones as those of so many hands may be (a Dirichlet distribution).
    """

    def __init__(self, seed: str) -> None:
        # Nobody can win anything by foreseeing these numbers, and they must be the same again.
        self._random = random.Random(seed)  # noqa: S311
        self._fixed: Counter[int] = Counter()
        self._sums: dict[int, list[int]] = {}
        self._shares: dict[Weights, list[list[float]]] = {}

    def add_fixed(self, hand: Hand) -> None:
        """Add a hand in which chance plays no part."""
        for player, change in zip(hand.players, hand.changes, strict=True):
            self._fixed[player] += change

    def add(self, hand: Hand, weights: Weights, settled: Sequence[Sequence[int]]) -> None:
        """Add a hand with its outcomes."""
        if weights not in self._shares:
            self._shares[weights] = [self._drawn_shares(weights) for _turn in range(TURNS)]
        places = range(len(settled))
        drawn = [
            place
            for shares in self._shares[weights]
            for place in self._random.choices(places, cum_weights=shares, k=DRAWS // TURNS)
        ]
        for seat, player in enumerate(hand.players):
            amounts = [changes[seat] for changes in settled]
            if min(amounts) == max(amounts):
                self._fixed[player] += amounts[0]
                continue
            known = self._sums.get(player)
            some = [amounts[index] for index in drawn]
            self._sums[player] = some if known is None else [a + b for a, b in zip(known, some, strict=True)]

    def _drawn_shares(self, weights: Weights) -> list[float]:
        """Return running sums of shares as they might be."""
        scale = weights.hands / weights.total
        parts = (self._random.gammavariate(weight * scale, 1.0) for weight in weights.weights)
        return list(accumulate(parts))

    def band(self, player: int) -> tuple[int, int]:
        """Return the bounds between which nine of ten draws lie."""
        fixed, sums = self._fixed[player], sorted(self._sums.get(player, ()))
        if not sums:
            return fixed, fixed
        outside = DRAWS // OUTSIDE
        return fixed + sums[outside], fixed + sums[-1 - outside]

    def spread(self, player: int) -> int:
        """Return the standard deviation of the draws."""
        sums = self._sums.get(player)
        if not sums:
            return 0
        total = sum(sums)
        return isqrt((DRAWS * sum(amount * amount for amount in sums) - total * total) // (DRAWS * DRAWS))
