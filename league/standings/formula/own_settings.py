"""The own settings of a season, which a formula replaces as long as it counts.

The columns of a season always have the values that count. What they had before the formula is kept in
`Season.own_settings`, and they get it back when the formula is removed, or when another one says nothing about them.
"""

from __future__ import annotations

from ...models import Season
from .parts import Formula

BY_FORMULA = ("ranking", "games", "best_evenings")
"""The columns that every formula sets."""
PLANNED = "planned_evenings"
"""The column that a formula with a number of planned evenings sets."""
STORED = (*BY_FORMULA, PLANNED, "own_settings")
"""The columns that these functions change."""


def fields_set_by(formula: Formula) -> tuple[str, ...]:
    """Return the columns of a season that this formula sets."""
    return BY_FORMULA if formula.best_of is None else (*BY_FORMULA, PLANNED)


def restore_own(season: Season) -> None:
    """Give a season its own settings again. Stores nothing."""
    for name, value in (season.own_settings or {}).items():
        setattr(season, name, value)
    if season.points_only:
        # It may have become one in points only since, which has no amounts to rank by.
        season.ranking = Season.Ranking.POINTS
    season.own_settings = None


def replace_own(season: Season, formula: Formula) -> None:
    """Give a season the settings of this formula, and keep its own ones. Stores nothing."""
    restore_own(season)
    season.own_settings = {name: getattr(season, name) for name in fields_set_by(formula)}
    season.ranking = Season.Ranking.BALANCE if formula.in_money else Season.Ranking.POINTS
    season.games = formula.games
    # The formula says itself how many evenings count.
    season.best_evenings = None
    if formula.best_of is not None:
        season.planned_evenings = formula.best_of
