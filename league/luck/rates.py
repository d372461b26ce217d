"""How often each outcome is to be expected in a situation: by the club's own hands, and as long as these are few, by
those of all clubs. Does not use Django.

All numbers are whole: the weights of a situation are a common multiple of the shares, so that what is computed with
them adds up exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from .situations import Counts, Outcome, Situation, Tally, guess

OTHERS = 40
"""The hands as which the shares of all clubs count beside a club's own, and the built-in guess beside all clubs."""


@dataclass(frozen=True)
class Weights:
    """The outcomes of a situation with their weights; `total` is the sum of these. The weights are known as well as
    from so many `hands`."""

    outcomes: tuple[Outcome, ...]
    weights: tuple[int, ...]
    hands: int

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)


class Rates:
    """The shares of outcomes, from the hands of a club (`own`) and of all clubs before an evening."""

    def __init__(self, own: Counts, everybody: Counts) -> None:
        self._own, self._any_pot, self._everybody = own, _with_any_pot(own), _with_any_pot(everybody)
        self._known: dict[Situation, Weights] = {}

    def of(self, situation: Situation) -> Weights:
        """Return the weights of the outcomes of a situation."""
        if situation not in self._known:
            self._known[situation] = self._weights(situation)
        return self._known[situation]

    def _weights(self, situation: Situation) -> Weights:
        """Begin with the guess. The hands of all clubs, of the club with any pot, and of the club with such a pot each
        lean on what is known before them."""
        wide = situation.with_any_pot
        levels = (self._everybody.get(wide, {}), self._any_pot.get(wide, {}), self._own.get(situation, {}))
        shares = dict(guess(wide))
        # The house rules allow no other outcome, but a number from elsewhere must not stop the evening.
        for counted in levels:
            shares |= {outcome: 0 for outcome in counted if outcome not in shares}
        for counted in levels:
            total = sum(shares.values())
            shares = {key: counted.get(key, 0) * total + OTHERS * weight for key, weight in shares.items()}
            common = gcd(*shares.values())
            shares = {key: weight // common for key, weight in shares.items()}
        outcomes = tuple(sorted(shares))
        known = sum(levels[-1].values()) + OTHERS
        return Weights(outcomes, tuple(shares[outcome] for outcome in outcomes), known)


def _with_any_pot(counts: Counts) -> Counts:
    tally = Tally()
    for situation, outcomes in counts.items():
        for outcome, hands in outcomes.items():
            tally.add(situation.with_any_pot, outcome, hands)
    return tally.counts
