"""Match the payments of a bank statement with the bills of members, by their references. Writes nothing."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Account, BankEntry, Club, Payment, Player
from ..money import format_price
from ..payments import services as payments
from ..payments.days import SeasonDays, closed_season_on, season_days
from .camt053 import BankPayment
from .iban import Referred, referred


class State(StrEnum):
    """What becomes of a payment of a statement. Only a matched one is booked."""

    MATCHED = "matched"
    OTHER_AMOUNT = "other_amount"
    NOTHING_DUE = "nothing_due"
    KNOWN = "known"
    UNKNOWN = "unknown"
    CURRENCY = "currency"
    REVERSAL = "reversal"
    DAY = "day"
    NOT_BOOKED = "not_booked"


NAMES = {
    State.MATCHED: gettext_lazy("matched"),
    State.OTHER_AMOUNT: gettext_lazy("another amount"),
    State.NOTHING_DUE: gettext_lazy("nothing outstanding"),
    State.KNOWN: gettext_lazy("booked before"),
    State.UNKNOWN: gettext_lazy("unknown"),
    State.CURRENCY: gettext_lazy("foreign currency"),
    State.REVERSAL: gettext_lazy("taken back"),
    State.DAY: gettext_lazy("day does not fit"),
    State.NOT_BOOKED: gettext_lazy("not booked by the bank"),
}


@dataclass(frozen=True)
class BankLine:
    """A payment that the account got, with the bill that its reference names: the person, the last day, and the sum
    that is outstanding of it (`due_minor`, Rappen). `payments` are the outstanding payments of the bill."""

    payment: BankPayment
    key: str
    state: State
    sentence: str
    day: date | None = None
    player_id: int | None = None
    name: str = ""
    last: date | None = None
    due_minor: int = 0
    payments: tuple[uuid.UUID, ...] = ()


@dataclass(frozen=True)
class _Due:
    """An outstanding payment between a person and the kitty; below 0: the kitty pays."""

    payment: Payment
    amount_minor: int

    @property
    def owed_on(self) -> date:
        return self.payment.owed_on


def key_of(payment: BankPayment) -> str:
    """Return the key under which a payment is booked once: account, the bank's number, day and amount."""
    parts = [payment.iban, payment.number, payment.day, payment.amount_minor, payment.currency]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def match(club: Club, bank_payments: Sequence[BankPayment]) -> list[BankLine]:
    """Return a line for each payment that the account got, and for each reversal, in their order. Four queries."""
    matching = _Matching(club, bank_payments)
    return [
        matching.line(bank_payment) for bank_payment in bank_payments if bank_payment.incoming or bank_payment.reversal
    ]


class _Matching:
    """The bills of a club, and what earlier payments of the same file take of them."""

    def __init__(self, club: Club, bank_payments: Sequence[BankPayment]) -> None:
        self.club = club
        keys = [key_of(bank_payment) for bank_payment in bank_payments]
        self.known = set(BankEntry.objects.filter(club=club, key__in=keys).values_list("key", flat=True))
        self.players = {player.pk: player for player in Player.objects.filter(club=club).select_related("main")}
        self.seasons: list[SeasonDays] = season_days(club, timezone.localdate())
        self.due: dict[int, list[_Due]] = {}
        for payment in payments.outstanding_payments(club):
            self._add(payment)

    def _add(self, payment: Payment) -> None:
        for person, other, sign in ((payment.payer, payment.payee, 1), (payment.payee, payment.payer, -1)):
            if other.kind == Account.Kind.KITTY and person.player is not None:
                root = person.player.main_id or person.player.pk
                self.due.setdefault(root, []).append(_Due(payment, sign * payment.amount_minor))

    def line(self, payment: BankPayment) -> BankLine:
        key = key_of(payment)
        bill = referred(payment.reference)
        player = self._player(bill)
        if bill is None or player is None:
            return self._without_bill(payment, key)
        lines = [line for line in self.due.get(player.pk, ()) if line.owed_on <= bill.last]
        due = sum(line.amount_minor for line in lines)
        day = _day(payment)
        state, sentence = self._without_amount(payment, key) or self._by_amount(payment, day, lines, due)
        self.known.add(key)
        if state == State.MATCHED:
            self.due[player.pk] = [line for line in self.due[player.pk] if line not in lines]
        return BankLine(
            payment=payment,
            key=key,
            state=state,
            sentence=sentence,
            day=day,
            player_id=player.pk,
            name=player.nickname,
            last=bill.last,
            due_minor=due,
            payments=tuple(line.payment.pk for line in lines),
        )

    def _player(self, bill: Referred | None) -> Player | None:
        """Return the main player of a bill of this club."""
        if bill is None or bill.club not in (self.club.pk % 10**8, self.club.pk % 10**5):
            return None
        player = self.players.get(bill.player)
        return player and (player.main or player)

    def _without_bill(self, payment: BankPayment, key: str) -> BankLine:
        state, sentence = self._without_amount(payment, key) or (
            State.UNKNOWN,
            _("No reference of a bill of this club."),
        )
        return BankLine(payment, key, state, sentence, _day(payment))

    def _without_amount(self, payment: BankPayment, key: str) -> tuple[State, str] | None:
        """Return the state of a payment that is not compared with its bill."""
        if payment.reversal:
            return State.REVERSAL, _("A payment was taken back: take back the mark of the payment by hand.")
        if key in self.known:
            return State.KNOWN, _("Already booked.")
        if not payment.booked:
            return State.NOT_BOOKED, _("The bank has not booked it yet.")
        if payment.currency != self.club.currency:
            values = {"currency": self.club.currency}
            return State.CURRENCY, _("Not in %(currency)s: mark it by hand.") % values
        return None

    def _by_amount(self, payment: BankPayment, day: date | None, lines: Sequence[_Due], due: int) -> tuple[State, str]:
        if not lines:
            return State.NOTHING_DUE, _("Nothing of this bill is outstanding.")
        if payment.amount_minor != due:
            sentence = _("Another amount: %(due)s of this bill are outstanding. Mark it by hand.")
            return State.OTHER_AMOUNT, sentence % {"due": format_price(due, self.club.currency)}
        if day is None or day > timezone.localdate():
            return State.DAY, _("Without a day, or on one that is still to come.")
        if day < max(line.owed_on for line in lines):
            return State.DAY, _("Paid before an evening or a member fee of this bill. Mark it by hand.")
        closed = closed_season_on(self.seasons, day)
        if closed is not None:
            values = {"name": closed.name, "date": date_format(day, "SHORT_DATE_FORMAT")}
            sentence = _("%(date)s is a day of the closed season %(name)s. Mark it by hand with a later day.")
            return State.DAY, sentence % values
        return State.MATCHED, _("Is booked on %(date)s.") % {"date": date_format(day, "SHORT_DATE_FORMAT")}


def _day(payment: BankPayment) -> date | None:
    try:
        return date.fromisoformat(payment.day)
    except ValueError:
        return None
