"""The states of the pages of clubs, seasons and players (`league.web.page_versions`)."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.utils import timezone

from ..models import Club
from ..web.page_versions import State

# Hands raise the season's ledger mark; a count has its mark and its time.
_SEASON = """SELECT club.visibility, club.id, version.number, season.id, season.ledger_mark,
    count.counted_mark, count.counted_at
FROM league_club AS club
JOIN league_season AS season ON season.club_id = club.id
LEFT JOIN league_clubversion AS version ON version.club_id = club.id
LEFT JOIN league_seasoncount AS count ON count.season_id = season.id
WHERE club.slug = %s AND season.slug = %s"""
_CLUB = """SELECT club.visibility, club.id, version.number,
    SUM(season.ledger_mark), SUM(count.counted_mark), MAX(count.counted_at)
FROM league_club AS club
LEFT JOIN league_clubversion AS version ON version.club_id = club.id
LEFT JOIN league_season AS season ON season.club_id = club.id
LEFT JOIN league_seasoncount AS count ON count.season_id = season.id
WHERE club.slug = %s GROUP BY club.visibility, club.id, version.number"""


def read_state(sql: str, *values: object) -> State | None:
    """Read a state with a query whose first column is the visibility of the club."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone()
    if row is None:
        return None
    visibility, *numbers = row
    # Which evening runs, and which season is the current one, follows from the date.
    return State(visibility != Club.Visibility.PRIVATE, (timezone.localdate(), *numbers))


def club_state(*, club: str, **_names: Any) -> State | None:
    """The state of a club with its seasons and players; for the club's page and the page of a player."""
    return read_state(_CLUB, club)


def season_state(*, club: str, season: str) -> State | None:
    """The state of a season and its standings."""
    return read_state(_SEASON, club, season)
