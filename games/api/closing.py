"""API of the end of an evening: closing, settlement, payments, reopening, outstanding payments, receipts."""

from __future__ import annotations

from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right, shown_club
from league.api.permissions import Audience
from league.api.queries import EXCEL_QUERY
from league.api.schema import CSV
from league.api.views import ApiView
from league.models import Closing, Evening, Payment, Receipt
from league.payments import days
from league.payments import services as payments
from league.web.csv_download import download, log_download

from ..closing import (
    cash_outs,
    debts_views,
    last_hands,
    receipt_openings,
    receipt_views,
    receipts,
    selectors,
    sentences,
    services,
)
from ..closing.receipt_payments import receipt_payments
from ..errors import Refused
from ..hands.rounds import check_no_round
from . import answers, bodies
from .base import GamesView, GamesViewSet
from .settlement import settlement


class ClosingViewSet(GamesViewSet):
    """The end of an evening."""

    rights = {
        "close": Right.RECORD,
        "close_preview": Right.RECORD,
        "reopen": Right.RECORD,
        "last_hand": Right.RECORD,
        "pay": Right.RECORD,
        "receipts": Right.RECORD,
    }
    bodies = {
        "close": bodies.ClosingBody,
        "close_preview": bodies.ClosingBody,
        "reopen": bodies.ReopeningBody,
        "last_hand": bodies.LastHandBody,
        "pay": bodies.PaymentMarksBody,
    }
    unkept = ("close_preview",)
    refusals = (409, 422)

    @extend_schema(
        operation_id="eveningClose_post",
        summary=_("Close an evening, with the use of the pot; payments are calculated and a receipt is sealed"),
        responses={201: answers.Settlement},
    )
    def close(self, request: Request, club: str, evening: int) -> Response:
        night = self.evening(evening)
        services.evening_close(**self.sent(), evening=night, author=self.author, key=self.key)
        return self.created(settlement(self.evening(evening), self.access), answers.Settlement)

    @extend_schema(
        operation_id="eveningClosePreview_post",
        summary=_("Preview of closing the evening: each player's share of the pot, and the payments"),
        responses=answers.ClosingPreview,
    )
    def close_preview(self, request: Request, club: str, evening: int) -> Response:
        night, body = self.evening(evening), self.sent()
        check_no_round(night)
        if night.state != Evening.State.OPEN:
            raise Refused(status=409, code="closed", sentence=str(_("This evening is already closed.")))
        night.club = self.access.within(night.season).club
        preview = selectors.closing_preview(
            night, pot=body["pot"], ticked=body["present"] or None, settling=body.get("settling")
        )
        return self.answer(preview, answers.ClosingPreview)

    @extend_schema(
        operation_id="eveningReopen_post",
        summary=_("Reopen a closed evening; a final one only as an owner, with a reason"),
        responses={201: answers.ClosingLine},
    )
    def reopen(self, request: Request, club: str, evening: int) -> Response:
        night, is_owner = self.evening(evening), self.access.may(Right.MANAGE)
        reopening = services.evening_reopen(
            **self.sent(), evening=night, author=self.author, key=self.key, owner=is_owner
        )
        return self.created(reopening, answers.ClosingLine)

    @extend_schema(
        operation_id="eveningLastHand_post",
        summary=_("Announce that the next hand is the last one, in which all play; or take that back"),
        responses=answers.LastHandState,
    )
    def last_hand(self, request: Request, club: str, evening: int) -> Response:
        night, body = self.evening(evening), self.sent()
        last_hands.last_hand(**body, evening=night, author=self.author, key=self.key)
        return self.answer({"evening": night.pk, **body}, answers.LastHandState)

    @extend_schema(
        operation_id="eveningPayments_post",
        summary=_("Mark payments of an evening as paid or as outstanding; without a list all of the valid closing"),
        responses=answers.PaymentsMarked,
    )
    def pay(self, request: Request, club: str, evening: int) -> Response:
        night = self.evening(evening)
        marked = services.payments_mark(**self.sent(), evening=night, author=self.author, key=self.key)
        after = settlement(self.evening(evening), self.access)
        return self.answer({"changed": marked.count, "payments": after["payments"]}, answers.PaymentsMarked)

    @extend_schema(
        operation_id="eveningReceipts_read",
        summary=_("The evening's receipt with a link for each participant, and all closings and reopenings"),
        responses=answers.ReceiptLinks,
    )
    def receipts(self, request: Request, club: str, evening: int) -> Response:
        closings = selectors.closings_of(self.evening(evening))
        receipt: Receipt | None = getattr(closings[-1], "receipt", None) if closings else None
        links = _links(receipt, seen=self.access.may(Right.MANAGE)) if receipt else []
        return self.answer({"receipt": receipt, "links": links, "closings": closings}, answers.ReceiptLinks)


