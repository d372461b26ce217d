"""API of the preview of a formula, and of the versions of a season's formula."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import SeasonFormula
from league.standings.formula import parts, services
from league.standings.formula.preview import Move, Preview, preview
from league.standings.formula.version_list import VersionLine, version_lines

from .formulas import FormulaBody, FormulaParts
from .paging import PositionPagination
from .seasons import SeasonMixin, SeasonView
from .views import ClubViewSet


class MoveAnswer(serializers.Serializer[Any]):
    """A player in the preview of a formula. A rank is null for a player who is not ranked. Points are in the scales of
    the two formulas, null for a formula of amounts and for a player without a line; amounts are null for a formula of
    points, and for a reader who may not see them."""

    player = serializers.IntegerField(source="player_id")
    rank_now = serializers.IntegerField(allow_null=True)
    rank_then = serializers.IntegerField(allow_null=True)
    points_now = serializers.SerializerMethodField()
    points_then = serializers.SerializerMethodField()
    amount_now_minor = serializers.SerializerMethodField()
    amount_then_minor = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField()

    def get_points_now(self, move: Move) -> int | None:
        return _points(move.stored_now)

    def get_points_then(self, move: Move) -> int | None:
        return _points(move.stored_then)

    def get_amount_now_minor(self, move: Move) -> int | None:
        return self._amount(move.stored_now)

    def get_amount_then_minor(self, move: Move) -> int | None:
        return self._amount(move.stored_then)

    def get_why(self, move: Move) -> str:
        amounts = any(value is not None and value[1] is not None for value in (move.stored_now, move.stored_then))
        return "" if amounts and not self._sees() else move.why

    def _amount(self, value: tuple[int, int | None] | None) -> int | None:
        return value[1] if value is not None and self._sees() else None

    def _sees(self) -> bool:
        return bool(self.context["view"].access_and_season()[0].sees_money())


def _points(value: tuple[int, int | None] | None) -> int | None:
    return value[0] if value is not None and value[1] is None else None


class TeamMoveAnswer(serializers.Serializer[Any]):
    """A team in the preview of a formula. `rank_now` is null in a season that ranks no teams yet."""

    team = serializers.IntegerField(source="number")
    rank_now = serializers.IntegerField(allow_null=True)
    rank_then = serializers.IntegerField()


class FormulaPreviewAnswer(serializers.Serializer[Any]):
    """The preview of a formula: the changed parts and the reasons in words, players and teams by their new ranks."""

    scale_now = serializers.SerializerMethodField()
    scale_then = serializers.SerializerMethodField()
    changes = serializers.ListField(child=serializers.CharField())
    moves = MoveAnswer(many=True)
    teams = TeamMoveAnswer(many=True)

    def get_scale_now(self, preview: Preview) -> int:
        return preview.scales[0]

    def get_scale_then(self, preview: Preview) -> int:
        return preview.scales[1]


class FormulaPreviewBody(FormulaBody):
    """The parts of a formula, as they would be stored; or `remove` alone: to rank without a formula."""

    remove = serializers.BooleanField(required=False)


class FormulaPreview(SeasonView):
    """The preview of a formula."""

    rights = {"post": Right.MANAGE}
    bodies = {"post": FormulaPreviewBody}
    unkept = ("post",)
    refusals = (422,)
    serializer_class = FormulaPreviewAnswer

    @extend_schema(
        operation_id="formulaPreview_post",
        summary=_("Preview what a formula would change in a season; nothing is stored"),
    )
    def post(self, request: Request, club: str, season: str) -> Response:
        known, values = self.season(), self.sent()
        formula = None if values.pop("remove", False) else services.formula_for(known, values)
        return self.answer(preview(known, formula))


class VersionAnswer(serializers.Serializer[Any]):
    """A version of a season's formula, with its changes against the version before, in words. `author`: a person's
    id. `valid`: the season ranks by it."""

    version = serializers.IntegerField()
    at = serializers.DateTimeField()
    author = serializers.IntegerField(source="author_id", allow_null=True)
    valid = serializers.BooleanField()
    changes = serializers.ListField(child=serializers.CharField())
    formula = serializers.SerializerMethodField()

    def get_formula(self, version_line: VersionLine) -> FormulaParts:
        return parts.write(version_line.formula)  # type: ignore[return-value]


class FormulaVersions(SeasonMixin, ClubViewSet):
    """The versions of a season's formula."""

    rights = {"list": Right.MANAGE}
    serializer_class = VersionAnswer
    pagination_class = PositionPagination
    ordering = ("-version",)

    @extend_schema(
        operation_id="formulaVersions_list", summary=_("The versions of a season's formula, the newest first")
    )
    def list(self, request: Request, club: str, season: str) -> Response:
        chosen_season = self.season()
        rows = self.paginate_queryset(SeasonFormula.objects.filter(season=chosen_season).select_related("author"))
        shown = self.get_serializer(version_lines(chosen_season, rows), many=True)
        return self.get_paginated_response(shown.data)
