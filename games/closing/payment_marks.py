"""Parts of marking payments: which payments a request is about, the days whose sums change, and the postings."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from league.models import Closing, Evening, Payment, PaymentDay, User
from league.payments import days
from league.payments import services as payments

from ..errors import Refused


def chosen(evening: Evening, closed: Closing | None, wanted: Sequence[uuid.UUID] | None) -> list[Payment]:
    """The payments that a request is about: all of the closing, or the wanted ones. Of an open evening only cash-outs
    have payments that count."""
    of_evening = Payment.objects.filter(closing__evening=evening)
    if wanted is None:
        return list(payments.with_paid(of_evening.filter(closing=closed))) if closed is not None else []
    chosen = list(payments.with_paid(of_evening.filter(pk__in=wanted).select_related("closing")))
    if closed is None and any(
        payment.closing is None or payment.closing.kind != Closing.Kind.CASHED for payment in chosen
    ):
        return []
    known = {payment.pk for payment in chosen}
    for place, number in enumerate(wanted):
        if closed is not None and number not in known:
            raise no_payment(place)
    return chosen


def no_payment(place: int) -> Refused:
    sentence = _("There is no such payment here.")
    return Refused(status=404, code="payment", sentence=sentence, at=f"payments[{place}]")


def days_of(evening: Evening, paid_on: date | None, changing: Sequence[Payment]) -> set[date]:
    """Return the days whose sums change: that of new marks, or those of the marks that are taken back."""
    if paid_on is not None:
        return {paid_on} if changing else set()
    marked: Any = days.with_paid_on(Payment.objects.filter(pk__in=[payment.pk for payment in changing]))
    return {payment.paid_on for payment in marked} if changing else set()


def post_marks(
    evening: Evening,
    author: User | None,
    paid: bool,
    changing: Sequence[Payment],
    day: date | None = None,
    way: str = PaymentDay.Way.CASH,
) -> None:
    """Post marks or their reversals; `day` and `way` are those of new marks, None for the day of the evening."""
    for payment in changing:
        made = payment.postings  # type: ignore[attr-defined]
        if paid:
            payments.mark(payment, evening=evening, author=author, made=made, day=day, way=way)
        else:
            payments.unmark(payment, evening=evening, author=author, made=made)
