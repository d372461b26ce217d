"""The state of a tournament's public pages (`league.web.page_versions`)."""

from __future__ import annotations

import hashlib

from ...standings.versions import read_state
from ...state_queries import StateQuery
from ...web.page_versions import State

# The version of the club changes with the names of its players. A correction of a finished round closes it once more.
# A tournament in preparation has no state: its pages are those of the desk, and none of them is kept.
_TOURNAMENT = StateQuery(
    "league_tournament_state",
    ("text", "text"),
    """club.id, club_version.number, tournament.id, version.number,
    (SELECT COUNT(*) FROM league_round AS played
     JOIN league_closing AS closing ON closing.evening_id = played.evening_id
     WHERE played.tournament_id = tournament.id)""",
    """FROM league_tournament AS tournament
    JOIN league_club AS club ON club.id = tournament.club_id
    LEFT JOIN league_clubversion AS club_version ON club_version.club_id = club.id
    LEFT JOIN league_tournamentversion AS version ON version.tournament_id = tournament.id
    WHERE club.slug = %s AND tournament.slug = %s AND tournament.state <> 'draft'""",
)


def tournament_state(*, club: str, tournament: str) -> State | None:
    """The state of a tournament as its public pages show it: without the hands of the round that is being played."""
    return read_state(_TOURNAMENT, club, tournament)


def version_of(state: State | None) -> str:
    """Return a short text that changes with the state. A page carries it, and the clock's answer has the newest."""
    return hashlib.sha256(repr(state.numbers).encode()).hexdigest()[:16] if state else ""
