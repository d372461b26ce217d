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
    """A word as the screens write it, and its meaning in one or two sentences.

    `forms`: how sentences inflect it, in both languages. `phrases`: if sentences use it in its ordinary sense, too, the
    regular expressions of those in which it is the word of the game; it is that also where it stands alone, unless it
    is a name (`is_name`).
    """

    key: str
    term: Text
    meaning: Text
    forms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    is_name: bool = False

    def in_texts(self) -> dict[str, str]:
        """Return each form with the pattern of the texts where it is meant; "" is any text."""
        return {form: self._pattern(form) for form in (str(self.term), *self.forms)}

    def _pattern(self, form: str) -> str:
        if not self.phrases:
            return ""
        alone = () if self.is_name else (f"^\\s*{form}\\s*$", f"[«“\"']{form}[»”\"']")
        return "|".join((*alone, *(phrase.replace(" ", r"\s+") for phrase in self.phrases)))


_DECLARES = _("plays for the pot, and must take two of the four tricks")
_JOINS = _("plays along, and must take one trick")
_OUT = _("stays out of the hand")
_FINAL = ("evening is final", "final from", "(?:Abend|er) ist (?:sofort )?endgültig", "dann endgültig", "endgültig ab")
_OUTSTANDING = (r"\d(?:\.\d\d)? (?:offen|outstanding)", "(?:Zahlung ist|Zahlungen sind|Nichts|ist nichts mehr) offen")

BOTH_GAMES = (
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
        _("one card of everybody who plays; the highest takes it, and a hand has four"),
        ("tricks", "Stichs", "Stiche", "Stichen"),
    ),
    Word(
        "penalty",
        _("penalty"),
        _("whoever fails pays the pot once, whoever declared twice, if the house rules say nothing else"),
        ("penalties", "Strafen"),
    ),
)
OF_CHRATZE = (
    Word("declares", "chratzt", _DECLARES, ("gechratzt",)),
    Word("joins", "metcho", _JOINS),
    Word("out", "weg", _OUT, phrases=("[Aa]lle weg", "(?:or|oder) weg", "metcho, weg", "nachher weg")),
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
OF_KRATZEN = (
    Word("plays", "schlägt", _DECLARES),
    Word(
        "with", "mit", _JOINS, phrases=("(?:geht|gehen|ging|gingen)(?: auch| nicht)? mit", "niemand mit", "mit, ohne")
    ),
    Word("without", "ohne", _OUT, phrases=("mit, ohne", "(?:or|oder) ohne")),
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
OF_THE_CLUB = (
    Word("pencil", _("pencil"), _("Whoever has it records, one device a table; others ask for it.")),
    Word("provisional", _("provisional"), _("The evening is closed, and its hands can still be corrected until then.")),
    Word("final", _("final"), _("Nothing changes any more, unless an owner opens the evening again."), phrases=_FINAL),
    Word("outstanding", _("outstanding"), _("to be paid, and nobody has marked it as paid yet"), phrases=_OUTSTANDING),
    Word("box", _("Box"), _("keeps a pot for the next evening")),
    Word("kitty", _("Kitty"), _("the money of the club, for cards or a dinner")),
    Word("balance", _("Balance"), _("what was won or lost so far; of kitty and box, what is in it")),
)
ALL = {word.key: word for group in (BOTH_GAMES, OF_CHRATZE, OF_KRATZEN, OF_THE_CLUB) for word in group}


def of_games(games: Iterable[str]) -> list[Word]:
    """Return the words of hands of these games, those of both games first."""
    own = {CHRATZE: OF_CHRATZE, KRATZEN: OF_KRATZEN}
    return [*BOTH_GAMES, *(word for game in own if game in set(games) for word in own[game])]