def _links(receipt: Receipt, *, seen: bool) -> list[dict[str, Any]]:
    """Return the links of the participants. `seen`: the reader may know which of them were opened."""
    opened = receipt_openings.openings_of(receipt) if seen else {}
    named = sorted(receipts.readable(receipt)["players"].items(), key=lambda item: item[1].casefold())
    links = []
    for player, name in named:
        token = receipts.token_for(receipt.pk, int(player))
        path = reverse("receipt", kwargs={"token": token})
        link = {"player": int(player), "name": name, "token": token, "path": path}
        opening = opened.get(int(player))
        last = opening.last_at if opening else None
        links.append(link | {"openings": (opening.count if opening else 0) if seen else None, "opened_at": last})
    return links


class CashOuts(GamesView):
    """Players who settle up while the evening is open."""

    rights = {"get": Right.RECORD, "post": Right.RECORD}
    bodies = {"post": bodies.CashOutBody}
    refusals = {"get": (409,), "post": (409, 422)}
    serializer_class = answers.CashOuts

    @extend_schema(
        operation_id="eveningCashOuts_read",
        summary=_("An open evening: each player's outstanding sum, and the players who settled up early"),
    )
    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.answer(self._state(self.evening(evening)))

    @extend_schema(
        operation_id="eveningCashOuts_post",
        summary=_("One player settles up with another one, and that is paid"),
        responses={201: answers.CashOuts},
    )
    def post(self, request: Request, club: str, evening: int) -> Response:
        night = self.evening(evening)
        cash_outs.cash_out(**self.sent(), evening=night, author=self.author, key=self.key)
        return self.created(self._state(self.evening(evening)))

    def _state(self, evening: Evening) -> dict[str, Any]:
        check_no_round(evening)
        if evening.state != Evening.State.OPEN:
            raise Refused(status=409, code="closed", sentence=str(_("This evening is closed.")))
        paid = Payment.objects.filter(closing__evening=evening, closing__kind=Closing.Kind.CASHED)
        return {
            "settling": evening.settling,
            "sums": [] if evening.season.points_only else cash_outs.participants(evening).values(),
            "payments": selectors.payment_lines(
                payments.only_paid(days.with_paid_on(paid)).order_by("closing__number"), self.access.club.currency
            ),
        }


class Settlement(GamesView):
    """The settlement of a closed evening."""

    rights = {"get": Right.RECORD}
    refusals = (409,)
    serializer_class = answers.Settlement

    @extend_schema(
        operation_id="eveningSettlement_read",
        summary=_("A closed evening: the use of the pot, each player's sum, and the payments"),
    )
    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.answer(settlement(self.evening(evening), self.access))


