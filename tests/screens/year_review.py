"""The screens of the year in review."""

from __future__ import annotations

from league.standings.years import newest_year
from tests.screens.screen import Screen

YEAR_REVIEW = (
    Screen("year-club", "club-year", f"/c/roessli/year/{newest_year()}/", "visitor"),
    Screen("year-none", "club-year", "/c/linde/year/1999/"),
    Screen("year-player", "player-year", f"/c/roessli/p/{{roessli_player}}/year/{newest_year()}/"),
    Screen("year-player-visitor", "player-year", f"/c/roessli/p/{{roessli_player}}/year/{newest_year()}/", "visitor"),
)
