"""What is said about a game: its rules in sentences, its words, its help and its examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..engine_bridge import Record
from .luck import Luck
from .rule_cases import Contract
from .words import Word

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise


@dataclass(frozen=True)
class HandWorthTexts:
    """The words for declaring and joining, and the role of a player in a sentence: who declares, who joins and plays
    last, with one who plays later, with `{n}` who do."""

    declaring: Text
    joining: Text
    declares: Text
    joins_last: Text
    joins_one: Text
    joins_some: Text


@dataclass(frozen=True)
class Texts:
    """What is said about a game.

    `too_few` and `too_many` refuse a number of players; `clockwise` is the order of play. `contract` has the house
    rules, `words` the words beside those of every game. `handout` are the first hands of an evening of four players,
    each as `rule_cases.Case` has them: the last one is on the handout for the table, whose steps are in the template
    `games/NAME/_handout_steps.html`, its last line in `_handout_foot.html`. `help_template` is a part of the help page
    for the table, empty for the game that the page explains. `hand_worth` is None in a game without a table of hands.
    `luck` measures its hands.
    """

    too_few: Text
    too_many: Text
    clockwise: bool
    contract: Contract
    words: tuple[Word, ...]
    handout: tuple[Record, ...]
    help_template: str
    hand_worth: HandWorthTexts | None
    luck: Luck
