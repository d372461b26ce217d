"""The lines of a season's standings, read as plain tuples: every page and answer of a season begins with them."""

from __future__ import annotations

from typing import NamedTuple

from ..models import Season
from ..models.counts import amount_that_counts, shown_rank, shown_rank_before
from ..state_queries import LinesQuery


class StandingLine(NamedTuple):
    """A player's line: the fields of `Standing`, and the nickname of the player."""

    player_id: int
    rank: int
    rank_before: int | None
    points: int
    balance_minor: int
    evenings: int
    hands: int
    declared: int
    declared_made: int
    joined: int
    joined_made: int
    out: int
    blinds: int
    blinds_made: int
    walkovers: int
    susi: int
    musses: int
    musses_made: int
    biggest_pot_minor: int
    best_night_minor: int
    worst_night_minor: int
    best_night_points: int
    worst_night_points: int
    counted_minor: int | None
    unranked: str
    nickname: str

    @property
    def contested(self) -> int:
        """Declared hands that somebody joined."""
        return self.declared - self.walkovers

    @property
    def shown_rank(self) -> int | None:
        """The rank as everybody reads it; None for a player who is not ranked."""
        return shown_rank(self)

    @property
    def shown_rank_before(self) -> int | None:
        """The rank before the last evening, as everybody reads it."""
        return shown_rank_before(self)

    @property
    def amount_minor(self) -> int:
        """The amount that counts: by a formula of amounts, or the balance."""
        return amount_that_counts(self)


BIG = frozenset(
    {
        *("player_id", "points", "balance_minor", "biggest_pot_minor", "best_night_minor", "worst_night_minor"),
        *("best_night_points", "worst_night_points", "counted_minor"),
    }
)
"""The columns with 64 bits."""


def _kind(name: str) -> str:
    if name in ("nickname", "unranked"):
        return "varchar"
    return "bigint" if name in BIG else "integer"


LINES = LinesQuery(
    "league_season_lines",
    columns=tuple((name, _kind(name)) for name in StandingLine._fields),
    text=f"""SELECT {", ".join(f"s.{name}" for name in StandingLine._fields if name != "nickname")}, p.nickname
    FROM league_standing s JOIN league_player p ON p.id = s.player_id
    WHERE s.season_id = %s ORDER BY s.rank, p.nickname""",
)


def season_standings(season: Season, *, top: int | None = None) -> list[StandingLine]:
    """Return the standings as last counted; with `top` only the first ones. One query, in SQL: to compose it by the ORM
    takes longer than the database needs for it."""
    return list(map(StandingLine._make, LINES.read(season.pk, limit=top)))
