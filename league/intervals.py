"""Shares and their uncertainty: Wilson's interval. Does not use Django.

With fewer than `FEWEST_TRIES` tries pages show the counts alone, and the API no bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

FEWEST_TRIES = 20
"""The fewest tries from which a share is shown: one half is then known to be 30 to 70 %; with 10 tries it would be
24 to 76 %, more than half of the scale."""
Z = 1.959964
"""The normal quantile of 95 %."""
NINE_OF_TEN = Fraction(1645, 1000)
"""The standard deviations on both sides of the mean within which nine of ten values lie."""


@dataclass(frozen=True)
class Interval:
    """The bounds within which a share lies in 95 of 100 cases, in thousandths."""

    low: int
    high: int

    @property
    def width(self) -> int:
        """The distance of the bounds."""
        return self.high - self.low


@dataclass(frozen=True)
class Share:
    """`made` of `of` tries."""

    made: int
    of: int

    @property
    def known(self) -> bool:
        """True if there are enough tries to show a share."""
        return self.of >= FEWEST_TRIES

    @property
    def permille(self) -> int:
        """The share in thousandths, rounded; 0 without a try."""
        return (2000 * self.made + self.of) // (2 * self.of) if self.of else 0

    @property
    def interval(self) -> Interval:
        """Wilson's interval; from 0 to 1000 without a try."""
        return wilson(self.made, self.of)


def wilson(made: int, of: int, z: float = Z) -> Interval:
    """Return Wilson's score interval, rounded outwards to thousandths. Unlike a share plus and minus an error it stays
    within 0…1, also for few tries and shares of 0 and 1."""
    if of == 0:
        return Interval(0, 1000)
    share, spread = made / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    # At shares of 0 and 1 one bound is exact; the rest of a float must not move it.
    low = 0 if made == 0 else math.floor(1000 * (middle - half))
    high = 1000 if made == of else math.ceil(1000 * (middle + half))
    return Interval(max(0, low), min(1000, high))


def apart(share: Share, other: Share) -> bool:
    """Return True if two shares differ by more than chance explains: both are known, their intervals do not touch."""
    if not (share.known and other.known):
        return False
    return share.interval.low > other.interval.high or other.interval.low > share.interval.high


def extremes(shares: Sequence[Share]) -> tuple[int, int] | None:
    """Return the places of the highest and the lowest known share if they are apart; else None."""
    known = [place for place, share in enumerate(shares) if share.known]
    if len(known) < 2:
        return None
    high = max(known, key=lambda place: (shares[place].permille, -place))
    low = min(known, key=lambda place: (shares[place].permille, place))
    return (high, low) if apart(shares[high], shares[low]) else None
