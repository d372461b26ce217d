"""API of the teams of a season: their ranking, their names, and their members by day."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import Refused, unknown_player
from league.models import Player, Season, Team, TeamStay
from league.standings.formula import team_services
from league.standings.formula.inputs import formula_of
from league.standings.formula.team_table import TeamRow, counted_ranking, team_rows, team_title
from league.standings.reader_choice import read_choice
from league.standings.season_part import part_of

from .base import Op
from .bodies import MAX_ID, Body, IdFilter
from .seasons import PART_QUERY, SeasonView

REFUSALS = (409, 422)
SUM = {"points": 74, "counted_minor": None, "imported": False}
MEMBER = {"player": 3, "name": "Anna", **SUM, "points": 41, "counts": True, "left": False}
TEAM = {"number": 1, "name": "Acorns", "rank": 1, **SUM, "members": [MEMBER]}
STAY = {"id": 5, "player": 3, "team": 1, "since": "2026-08-01"}


class TeamMemberAnswer(serializers.Serializer[Any]):
    """A member of a team: the player's share (`points` is null until that was counted), and if it is in the team's sum
    (`counts`). `left`: no longer in the team. `imported`: an evening for the team came from a file. An amount is null
    if the reader may not see it."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    points = serializers.IntegerField(allow_null=True)
    counted_minor = serializers.IntegerField(allow_null=True)
    counts = serializers.BooleanField()
    left = serializers.BooleanField()
    imported = serializers.BooleanField(source="is_imported")


class TeamAnswer(serializers.Serializer[Any]):
    """A team, with the sum of its members. `rank` is null until it was counted; `points` are in the scale of the
    formula; `counted_minor` is the sum of a formula of amounts, null if the reader may not see it. Readers who are not
    of the club get the number instead of the name. `imported`: an evening behind the sum came from a file."""

    number = serializers.IntegerField()
    name = serializers.CharField(source="title")
    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField()
    counted_minor = serializers.IntegerField(allow_null=True)
    imported = serializers.BooleanField(source="is_imported")
    members = TeamMemberAnswer(many=True)


class TeamsAnswer(serializers.Serializer[Any]):
    """The teams as last counted, or of a part of the season, in the order of rank. There are none without a formula,
    nor in a part without an evening."""

    items = TeamAnswer(many=True)


class TeamBody(Body):
    """A team. People of the club read its name."""

    name = serializers.CharField(max_length=team_services.MAX_NAME)


class TeamView(SeasonView):
    """Base of the addresses of one team."""

    def team(self, season: Season, number: int | None = None) -> Team:
        """Return a team of the season. Raises Http404."""
        wanted = self.kwargs["number"] if number is None else number
        found = Team.objects.filter(season=season, number=wanted).select_related("season").first()
        if found is None:
            raise Http404
        return found

    def shown(self, team: Team) -> TeamRow:
        """Return a team as the reader sees it."""
        access, season = self.access_and_season()
        rows = [row for row in team_rows(access, counted_ranking(season)) if row.number == team.number]
        return rows[0] if rows else TeamRow(team.number, team_title(team, access), None, 0, None, ())