class Debts(GamesView):
    """The outstanding payments of a club."""

    rights = {"get": Right.SEE_RULES, "post": Right.RECORD}
    bodies = {"post": bodies.DebtMarksBody}
    refusals = {"post": (409, 422)}

    @extend_schema(
        operation_id="debts_read",
        summary=_("Outstanding payments of all evenings: all of them, or one's own"),
        responses=answers.DebtList,
    )
    def get(self, request: Request, club: str) -> Response:
        own = _own(self.access)
        outstanding = list(payments.outstanding_payments(self.access.club, own))
        lines = selectors.payment_lines(outstanding, self.access.club.currency)
        debts = [
            vars(line) | {"evening": payment.evening, "owed_on": payment.owed_on, "fee": payment.fee_title or None}
            for payment, line in zip(outstanding, lines, strict=True)
        ]
        total = sum(payment.amount_minor for payment in outstanding)
        return self.answer({"debts": debts, "total_minor": total, "all": own is None}, answers.DebtList)

    @extend_schema(
        operation_id="debts_post",
        summary=_("Mark payments of several evenings as paid, or take the marks back: all of them or none"),
        responses=answers.DebtsMarked,
    )
    def post(self, request: Request, club: str) -> Response:
        marked = services.debts_mark(**self.sent(), club=self.access.club, author=self.author, key=self.key)
        return self.answer({"changed": marked.count}, answers.DebtsMarked)


class DebtsFile(GamesView):
    """The outstanding payments of a club as CSV."""

    rights = {"get": Right.SEE_RULES}
    queries = {"get": EXCEL_QUERY}

    @extend_schema(
        operation_id="debtsFile_read",
        summary=_("Outstanding payments as CSV (docs/csv.md)"),
        responses=CSV,
    )
    def get(self, request: Request, club: str) -> StreamingHttpResponse:
        access = self.access
        log_download(request._request, access, "debts", f"club:{access.club.pk}")
        return download(
            request._request,
            access,
            debts_views.debts_list(access),
            lambda: debts_views.rows(list(payments.outstanding_payments(access.club, _own(access)))),
        )


def _own(access: ClubAccess) -> set[int] | None:
    """Return the players whose payments the client may see; None for all players."""
    if access.may(Right.SEE_MONEY):
        return None
    return {player for player in access.player_ids if access.may_own(Right.SEE_MONEY, player)}


class ReceiptByToken(ApiView):
    """A participant's receipt. The token in the link is the only permission that is needed."""

    rights = {"get": Audience.ANYONE}
    serializer_class = answers.ParticipantReceipt

    @extend_schema(
        operation_id="receiptByToken_read",
        summary=_("A participant's receipt by its link: content, seal, and agreement with the records"),
    )
    def get(self, request: Request, token: str) -> Response:
        visited = receipts.receipt_of_link(token)
        if visited is None:
            raise Http404("no such receipt")
        shown_club.set(visited[0].club)
        answer = self.answer(_receipt(*visited))
        receipt_openings.note_opening(request._request, *visited)
        return answer


def _receipt(receipt: Receipt, player: int) -> dict[str, Any]:
    evening, club = receipt.closing.evening, receipt.club
    check = receipts.check(receipt, evening)
    in_points, all_money = receipt_views.what_is_shown(receipt, evening)
    content = receipts.readable(receipt)
    settling = None if evening.season.points_only else receipt_payments(receipt, content, player, check)
    view = receipt_views.receipt_view_of(
        content,
        player,
        all_money=all_money,
        currency=club.currency,
        musses=receipt_views.musses_of(evening),
    )
    return {
        "receipt": receipt,
        "check": check,
        "view": view,
        "sum_minor": None if in_points else view.sum_minor,
        "share_minor": None if in_points else view.share_minor,
        "hands": [
            vars(hand)
            | {
                "role": None if hand.outcome == "passed_out" else hand.role,
                "change_minor": None if in_points else hand.change_minor,
            }
            for hand in view.hands
        ],
        "payment_states": settling.lines if settling else (),
        "outstanding_minor": settling.outstanding_minor if settling else None,
        "differences": [
            sentences.difference_sentence(difference, club.currency, f"p{player}", amounts=not in_points)
            for difference in check.differences
        ],
    }
