"""Zwicken: its words with their meanings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..game.words import MIT, WEG, Word

WORDS = (
    MIT,
    WEG,
    Word(
        "forced-hand",
        _("Forced hand"),
        _("The pot holds nothing but stakes of this hand: everybody plays, and nobody speaks."),
        ("forced hand", "Pflichthände", "Pflichthänden"),
    ),
    Word("bete", _("Bête"), _("whoever plays and makes no trick pays it: the pot, or a stake by the house rules")),
    Word("belli", "Belli", _("the seven of Schellen (♦7): the second highest trump, whatever is trump")),
    Word(
        "cut",
        _("cut"),
        _("It may move the deal: an ace or a seven is a hop, the Belli a jump."),
        phrases=("the cut", "Abheben"),
    ),
    Word("hop", _("Hop"), _("The cut shows an ace or a seven: the next player deals, and pays a stake."), ("Hüpfern",)),
    Word(
        "jump",
        _("Jump"),
        _("The cut shows the Belli: the second next player deals, and both pay a stake."),
        ("Sprungs", "Sprünge", "Sprüngen"),
    ),
)
