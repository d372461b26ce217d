"""The ranking of a season's teams, as last counted and as one reader sees it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from ...access import ClubAccess
from ...models import Season, Team, TeamShare, TeamStanding, TeamStay


@dataclass(frozen=True)
class TeamMember:
    """A member: what the player brought to the team (`points` in the scale of the season's formula, None before a share
    was counted), and if that is in the sum. `counted_minor`: by a formula of amounts, None if the reader may not see
    it. `left`: the player is no longer in the team."""

    player_id: int
    name: str
    points: int | None
    counted_minor: int | None
    counts: bool
    left: bool


@dataclass(frozen=True)
class TeamRow:
    """A team. `rank` is None until the team was counted. `counted_minor`: as of a member; of all of them, so only for
    those who see the amounts of everybody."""

    number: int
    title: str
    rank: int | None
    points: int
    counted_minor: int | None
    members: tuple[TeamMember, ...]


def team_title(team: Team, access: ClubAccess) -> str:
    """Return the name of a team for people of the club; visitors, and a team without a name, get its number."""
    return access.names.free_text(team.name) or _("Team %(number)s") % {"number": team.number}


def team_rows(access: ClubAccess, season: Season) -> list[TeamRow]:
    """Return the teams, the first one first. No query for a season without a formula, one without a team, else four at
    most, and one more for a visitor."""
    if season.formula_version is None:
        return []
    teams = list(Team.objects.filter(season=season).order_by("number"))
    if not teams:
        return []
    standings = {one.team_id: one for one in TeamStanding.objects.filter(season=season)}
    members = _members(access, season)
    rows = [_row(access, team, standings.get(team.pk), members[team.pk]) for team in teams]
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.number))


def _row(access: ClubAccess, team: Team, standing: TeamStanding | None, members: list[TeamMember]) -> TeamRow:
    return TeamRow(
        number=team.number,
        title=team_title(team, access),
        rank=standing.rank if standing else None,
        points=standing.points if standing else 0,
        counted_minor=standing.counted_minor if standing and access.sees_money() else None,
        members=tuple(members),
    )


def current_teams(season: Season) -> dict[int, int]:
    """Return the team of each player today, by the person's main player; players in no team are left out. One query."""
    stays = TeamStay.objects.filter(season=season, since__lte=timezone.localdate())
    found: dict[int, int | None] = {}
    rows = stays.order_by("since", "pk").values_list("player_id", "player__main_id", "team_id")
    for player, main, team in rows:
        found[main or player] = team
    return {player: team for player, team in found.items() if team is not None}


def team_columns(access: ClubAccess, season: Season) -> dict[int, tuple[int, str, int | None]]:
    """Return number, name and rank of each player's team of today. No query without a formula, else three at most."""
    if season.formula_version is None:
        return {}
    now = current_teams(season)
    if not now:
        return {}
    teams = {team.pk: team for team in Team.objects.filter(season=season)}
    ranks = dict(TeamStanding.objects.filter(season=season).values_list("team_id", "rank"))
    return {
        player: (teams[team].number, team_title(teams[team], access), ranks.get(team)) for player, team in now.items()
    }


def _members(access: ClubAccess, season: Season) -> dict[int, list[TeamMember]]:
    """Return the members of each team: those with a share, the largest first, then those of today without one."""
    now = current_teams(season)
    found: dict[int, list[TeamMember]] = defaultdict(list)
    shares = TeamShare.objects.filter(season=season).select_related("player")
    known: set[tuple[int, int]] = set()
    for one in shares.order_by("-counts", "-points", "-counted_minor", "player__nickname"):
        sees = access.sees_money(one.player_id)
        name = access.names.show(one.player_id, one.player.nickname)
        amount = one.counted_minor if sees else None
        left = now.get(one.player_id) != one.team_id
        found[one.team_id].append(TeamMember(one.player_id, name, one.points, amount, one.counts, left))
        known.add((one.team_id, one.player_id))
    waiting = [(team, player) for player, team in now.items() if (team, player) not in known]
    names = access.names.of(player for _team, player in waiting)
    for team, player in sorted(waiting, key=lambda one: names.get(one[1], "")):
        found[team].append(TeamMember(player, names.get(player, "?"), None, None, False, False))
    return found
