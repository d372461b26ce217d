"""What the simple players of both games share: a temper, the worth of a card, who takes a trick."""

from typing import Final, NamedTuple

from engine.cards import RANKS

TRUMP_WORTH: Final = dict(zip(RANKS, (0.30, 0.34, 0.38, 0.43, 0.50, 0.58, 0.70, 0.88, 1.0), strict=True))
PLAIN_WORTH: Final = dict(zip(RANKS, (0.0, 0.0, 0.0, 0.01, 0.02, 0.04, 0.08, 0.20, 0.50), strict=True))
"""Tricks that a card may bring by its rank, as a trump and else; tuned so that the demo's hands succeed as at a real
table."""

WORTH_A_DRAW: Final = 0.17
"""Tricks that an exchanged card may bring."""


class Temper(NamedTuple):
    """How somebody plays, each from 0 to 1: ``skill`` against blunders, ``daring`` against caution."""

    skill: float
    daring: float


def takes(card: int, trump: int, led: int, lying: int) -> bool:
    """Whether a card would lie highest (C5.5, K7.6)."""
    if card & trump:
        return card > lying & trump
    return not lying & trump and bool(card & led) and card > lying & led
