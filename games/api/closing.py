"""API views of the end of an evening: closing, settlement, payments, reopening, outstanding payments, receipts."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right, shown_club
from league.api.base import EXCEL_QUERY, ApiView, Audience, Op
from league.models import Closing, Evening, Payment, Receipt
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
from .base import GamesView
from .examples import example
from .settlement import closing_line, payment_line, receipt_reference, settlement
from .visibility import visibility_at_table

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class EveningClose(GamesView):
    """Close an evening."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Close an evening, with the use of the pot; payments are calculated and a receipt is sealed"),
            answers.Settlement,
            status=HTTPStatus.CREATED,
            body=bodies.ClosingBody,
            refusals=REFUSALS,
            example=example("settlement"),
            body_example=example("closing-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        services.evening_close(
            evening=found,
            author=self.author,
            key=self.key,
            pot=body["pot"],
            present=body["present"],
            settling=body.get("settling"),
        )
        return self.answer(settlement(self.evening(evening), self))


class EveningClosePreview(GamesView):
    """Preview of a closing."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Preview of closing the evening: each player's share of the pot, and the payments"),
            answers.ClosingPreview,
            body=bodies.ClosingBody,
            kept=False,
            refusals=REFUSALS,
            example=example("closing-preview"),
            body_example=example("closing-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        check_no_round(found)
        if found.state != Evening.State.OPEN:
            raise Refused(status=409, code="closed", sentence=_("This evening is already closed."))
        found.club = self.access.within(found.season).club
        preview = selectors.closing_preview(
            found, pot=body["pot"], ticked=body["present"] or None, settling=body.get("settling")
        )
        return self.answer(
            {
                "settling": preview.settling,
                "paid": preview.paid,
                "pot_minor": preview.pot_minor,
                "kitty_minor": preview.kitty_minor,
                "hands": preview.hands,
                "people": [
                    {"player": one.player_id, "name": one.name, "seated": one.seated, "part_minor": one.part_minor}
                    for one in preview.people
                ],
                "payments": [
                    {"sentence": line.sentence, "reason": line.reason, "amount_minor": line.amount_minor}
                    for line in preview.lines
                ],
            }
        )


class EveningCashOuts(GamesView):
    """Players who settle up while the evening is open."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("An open evening: each player's outstanding sum, and the players who settled up early"),
            answers.CashOuts,
            refusals=(HTTPStatus.CONFLICT,),
            example=example("cash-outs"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("One player settles up with another one, and that is paid"),
            answers.CashOuts,
            status=HTTPStatus.CREATED,
            body=bodies.CashOutBody,
            refusals=REFUSALS,
            example=example("cash-outs"),
            body_example=example("cash-out-body"),
        ),
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.answer(_cash_outs(self.evening(evening), self))

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        cash_outs.cash_out(
            evening=found,
            author=self.author,
            key=self.key,
            player_id=body["player"],
            other_id=body["other"],
            open_minor=body["outstanding_minor"],
        )
        return self.answer(_cash_outs(self.evening(evening), self))


def _cash_outs(evening: Evening, view: GamesView) -> dict[str, Any]:
    check_no_round(evening)
    if evening.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This evening is closed."))
    paid = Payment.objects.filter(closing__evening=evening, closing__kind=Closing.Kind.CASHED)
    in_points = evening.season.points_only
    return {
        "settling": evening.settling,
        "sums": [
            {"player": one.player_id, "name": one.name, "seated": one.seated, "outstanding_minor": one.open_minor}
            for one in cash_outs.participants(evening).values()
            if not in_points
        ],
        "payments": [
            payment_line(one, view.access.club.currency) for one in payments.only_paid(paid).order_by("closing__number")
        ],
    }


class EveningReopen(GamesView):
    """Reopen a closed evening."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Reopen a closed evening; a final one only as an owner, with a reason"),
            answers.ClosingLine,
            status=HTTPStatus.CREATED,
            body=bodies.ReopeningBody,
            refusals=REFUSALS,
            example=example("reopened"),
            body_example=example("reopening-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        reopening = services.evening_reopen(
            evening=found,
            author=self.author,
            key=self.key,
            owner=self.access.may(Right.MANAGE),
            reason=body["reason"],
        )
        return self.answer(closing_line(reopening, visibility_at_table(self.access, found)))


class EveningLastHand(GamesView):
    """Announce the last hand of an evening."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Announce that the next hand is the last one, in which all play; or take that back"),
            answers.LastHandState,
            body=bodies.LastHandBody,
            refusals=REFUSALS,
            example=example("last-hand"),
            body_example=example("last-hand-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, on = self.evening(evening), self.sent()["on"]
        last_hands.last_hand(evening=found, author=self.author, key=self.key, on=on)
        return self.answer({"evening": found.pk, "on": on})


class EveningSettlement(GamesView):
    """The settlement of a closed evening."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("A closed evening: the use of the pot, each player's sum, and the payments"),
            answers.Settlement,
            refusals=(HTTPStatus.CONFLICT,),
            example=example("settlement"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.answer(settlement(self.evening(evening), self))


class EveningPayments(GamesView):
    """Mark payments of a closed evening."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy(
                "Mark payments of an evening as paid or as outstanding; without a list all of the valid closing"
            ),
            answers.PaymentsMarked,
            body=bodies.PaymentMarksBody,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("payments-marked"),
            body_example=example("payments-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        marked = services.payments_mark(
            evening=found, author=self.author, key=self.key, paid=body["paid"], numbers=body["payments"]
        )
        after = settlement(self.evening(evening), self)
        return self.answer({"changed": marked.count, "payments": after["payments"]})


