"""The games that evenings and seasons may be of, as the league knows them: names and terms, no cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise


DECLARED, JOINED = gettext_lazy("Declared"), gettext_lazy("Joined")
# Translators: in "made 3 of 5 declared hands".
DECLARED_HANDS = pgettext_lazy("of so many", "declared hands")


@dataclass(frozen=True)
class Terms:
    """What pages call the parts and the hands of one game, or of several games that are counted together.

    `declares`, `joins` and `out` are what a player does in a hand; `declares` is empty where nobody declares.
    `declared`, `joined` and `forced` are the titles of such hands: in a forced one, which not every game has, everybody
    has to play.
    `declared_hands` is the name of declared hands behind a number of them. `games` have these terms.
    """

    declares: Text
    joins: Text
    out: Text
    games: tuple[str, ...] = ()
    declared: Text = DECLARED
    joined: Text = JOINED
    forced: Text = "Muss"
    declared_hands: Text = DECLARED_HANDS

    @property
    def has_declarer(self) -> bool:
        """True if one of those who play declares, in one of the games at least."""
        return any(GAMES[game].has_declarer for game in self.games)

    @property
    def has_blinds(self) -> bool:
        """True if a player may declare without a look at the cards, in one of the games at least."""
        return any(GAMES[game].has_blinds for game in self.games)

    @property
    def dealer_is_counted(self) -> bool:
        """True if facts of dealers count, in one of the games at least."""
        return any(GAMES[game].dealer_is_counted for game in self.games)

    @property
    def tricks(self) -> int | None:
        """The tricks of a hand; None if the games have different numbers."""
        numbers = {GAMES[game].tricks for game in self.games}
        return numbers.pop() if len(numbers) == 1 else None


@dataclass(frozen=True)
class PlayedGame:
    """A game with `tricks` tricks. `dealer_is_counted`: the player who deals is known before the hand, so that facts of
    dealers count. `has_declarer`: one of those who play declares. `has_blinds`: a player may declare without a look at
    the cards. `counts_goals`: a record may have the goals that were reached in place of the tricks."""

    name: str
    title: str
    terms: Terms
    dealer_is_counted: bool
    has_declarer: bool
    has_blinds: bool = False
    counts_goals: bool = False
    tricks: int = 4


CHRATZE: Final = PlayedGame(
    name="chratze",
    title="Chratze",
    terms=Terms(
        "chratzt",
        "metcho",
        "weg",
        ("chratze",),
        declared="Chratze",
        joined="Metcho",
        forced="",
        declared_hands="Chratze",
    ),
    dealer_is_counted=True,
    has_declarer=True,
    has_blinds=True,
    counts_goals=True,
)
KRATZEN: Final = PlayedGame(
    name="kratzen",
    title="Kratzen",
    terms=Terms("schlägt", "mit", "ohne", ("kratzen",)),
    dealer_is_counted=False,
    has_declarer=True,
)
ZWICKEN: Final = PlayedGame(
    name="zwicken",
    title="Zwicken",
    terms=Terms("", "mit", "weg", ("zwicken",), forced=gettext_lazy("Forced hand")),
    dealer_is_counted=False,
    has_declarer=False,
    tricks=3,
)

GAMES: Final = {game.name: game for game in (CHRATZE, KRATZEN, ZWICKEN)}

# Translators: these three head columns where hands of several games are counted together.
COMMON: Final = Terms(
    pgettext_lazy("both games", "declares"),
    pgettext_lazy("both games", "joins"),
    pgettext_lazy("both games", "is out"),
)


def terms_of(games: Iterable[str]) -> Terms:
    """Return the terms for hands of these games; those of the first game that is known without one."""
    named = set(games)
    known = [game for game in GAMES if game in named] or [next(iter(GAMES))]
    if len(known) == 1:
        return GAMES[known[0]].terms
    forced = dict.fromkeys(str(GAMES[game].terms.forced) for game in known)
    return replace(COMMON, games=tuple(known), forced=" / ".join(filter(None, forced)))


def in_words(titles: Iterable[str]) -> str:
    """Return titles of games as a sentence has them: Chratze, Kratzen and Zwicken."""
    *some, last = titles
    return gettext("%(others)s and %(last)s") % {"others": ", ".join(some), "last": last} if some else last


def description() -> str:
    """Return what the product is, for the app on a phone and for those who get a link."""
    values = {"games": all_in_words()}
    return gettext("The book of clubs that play %(games)s: hands, pots, standings and payments.") % values


def all_in_words() -> str:
    """Return the titles of all games as a sentence has them."""
    return in_words(game.title for game in GAMES.values())
