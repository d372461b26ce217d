"""The words of the games and of the product, each with its meaning, for the screens where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from ..game.words import Word
from ..offered import GAMES

_FINAL = ("evening is final", "final from", "(?:Abend|er) ist (?:sofort )?endgültig", "dann endgültig", "endgültig ab")
_OUTSTANDING = (r"\d(?:\.\d\d)? (?:offen|outstanding)", "(?:Zahlung ist|Zahlungen sind|Nichts|ist nichts mehr) offen")

EVERY_GAME = (
    Word(
        "pot",
        _("pot"),
        _("the coins in the middle: antes and penalties go in, whoever makes the tricks takes out"),
        ("pots", "Topfs", "Töpfe", "Töpfen"),
    ),
    Word(
        "ante",
        _("ante"),
        _("the coins that are put into the pot before a hand"),
        ("antes", "Einsatzes", "Einsätze", "Einsätzen"),
    ),
    Word("dealer", _("dealer"), _("deals the cards of this hand; the letter in a circle marks it"), ("Gebers",)),
    Word(
        "trick",
        _("trick"),
        _("one card of everybody who plays; the highest takes it, and a hand has four, in some games three"),
        ("tricks", "Stichs", "Stiche", "Stichen"),
    ),
    Word(
        "penalty",
        _("penalty"),
        _("whoever fails pays the pot once, whoever declared twice, if the house rules say nothing else"),
        ("penalties", "Strafen"),
    ),
)
OF_THE_CLUB = (
    Word("pencil", _("pencil"), _("Whoever has it records, one device a table; others ask for it.")),
    Word("provisional", _("provisional"), _("The evening is closed, and its hands can still be corrected until then.")),
    Word("final", _("final"), _("Nothing changes any more, unless an owner opens the evening again."), phrases=_FINAL),
    Word("outstanding", _("outstanding"), _("to be paid, and nobody has marked it as paid yet"), phrases=_OUTSTANDING),
    Word("box", _("Box"), _("keeps a pot for the next evening")),
    Word("kitty", _("Kitty"), _("the money of the club, for cards or a dinner")),
    Word("balance", _("Balance"), _("what was won or lost so far; of kitty and box, what is in it")),
)


def _once(words: Iterable[Word]) -> dict[str, Word]:
    """Return words by their keys; of one that several games have, each with its meaning, the first."""
    by_key: dict[str, Word] = {}
    for word in words:
        by_key.setdefault(word.key, word)
    return by_key


ALL = _once([*EVERY_GAME, *(word for game in GAMES.values() for word in game.texts.words), *OF_THE_CLUB])


def of_games(games: Iterable[str]) -> list[Word]:
    """Return the words of hands of these games, those of every game first."""
    named = set(games)
    own = (word for game in GAMES.values() if game.name in named for word in game.texts.words)
    return list(_once([*EVERY_GAME, *own]).values())
