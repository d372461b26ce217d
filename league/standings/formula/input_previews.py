"""Preview of a penalty or bonus, and of a change of the teams: changed ranks of players and teams, with reasons.

Each function compares the season with itself as it would be; it checks and stores nothing (`services.py`,
`team_services.py`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.db.models import Q

from ...models import Player, Season, SeasonAdjustment, Team, TeamStay
from .inputs import stays_of
from .preview import Preview, State, compared, state_of
from .ranking import Adjustment
from .teams import Stay

NEW = 0
"""The key of a team that is not stored."""


def preview_adjustment(season: Season, *, player: Player, points: int, day: date) -> Preview:
    """Return the changes by a penalty or bonus. Seven queries at most."""
    now = state_of(season)
    given = Adjustment(player.main_id or player.pk, points, day)
    return compared(now, _adjusted(now, (*now.circumstances.adjustments, given)))


def preview_undo(adjustment: SeasonAdjustment) -> Preview:
    """Return the changes if a penalty or bonus is undone. Eight queries at most."""
    now = state_of(adjustment.season)
    person = Player.objects.filter(pk=adjustment.player_id).values_list("main_id", flat=True).first()
    left = list(now.circumstances.adjustments)
    undone = Adjustment(person or adjustment.player_id, adjustment.points, adjustment.day)
    if undone in left:
        left.remove(undone)
    return compared(now, _adjusted(now, tuple(left)))


def preview_stay(season: Season, *, player: Player, team: Team | None, since: date) -> Preview:
    """Return the changes if a player is in a team from a day on; None: in no team. Seven queries at most."""
    now = state_of(season)
    person = player.main_id or player.pk
    days = {stay.since: stay.team for stay in now.stays.get(person, ())} | {since: team.pk if team else None}
    own = [Stay(*pair) for pair in sorted(days.items())]
    return compared(now, replace(now, stays={**now.stays, person: own}))


def preview_stay_removed(stay: TeamStay) -> Preview:
    """Return the changes if a row of a team is removed. Eight queries at most."""
    return _without(stay.season, Q(pk=stay.pk))


def preview_team_removed(team: Team) -> Preview:
    """Return the changes if a team is removed. Eight queries at most."""
    return _without(team.season, Q(team=team.pk), gone=team.pk)


def preview_team_added(team: Team) -> Preview:
    """Return the changes if this team is added, which is not stored and has no member yet. Seven queries at most."""
    now = state_of(team.season)
    added = Team(pk=NEW, season=team.season, number=team.number, name=team.name)
    return compared(now, replace(now, teams=[*now.teams, added]))


def _adjusted(state: State, adjustments: tuple[Adjustment, ...]) -> State:
    return replace(state, circumstances=replace(state.circumstances, adjustments=adjustments))


def _without(season: Season, rows: Q, *, gone: int | None = None) -> Preview:
    now = state_of(season)
    stays = stays_of(season, now.circumstances.mains, without=rows)
    return compared(now, replace(now, stays=stays, teams=[team for team in now.teams if team.pk != gone]))
