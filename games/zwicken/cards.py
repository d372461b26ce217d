"""Zwicken card by card."""

from __future__ import annotations

from typing import Final

from ..game.card_words import CardWords

CARDS: Final = CardWords(declaring=frozenset(), declining=frozenset({"weg"}))
