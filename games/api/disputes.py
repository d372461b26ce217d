"""API of disputes: a player disputes a hand or withdraws that, a recorder settles it."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.paging import ListPagination, PositionPagination

from ..disputes import services as disputes
from ..models import Dispute, Table
from . import answers, bodies
from .base import GamesViewSet
from .selectors import hand_of


class DisputeViewSet(GamesViewSet):
    """The disputes of a hand."""

    rights = {
        "list": Right.SEE_RULES,
        "create": Right.SEE_RULES,
        "withdraw": Right.SEE_RULES,
        "settle": Right.RECORD,
    }
    bodies = {
        "create": bodies.NewDisputeBody,
        "withdraw": bodies.DisputeWithdrawalBody,
        "settle": bodies.DisputeSettlementBody,
    }
    refusals = (409, 422)
    serializer_class = answers.DisputeLine
    pagination_class = ListPagination

    @extend_schema(operation_id="handDisputes_list", summary=_("The disputes of a hand, and their answers"))
    def list(self, request: Request, club: str, table: int, number: int) -> Response:
        hand = hand_of(self.table(table), number)
        if hand is None:
            raise Http404("no such hand")
        page = self.paginate_queryset(disputes.disputes_of(hand.pk))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(
        operation_id="handDisputes_post",
        summary=_("Dispute a hand for one's own player"),
        description=_("Only for one's own player, and by a key with the scope `record`: else 403."),
        responses=answers.StoredDispute,
    )
    def create(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table, body = self.table(table), self.sent()
        self._check_own(body["player_id"])
        dispute = disputes.dispute_raise(**body, table=card_table, number=number, author=self.author, key=self.key)
        return self._stored(dispute, card_table, number)

    @extend_schema(
        operation_id="disputeWithdraw_post",
        summary=_("Withdraw the dispute of one's own player"),
        responses={201: answers.StoredDispute},
    )
    @action(detail=False, methods=["post"])
    def withdraw(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table, body = self.table(table), self.sent()
        self._check_own(body["player_id"])
        dispute = disputes.dispute_withdraw(**body, table=card_table, number=number, author=self.author, key=self.key)
        return self._stored(dispute, card_table, number)

    @extend_schema(
        operation_id="disputeSettle_post",
        summary=_("Settle a dispute after the hand was corrected or left as it is; with a reason"),
        responses={201: answers.StoredDispute},
    )
    @action(detail=False, methods=["post"])
    def settle(self, request: Request, club: str, table: int, number: int) -> Response:
        card_table, body = self.table(table), self.sent()
        dispute = disputes.dispute_settle(**body, table=card_table, number=number, author=self.author, key=self.key)
        return self._stored(dispute, card_table, number)

    def _check_own(self, player: int) -> None:
        """Check that the player is the client's own. Raises PermissionDenied."""
        if not self.access.may_own(Right.DISPUTE, player):
            raise PermissionDenied

    def _stored(self, dispute: Dispute, table: Table, number: int) -> Response:
        """Return the answer for a dispute row that was just stored."""
        name = self.access.names.of([dispute.player_id]).get(dispute.player_id, "?")
        stored = {"dispute": dispute, "table": table.pk, "number": number, "name": name}
        return self.created(stored, answers.StoredDispute)


class ClubDisputeViewSet(ListModelMixin, GamesViewSet):
    """The unsettled disputes of a club."""

    rights = {"list": Right.RECORD}
    serializer_class = answers.UnsettledDispute
    pagination_class = PositionPagination
    ordering = ("created_at", "pk")

    def get_queryset(self) -> QuerySet[Dispute]:
        return disputes.unsettled_of_club(self.access.club)

    @extend_schema(operation_id="clubDisputes_list", summary=_("The unsettled disputes of a club, oldest first"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)
