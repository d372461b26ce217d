"""Common parts of the simple players of all games: a temper, the worth of a card, and the test if a card takes a
trick."""

import random
from typing import Final, NamedTuple

from engine.cards import RANKS

TRUMP_WORTH: Final = dict(zip(RANKS, (0.30, 0.34, 0.38, 0.43, 0.50, 0.58, 0.70, 0.88, 1.0), strict=True))
PLAIN_WORTH: Final = dict(zip(RANKS, (0.0, 0.0, 0.0, 0.01, 0.02, 0.04, 0.08, 0.20, 0.50), strict=True))
"""The expected tricks of a card by its rank, as a trump and as another card; tuned so that sample hands succeed as
often as at a real table."""

WORTH_A_DRAW: Final = 0.17
"""The expected tricks of a card that is exchanged."""


class Temper(NamedTuple):
    """The style of a player, each value from 0 to 1: ``skill`` avoids blunders, ``daring`` reduces caution."""

    skill: float
    daring: float


class TemperedPlayer:
    """A simple player of any game: its source of randomness, its skill and its daring."""

    def __init__(self, rng: random.Random, temper: Temper) -> None:
        self._chance = rng.random
        self._pick = rng.choice
        self._skill, self._daring = temper

    def _makes_mistake(self) -> bool:
        return self._chance() > 0.55 + 0.45 * self._skill


def takes(card: int, trump: int, led: int, on_table: int) -> bool:
    """Return True if a card would take the trick so far (C5.5, K7.6)."""
    if card & trump:
        return card > on_table & trump
    return not on_table & trump and bool(card & led) and card > on_table & led
