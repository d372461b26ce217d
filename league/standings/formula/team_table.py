"""The ranking of a season's teams, as last counted or of a part of the season, and as one reader sees it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from ...access import ClubAccess
from ...models import EveningScore, Season, Team, TeamShare, TeamStanding, TeamStay
from .parts import Formula
from .ranking import points_and_amount
from .teams import Stay, TeamLine, team_on


class CountedTeam(NamedTuple):
    """The sum of a team. `points` in the scale of the formula; `counted_minor` by a formula of amounts."""

    rank: int
    points: int
    counted_minor: int | None


class CountedShare(NamedTuple):
    """A player's contribution to a team. `counts`: it is in the sum. `is_imported`: an evening for the team was
    imported."""

    team: int
    player: int
    nickname: str
    points: int
    counted_minor: int | None
    counts: bool
    is_imported: bool


@dataclass(frozen=True)
class TeamRanking:
    """The ranking of teams. `lines` has the sum of each team that was counted, `now` the team of each player on the
    last day; players and teams by their ids."""

    teams: Sequence[Team] = ()
    lines: Mapping[int, CountedTeam] = field(default_factory=dict)
    shares: Sequence[CountedShare] = ()
    now: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class TeamMember:
    """A member: the player's contribution (`points` in the scale of the season's formula, None before a share was
    counted), and if it is in the sum. `counted_minor`: by a formula of amounts, None if the reader may not see
    it. `left`: the player is no longer in the team. `is_imported`: an evening for the team was imported."""

    player_id: int
    name: str
    points: int | None
    counted_minor: int | None
    counts: bool
    left: bool
    is_imported: bool = False


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

    @property
    def is_imported(self) -> bool:
        """True if an imported evening is behind the sum."""
        return any(member.counts and member.is_imported for member in self.members)


def team_title(team: Team, access: ClubAccess) -> str:
    """Return the name of a team for people of the club; visitors, and a team without a name, get its number."""
    return access.names.free_text(team.name) or numbered(team)


def numbered(team: Team) -> str:
    """Return the number of a team as its title."""
    return _("Team %(number)s") % {"number": team.number}


def teams_of(season: Season) -> list[Team]:
    """Return the teams of a season by their numbers. No query for a season without a formula, else one."""
    if not season.has_formula:
        return []
    return list(Team.objects.filter(season=season).order_by("number"))


def counted_ranking(season: Season) -> TeamRanking:
    """Return the ranking as last counted. No query for a season without a formula, one without a team, else four."""
    teams = teams_of(season)
    if not teams:
        return TeamRanking()
    standings = TeamStanding.objects.filter(season=season).values_list("team_id", "rank", "points", "counted_minor")
    shares = TeamShare.objects.filter(season=season).annotate(with_imported=_imported_for_the_team())
    shares = shares.order_by("-counts", "-points", "-counted_minor", "player__nickname")
    columns = ("team_id", "player_id", "player__nickname", "points", "counted_minor", "counts", "with_imported")
    return TeamRanking(
        teams=teams,
        lines={team: CountedTeam(rank, points, amount) for team, rank, points, amount in standings},
        shares=[CountedShare(*row) for row in shares.values_list(*columns)],
        now=current_teams(season),
    )


def _imported_for_the_team() -> Exists:
    """The condition that a share has an imported evening: one on whose day the player was in the team."""
    player = OuterRef("player")
    stays = TeamStay.objects.filter(
        Q(player=player) | Q(player__main=player), season=OuterRef("season"), since__lte=OuterRef("evening__held_on")
    )
    # Of merged players the main one's stay is valid where two begin on one day, as in `stays_of`.
    last = stays.order_by("-since", F("player__main").asc(nulls_first=True), "-player").values("team")[:1]
    scores = EveningScore.objects.filter(
        season=OuterRef("season"),
        player=player,
        hands__gt=0,
        evening__imported__isnull=False,
        evening__undone_at__isnull=True,
    )
    return Exists(scores.annotate(of_team=Subquery(last)).filter(of_team=OuterRef("team")))


def ranking_of(
    formula: Formula,
    teams: Sequence[Team],
    lines: Sequence[TeamLine],
    *,
    stays: Mapping[int, Sequence[Stay]],
    nicknames: Mapping[int, str],
    day: date,
    imported: Mapping[int, Collection[date]],
) -> TeamRanking:
    """Return the ranking of these lines with the members of a day. `imported`: the days of each player's imported
    evenings. No query."""
    shares = [
        CountedShare(
            line.team,
            share.player,
            nicknames[share.player],
            *points_and_amount(formula, share.value),
            counts=share.counts,
            is_imported=line.team in {team_on(stays[share.player], day) for day in imported.get(share.player, ())},
        )
        for line in lines
        for share in line.shares
    ]
    shares.sort(key=lambda share: (not share.counts, -share.points, -(share.counted_minor or 0), share.nickname))
    there = {player: team_on(own, day) for player, own in stays.items()}
    return TeamRanking(
        teams=teams,
        lines={line.team: CountedTeam(line.rank, *points_and_amount(formula, line.value)) for line in lines},
        shares=shares,
        now={player: team for player, team in there.items() if team is not None},
    )


def team_rows(access: ClubAccess, ranking: TeamRanking) -> list[TeamRow]:
    """Return the teams, the first one first. No query; for a visitor, and for members without a share, one more."""
    members = _members(access, ranking)
    rows = [_row(access, team, ranking.lines.get(team.pk), members[team.pk]) for team in ranking.teams]
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.number))


def _row(access: ClubAccess, team: Team, counted: CountedTeam | None, members: list[TeamMember]) -> TeamRow:
    return TeamRow(
        number=team.number,
        title=team_title(team, access),
        rank=counted.rank if counted else None,
        points=counted.points if counted else 0,
        counted_minor=counted.counted_minor if counted and access.sees_money() else None,
        members=tuple(members),
    )


def current_teams(season: Season) -> dict[int, int]:
    """Return the team of each player today, by the person's main player; players in no team are left out. One query."""
    stays = TeamStay.objects.filter(season=season, since__lte=timezone.localdate())
    by_player: dict[int, int | None] = {}
    rows = stays.values_list("since", "player__main_id", "player_id", "team_id")
    # Of merged players the main one's stay counts where two begin on one day, as in `stays_of`.
    for _since, main, player, team in sorted(rows, key=lambda row: (row[0], row[1] is None, row[2])):
        by_player[main or player] = team
    return {player: team for player, team in by_player.items() if team is not None}