class Debts(GamesView):
    """The outstanding payments of a club."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("Outstanding payments of all evenings: all of them, or one's own"),
            answers.DebtList,
            example=example("debts"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Mark payments of several evenings as paid, or take the marks back: all of them or none"),
            answers.DebtsMarked,
            body=bodies.DebtMarksBody,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("debts-marked"),
            body_example=example("debts-body"),
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        own = _own(self.access)
        found = list(payments.outstanding_payments(self.access.club, own))
        return self.answer(
            {
                "debts": [
                    payment_line(one, self.access.club.currency)
                    | {
                        "evening": one.closing.evening_id,
                        "season": one.closing.evening.season.slug,
                        "held_on": one.closing.evening.held_on,
                    }
                    for one in found
                ],
                "total_minor": sum(one.amount_minor for one in found),
                "all": own is None,
            }
        )

    def post(self, request: Request, club: str) -> Response:
        body = self.sent()
        marked = services.debts_mark(
            club=self.access.club, author=self.author, key=self.key, numbers=body["payments"], paid=body["paid"]
        )
        return self.answer({"changed": marked.count})


class DebtsFile(GamesView):
    """The outstanding payments of a club as CSV."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("Outstanding payments as CSV (docs/csv.md)"),
            media="text/csv",
            query=EXCEL_QUERY,
        )
    }

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


class EveningReceipts(GamesView):
    """An evening's receipt with its links."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The evening's receipt with a link for each participant, and all closings and reopenings"),
            answers.ReceiptLinks,
            example=example("receipts"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        found = self.evening(evening)
        visibility, closings = visibility_at_table(self.access, found), selectors.closings_of(found)
        receipt: Receipt | None = getattr(closings[-1], "receipt", None) if closings else None
        return self.answer(
            {
                "receipt": receipt_reference(receipt),
                "links": _links(receipt, seen=self.access.may(Right.MANAGE)) if receipt else [],
                "closings": [closing_line(one, visibility) for one in closings],
            }
        )


def _links(receipt: Receipt, *, seen: bool) -> list[dict[str, Any]]:
    """Return the links of the participants. `seen`: the reader may know which of them were opened."""
    opened = receipt_openings.openings_of(receipt) if seen else {}
    named = sorted(receipts.readable(receipt)["players"].items(), key=lambda one: one[1].casefold())
    links = []
    for player, name in named:
        token = receipts.token_for(receipt.pk, int(player))
        path = reverse("receipt", kwargs={"token": token})
        link = {"player": int(player), "name": name, "token": token, "path": path}
        found = opened.get(int(player))
        last = found.last_at if found else None
        links.append(link | {"openings": (found.count if found else 0) if seen else None, "opened_at": last})
    return links


class ReceiptByToken(ApiView):
    """A participant's receipt. The token in the link is the only permission that is needed."""

    ops = {
        "GET": Op(
            Audience.ANYONE,
            gettext_lazy("A participant's receipt by its link: content, seal, and agreement with the records"),
            answers.ParticipantReceipt,
            example=example("receipt"),
        )
    }

    def get(self, request: Request, token: str) -> Response:
        found = receipts.receipt_of_link(token)
        if found is None:
            raise Http404("no such receipt")
        shown_club.set(found[0].club)
        answer = self.answer(_receipt(*found))
        receipt_openings.note_opening(request._request, *found)
        return answer


def _receipt(found: Receipt, player: int) -> dict[str, Any]:
    evening, club = found.closing.evening, found.club
    check = receipts.check(found, evening)
    in_points, all_money = receipt_views.what_is_shown(found, evening)
    content = receipts.readable(found)
    settling = None if evening.season.points_only else receipt_payments(found, content, player, check)
    view = receipt_views.receipt_view_of(
        content,
        player,
        all_money=all_money,
        currency=club.currency,
        musses=receipt_views.musses_of(evening),
    )
    return {
        "club": club.slug,
        "number": found.number,
        "digest": found.digest,
        "previous_digest": check.before,
        "name": view.name,
        "sum_minor": None if in_points else view.sum_minor,
        "share_minor": None if in_points else view.share_minor,
        "pot_sentence": view.pots_sentence,
        "hands": [
            {
                "table": hand.table,
                "number": hand.number,
                "role": hand.role,
                "outcome": hand.outcome,
                "failed": hand.failed,
                "change_minor": None if in_points else hand.change_minor,
                "muss": hand.muss,
            }
            for hand in view.hands
        ],
        "others": [vars(other) for other in view.others],
        "payments": list(view.payments),
        "payment_states": [vars(line) for line in settling.lines] if settling else [],
        "outstanding_minor": settling.outstanding_minor if settling else None,
        "sealed": check.sealed,
        "reopened": check.opened,
        "agrees": check.agrees,
        "differences": [
            sentences.difference_sentence(one, club.currency, f"p{player}", amounts=not in_points)
            for one in check.differences
        ],
    }
