"""The settlement of an evening as the API answers it: closing, shares of the pot, sums and payments."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from league.models import Account, Closing, Evening, Payment, Receipt
from league.payments import services as payments

from ..closing import selectors, sentences, services
from ..errors import Refused
from ..hands import carried_pots
from ..hands.rounds import check_no_round
from .base import GamesView
from .visibility import Visibility, visibility_at_table

OPEN = gettext_lazy("The evening is open. Its payments are calculated when it is closed.")


def settlement(evening: Evening, view: GamesView) -> dict[str, Any]:
    """Return the settlement of a closed evening. Raises `Refused` (409) if it is open, or a round of a tournament."""
    check_no_round(evening)
    closing = services.valid_closing(evening) if evening.state != Evening.State.OPEN else None
    if closing is None:
        raise Refused(status=409, code="open", sentence=str(OPEN))
    visibility = visibility_at_table(view.access, evening)
    currency = visibility.access.club.currency
    shares = selectors.shares_of(closing)
    sums = [] if evening.season.points_only else selectors.account_sums_of(evening, closing)
    of_evening = Payment.objects.filter(closing__evening=evening).select_related("closing")
    all_payments = list(payments.with_paid(of_evening).order_by("closing__number", "number"))
    valid = [payment_line(one, currency) for one in all_payments if one.closing_id == closing.pk]
    earlier = [payment_line(one, currency) for one in all_payments if one.closing_id != closing.pk]
    total = sum(one["amount_minor"] for one in valid)
    paid = sum(one["amount_minor"] for one in valid if one["paid"])
    pot = sum(amount for _account, amount in shares)
    return {
        "evening": evening.pk,
        "stage": str(evening.stage()),
        "final_at": evening.final_at,
        "closing": closing_line(closing, visibility),
        "pot_minor": pot,
        "pot_sentence": _pot_sentence(evening, closing, pot, len(shares)),
        "shares": [_account(account) | {"amount_minor": amount} for account, amount in shares],
        "sums": [
            _account(one.account)
            | {"won_minor": one.won_minor, "paid_minor": one.paid_minor, "outstanding_minor": one.open_minor}
            for one in sums
        ],
        "payments": valid,
        "earlier": [one for one in earlier if one["paid"]],
        "total_minor": total,
        "paid_minor": paid,
        "outstanding_minor": total - paid,
    }


def _pot_sentence(evening: Evening, closing: Closing, pot: int, people: int) -> str:
    """Describe the use of the pot, and the part that a reopening would not bring back."""
    sentence = selectors.pots_sentence_of(evening, closing, pot, people)
    missing = carried_pots.missing_after_reopening(closing)
    return f"{sentence} {missing.before_reopening()}" if missing else sentence


def _account(account: Account) -> dict[str, Any]:
    return {"kind": str(account.kind), "player": account.player_id, "name": sentences.account_name(account)}


def payment_line(payment: Any, currency: str) -> dict[str, Any]:
    """Return a payment, which was read with the number of its postings."""
    return {
        "id": payment.pk,
        "payer": _account(payment.payer),
        "payee": _account(payment.payee),
        "amount_minor": payment.amount_minor,
        "paid": payment.postings % 2 == 1,
        "sentence": sentences.payment_sentence(payment.payer, payment.payee, payment.amount_minor, currency),
    }


def closing_line(closing: Closing, visibility: Visibility) -> dict[str, Any]:
    """Return a closing or reopening, with its receipt if it has one."""
    return {
        "id": closing.pk,
        "number": closing.number,
        "kind": str(closing.kind),
        "pot": str(closing.pot) or None,
        "at": closing.created_at,
        "by": visibility.unless_visitor(str(closing.author or "")),
        "reason": visibility.unless_visitor(closing.reason),
        "receipt": receipt_reference(getattr(closing, "receipt", None)),
    }


def receipt_reference(receipt: Receipt | None) -> dict[str, Any] | None:
    """Return number and digest of a receipt."""
    return None if receipt is None else {"number": receipt.number, "digest": receipt.digest}
