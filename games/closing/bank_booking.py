"""Book the payments of a bank statement: each once, all of a request or none."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import date

from django.utils.translation import gettext as _

from league import audit
from league.audit import What
from league.ledger.idempotency import submit_once
from league.models import BankEntry, Club, PaymentDay, Submission, User
from league.treasury.bank_matching import BankLine, State, match
from league.treasury.camt053 import BankPayment

from .. import engine_bridge
from ..errors import Refused
from . import services


@dataclass(frozen=True)
class Booked:
    """The number of payments of the statement that a request booked, and their sum in Rappen."""

    count: int
    amount_minor: int


def bank_book(*, club: Club, author: User | None, key: uuid.UUID, payments: Sequence[BankPayment]) -> Booked:
    """Mark the outstanding payments of each bill as paid, on the day of its payment, and store that it was booked.

    Raises:
        Refused: 409 where a payment is booked already, or no longer fits its bill; 422 without payments, or for a key
            that was used for another request.
    """
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=engine_bridge.body_hash(["bank", club.pk, [astuple(bank_payment) for bank_payment in payments]]),
        author=author,
        write=lambda submission: _book(club, author, submission, payments),
        stored=_stored,
    )


def _book(club: Club, author: User | None, submission: Submission, bank_payments: Sequence[BankPayment]) -> Booked:
    if not bank_payments:
        sentence = _("Choose at least one payment.")
        raise Refused(status=422, code="bank", sentence=sentence, at="payments")
    lines = match(club, bank_payments)
    if len(lines) != len(bank_payments) or any(line.state != State.MATCHED for line in lines):
        raise _changed()
    dated: dict[uuid.UUID, date | None] = {}
    for line in lines:
        _store(club, line, submission)
        dated |= dict.fromkeys(line.payments, line.day)
    marked = services.mark_dated(club, author, dated, way=PaymentDay.Way.TRANSFER)
    if marked.count != len(dated):
        raise _changed()
    audit.write(What.BANK_BOOKED, club=club, actor=author, about=f"club:{club.pk}", data={"count": len(lines)})
    return Booked(len(lines), sum(line.due_minor for line in lines))


def _store(club: Club, line: BankLine, submission: Submission) -> None:
    """Store that a payment was booked. Of two requests at once the second one waits, and is refused."""
    # A matched payment has both.
    assert line.day is not None
    assert line.player_id is not None
    _entry, is_new = BankEntry.objects.get_or_create(
        club=club,
        key=line.key,
        defaults={
            "day": line.day,
            "amount_minor": line.due_minor,
            "player_id": line.player_id,
            "submission": submission,
        },
    )
    if not is_new:
        raise _changed()


def _stored(first: Submission) -> Booked:
    amounts = list(BankEntry.objects.filter(submission=first).values_list("amount_minor", flat=True))
    return Booked(len(amounts), sum(amounts))


def _changed() -> Refused:
    sentence = _("Something changed meanwhile, and nothing was booked. Choose the file once more.")
    return Refused(status=409, code="bank", sentence=sentence)
