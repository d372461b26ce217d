"""The words and cards of a game, where a hand is shown or entered card by card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


def _all_known(_choices: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    return known


@dataclass(frozen=True)
class CardWords:
    """The words of a game card by card.

    `declaring` are the words of the declarer, `declining` those of players who stay out. `offered` are the words to tap
    at a question for a call, from those that may be said, and these with those that the rules refuse.

    `unspoken` maps an answer to the word of the dealer who declared without saying it. `pictures` are the cards whose
    picture has another name than they have in records.
    """

    declaring: frozenset[str]
    declining: frozenset[str]
    offered: Callable[[Sequence[str], Sequence[str]], Sequence[str]] = _all_known
    unspoken: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
