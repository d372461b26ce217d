"""API views of disputes: a player disputes a hand or withdraws that, a recorder settles it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op
from league.api.paging import page, page_of_list

from ..disputes import services as disputes
from ..models import Dispute, Table
from . import answers, bodies
from .base import GamesView
from .examples import example
from .selectors import hand_of

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class DisputeView(GamesView):
    """Base of the views of one hand's disputes."""

    def check_own(self, player: int) -> None:
        """Check that the player is the client's own. Raises PermissionDenied."""
        if not self.access.may_own(Right.DISPUTE, player):
            raise PermissionDenied

    def stored(self, dispute: Dispute, at: Table, number: int) -> Response:
        """Return the answer for a dispute row that was just stored."""
        player = self.access.names.of([dispute.player_id])
        return self.answer(
            {
                "id": dispute.pk,
                "table": at.pk,
                "number": number,
                "revision": dispute.revision,
                "player": dispute.player_id,
                "name": player.get(dispute.player_id, "?"),
                "kind": str(dispute.kind),
                "text": dispute.text,
                "at": dispute.created_at,
            }
        )


class HandDisputes(DisputeView):
    """The disputes of a hand."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("The disputes of a hand, and their answers"),
            answers.DisputeLine,
            paged=True,
            example=example("disputes"),
        ),
        "POST": Op(
            Right.SEE_RULES,
            gettext_lazy("Dispute a hand for one's own player"),
            answers.StoredDispute,
            status=HTTPStatus.CREATED,
            body=bodies.NewDisputeBody,
            refusals=REFUSALS,
            example=example("dispute"),
            body_example=example("dispute-body"),
            about=gettext_lazy("Only for one's own player, and by a key with the scope `record`: else 403."),
        ),
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        hand = hand_of(at, number)
        if hand is None:
            raise Http404("no such hand")
        shown, following = page_of_list(request, disputes.disputes_of(hand.pk))
        return self.answer_items([_dispute_line(one) for one in shown], following)

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, body = self.table(table), self.sent()
        self.check_own(body["player"])
        dispute = disputes.dispute_raise(
            table=at, number=number, player_id=body["player"], author=self.author, key=self.key, text=body["text"]
        )
        return self.stored(dispute, at, number)


class DisputeWithdraw(DisputeView):
    """Withdraw a dispute."""

    ops = {
        "POST": Op(
            Right.SEE_RULES,
            gettext_lazy("Withdraw the dispute of one's own player"),
            answers.StoredDispute,
            status=HTTPStatus.CREATED,
            body=bodies.DisputeWithdrawalBody,
            refusals=REFUSALS,
            example=example("dispute-withdrawn"),
            body_example=example("dispute-withdraw-body"),
        )
    }

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, body = self.table(table), self.sent()
        self.check_own(body["player"])
        dispute = disputes.dispute_withdraw(
            table=at, number=number, player_id=body["player"], author=self.author, key=self.key
        )
        return self.stored(dispute, at, number)


class DisputeSettle(DisputeView):
    """Settle a dispute."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Settle a dispute after the hand was corrected or left as it is; with a reason"),
            answers.StoredDispute,
            status=HTTPStatus.CREATED,
            body=bodies.DisputeSettlementBody,
            refusals=REFUSALS,
            example=example("dispute-settled"),
            body_example=example("dispute-settlement-body"),
        )
    }

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, body = self.table(table), self.sent()
        dispute = disputes.dispute_settle(
            table=at, number=number, player_id=body["player"], author=self.author, key=self.key, text=body["text"]
        )
        return self.stored(dispute, at, number)


class ClubDisputes(GamesView):
    """The unsettled disputes of a club."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The unsettled disputes of a club, oldest first"),
            answers.UnsettledDispute,
            paged=True,
            example=example("unsettled-disputes"),
        )
    }

    def get(self, request: Request, club: str) -> Response:
        found, following = page(request, disputes.unsettled_of_club(self.access.club), ["created_at", "pk"])
        lines = [
            {
                "season": one.hand.table.evening.season.slug,
                "evening": one.hand.table.evening_id,
                "table": one.hand.table_id,
                "number": one.hand.number,
                "player": one.player_id,
                "name": one.player.nickname,
                "text": one.text,
                "at": one.created_at,
            }
            for one in found
        ]
        return self.answer_items(lines, following)


def _dispute_line(one: disputes.DisputeView) -> dict[str, Any]:
    return {
        "player": one.player_id,
        "name": one.name,
        "text": one.text,
        "at": one.at,
        "unsettled": one.unsettled,
        "ended": one.ended or None,
        "answer": one.answer,
        "answered_at": one.answered_at,
        "by": one.by or None,
    }
