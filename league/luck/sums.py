"""Sums of the luck of several evenings. Does not use Django.

Evenings are independent of each other: of their deviations the squares are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from math import isqrt

from ..intervals import FEWEST_TRIES, NINE_OF_TEN
from .evening import FINE, JOINED
from .situations import MUSS


@dataclass(frozen=True)
class NightLuck:
    """A player's luck of an evening as it is stored. `calls`: see `LuckOfPlayer`."""

    evening_id: int
    number: int
    held_on: date
    ante_minor: int
    player_id: int
    name: str
    hands: int
    actual_minor: int
    expected_minor: int
    low_minor: int
    high_minor: int
    spread_minor: int
    calls: Mapping[str, Sequence[int]]

    @property
    def luck_minor(self) -> int:
        """What the evening brought beyond what was to be expected."""
        return self.actual_minor - self.expected_minor


@dataclass
class Goals:
    """Hands with a goal: those made, and those that others make in such situations."""

    hands: int = 0
    made: int = 0
    fine: int = 0
    variance: int = 0
    antes: Fraction = field(default_factory=Fraction)

    @property
    def known(self) -> bool:
        """True if there are enough hands to say what was to be expected."""
        return self.hands >= FEWEST_TRIES

    @property
    def expected(self) -> int:
        """The hands that others make, rounded."""
        return (2 * self.fine + FINE) // (2 * FINE)

    @property
    def spread(self) -> int:
        """In nine of ten cases others make so many more or less, at least one."""
        return max(1, _rounded(NINE_OF_TEN * isqrt(self.variance * FINE) / FINE))

    @property
    def whole_antes(self) -> int:
        """The luck in antes, rounded."""
        return _rounded(self.antes)

    def add(self, numbers: Sequence[int], ante_minor: int) -> None:
        """Add the numbers of a call."""
        hands, made, fine, variance, luck = numbers
        self.hands += hands
        self.made += made
        self.fine += fine
        self.variance += variance
        self.antes += Fraction(luck, FINE * ante_minor)


@dataclass(frozen=True)
class Luck:
    """The luck of a player over some evenings, oldest first."""

    nights: Sequence[NightLuck]
    declared: Goals
    joined: Goals
    musses: Goals

    @property
    def hands(self) -> int:
        """The hands at which the player sat."""
        return sum(night.hands for night in self.nights)

    @property
    def known(self) -> bool:
        """True if there are enough hands to say something."""
        return self.hands >= FEWEST_TRIES

    @property
    def actual_minor(self) -> int:
        """What the evenings brought."""
        return sum(night.actual_minor for night in self.nights)

    @property
    def expected_minor(self) -> int:
        """What was to be expected."""
        return sum(night.expected_minor for night in self.nights)

    @property
    def luck_minor(self) -> int:
        """What they brought beyond that."""
        return self.actual_minor - self.expected_minor

    @property
    def antes(self) -> int:
        """The same in antes, rounded."""
        return _rounded(sum((Fraction(night.luck_minor, night.ante_minor) for night in self.nights), Fraction()))

    @property
    def half_minor(self) -> int:
        """Half the width of the band around what was to be expected."""
        return half_band(self.nights)

    @property
    def low_minor(self) -> int:
        """The lower bound of chance."""
        return self.nights[0].low_minor if len(self.nights) == 1 else self.expected_minor - self.half_minor

    @property
    def high_minor(self) -> int:
        """The upper bound of chance."""
        return self.nights[0].high_minor if len(self.nights) == 1 else self.expected_minor + self.half_minor


def luck_of(nights: Iterable[NightLuck]) -> Luck:
    """Return the sum of a player's evenings, in their order."""
    ordered = sorted(nights, key=lambda night: (night.held_on, night.evening_id))
    luck = Luck(ordered, Goals(), Goals(), Goals())
    for night in ordered:
        for call, numbers in night.calls.items():
            goals = luck.joined if call == JOINED else luck.musses if call == MUSS else luck.declared
            goals.add(numbers, night.ante_minor)
    return luck


def half_band(nights: Iterable[NightLuck]) -> int:
    """Return half the width of the band of the sum of evenings, in the smallest unit of money."""
    return _rounded(NINE_OF_TEN * isqrt(sum(night.spread_minor**2 for night in nights)))


def in_antes(amount_minor: int, ante_minor: int) -> int:
    """Return an amount in antes, rounded."""
    return _rounded(Fraction(amount_minor, ante_minor))


def _rounded(value: Fraction) -> int:
    """Return the nearest whole number; halves away from zero."""
    whole = (2 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    return whole if value >= 0 else -whole
