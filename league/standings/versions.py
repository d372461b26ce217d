"""The states of the pages of clubs, seasons and players (`league.web.page_versions`)."""

from __future__ import annotations

from django.utils import timezone

from ..models import Club, Season
from ..state_queries import StateQuery
from ..web.page_versions import State

# Hands raise the season's ledger mark; a count has its mark and its time.
_SEASON = StateQuery(
    "league_season_state",
    ("text", "text"),
    "club.id, version.number, season.id, season.ledger_mark, count.counted_mark, count.counted_at",
    """FROM league_club AS club
    JOIN league_season AS season ON season.club_id = club.id
    LEFT JOIN league_clubversion AS version ON version.club_id = club.id
    LEFT JOIN league_seasoncount AS count ON count.season_id = season.id
    WHERE club.slug = %s AND season.slug = %s""",
)
# Statistics, records and ratings are counted after the standings, and have a version of their own.
_SEASON_FACTS = StateQuery(
    "league_season_facts_state",
    ("text", "text"),
    f"{_SEASON.numbers}, facts.version",
    _SEASON.rest.replace("WHERE", "LEFT JOIN league_seasonfacts AS facts ON facts.season_id = season.id WHERE"),
)
# Chances are computed after the standings.
_SEASON_CHANCES = StateQuery(
    "league_season_chances_state",
    ("text", "text"),
    f"{_SEASON.numbers}, chances.computed_at",
    _SEASON.rest.replace("WHERE", "LEFT JOIN league_seasonchances AS chances ON chances.season_id = season.id WHERE"),
)
_CLUB_NUMBERS = """club.id, version.number, SUM(season.ledger_mark), SUM(count.counted_mark), MAX(count.counted_at)"""
_CLUB_REST = """FROM league_club AS club
    LEFT JOIN league_clubversion AS version ON version.club_id = club.id
    LEFT JOIN league_season AS season ON season.club_id = club.id
    LEFT JOIN league_seasoncount AS count ON count.season_id = season.id{facts}
    WHERE club.slug = %s{with_season} GROUP BY club.visibility, club.id, version.number"""
_WITH_SEASON = " AND EXISTS (SELECT 1 FROM league_season AS chosen WHERE chosen.club_id = club.id AND chosen.slug = %s)"
_FACTS = " LEFT JOIN league_seasonfacts AS facts ON facts.season_id = season.id"
_FACTS_NUMBERS = f"{_CLUB_NUMBERS}, SUM(facts.version)"
_CLUB = StateQuery("league_club_state", ("text",), _CLUB_NUMBERS, _CLUB_REST.format(with_season="", facts=""))
_CLUB_FACTS = StateQuery(
    "league_club_facts_state", ("text",), _FACTS_NUMBERS, _CLUB_REST.format(with_season="", facts=_FACTS)
)
_CLUB_WITH_SEASON = StateQuery(
    "league_club_season_state",
    ("text", "text"),
    _FACTS_NUMBERS,
    _CLUB_REST.format(with_season=_WITH_SEASON, facts=_FACTS),
)


def read_state(query: StateQuery, *values: str | int | None) -> State | None:
    """Read a state; None if there is no such object."""
    row = query.read(*values)
    if row is None:
        return None
    visibility, *numbers = row
    # The running evening and the current season depend on the date.
    return State(visibility != Club.Visibility.PRIVATE, (timezone.localdate(), *numbers))


def club_state(*, club: str) -> State | None:
    """The state of a club with its seasons and players."""
    return read_state(_CLUB, club)


def club_facts_state(*, club: str) -> State | None:
    """The state of the facts counted from the hands of a club."""
    return read_state(_CLUB_FACTS, club)


def player_state(*, club: str, player: int, season: str | None = None) -> State | None:
    """The state of a player's page, which is that of the club. None if the club has no such season."""
    return read_state(_CLUB_FACTS, club) if season is None else read_state(_CLUB_WITH_SEASON, club, season)


def season_topics(*, club: str, season: str) -> tuple[str, ...]:
    """The topics of a season and its standings (`league.news`)."""
    keys = Season.objects.filter(club__slug=club, slug=season).values_list("club_id", "pk").first()
    return (f"club:{keys[0]}", f"season:{keys[1]}", f"count:{keys[1]}") if keys else ()


def chances_topics(*, club: str, season: str) -> tuple[str, ...]:
    """The topics of the chances of a season."""
    topics = season_topics(club=club, season=season)
    return (*topics, topics[-1].replace("count:", "chances:")) if topics else ()


def season_state(*, club: str, season: str) -> State | None:
    """The state of a season and its standings."""
    return read_state(_SEASON, club, season)


def season_facts_state(*, club: str, season: str) -> State | None:
    """The state of the facts counted from the hands of a season, and of its standings."""
    return read_state(_SEASON_FACTS, club, season)


def season_chances_state(*, club: str, season: str) -> State | None:
    """The state of the chances of a season as last computed."""
    return read_state(_SEASON_CHANCES, club, season)


def standings_state(*, club: str, season: str, **_choice: str) -> State | None:
    """The state of the standings, of which a reader may choose a part: that of the season."""
    return season_state(club=club, season=season)
