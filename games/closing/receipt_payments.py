"""The payments of one participant on a receipt: paid or outstanding, with the time.

The seal covers payer and payee. The ledger has the state, which is read when the receipt is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.db.models import Q

from league.models import Payment, Receipt
from league.payments import days
from league.payments import services as payments

from . import receipts, sentences
from .receipts import Check, Content


class State(StrEnum):
    """A payment is outstanding, paid, or replaced: it was not paid, and the evening was reopened or settled again."""

    OUTSTANDING = "outstanding"
    PAID = "paid"
    REPLACED = "replaced"


@dataclass(frozen=True)
class ReceiptPayment:
    """A payment with its state. `sentence` names no amount; `since` is when it was marked as paid, or computed;
    `paid_on` and `way` are the day of a payment that is paid, and how it was paid."""

    sentence: str
    amount_minor: int
    state: State
    since: datetime
    paid_on: date | None
    way: str | None


@dataclass(frozen=True)
class ReceiptPayments:
    """The payments of one participant, in the order in which they were computed."""

    lines: tuple[ReceiptPayment, ...]

    def sum_of(self, state: State) -> int:
        """The sum of the payments in a state, in Rappen."""
        return sum(line.amount_minor for line in self.lines if line.state == state)

    @property
    def outstanding_minor(self) -> int:
        """The sum of the outstanding payments, in Rappen."""
        return self.sum_of(State.OUTSTANDING)

    @property
    def all_paid(self) -> bool:
        """True if there are payments and all of them are paid."""
        return bool(self.lines) and all(line.state == State.PAID for line in self.lines)


def receipt_payments(receipt: Receipt, content: Content, player: int, check: Check) -> ReceiptPayments:
    """The participant's payments of this closing, and those paid before it. `content` has names. One query."""
    pays_or_gets = Q(payer__player=player) | Q(payee__player=player)
    of_evening = Payment.objects.filter(pays_or_gets, closing__evening=receipt.closing.evening_id)
    until = of_evening.filter(closing__number__lte=receipt.closing.number).select_related("closing")
    rows: Any = days.with_paid_on(payments.with_marked_at(payments.with_paid(until))).order_by(
        "closing__number", "number"
    )
    shown = [payment for payment in rows if payment.closing_id == receipt.closing_id or payment.postings % 2]
    replaced = check.opened or check.newer is not None
    lines = []
    for payment in shown:
        paid = payment.postings % 2 == 1
        payer, payee = (
            receipts.account_named(content, receipts.label(account)) for account in (payment.payer, payment.payee)
        )
        lines.append(
            ReceiptPayment(
                sentence=sentences.payment_parties(payer, payee, paid=paid),
                amount_minor=payment.amount_minor,
                state=State.PAID if paid else State.REPLACED if replaced else State.OUTSTANDING,
                since=payment.marked_at if paid else payment.closing.created_at,
                paid_on=payment.paid_on if paid else None,
                way=payment.paid_way if paid else None,
            )
        )
    return ReceiptPayments(tuple(lines))