class Teams(TeamView):
    """The teams of a season."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The teams of a season by rank"),
            answer=TeamsAnswer,
            query=PART_QUERY,
            example={"items": [TEAM]},
        ),
        "POST": Op(
            Right.MANAGE,
            _("Add a team to a season with a formula"),
            answer=TeamAnswer,
            status=201,
            body=TeamBody,
            refusals=REFUSALS,
            example={**TEAM, "rank": None, "points": 0, "members": []},
            body_example={"name": "Acorns"},
        ),
    }

    def get(self, request: Request, club: str, season: str) -> Response:
        access, found = self.access_and_season()
        choice = read_choice(request.query_params)
        ranking = part_of(found, choice, formula_of(found)).teams if choice.filtered else counted_ranking(found)
        return self.answer({"items": team_rows(access, ranking)})

    def post(self, request: Request, club: str, season: str) -> Response:
        added = team_services.team_add(season=self.season(), name=self.sent()["name"], actor=self.person)
        return self.answer(self.shown(added))


class TeamDetail(TeamView):
    """A team."""

    ops = {
        "PATCH": Op(
            Right.MANAGE,
            _("Give a team another name"),
            answer=TeamAnswer,
            body=TeamBody,
            refusals=REFUSALS,
            example=TEAM,
            body_example={"name": "Acorns"},
        ),
        "DELETE": Op(
            Right.MANAGE,
            _("Remove a team, as if nobody had been in it"),
            status=204,
            refusals=(409,),
        ),
    }

    def patch(self, request: Request, club: str, season: str, number: int) -> Response:
        team = self.team(self.season())
        return self.answer(
            self.shown(team_services.team_rename(team=team, name=self.sent()["name"], actor=self.person))
        )

    def delete(self, request: Request, club: str, season: str, number: int) -> Response:
        team_services.team_remove(team=self.team(self.season()), actor=self.person)
        return self.no_content()


class StayAnswer(serializers.Serializer[Any]):
    """From the day `since` on, until the player's next such row, the player is in the team with this number; null: in
    no team."""

    id = serializers.IntegerField(source="pk")
    player = serializers.IntegerField(source="player_id")
    team = serializers.SerializerMethodField()
    since = serializers.DateField()

    def get_team(self, one: TeamStay) -> int | None:
        return one.team.number if one.team else None


class StayBody(Body):
    """Put a player into a team from a day on; `team` null: into none."""

    player = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    team = serializers.IntegerField(min_value=1, max_value=2**31 - 1, allow_null=True)
    since = serializers.DateField(input_formats=["iso-8601"])


class StayFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for the members of teams."""

    player = IdFilter(method="of_person", label=_("A player's id: the teams of this person."))

    class Meta:
        model = TeamStay
        fields = ["player"]

    def of_person(self, rows: Any, name: str, value: Any) -> Any:
        return rows.filter(Q(player=value) | Q(player__main=value))


class TeamStays(TeamView):
    """Team memberships."""

    ops = {
        "GET": Op(
            Right.READ,
            _("Team memberships, each from a day on"),
            answer=StayAnswer,
            paged=True,
            filters=StayFilter,
            example=STAY,
        ),
        "POST": Op(
            Right.MANAGE,
            _("Put a player into a team from a day on, or into none"),
            answer=StayAnswer,
            status=201,
            body=StayBody,
            refusals=REFUSALS,
            example=STAY,
            body_example={"player": 3, "team": 1, "since": "2026-08-01"},
        ),
    }

    def get(self, request: Request, club: str, season: str) -> Response:
        rows = TeamStay.objects.filter(season=self.season()).select_related("team")
        return self.answer_page(rows, ["since", "pk"])

    def post(self, request: Request, club: str, season: str) -> Response:
        found, sent = self.season(), self.sent()
        player = Player.objects.filter(club=found.club, pk=sent["player"]).select_related("main").first()
        if player is None:
            raise unknown_player(sent["player"], "player")
        team = None if sent["team"] is None else self._sent_team(found, sent["team"])
        values = {"season": found, "player": player, "team": team, "since": sent["since"]}
        return self.answer(team_services.stay_set(actor=self.person, **values))

    def _sent_team(self, season: Season, number: int) -> Team:
        try:
            return self.team(season, number)
        except Http404 as fault:
            sentence = _("There is no such team in this season.")
            raise Refused(status=422, code="team", sentence=str(sentence), at="team") from fault


class TeamStayDetail(SeasonView):
    """A team membership from a day on."""

    ops = {
        "DELETE": Op(
            Right.MANAGE,
            _("Remove a row that was entered by mistake"),
            status=204,
            refusals=(409,),
        )
    }

    def delete(self, request: Request, club: str, season: str, stay: int) -> Response:
        found = TeamStay.objects.filter(season=self.season(), pk=stay).select_related("season", "team").first()
        if found is None:
            raise Http404
        team_services.stay_remove(stay=found, actor=self.person)
        return self.no_content()
