"""Chratze: its words with their meanings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ..game.words import DECLARES, JOINS, WEG, Word

WORDS = (
    Word("declares", "chratzt", DECLARES, ("gechratzt",)),
    Word("joins", "metcho", JOINS),
    WEG,
    Word("forehand", _("forehand"), _("sits after the dealer, and speaks first")),
    Word(
        "blind",
        _("blind"),
        _("The dealer says chratze without having looked at the cards; double blind also before a card is turned."),
    ),
    Word(
        "susi",
        "Susi",
        _("who is asked last and lets the pot go, so that it is taken without play"),
        phrases=("(?:die|der|the|Ewige|Eternal) Susi", "Susi (?:des|der|of)", r"\(Susi\)"),
        is_name=True,
    ),
)
