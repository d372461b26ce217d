"""The games' terms for declaring, joining and staying out, as heads of columns and names of figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy

from ..models import Season

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class Terms:
    """The terms of one game, or the common terms of both."""

    declares: str | _StrPromise
    joins: str | _StrPromise
    out: str | _StrPromise
    games: tuple[str, ...]


CHRATZE = Terms("chratzt", "metcho", "weg", ("chratze",))
KRATZEN = Terms("schlägt", "mit", "ohne", ("kratzen",))
# Translators: these three head columns where hands of both games are counted together.
BOTH = Terms(
    pgettext_lazy("both games", "declares"),
    pgettext_lazy("both games", "joins"),
    pgettext_lazy("both games", "is out"),
    ("chratze", "kratzen"),
)


def terms_of(games: Iterable[str]) -> Terms:
    """Return the terms for hands of these games; those of Chratze without a game."""
    known = set(games)
    if len(known) > 1:
        return BOTH
    return KRATZEN if known == {Season.Games.KRATZEN} else CHRATZE


def season_terms(season: Season, played: Iterable[str]) -> Terms:
    """Return the terms of a season: of the game that it counts, else of the games `played` in it."""
    return terms_of([season.games] if season.games else played)
