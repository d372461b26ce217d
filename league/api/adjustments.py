"""API of penalties and bonuses."""

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
from league.errors import unknown_player
from league.models import Player, SeasonAdjustment
from league.standings.formula import parts, services

from .base import Op
from .bodies import MAX_ID, Body, IdFilter
from .seasons import SeasonView

ADJUSTMENT = {
    "id": 12,
    "player": 3,
    "points": -2,
    "day": "2026-11-20",
    "reason": "Came late",
    "at": "2026-11-20T21:03:12+01:00",
    "undone_at": None,
}


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

    def get_reason(self, one: SeasonAdjustment) -> str:
        return str(self.context["view"].access.names.free_text(one.reason))


class AdjustmentBody(Body):
    """A penalty (points below 0) or a bonus. `day` is in the season and not after today; without it, today."""

    player = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    points = serializers.IntegerField(min_value=-parts.MAX_POINTS, max_value=parts.MAX_POINTS)
    day = serializers.DateField(input_formats=["iso-8601"], required=False)
    reason = serializers.CharField(max_length=services.MAX_REASON)


class AdjustmentFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for penalties and bonuses."""

    player = IdFilter(method="of_person", label=_("A player's id: those of this person."))

    class Meta:
        model = SeasonAdjustment
        fields = ["player"]

    def of_person(self, rows: Any, name: str, value: Any) -> Any:
        return rows.filter(Q(player=value) | Q(player__main=value))


class Adjustments(SeasonView):
    """The penalties and bonuses of a season."""

    ops = {
        "GET": Op(
            Right.READ,
            _("Penalties and bonuses of a season, the newest first"),
            answer=AdjustmentAnswer,
            paged=True,
            filters=AdjustmentFilter,
            example=ADJUSTMENT,
        ),
        "POST": Op(
            Right.MANAGE,
            _("Give a player a penalty or a bonus, in a season with a formula"),
            answer=AdjustmentAnswer,
            status=201,
            body=AdjustmentBody,
            refusals=(409, 422),
            example=ADJUSTMENT,
            body_example={"player": 3, "points": -2, "day": "2026-11-20", "reason": "Came late"},
            about=_("409 without a formula, or if the season is closed."),
        ),
    }

    def get(self, request: Request, club: str, season: str) -> Response:
        return self.answer_page(SeasonAdjustment.objects.filter(season=self.season()), ["-pk"])

    def post(self, request: Request, club: str, season: str) -> Response:
        found, sent = self.season(), self.sent()
        player = Player.objects.filter(club=found.club, pk=sent["player"]).first()
        if player is None:
            raise unknown_player(sent["player"], "player")
        values = {"points": sent["points"], "reason": sent["reason"], "day": sent.get("day")}
        return self.answer(services.adjustment_add(season=found, player=player, actor=self.person, **values))


class AdjustmentUndo(SeasonView):
    """Undo a penalty or bonus."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("Undo a penalty or bonus; a second time changes nothing"),
            answer=AdjustmentAnswer,
            refusals=(409,),
            example={**ADJUSTMENT, "undone_at": "2026-11-21T09:12:40+01:00"},
        )
    }

    def post(self, request: Request, club: str, season: str, adjustment: int) -> Response:
        known = SeasonAdjustment.objects.filter(season=self.season(), pk=adjustment).select_related("season").first()
        if known is None:
            raise Http404
        return self.answer(services.adjustment_undo(adjustment=known, actor=self.person))
