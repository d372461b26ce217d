"""The end of an evening for programs: close it, settle up, mark payments, open it again; what is still open in a club;
and receipts."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league import payments
from league.access import ClubAccess, Right, shown_club
from league.api.base import ApiView, Op, Who
from league.exports import download, file_name, taken_along
from league.models import Account, Closing, Evening, Payment, Receipt

from ..closing import carried, debts, handing, receipts, selectors, services, words
from ..errors import Refused
from . import answers, bodies
from .base import NightView
from .examples import example
from .seeing import Eyes, at_table

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class EveningClose(NightView):
    """The end of an evening."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("End an evening: say what becomes of the pot; payments are reckoned, a receipt is sealed"),
            answers.Settlement,
            status=HTTPStatus.CREATED,
            body=bodies.EveningClose,
            refusals=REFUSALS,
            example=example("settlement"),
            body_example=example("close-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        services.evening_close(
            evening=found, author=self.author, key=self.key, pot=body["pot"], present=body["present"]
        )
        return self.told(settlement(self.evening(evening), self))


class EveningClosePreview(NightView):
    """What ending an evening would do."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("What ending the evening so would do: everybody's part, and who would pay whom"),
            answers.ClosePlan,
            body=bodies.EveningClose,
            kept=False,
            refusals=REFUSALS,
            example=example("close-preview"),
            body_example=example("close-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        if found.state != Evening.State.OPEN:
            raise Refused(status=409, code="closed", sentence=_("This evening is closed already."))
        found.club = self.access.within(found.season).club
        told = selectors.choice(found, pot=body["pot"], ticked=body["present"] or None)
        return self.told(
            {
                "pot_minor": told.pot_minor,
                "kitty_minor": told.kitty_minor,
                "hands": told.hands,
                "people": [
                    {"player": one.player_id, "name": one.name, "seated": one.seated, "part_minor": one.part_minor}
                    for one in told.people
                ],
                "payments": [
                    {"told": line.told, "why": line.why, "amount_minor": line.amount_minor} for line in told.lines
                ],
            }
        )


class EveningReopen(NightView):
    """A closed evening, opened again."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Open a closed evening again; a final one only as an owner, with a reason"),
            answers.ClosingLine,
            status=HTTPStatus.CREATED,
            body=bodies.EveningReopen,
            refusals=REFUSALS,
            example=example("reopened"),
            body_example=example("reopen-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, body = self.evening(evening), self.sent()
        opened = services.evening_reopen(
            evening=found,
            author=self.author,
            key=self.key,
            owner=self.access.may(Right.MANAGE),
            reason=body["reason"],
        )
        return self.told(_closing(opened, at_table(self.access, found)))


class EveningLastHand(NightView):
    """The last hand for all."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Say that the next hand is the last one and all play in it; or that it goes on"),
            answers.LastHandSaid,
            body=bodies.LastHand,
            refusals=REFUSALS,
            example=example("last-hand"),
            body_example=example("last-hand-body"),
        )
    }

    def post(self, request: Request, club: str, evening: int) -> Response:
        found, on = self.evening(evening), self.sent()["on"]
        services.last_hand(evening=found, author=self.author, key=self.key, on=on)
        return self.told({"evening": found.pk, "on": on})


class EveningSettlement(NightView):
    """A closed evening's settling up."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("A closed evening: what became of the pot, everybody's sum, and who pays whom"),
            answers.Settlement,
            refusals=(HTTPStatus.CONFLICT,),
            example=example("settlement"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.told(settlement(self.evening(evening), self))


class EveningPayments(NightView):
    """Payments of a closed evening, marked as paid."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Mark payments of an evening as paid, or take the mark back; without a list all that stand"),
            answers.PaymentsMarked,
            body=bodies.PaymentsMark,
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
        told = settlement(self.evening(evening), self)
        return self.told({"changed": marked.count, "payments": told["payments"]})


class Debts(NightView):
    """What is still open in a club."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("What is still to be paid from all evenings: all of it, or one's own"),
            answers.DebtList,
            example=example("debts"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Mark payments of several evenings as paid, all of them or none"),
            answers.DebtsMarked,
            body=bodies.DebtsMark,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("debts-marked"),
            body_example=example("debts-body"),
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        own = _own(self.access)
        found = list(payments.debts(self.access.club, own))
        return self.told(
            {
                "debts": [
                    _payment(one, self.access.club.currency)
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
        numbers = self.sent()["payments"]
        marked = services.debts_mark(club=self.access.club, author=self.author, key=self.key, numbers=numbers)
        return self.told({"changed": marked.count})


class DebtsFile(NightView):
    """The same as a file."""

    ops = {
        "GET": Op(
            Right.SEE_RULES,
            gettext_lazy("What is still to be paid, as CSV (docs/csv.md)"),
            media="text/csv",
            query={"for": {"type": "string", "enum": ["excel"]}},
        )
    }

    def get(self, request: Request, club: str) -> StreamingHttpResponse:
        access = self.access
        taken_along(request._request, access, "debts", f"club:{access.club.pk}")
        return download(
            request._request,
            file_name(access, "debts"),
            debts.COLUMNS,
            lambda: debts.rows(list(payments.debts(access.club, _own(access)))),
        )


def _own(access: ClubAccess) -> set[int] | None:
    """The players whose debts the asker may see; None for everybody's."""
    if access.may(Right.SEE_MONEY):
        return None
    return {player for player in access.player_ids if access.may_own(Right.SEE_MONEY, player)}


class EveningReceipts(NightView):
    """An evening's receipt, and a link to it for each who took part."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The evening's receipt with a link for each who took part, and how it came about"),
            answers.ReceiptLinks,
            example=example("receipts"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        found = self.evening(evening)
        eyes, story = at_table(self.access, found), selectors.story(found)
        receipt: Receipt | None = getattr(story[-1], "receipt", None) if story else None
        return self.told(
            {
                "receipt": _receipt_name(receipt),
                "links": _links(receipt) if receipt else [],
                "story": [_closing(one, eyes) for one in story],
            }
        )


def _links(receipt: Receipt) -> list[dict[str, Any]]:
    named = sorted(receipts.readable(receipt)["players"].items(), key=lambda one: one[1].casefold())
    told = []
    for player, name in named:
        token = receipts.token_for(receipt.pk, int(player))
        path = reverse("receipt", kwargs={"token": token})
        told.append({"player": int(player), "name": name, "token": token, "path": path})
    return told


class ReceiptByToken(ApiView):
    """A participant's receipt. The token is the key."""

    ops = {
        "GET": Op(
            Who.ANYONE,
            gettext_lazy("A participant's receipt by its link: what it says, its seal, and whether it still agrees"),
            answers.ReceiptOf,
            example=example("receipt"),
        )
    }

    def get(self, request: Request, token: str) -> Response:
        found = receipts.opened(token)
        if found is None:
            raise Http404("no such receipt")
        shown_club.set(found[0].club)
        return self.told(_receipt(*found))


def _receipt(found: Receipt, player: int) -> dict[str, Any]:
    evening, club = found.closing.evening, found.club
    check, in_points = receipts.check(found, evening), evening.season.points_only
    told = handing.story_of(
        receipts.readable(found), player, all_money=club.publishes_money and not in_points, currency=club.currency
    )
    return {
        "club": club.slug,
        "number": found.number,
        "digest": found.digest,
        "before": receipts.before(found),
        "name": told.name,
        "sum_minor": None if in_points else told.sum_minor,
        "share_minor": None if in_points else told.share_minor,
        "pot_told": told.way,
        "hands": [
            {
                "table": hand.table,
                "number": hand.number,
                "role": hand.role,
                "outcome": hand.outcome,
                "failed": hand.failed,
                "change_minor": None if in_points else hand.change_minor,
            }
            for hand in told.hands
        ],
        "others": [vars(other) for other in told.others],
        "payments": list(told.payments),
        "sealed": check.sealed,
        "opened_again": check.opened,
        "agrees": check.agrees,
        "differences": [
            words.differs(one, club.currency, f"p{player}", amounts=not in_points) for one in check.differences
        ],
    }


def settlement(evening: Evening, view: NightView) -> dict[str, Any]:
    """A closed evening's settling up. Raises `Refused` (409) where it is open."""
    closing = services.standing(evening) if evening.state != Evening.State.OPEN else None
    if closing is None:
        raise Refused(status=409, code="open", sentence=str(OPEN))
    eyes = at_table(view.access, evening)
    currency = eyes.access.club.currency
    shares = selectors.shares_of(closing)
    purses = [] if evening.season.points_only else selectors.purses_of(evening, closing)
    of_evening = Payment.objects.filter(closing__evening=evening).select_related("closing")
    every = list(payments.with_paid(of_evening).order_by("closing__number", "number"))
    stand = [_payment(one, currency) for one in every if one.closing_id == closing.pk]
    before = [_payment(one, currency) for one in every if one.closing_id != closing.pk]
    due, paid = sum(one["amount_minor"] for one in stand), sum(one["amount_minor"] for one in stand if one["paid"])
    pot = sum(amount for _account, amount in shares)
    return {
        "evening": evening.pk,
        "standing": str(evening.standing()),
        "final_at": evening.final_at,
        "closing": _closing(closing, eyes),
        "pot_minor": pot,
        "pot_told": _pot_told(evening, closing, pot, len(shares)),
        "shares": [_purse(account) | {"amount_minor": amount} for account, amount in shares],
        "sums": [
            _purse(purse.account)
            | {"won_minor": purse.won_minor, "paid_minor": purse.paid_minor, "open_minor": purse.open_minor}
            for purse in purses
        ],
        "payments": stand,
        "earlier": [one for one in before if one["paid"]],
        "due_minor": due,
        "paid_minor": paid,
        "open_minor": due - paid,
    }


def _pot_told(evening: Evening, closing: Closing, pot: int, people: int) -> str:
    """What became of the pot, and what of it would not come back if the evening were opened again."""
    said, gone = selectors.way_of(evening, closing, pot, people), carried.would_stay(closing)
    return f"{said} {gone.before_opening()}" if gone else said


OPEN = gettext_lazy("The evening is open: what is to be paid stands when it is closed.")


def _purse(account: Account) -> dict[str, Any]:
    return {"kind": str(account.kind), "player": account.player_id, "name": words.purse_name(account)}


def _payment(payment: Any, currency: str) -> dict[str, Any]:
    return {
        "id": payment.pk,
        "payer": _purse(payment.payer),
        "payee": _purse(payment.payee),
        "amount_minor": payment.amount_minor,
        "paid": payment.postings % 2 == 1,
        "told": words.told(payment.payer, payment.payee, payment.amount_minor, currency),
    }


def _closing(closing: Closing, eyes: Eyes) -> dict[str, Any]:
    return {
        "id": closing.pk,
        "number": closing.number,
        "kind": str(closing.kind),
        "pot": str(closing.pot) or None,
        "at": closing.created_at,
        "by": eyes.told_by(str(closing.author or "")),
        "reason": eyes.told_by(closing.reason),
        "receipt": _receipt_name(getattr(closing, "receipt", None)),
    }


def _receipt_name(receipt: Receipt | None) -> dict[str, Any] | None:
    return None if receipt is None else {"number": receipt.number, "digest": receipt.digest}
