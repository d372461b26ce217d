"""Kratzen card by card."""

from __future__ import annotations

from typing import Final

from ..game.card_words import CardWords
from .hand_form import CALLS

CARDS: Final = CardWords(
    declaring=frozenset(CALLS),
    declining=frozenset({"weiter", "ohne"}),
    pictures={"6d": "Weli"},
)
