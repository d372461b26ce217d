"""Mark member fees as paid, and take the marks back."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..models import Club, Payment, User
from . import days
from . import services as payments


def fees_among(club: Club, numbers: Iterable[uuid.UUID]) -> list[uuid.UUID]:
    """Return those of these payments that are member fees of the club. One query."""
    fee_payments = Payment.objects.filter(pk__in=list(numbers), fee_share__fee__club=club)
    return list(fee_payments.values_list("pk", flat=True))


def mark_fees(*, club: Club, author: User | None, dated: Mapping[uuid.UUID, date | None], paid: bool, way: str) -> int:
    """Mark member fees of the club as paid, each on its day (None: today), or take the marks back; return the number of
    those that changed. The caller holds the transaction and the lock of the club.

    Raises:
        Refused: 409 for a fee that was undone, or where the day of a payment is one of a closed season; 422 for a day
            before that of the fee, or to come.
    """
    rows = Payment.objects.filter(pk__in=dated, fee_share__fee__club=club)
    fee_payments: list[Any] = list(
        days.with_paid_on(payments.with_paid(rows)).select_related(
            *payments.RELATED, "fee_share__entry__posting__season"
        )
    )
    changing = [payment for payment in fee_payments if (payment.postings % 2 == 1) != paid]
    if any(payment.fee_share.undone_at for payment in changing):
        sentence = _("This member fee was undone; nothing of it is to be paid any more. Reload the page.")
        raise Refused(status=409, code="superseded", sentence=sentence)
    on = {
        payment.pk: (dated[payment.pk] or days.default_day(payment.owed_on)) if paid else payment.paid_on
        for payment in changing
    }
    for payment in changing if paid else ():
        days.check_day(on[payment.pk], payment.owed_on, fee=True)
    days.lock_days(club.pk, on.values())
    for payment in changing:
        if paid:
            payments.mark(payment, evening=None, author=author, made=payment.postings, day=on[payment.pk], way=way)
        else:
            payments.unmark(payment, evening=None, author=author, made=payment.postings)
    if changing:
        data: audit.Data = {"did": "fees_paid" if paid else "fees_unpaid", "count": len(changing)}
        audit.write(What.PAYMENTS_MARKED, club=club, actor=author, about=f"club:{club.pk}", data=data)
    return len(changing)
