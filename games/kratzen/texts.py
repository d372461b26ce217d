"""Kratzen: what is said about a game: its rules in sentences, its words, its help and its examples."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from ..game.texts import HandWorthTexts, Texts
from .contract import CONTRACT
from .luck import LUCK
from .words import WORDS

TEXTS: Final = Texts(
    too_few=gettext_lazy("At least three sit down."),
    too_many=gettext_lazy("Six at most sit at one table."),
    clockwise=True,
    contract=CONTRACT,
    words=WORDS,
    # A Muss comes first; then the first seat declares, and the third one makes the trick.
    handout=(
        {"cuts": [["x"]], "declarer": 3, "joiners": [0, 1, 2], "tricks": {"3": 2, "0": 1, "1": 1}},
        {"cuts": [["x"]], "declarer": 0, "joiners": [2], "game_type": "schlagen", "tricks": {"0": 3, "2": 1}},
    ),
    help_template="games/kratzen/_help_at_the_table.html",
    hand_worth=HandWorthTexts(
        declaring="Schlagen",
        joining="Mit",
        declares=gettext_lazy("You said schlagen and lead; you need two tricks."),
        joins_last=gettext_lazy("You said mit and play last; you need one trick."),
        joins_one=gettext_lazy("You said mit, one plays after you; you need one trick."),
        joins_some=gettext_lazy("You said mit, {n} play after you; you need one trick."),
    ),
    luck=LUCK,
)
