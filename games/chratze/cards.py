"""Chratze card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..game.card_words import CardWords

CHRATZE, METCHO, WEG = "chratze", "metcho", "weg"


def _offered(choices: Sequence[str], _known: Sequence[str]) -> Sequence[str]:
    return [METCHO if METCHO in choices else CHRATZE, WEG]


CARDS: Final = CardWords(
    declaring=frozenset({CHRATZE}),
    declining=frozenset({WEG}),
    offered=_offered,
    # A dealer who plays blind declares without a word.
    unspoken={METCHO: CHRATZE},
)
