"""The state of the screen of a table (`league.web.page_versions`)."""

from __future__ import annotations

from django.db import connection
from django.utils import timezone

from league.standings.versions import read_state
from league.state_queries import StateQuery
from league.web.page_versions import State

from ..models import Table
from .pencil import AWAY, LAPSES

# The pencil changes without the table. The page shows the name of its holder, and the time since the holder left.
_TABLE = StateQuery(
    "games_table_state",
    ("timestamptz", "timestamptz", "timestamptz", "text", "bigint"),
    """club.id, club_version.number, card_table.id, version.number, evening.final_at > %s,
    (SELECT COUNT(*) FROM games_table AS other WHERE other.evening_id = evening.id AND NOT other.dissolved),
    pencil.device, pencil.taken_at, pencil.asked_device, pencil.seen_at <= %s,
    CASE WHEN pencil.seen_at <= %s THEN pencil.seen_at END,
    holder.id, holder.first_name, holder.last_name, holder.email,
    asking.id, asking.first_name, asking.last_name, asking.email""",
    """FROM games_table AS card_table
    JOIN league_evening AS evening ON evening.id = card_table.evening_id
    JOIN league_club AS club ON club.id = evening.club_id
    LEFT JOIN league_clubversion AS club_version ON club_version.club_id = club.id
    LEFT JOIN games_tableversion AS version ON version.table_id = card_table.id
    LEFT JOIN games_pencil AS pencil ON pencil.table_id = card_table.id
    LEFT JOIN league_user AS holder ON holder.id = pencil.holder_id
    LEFT JOIN league_user AS asking ON asking.id = pencil.asked_by_id
    WHERE club.slug = %s AND card_table.id = %s""",
)


def table_topics(*, club: str, table: int) -> tuple[str, ...]:
    """The topics of the screen of a table (`league.news`)."""
    rows = Table.objects.filter(evening__club__slug=club, pk=table)
    ids = rows.values_list("evening__club_id", "evening_id").first()
    return (f"club:{ids[0]}", f"evening-itself:{ids[1]}", f"table:{table}") if ids else ()


def table_state(*, club: str, table: int) -> State | None:
    """The state of a table with its hands and its pencil."""
    now = timezone.now()
    times = [connection.ops.adapt_datetimefield_value(time) for time in (now, now - LAPSES, now - AWAY)]
    return read_state(_TABLE, *times, club, table)
