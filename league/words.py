"""What declaring, joining and staying out are called at the table: heads of columns and names of figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy

from .models import Season

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class Words:
    """One game's words, or those that hold for both."""

    declares: str | _StrPromise
    joins: str | _StrPromise
    out: str | _StrPromise


CHRATZE = Words("chratzt", "metcho", "weg")
KRATZEN = Words("schlägt", "mit", "ohne")
# Translators: these three head columns where hands of both games are counted together.
BOTH = Words(
    pgettext_lazy("both games", "declares"), pgettext_lazy("both games", "joins"), pgettext_lazy("both games", "is out")
)


def words_of(games: Iterable[str]) -> Words:
    """The words for hands of these games; where there is none yet, those of Chratze."""
    known = set(games)
    if len(known) > 1:
        return BOTH
    return KRATZEN if known == {Season.Games.KRATZEN} else CHRATZE


def season_words(season: Season, played: Iterable[str]) -> Words:
    """The words of a season: those of the game that it counts, else of what was `played` in it."""
    return words_of([season.games] if season.games else played)
