"""Zwicken: what is said about a game: its rules in sentences, its words, its help and its examples."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from ..game.texts import Texts
from .contract import CONTRACT
from .luck import LUCK
from .words import WORDS

TEXTS: Final = Texts(
    too_few=gettext_lazy("At least three sit down."),
    too_many=gettext_lazy("Six at most sit at one table."),
    clockwise=True,
    contract=CONTRACT,
    words=WORDS,
    # A forced hand comes first; then the first and the third seat play, and the third one makes no trick.
    handout=(
        {"cuts": ["x"], "tricks": {"0": 1, "1": 1, "2": 1}},
        {"cuts": ["x"], "players": [0, 2], "tricks": {"0": 3, "2": 0}},
    ),
    help_template="games/zwicken/_help_at_the_table.html",
    hand_worth=None,
    luck=LUCK,
)