def team_columns(access: ClubAccess, ranking: TeamRanking) -> dict[int, tuple[int, str, int | None]]:
    """Return number, name and rank of the team of each player who is in one. No query, one for a visitor."""
    teams = {team.pk: team for team in ranking.teams}
    columns = {}
    for player, team in ranking.now.items():
        counted = ranking.lines.get(team)
        columns[player] = (teams[team].number, team_title(teams[team], access), counted.rank if counted else None)
    return columns


def _members(access: ClubAccess, ranking: TeamRanking) -> dict[int, list[TeamMember]]:
    """Return the members of each team: those with a share, the largest first, then those of the day without one."""
    now = ranking.now
    members: dict[int, list[TeamMember]] = defaultdict(list)
    for share in ranking.shares:
        amount = share.counted_minor if access.sees_money(share.player) else None
        name = access.names.show(share.player, share.nickname)
        left = now.get(share.player) != share.team
        members[share.team].append(
            TeamMember(share.player, name, share.points, amount, share.counts, left, share.is_imported)
        )
    known = {(share.team, share.player) for share in ranking.shares}
    waiting = [(team, player) for player, team in now.items() if (team, player) not in known]
    names = access.names.of(player for _team, player in waiting) if waiting else {}
    for team, player in sorted(waiting, key=lambda pair: names.get(pair[1], "")):
        members[team].append(TeamMember(player, names.get(player, "?"), None, None, False, False))
    return members
