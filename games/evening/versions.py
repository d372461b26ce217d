"""The state of an evening's page (`league.web.page_versions`)."""

from __future__ import annotations

from django.db import connection
from django.utils import timezone

from league.models import Evening
from league.standings.versions import read_state
from league.state_queries import StateQuery
from league.web.page_versions import State

# The podium names ranks of the season as last counted. The version of a table includes its hands.
_EVENING = StateQuery(
    "games_evening_state",
    ("timestamptz", "text", "bigint"),
    """club.id, club_version.number, evening.id, evening.final_at > %s, count.counted_mark, count.counted_at,
    (SELECT SUM(version.number) FROM games_table AS card_table
     JOIN games_tableversion AS version ON version.table_id = card_table.id
     WHERE card_table.evening_id = evening.id),
    (SELECT COUNT(*) FROM games_table AS card_table
     JOIN games_hand AS hand ON hand.table_id = card_table.id
     JOIN games_dispute AS dispute ON dispute.hand_id = hand.id
     WHERE card_table.evening_id = evening.id)""",
    """FROM league_evening AS evening
    JOIN league_club AS club ON club.id = evening.club_id
    LEFT JOIN league_clubversion AS club_version ON club_version.club_id = club.id
    LEFT JOIN league_seasoncount AS count ON count.season_id = evening.season_id
    WHERE club.slug = %s AND evening.id = %s""",
)

# A hand with its names; the version of its table includes corrections.
_HAND = StateQuery(
    "games_hand_state",
    ("text", "bigint"),
    "club.id, club_version.number, card_table.id, version.number",
    """FROM games_table AS card_table
    JOIN league_evening AS evening ON evening.id = card_table.evening_id
    JOIN league_club AS club ON club.id = evening.club_id
    LEFT JOIN league_clubversion AS club_version ON club_version.club_id = club.id
    LEFT JOIN games_tableversion AS version ON version.table_id = card_table.id
    WHERE club.slug = %s AND card_table.id = %s""",
)


def hand_state(*, club: str, table: int, number: int) -> State | None:
    """The state of a hand as its public page shows it: that of its table without the pencil."""
    return read_state(_HAND, club, table)


def evening_topics(*, club: str, evening: int) -> tuple[str, ...]:
    """The topics of an evening's page (`league.news`)."""
    ids = Evening.objects.filter(club__slug=club, pk=evening).values_list("club_id", "season_id").first()
    return (f"club:{ids[0]}", f"count:{ids[1]}", f"evening:{evening}") if ids else ()


def evening_state(*, club: str, evening: int) -> State | None:
    """The state of an evening with its hands."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    return read_state(_EVENING, now, club, evening)
