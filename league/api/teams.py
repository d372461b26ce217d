"""API of the teams of a season: their ranking, their names, and their members by day."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
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

from .bodies import MAX_ID, Body, Patch
from .filters import PersonFilter
from .paging import PositionPagination
from .seasons import PART_QUERY, SeasonMixin
from .views import ClubViewSet


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


class TeamPatch(Patch, TeamBody):
    """Another name of a team."""


class TeamViewSet(SeasonMixin, ClubViewSet):
    """The teams of a season."""

    rights = {"list": Right.READ, "create": Right.MANAGE, "partial_update": Right.MANAGE, "destroy": Right.MANAGE}
    bodies = {"create": TeamBody, "partial_update": TeamPatch}
    queries = {"list": PART_QUERY}
    refusals = (409, 422)
    serializer_class = TeamAnswer
    lookup_url_kwarg = "number"

    @extend_schema(operation_id="teams_read", summary=_("The teams of a season by rank"), responses=TeamsAnswer)
    def list(self, request: Request, club: str, season: str) -> Response:
        access, chosen_season = self.access_and_season()
        choice = read_choice(request.query_params)
        ranking = (
            part_of(chosen_season, choice, formula_of(chosen_season)).teams
            if choice.filtered
            else counted_ranking(chosen_season)
        )
        return self.answer({"items": team_rows(access, ranking)}, TeamsAnswer)

    @extend_schema(operation_id="teams_post", summary=_("Add a team to a season with a formula"))
    def create(self, request: Request, club: str, season: str) -> Response:
        added = team_services.team_add(season=self.season(), name=self.sent()["name"], actor=self.person)
        return self.created(self._shown(added))

    @extend_schema(operation_id="teamDetail_change", summary=_("Give a team another name"))
    def partial_update(self, request: Request, club: str, season: str, number: int) -> Response:
        team = team_of(self.season(), number)
        return self.answer(
            self._shown(team_services.team_rename(team=team, name=self.sent()["name"], actor=self.person))
        )

    @extend_schema(operation_id="teamDetail_delete", summary=_("Remove a team, as if nobody had been in it"))
    def destroy(self, request: Request, club: str, season: str, number: int) -> Response:
        team_services.team_remove(team=team_of(self.season(), number), actor=self.person)
        return self.no_content()

    def _shown(self, team: Team) -> TeamRow:
        """Return a team as the reader sees it."""
        access, season = self.access_and_season()
        rows = [row for row in team_rows(access, counted_ranking(season)) if row.number == team.number]
        return rows[0] if rows else TeamRow(team.number, team_title(team, access), None, 0, None, ())


def team_of(season: Season, number: int) -> Team:
    """Return a team of the season. Raises Http404."""
    return get_object_or_404(Team.objects.select_related("season"), season=season, number=number)


class StayAnswer(serializers.Serializer[Any]):
    """From the day `since` on, until the player's next such row, the player is in the team with this number; null: in
    no team."""

    id = serializers.IntegerField(source="pk")
    player = serializers.IntegerField(source="player_id")
    team = serializers.SerializerMethodField()
    since = serializers.DateField()

    def get_team(self, stay: TeamStay) -> int | None:
        return stay.team.number if stay.team else None


class StayBody(Body):
    """Put a player into a team from a day on; `team` null: into none."""

    player = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    team = serializers.IntegerField(min_value=1, max_value=2**31 - 1, allow_null=True)
    since = serializers.DateField(input_formats=["iso-8601"])


class StayFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for the members of teams."""

    player = PersonFilter(label=_("A player's id: the teams of this person."))

    class Meta:
        model = TeamStay
        fields = ["player"]


class TeamStayViewSet(SeasonMixin, ListModelMixin, ClubViewSet):
    """Team memberships."""

    rights = {"list": Right.READ, "create": Right.MANAGE, "destroy": Right.MANAGE}
    bodies = {"create": StayBody}
    refusals = (409, 422)
    serializer_class = StayAnswer
    filterset_class = StayFilter
    pagination_class = PositionPagination
    ordering = ("since", "pk")
    lookup_url_kwarg = "stay"

    def get_queryset(self) -> QuerySet[TeamStay]:
        return TeamStay.objects.filter(season=self.season()).select_related("season", "team")

    @extend_schema(operation_id="teamStays_list", summary=_("Team memberships, each from a day on"))
    def list(self, request: Request, club: str, season: str) -> Response:
        return super().list(request)

    @extend_schema(operation_id="teamStays_post", summary=_("Put a player into a team from a day on, or into none"))
    def create(self, request: Request, club: str, season: str) -> Response:
        chosen_season, sent = self.season(), self.sent()
        player = Player.objects.filter(club=chosen_season.club, pk=sent["player"]).select_related("main").first()
        if player is None:
            raise unknown_player(sent["player"], "player")
        team = None if sent["team"] is None else self._sent_team(chosen_season, sent["team"])
        values = {"season": chosen_season, "player": player, "team": team, "since": sent["since"]}
        return self.created(team_services.stay_set(actor=self.person, **values))

    @extend_schema(operation_id="teamStayDetail_delete", summary=_("Remove a row that was entered by mistake"))
    def destroy(self, request: Request, club: str, season: str, stay: int) -> Response:
        team_services.stay_remove(stay=self.get_object(), actor=self.person)
        return self.no_content()

    def _sent_team(self, season: Season, number: int) -> Team:
        try:
            return team_of(season, number)
        except Http404 as fault:
            sentence = _("There is no such team in this season.")
            raise Refused(status=422, code="team", sentence=str(sentence), at="team") from fault
