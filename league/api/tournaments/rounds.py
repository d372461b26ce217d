"""API of the rounds of a tournament: clock, tables, sheets, end."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import Refused
from league.models import Round, Sheet
from league.tournaments import rounds, sheets
from league.tournaments.formats import Format

from ..paging import PositionPagination
from ..permissions import HasRight
from . import answers, bodies
from .base import OfTournament, People
from .bodies import MAX_TABLE

CLOCK_ACTIONS = ("clock", "start", "unstart", "pause", "resume", "minutes")
"""The actions that answer the clock of a round."""


class OfRound(ListModelMixin, OfTournament):
    """A viewset of rounds, or of things of a round (`<int:number>` in its address)."""

    pagination_class = PositionPagination

    @cached_property
    def people(self) -> People:
        """The people as they were in the round."""
        return People(self.tournament, self.kwargs["number"])

    @cached_property
    def hidden(self) -> bool:
        """True if the results of the round are not shown to this reader before the prize giving."""
        return self.hides(self.kwargs["number"])


@extend_schema_view(
    list=extend_schema(operation_id="tournamentRounds_list", summary=gettext_lazy("The rounds of a tournament")),
    retrieve=extend_schema(operation_id="tournamentRound_read", summary=gettext_lazy("A round")),
)
class RoundViewSet(RetrieveModelMixin, OfRound):
    """The rounds of a tournament."""

    rights = {
        **dict.fromkeys(["list", "retrieve", "tables", "clock"], Right.READ),
        **dict.fromkeys(["start", "unstart", "pause", "resume", "minutes", "finish", "reopen"], Right.RECORD),
    }
    bodies = {"minutes": bodies.MinutesBody, "finish": bodies.RoundFinishBody, "reopen": bodies.RoundReopenBody}
    ordering = ("number",)
    lookup_field = "number"

    def get_serializer_class(self) -> Any:
        return answers.RoundClockAnswer if self.action in CLOCK_ACTIONS else answers.RoundAnswer

    def get_queryset(self) -> QuerySet[Round]:
        return self.tournament.rounds.select_related("draw", "evening")

    @extend_schema(
        operation_id="roundTables_read",
        summary=gettext_lazy("The tables of a round, with their people and progress"),
        responses=answers.RoundTablesAnswer,
    )
    @action(detail=True)
    def tables(self, request: Request, number: int, **names: Any) -> Response:
        items = rounds.tables_of(self.get_object(), Format.read(self.tournament.format))
        return self.answer({"round": number, "hidden": self.hidden, "items": items}, answers.RoundTablesAnswer)

    @extend_schema(operation_id="roundClock_read", summary=gettext_lazy("The clock of a round"))
    @action(detail=True)
    def clock(self, request: Request, **names: Any) -> Response:
        return self.answer(self.get_object())

    @extend_schema(operation_id="roundStart_post", summary=gettext_lazy("Begin a drawn round: the clock runs"))
    @action(detail=True, methods=["post"])
    def start(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.round_start, key=self.key)

    @extend_schema(
        operation_id="roundUnstart_post",
        summary=gettext_lazy("Take the beginning back, while no table has a hand or a sheet"),
    )
    @action(detail=True, methods=["post"])
    def unstart(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.start_take_back, key=self.key)

    @extend_schema(operation_id="roundPause_post", summary=gettext_lazy("Stop the clock"))
    @action(detail=True, methods=["post"])
    def pause(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.clock_pause)

    @extend_schema(operation_id="roundResume_post", summary=gettext_lazy("Let the clock run on"))
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.clock_resume)

    @extend_schema(
        operation_id="roundMinutes_post",
        summary=gettext_lazy("Add minutes to the time of a round, or take some away"),
    )
    @action(detail=True, methods=["post"])
    def minutes(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.minutes_add, key=self.key)

    @extend_schema(operation_id="roundFinish_post", summary=gettext_lazy("Finish a round: its results count"))
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.round_finish, key=self.key)

    @extend_schema(
        operation_id="roundReopen_post",
        summary=gettext_lazy("Open the last finished round again, while no round was drawn after it"),
    )
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, **names: Any) -> Response:
        return self.step(rounds.round_reopen, key=self.key)


@extend_schema_view(
    list=extend_schema(
        operation_id="roundSheets_list",
        summary=gettext_lazy("The sheets of a round, by table and in the order in which they came"),
    ),
)
class SheetViewSet(OfRound):
    """The sheets of a round. Every recorder of the club hands them in."""

    permission_classes = [HasRight]
    rights = {"list": Right.READ, "create": Right.RECORD}
    bodies = {"create": bodies.NewSheetBody}
    queries = {"list": {"table": {"type": "integer", "minimum": 1, "maximum": MAX_TABLE}}}
    serializer_class = answers.SheetAnswer
    ordering = ("table_number", "number")

    def get_queryset(self) -> QuerySet[Sheet]:
        rows = get_object_or_404(self.tournament.rounds, number=self.kwargs["number"]).sheets.all()
        table = self.whole_number("table", most=MAX_TABLE)
        if self.hidden:
            return rows.none()
        return rows if table is None else rows.filter(table_number=table)

    @extend_schema(
        operation_id="roundSheets_post",
        summary=gettext_lazy("Hand in the sheet of a table"),
        description=gettext_lazy("Every recorder of the club may hand in a sheet; the desk decides which one counts."),
    )
    def create(self, request: Request, number: int, **names: Any) -> Response:
        at_desk, sent = self.found.runs, self.sent()
        get_object_or_404(self.tournament.rounds, number=number)
        if sent["decides"] and not at_desk:
            raise PermissionDenied
        seats = sent.pop("seats")
        chips = {seat["number"]: seat["chips"] for seat in seats}
        if len(chips) < len(seats):
            sentence = _("A start number is named twice.")
            raise Refused(status=422, code="seats", sentence=sentence, at="seats")
        at_table = not at_desk
        return self.created(
            self.write(sheets.hand_in, number=number, chips=chips, at_table=at_table, key=self.key, **sent)
        )
