"""The words of the games and of the product, each with its meaning, for the screens where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from ..engine_bridge import CHRATZE, KRATZEN

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise


@dataclass(frozen=True)
class Word:
    """A word as the screens write it, and its meaning in one or two sentences. `everyday`: sentences use it in its
    ordinary sense, too, or it is also a name."""

    key: str
    term: Text
    meaning: Text
    everyday: bool = False


_DECLARES = _("plays for the pot, and must take two of the four tricks")
_JOINS = _("plays along, and must take one trick")
_OUT = _("stays out of the hand")

BOTH_GAMES = (
    Word(
        "pot",
        _("pot"),
        _("the coins in the middle: antes and penalties go in, whoever makes the tricks takes out"),
    ),
    Word("ante", _("ante"), _("the coins that are put into the pot before a hand")),
    Word("dealer", _("dealer"), _("deals the cards of this hand; the letter in a circle marks it")),
    Word(
        "trick",
        _("trick"),
        _("one card of everybody who plays; the highest takes it, and a hand has four"),
    ),
    Word(
        "penalty",
        _("penalty"),
        _("whoever fails pays the pot once, whoever declared twice, if the house rules say nothing else"),
    ),
)
OF_CHRATZE = (
    Word("declares", "chratzt", _DECLARES),
    Word("joins", "metcho", _JOINS),
    Word("out", "weg", _OUT, everyday=True),
    Word("forehand", _("forehand"), _("sits after the dealer, and speaks first")),
    Word(
        "blind",
        _("blind"),
        _("The dealer says chratze without having looked at the cards; double blind also before a card is turned."),
        everyday=True,
    ),
    Word("susi", "Susi", _("who is asked last and lets the pot go, so that it is taken without play"), everyday=True),
)
OF_KRATZEN = (
    Word("plays", "schlägt", _DECLARES),
    Word("with", "mit", _JOINS, everyday=True),
    Word("without", "ohne", _OUT, everyday=True),
    Word("muss", "Muss", _("Everybody has to play, and nothing is paid out; it is counted apart, as nobody chose to.")),
    Word("schlagen", "Schlagen", _("a call: the suit that was turned is trump")),
    Word("oder", "Oder", _("a call: cards are turned until another suit is trump"), everyday=True),
    Word("weiter-oder", "Weiter-Oder", _("a call: the next card decides the trump, which may be the same again")),
    Word("weiter", "weiter", _("calls nothing; if all say weiter, the pot stays"), everyday=True),
    Word(
        "siebenermuss",
        "Siebenermuss",
        _("A seven became trump: everybody plays, nobody exchanges, and one trick is enough."),
    ),
    Word(
        "cut",
        _("cut"),
        _("An ace moves the pack one seat on, a seven one back, and the receiver pays; after the Weli everybody pays."),
        everyday=True,
    ),
)
OF_THE_CLUB = (
    Word("pencil", _("pencil"), _("Whoever has it records, one device a table; others ask for it.")),
    Word("provisional", _("provisional"), _("The evening is closed, and its hands can still be corrected until then.")),
    Word("final", _("final"), _("Nothing changes any more, unless an owner opens the evening again."), everyday=True),
    Word("outstanding", _("outstanding"), _("to be paid, and nobody has marked it as paid yet"), everyday=True),
    Word("box", _("Box"), _("keeps a pot for the next evening")),
    Word("kitty", _("Kitty"), _("the money of the club, for cards or a dinner")),
    Word("balance", _("Balance"), _("what was won or lost so far; of kitty and box, what is in it")),
)
ALL = {word.key: word for group in (BOTH_GAMES, OF_CHRATZE, OF_KRATZEN, OF_THE_CLUB) for word in group}


def of_games(games: Iterable[str]) -> list[Word]:
    """Return the words of hands of these games, those of both games first."""
    own = {CHRATZE: OF_CHRATZE, KRATZEN: OF_KRATZEN}
    return [*BOTH_GAMES, *(word for game in own if game in set(games) for word in own[game])]
