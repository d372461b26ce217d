"""API of the entrants of a tournament."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Entrant
from league.tournaments import entries, locking

from ..paging import PositionPagination
from . import answers, bodies
from .base import OfTournament


@extend_schema_view(
    list=extend_schema(
        operation_id="tournamentEntrants_list", summary=_("The entrants of a tournament, by start number")
    ),
    retrieve=extend_schema(operation_id="tournamentEntrant_read", summary=_("An entrant")),
)
class EntrantViewSet(ListModelMixin, RetrieveModelMixin, OfTournament):
    """The entrants of a tournament by start number. All that writes is for the desk."""

    rights = {
        **dict.fromkeys(["list", "retrieve"], Right.READ),
        **dict.fromkeys(["create", "partial_update", "destroy"], Right.RECORD),
        **dict.fromkeys(["check_in", "paid", "withdraw", "come_back", "substitute"], Right.RECORD),
    }
    bodies = {
        "create": bodies.EnterBody,
        "partial_update": bodies.EntrantChangeBody,
        "check_in": bodies.CheckInBody,
        "paid": bodies.PaidBody,
        "substitute": bodies.SubstituteBody,
    }
    matched = ("partial_update",)
    serializer_class = answers.EntrantAnswer
    pagination_class = PositionPagination
    ordering = ("number",)
    lookup_field = "number"

    def get_queryset(self) -> QuerySet[Entrant]:
        entrants = self.tournament.entrants.select_related("player")
        return entrants.prefetch_related("substitutions__left", "substitutions__came")

    @extend_schema(
        operation_id="tournamentEntrants_post",
        summary=_("Enter people, all of them or none"),
        responses={201: answers.EntrantsAnswer},
    )
    def create(self, request: Request, **names: Any) -> Response:
        entered = self.write(entries.enter, key=self.key, **self.sent())
        rows = self.get_queryset().filter(pk__in=[entrant.pk for entrant in entered]).order_by("number")
        return self.created({"items": rows}, answers.EntrantsAnswer)

    @extend_schema(
        operation_id="tournamentEntrant_change",
        summary=_("Change labels, team, fixed table or the shown name of an entrant"),
    )
    def partial_update(self, request: Request, number: int, **names: Any) -> Response:
        self.get_object()
        sent = self.sent()
        locking.locked(self.tournament)
        self.check_match(self.get_object(), answers.EntrantAnswer)
        if "name_hidden" in sent:
            self.write(entries.hide_name, number=number, hidden=sent.pop("name_hidden"))
        if sent:
            self.write(entries.describe, number=number, **sent)
        return self.answer(self.get_object())

    @extend_schema(
        operation_id="tournamentEntrant_delete",
        summary=_("Take out an entry that was a mistake, before the first draw"),
    )
    def destroy(self, request: Request, number: int, **names: Any) -> Response:
        self.get_object()
        self.write(entries.take_out, number=number)
        return self.no_content()

    @extend_schema(operation_id="entrantCheckIn_post", summary=_("Note that an entrant is here, or not after all"))
    @action(detail=True, methods=["post"], url_path="check-in", url_name="check-in")
    def check_in(self, request: Request, **names: Any) -> Response:
        return self.step(entries.check_in)

    @extend_schema(operation_id="entrantPaid_post", summary=_("Tick that the entry fee was paid, or take that back"))
    @action(detail=True, methods=["post"])
    def paid(self, request: Request, **names: Any) -> Response:
        return self.step(entries.mark_paid)

    @extend_schema(operation_id="entrantWithdraw_post", summary=_("Withdraw an entrant: the rounds played stay"))
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, **names: Any) -> Response:
        return self.step(entries.withdraw)

    @extend_schema(
        operation_id="entrantComeBack_post",
        summary=_("Take a withdrawal back: the entrant joins with the next draw"),
    )
    @action(detail=True, methods=["post"], url_path="come-back", url_name="come-back")
    def come_back(self, request: Request, **names: Any) -> Response:
        return self.step(entries.come_back)

    @extend_schema(
        operation_id="entrantSubstitute_post",
        summary=_("Give number, table and results of an entrant to another player"),
    )
    @action(detail=True, methods=["post"])
    def substitute(self, request: Request, **names: Any) -> Response:
        return self.step(entries.substitute, key=self.key)
