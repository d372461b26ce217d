"""The state of the pages and pictures of a year (`league.web.page_versions`): that of the club."""

from __future__ import annotations

from ..standings.versions import club_facts_state
from ..web.page_versions import State


def year_state(*, club: str, **_rest: int) -> State | None:
    """The state of a year of a club or of a player."""
    return club_facts_state(club=club)
