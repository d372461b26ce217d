"""API of penalties and bonuses."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import unknown_player
from league.models import Player, SeasonAdjustment
from league.standings.formula import parts, services

from .bodies import MAX_ID, Body
from .filters import PersonFilter
from .paging import PositionPagination
from .seasons import SeasonMixin
from .views import ClubViewSet


class AdjustmentAnswer(serializers.Serializer[Any]):
    """A penalty (points below 0) or a bonus of a player. It counts from its day on until it is undone (`undone_at`).
    The reason is an empty text for a reader who is not of the club."""

    id = serializers.IntegerField(source="pk")
    player = serializers.IntegerField(source="player_id")
    points = serializers.IntegerField()
    day = serializers.DateField()
    reason = serializers.SerializerMethodField()
    at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)

    def get_reason(self, adjustment: SeasonAdjustment) -> str:
        return str(self.context["view"].access.names.free_text(adjustment.reason))


class AdjustmentBody(Body):
    """A penalty (points below 0) or a bonus. `day` is in the season and not after today; without it, today."""

    player = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    points = serializers.IntegerField(min_value=-parts.MAX_POINTS, max_value=parts.MAX_POINTS)
    day = serializers.DateField(input_formats=["iso-8601"], required=False)
    reason = serializers.CharField(max_length=services.MAX_REASON)


class AdjustmentFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for penalties and bonuses."""

    player = PersonFilter(label=_("A player's id: those of this person."))

    class Meta:
        model = SeasonAdjustment
        fields = ["player"]


class AdjustmentViewSet(SeasonMixin, ListModelMixin, ClubViewSet):
    """The penalties and bonuses of a season."""

    rights = {"list": Right.READ, "create": Right.MANAGE, "undo": Right.MANAGE}
    bodies = {"create": AdjustmentBody}
    refusals = (409, 422)
    serializer_class = AdjustmentAnswer
    filterset_class = AdjustmentFilter
    pagination_class = PositionPagination
    ordering = ("-pk",)
    lookup_url_kwarg = "adjustment"

    def get_queryset(self) -> QuerySet[SeasonAdjustment]:
        return SeasonAdjustment.objects.filter(season=self.season()).select_related("season")

    @extend_schema(operation_id="adjustments_list", summary=_("Penalties and bonuses of a season, the newest first"))
    def list(self, request: Request, club: str, season: str) -> Response:
        return super().list(request)

    @extend_schema(
        operation_id="adjustments_post",
        summary=_("Give a player a penalty or a bonus, in a season with a formula"),
        description=_("409 without a formula, or if the season is closed."),
    )
    def create(self, request: Request, club: str, season: str) -> Response:
        chosen_season, sent = self.season(), self.sent()
        player = Player.objects.filter(club=chosen_season.club, pk=sent["player"]).first()
        if player is None:
            raise unknown_player(sent["player"], "player")
        values = {"points": sent["points"], "reason": sent["reason"], "day": sent.get("day")}
        return self.created(services.adjustment_add(season=chosen_season, player=player, actor=self.person, **values))

    @extend_schema(
        operation_id="adjustmentUndo_post", summary=_("Undo a penalty or bonus; a second time changes nothing")
    )
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, club: str, season: str, adjustment: int) -> Response:
        return self.answer(services.adjustment_undo(adjustment=self.get_object(), actor=self.person))
