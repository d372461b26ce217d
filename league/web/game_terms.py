"""The games' terms for declaring, joining and staying out, as heads of columns and names of figures."""

from __future__ import annotations

from collections.abc import Iterable

from ..models import Season
from ..played_games import Terms as Terms
from ..played_games import terms_of as terms_of


def season_terms(season: Season, played: Iterable[str]) -> Terms:
    """Return the terms of a season: of the game that it counts, else of the games `played` in it."""
    return terms_of([season.games] if season.games else played)
