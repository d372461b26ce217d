"""API of the draws of a tournament. Only the desk sees a draw before it is published."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Draw
from league.tournaments import draw_services

from ..paging import PositionPagination
from . import answers, bodies
from .base import OfTournament, People
from .bodies import MAX_TABLE


@extend_schema_view(
    list=extend_schema(
        operation_id="tournamentDraws_list",
        summary=_("The draws of a tournament; for all but the desk those that seat a round"),
    ),
)
class DrawViewSet(ListModelMixin, OfTournament):
    """The draws of a tournament."""

    rights = {
        **dict.fromkeys(["list", "retrieve"], Right.READ),
        **dict.fromkeys(["create", "again", "take_back", "swap", "publish"], Right.RECORD),
    }
    bodies = {
        "create": bodies.NewDrawBody,
        "again": bodies.DrawAgainBody,
        "swap": bodies.DrawSwapBody,
        "publish": bodies.DrawPublishBody,
    }
    queries = {
        "list": {"round": {"type": "integer", "minimum": 1, "maximum": MAX_TABLE, "description": _("The round.")}}
    }
    pagination_class = PositionPagination
    ordering = ("round", "number")
    lookup_url_kwarg = "draw"

    def get_serializer_class(self) -> Any:
        return answers.DrawLineAnswer if self.operation == "list" else answers.DrawAnswer

    def get_queryset(self) -> QuerySet[Draw]:
        rows = self.tournament.draws.select_related("round_of")
        if not self.found.runs:
            rows = rows.filter(round_of__isnull=False)
        number = self.whole_number("round", most=MAX_TABLE)
        return rows if number is None else rows.filter(round=number)

    def _shown(self, drawn: Draw, **more: Any) -> Response:
        self.people = People(self.tournament, drawn.round)
        return self.answer(drawn, **more)

    @extend_schema(
        operation_id="tournamentDraws_post",
        summary=_("Draw the next round, or draw it once more before it is published"),
    )
    def create(self, request: Request, **names: Any) -> Response:
        drawn = self.write(draw_services.draw_propose, key=self.key, **self.sent())
        return self._shown(drawn, status=201, Location=f"{request.path}/{drawn.pk}")

    @extend_schema(operation_id="tournamentDraw_read", summary=_("A draw with its tables and its report"))
    def retrieve(self, request: Request, **names: Any) -> Response:
        return self._shown(self.get_object())

    @extend_schema(
        operation_id="drawAgain_post",
        summary=_("Draw the published round again: only the necessary changes for those who came or left"),
        description=_("The new draw seats the round when it is published."),
        responses={201: answers.DrawAnswer},
    )
    @action(detail=False, methods=["post"])
    def again(self, request: Request, **names: Any) -> Response:
        return self._shown(self.write(draw_services.draw_again, key=self.key, **self.sent()), status=201)

    @extend_schema(
        operation_id="drawTakeBack_post",
        summary=_("Take the published draw of a round back, before anything of it was played"),
        responses={204: None},
    )
    @action(detail=False, methods=["post"], url_path="take-back", url_name="take-back")
    def take_back(self, request: Request, **names: Any) -> Response:
        self.write(draw_services.draw_take_back, key=self.key)
        return self.no_content()

    @extend_schema(
        operation_id="drawSwap_post",
        summary=_("Exchange the places of two people: a further draw, whose report has the cost"),
        responses={201: answers.DrawAnswer},
    )
    @action(detail=True, methods=["post"])
    def swap(self, request: Request, **names: Any) -> Response:
        drawn = self.write(draw_services.draw_swap, key=self.key, proposed=self.get_object(), **self.sent())
        return self._shown(drawn, status=201)

    @extend_schema(
        operation_id="drawPublish_post",
        summary=_("Publish a draw: its tables are open, and everybody sees where they sit"),
        responses=answers.RoundAnswer,
    )
    @action(detail=True, methods=["post"])
    def publish(self, request: Request, **names: Any) -> Response:
        published = self.write(draw_services.draw_publish, key=self.key, proposed=self.get_object(), **self.sent())
        return self.answer(self.tournament.rounds.get(number=published.number), answers.RoundAnswer)
