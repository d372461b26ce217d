"""Chratze: what is said about a game: its rules in sentences, its words, its help and its examples."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from ..game.texts import HandWorthTexts, Texts
from .contract import CONTRACT
from .luck import LUCK
from .words import WORDS

TEXTS: Final = Texts(
    too_few=gettext_lazy("At least two sit down."),
    too_many=gettext_lazy("Seven at most sit at one table."),
    clockwise=False,
    contract=CONTRACT,
    words=WORDS,
    # The first seat declares, the third one makes the trick, the dealer joins and fails.
    handout=({"declarer": 0, "joiners": [2, 3], "tricks": {"0": 3, "2": 1}},),
    help_template="",
    hand_worth=HandWorthTexts(
        declaring="Chratze",
        joining="Metcho",
        declares=gettext_lazy("You said chratze and lead; you need two tricks."),
        joins_last=gettext_lazy("You said metcho and play last; you need one trick."),
        joins_one=gettext_lazy("You said metcho, one plays after you; you need one trick."),
        joins_some=gettext_lazy("You said metcho, {n} play after you; you need one trick."),
    ),
    luck=LUCK,
)
