"""Kratzen: its words with their meanings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..game.words import DECLARES, MIT, OUT, Word

WORDS = (
    Word("plays", "schlägt", DECLARES),
    MIT,
    Word("without", "ohne", OUT, phrases=("mit, ohne", "(?:or|oder) ohne")),
    Word("muss", "Muss", _("Everybody has to play, and nothing is paid out; it is counted apart, as nobody chose to.")),
    Word("schlagen", "Schlagen", _("a call: the suit that was turned is trump")),
    Word("oder", "Oder", _("a call: cards are turned until another suit is trump"), phrases=(r"[\p{Ll},] Oder",)),
    Word("weiter-oder", "Weiter-Oder", _("a call: the next card decides the trump, which may be the same again")),
    Word(
        "weiter",
        "weiter",
        _("calls nothing; if all say weiter, the pot stays"),
        phrases=("(?:[Aa]lle|sagen) weiter",),
    ),
    Word(
        "siebenermuss",
        "Siebenermuss",
        _("A seven became trump: everybody plays, nobody exchanges, and one trick is enough."),
    ),
    Word(
        "cut",
        _("cut"),
        _("An ace moves the pack one seat on, a seven one back, and the receiver pays; after the Weli everybody pays."),
        phrases=("the cut", "Abheben"),
    ),
)
