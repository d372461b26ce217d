"""The settlement of an evening as the API answers it: closing, shares of the pot, sums and payments."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from league.access import ClubAccess
from league.models import Closing, Evening, Payment
from league.payments import days
from league.payments import services as payments

from ..closing import selectors, services
from ..errors import Refused
from ..hands import carried_pots
from ..hands.rounds import check_no_round

OPEN = gettext_lazy("The evening is open. Its payments are calculated when it is closed.")


def settlement(evening: Evening, access: ClubAccess) -> dict[str, Any]:
    """Return the settlement of a closed evening. Raises `Refused` (409) if it is open, or a round of a tournament."""
    check_no_round(evening)
    closing = services.valid_closing(evening) if evening.state != Evening.State.OPEN else None
    if closing is None:
        raise Refused(status=409, code="open", sentence=str(OPEN))
    shares = selectors.shares_of(closing)
    pot = sum(amount for _account, amount in shares)
    of_evening = days.with_paid_on(Payment.objects.filter(closing__evening=evening)).select_related("closing")
    rows = list(payments.with_paid(of_evening).order_by("closing__number", "number"))
    lines = selectors.payment_lines(rows, access.within(evening.season).club.currency)
    valid = [line for payment, line in zip(rows, lines, strict=True) if payment.closing_id == closing.pk]
    earlier = [line for payment, line in zip(rows, lines, strict=True) if payment.closing_id != closing.pk]
    total, paid = (sum(line.amount_minor for line in some) for some in (valid, [line for line in valid if line.paid]))
    return {
        "evening": evening,
        "closing": closing,
        "pot_minor": pot,
        "pot_sentence": _pot_sentence(evening, closing, pot, len(shares)),
        "shares": [{"account": account, "amount_minor": amount} for account, amount in shares],
        "sums": [] if evening.season.points_only else selectors.account_sums_of(evening, closing),
        "payments": valid,
        "earlier": [line for line in earlier if line.paid],
        "total_minor": total,
        "paid_minor": paid,
        "outstanding_minor": total - paid,
    }


def _pot_sentence(evening: Evening, closing: Closing, pot: int, people: int) -> str:
    """Describe the use of the pot, and the part that a reopening would not bring back."""
    sentence = selectors.pots_sentence_of(evening, closing, pot, people)
    missing = carried_pots.missing_after_reopening(closing)
    return f"{sentence} {missing.before_reopening()}" if missing else sentence
