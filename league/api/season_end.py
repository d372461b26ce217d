"""API of the end of a season: close it, and open it again."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.standings.seasons import MAX_REASON, season_close, season_reopen

from .bodies import Body
from .formulas import FormulaAnswer, shown_formula
from .seasons import SeasonView


class SeasonClose(SeasonView):
    """Close a season."""

    rights = {"post": Right.MANAGE}
    refusals = (409,)
    serializer_class = FormulaAnswer

    @extend_schema(
        operation_id="seasonClose_post",
        summary=_("Close a season: its final standings stay as they are"),
        description=_("409 if one of its evenings is open."),
    )
    def post(self, request: Request, club: str, season: str) -> Response:
        return self.answer(shown_formula(season_close(season=self.season(), actor=self.person)))


class SeasonReopeningBody(Body):
    """The reason for which a season is opened again."""

    reason = serializers.CharField(max_length=MAX_REASON)


class SeasonReopen(SeasonView):
    """Open a closed season again."""

    rights = {"post": Right.MANAGE}
    bodies = {"post": SeasonReopeningBody}
    serializer_class = FormulaAnswer

    @extend_schema(
        operation_id="seasonReopen_post", summary=_("Open a closed season again, for a reason, which the log has")
    )
    def post(self, request: Request, club: str, season: str) -> Response:
        chosen_season = self.season()
        return self.answer(
            shown_formula(season_reopen(season=chosen_season, actor=self.person, reason=self.sent()["reason"]))
        )
