"""The names of cards and suits in each pack: French, Swiss and German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import pgettext, pgettext_lazy

from league.models import Club

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SUITS = "shdc"
WELI = "Weli"

_FRENCH_SUITS = {
    "s": pgettext_lazy("card", "spades"),
    "h": pgettext_lazy("card", "hearts"),
    "d": pgettext_lazy("card", "diamonds"),
    "c": pgettext_lazy("card", "clubs"),
}
_FRENCH_RANKS = {
    "A": pgettext_lazy("card", "ace"),
    "K": pgettext_lazy("card", "king"),
    "Q": pgettext_lazy("card", "queen"),
    "J": pgettext_lazy("card", "jack"),
}
# These names are the same in every language.
_SWISS = dict(zip(SUITS, ("Schilten", "Rosen", "Schellen", "Eicheln"), strict=True))
_GERMAN = dict(zip(SUITS, ("Laub", "Herz", "Schellen", "Eichel"), strict=True))
_SWISS_RANKS = {"A": "Ass", "K": "König", "Q": "Ober", "J": "Under", "T": "Banner"}
_GERMAN_RANKS = {"A": "Ass", "K": "König", "Q": "Ober", "J": "Unter"}

_NAMES: dict[str, tuple[Mapping[str, str | _StrPromise], Mapping[str, str | _StrPromise]]] = {
    Club.Faces.FRENCH: (_FRENCH_SUITS, _FRENCH_RANKS),
    Club.Faces.SWISS: (_SWISS, _SWISS_RANKS),
    Club.Faces.GERMAN: (_GERMAN, _GERMAN_RANKS),
}

_FILES = {(str(Club.Faces.FRENCH), "de"): "french-de"}
"""Packs whose court cards have other letters in a language: D and B for Dame and Bube."""


def pack_file(faces: str, language: str | None) -> str:
    """Return the name of the file in `static/cards` that has the cards of a pack, with the letters of a language."""
    return _FILES.get((faces, language or ""), faces)


def suit_name(card: str, faces: str) -> str:
    """The name of the card's suit: `hearts`, `Rosen`, `Herz`."""
    return str(_NAMES[faces][0].get(card[-1:], card))


def card_name(card: str, faces: str) -> str:
    """The name of the card: `king of hearts`, `Rosen König`, `Laub 9`."""
    if card == WELI:
        return WELI
    rank = _NAMES[faces][1].get(card[:1], {"T": "10"}.get(card[:1], card[:1]))
    if faces == Club.Faces.FRENCH:
        return pgettext("card", "%(rank)s of %(suit)s") % {"rank": rank, "suit": suit_name(card, faces)}
    return f"{suit_name(card, faces)} {rank}"
