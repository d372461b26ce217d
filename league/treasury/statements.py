"""Statements: each member's debt to the kitty from evenings and member fees, for a period, with small sums carried on.

Nothing of a statement is stored. It is made from outstanding payments: earlier outstanding sums are carried on, and a
sum below the club's least amount is carried on to the next statement. No payment is taken here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..imported_mark import evening_with_season
from ..models import Account, Club, Payment
from ..money import format_price
from ..payments import services as payments
from . import transfer_texts


@dataclass(frozen=True)
class Period:
    """The days of a statement, both included."""

    first: date
    last: date

    def __str__(self) -> str:
        values = {name: date_format(day, "DATE_FORMAT") for name, day in (("first", self.first), ("last", self.last))}
        return _("%(first)s to %(last)s") % values


@dataclass(frozen=True)
class StatementLine:
    """A person's debt to the kitty from one evening or member fee (below 0: a claim), in Rappen."""

    day: date
    title: str
    amount_minor: int
    imported: bool = False


@dataclass
class Statement:
    """A person's debt to the kitty, in Rappen. `carried_minor` is from before the period, `lines` are of the period."""

    player_id: int
    name: str
    carried_minor: int = 0
    lines: list[StatementLine] = field(default_factory=list)

    @property
    def period_minor(self) -> int:
        """The sum of the period."""
        return sum(line.amount_minor for line in self.lines)

    @property
    def total_minor(self) -> int:
        """The total debt; below 0: the kitty owes it."""
        return self.carried_minor + self.period_minor

    def is_billed(self, least_minor: int) -> bool:
        """Return True if the sum is billed: it is above 0, and not below the least amount."""
        return self.total_minor >= max(least_minor, 1)


def statements(club: Club, first: date, last: date, mains: Mapping[int, str]) -> list[Statement]:
    """Return the statements of everybody with something outstanding to or from the kitty up to `last`, by name; `mains`
    has the name of the main player by merged player. One query."""
    by_player: dict[int, Statement] = {}
    for payment in payments.outstanding_payments(club):
        evening, person, day = payment.evening, _person(payment), payment.owed_on
        if person is None or person.player is None or day > last:
            continue
        player = person.player
        root = player.main_id or player.pk
        name = mains.get(player.pk) or transfer_texts.account_name(person)
        statement = by_player.setdefault(root, Statement(root, name))
        amount = payment.amount_minor if payment.payer == person else -payment.amount_minor
        if day < first:
            statement.carried_minor += amount
        elif evening is not None:
            title = evening_with_season(evening)
            statement.lines.append(StatementLine(day, title, amount, evening.is_imported))
        else:
            statement.lines.append(StatementLine(day, payment.fee_title, amount))
    return sorted(by_player.values(), key=lambda statement: (statement.name.casefold(), statement.player_id))


def billed(statements: Sequence[Statement], least_minor: int) -> list[Statement]:
    """Return the statements with a sum that is billed."""
    return [statement for statement in statements if statement.is_billed(least_minor)]


def _person(payment: Payment) -> Account | None:
    """Return the other end of a payment to or from the kitty; None for another payment."""
    if payment.payee.kind == Account.Kind.KITTY:
        return payment.payer
    return payment.payee if payment.payer.kind == Account.Kind.KITTY else None


def outcome(statement: Statement, least_minor: int, currency: str) -> str:
    """Return the sentence below the sum: to be paid, carried on, or owed by the kitty."""
    if statement.is_billed(least_minor):
        return _("You owe this to the kitty. Pay it with the slip below, or in coins at the next evening.")
    if statement.total_minor > 0:
        least = {"least": format_price(least_minor, currency)}
        return _("This is below %(least)s: it is carried on to the next statement, nothing is to be paid now.") % least
    if statement.total_minor < 0:
        return _("The kitty owes you this. Nothing is to be paid.")
    return _("Nothing is to be paid.")
