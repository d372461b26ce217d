"""Teams of a season: added, named, removed, and their members from a day on. Each change is logged and counted."""

from __future__ import annotations

from datetime import date

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from ... import audit
from ...errors import Refused, unknown_player
from ...ledger.season_mark import mark_for_recount
from ...models import Player, Season, Team, TeamStay, User
from ..closed_seasons import locked
from .services import log

MAX_NAME = 40
MAX_TEAMS = 100


def _open_with_formula(season: Season) -> Season:
    fresh = locked(season)
    _check_formula(fresh)
    return fresh


def _check_formula(season: Season) -> None:
    if not season.has_formula:
        sentence = _("Teams belong to a formula. Choose one for the season first.")
        raise Refused(status=409, code="no_formula", sentence=sentence)


@transaction.atomic
def team_add(*, season: Season, name: str, actor: User | None) -> Team:
    """Add a team to a season with a formula.

    Raises:
        Refused: 409 without a formula, if the season is closed, or with too many teams; 422 for a name that is empty,
            too long or taken.
    """
    fresh = _open_with_formula(season)
    team = team_check(fresh, name=name)
    team.author = actor
    _save(team)
    _changed(fresh, actor, {"did": "team_added", "team": team.number})
    return team


def team_check(season: Season, *, name: str) -> Team:
    """Check a team before it is previewed or stored, and return it; it is not stored.

    Raises:
        Refused: as `team_add`.
    """
    _check_formula(season)
    newest = Team.objects.filter(season=season).aggregate(last=Max("number"))["last"] or 0
    if Team.objects.filter(season=season).count() >= MAX_TEAMS:
        sentence = _("A season has at most %(most)d teams.") % {"most": MAX_TEAMS}
        raise Refused(status=409, code="teams", sentence=sentence)
    team = Team(season=season, number=newest + 1)
    team.name = _name(team, name)
    return team


@transaction.atomic
def team_rename(*, team: Team, name: str, actor: User | None) -> Team:
    """Give a team another name; the same name stores nothing.

    Raises:
        Refused: as `team_add`.
    """
    season = _open_with_formula(team.season)
    fresh = Team.objects.get(pk=team.pk)
    named = _name(fresh, name)
    if named == fresh.name:
        return fresh
    fresh.name, fresh.author = named, actor
    _save(fresh)
    _changed(season, actor, {"did": "team_renamed", "team": fresh.number})
    return fresh


@transaction.atomic
def team_remove(*, team: Team, actor: User | None) -> None:
    """Remove a team and its members' days in it, as if they had never been in it.

    Raises:
        Refused: 409 if the season is closed.
    """
    season = locked(team.season)
    TeamStay.objects.filter(team=team).delete()
    Team.objects.filter(pk=team.pk).delete()
    _changed(season, actor, {"did": "team_removed", "team": team.number})


@transaction.atomic
def stay_set(*, season: Season, player: Player, team: Team | None, since: date, actor: User | None) -> TeamStay:
    """Put a player into a team from a day on; with None into no team. A merged player is put there as the main one. The
    day's row is changed if there is one.

    Raises:
        Refused: 409 without a formula, or if the season is closed; 422 for a player or a team of another club or
        season, for a day
            after the season, or if the player is there on that day anyhow.
    """
    fresh = _open_with_formula(season)
    person = stay_check(fresh, player=player, team=team, since=since)
    stay, _new = TeamStay.objects.update_or_create(
        season=fresh, player=person, since=since, defaults={"team_id": team.pk if team else None}
    )
    _changed(fresh, actor, _logged(stay, team))
    return stay


def stay_check(season: Season, *, player: Player, team: Team | None, since: date) -> Player:
    """Check a stay before it is previewed or stored, and return the player whose it is: the main one.

    Raises:
        Refused: as `stay_set`.
    """
    _check_formula(season)
    person = player.main or player
    if person.club_id != season.club_id:
        raise unknown_player(player.pk, "player")
    if team is not None and team.season_id != season.pk:
        raise Refused(status=422, code="team", sentence=_("There is no such team in this season."), at="team")
    if season.ends_on is not None and since > season.ends_on:
        raise Refused(status=422, code="since", sentence=_("The season ends before that day."), at="since")
    stays = TeamStay.objects.filter(season=season, player=person)
    before = stays.filter(since__lte=since).order_by("-since").first()
    team_id = team.pk if team else None
    if (before.team_id if before else None) == team_id:
        raise _there_already(person, team)
    return person


@transaction.atomic
def stay_remove(*, stay: TeamStay, actor: User | None) -> None:
    """Remove a row that was entered by mistake: on its days the previous row applies.

    Raises:
        Refused: 409 if the season is closed.
    """
    season = locked(stay.season)
    if TeamStay.objects.filter(pk=stay.pk).delete()[0]:
        number = stay.team.number if stay.team else None
        _changed(season, actor, {"did": "team_stay_removed", "player": stay.player_id, "team": number})


def _logged(stay: TeamStay, team: Team | None) -> audit.Data:
    return {
        "did": "team_joined" if team else "team_left",
        "player": stay.player_id,
        "team": team.number if team else None,
        "since": stay.since.isoformat(),
    }


def _there_already(player: Player, team: Team | None) -> Refused:
    if team is None:
        sentence = _("%(player)s is in no team on that day.")
    else:
        sentence = _("%(player)s is in this team on that day.")
    return Refused(status=422, code="there", sentence=sentence % {"player": player.nickname}, at="team")


def _name(team: Team, name: str) -> str:
    name = name.strip()
    if not name or len(name) > MAX_NAME or not name.isprintable():
        sentence = _("A team needs a name of at most %(most)d characters.") % {"most": MAX_NAME}
        raise Refused(status=422, code="name", sentence=sentence, at="name")
    others = Team.objects.filter(season=team.season_id).exclude(pk=team.pk).values_list("name", flat=True)
    if name.casefold() in {other.casefold() for other in others}:
        raise _name_taken()
    return name


def _save(team: Team) -> None:
    """Save a team. Databases compare capitals differently, so only the database can compare two names."""
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError as fault:
        raise _name_taken() from fault


def _name_taken() -> Refused:
    return Refused(status=422, code="name", sentence=_("The season already has a team with this name."), at="name")


def _changed(season: Season, actor: User | None, data: audit.Data) -> None:
    log(season, actor, data)
    mark_for_recount(season.pk)
