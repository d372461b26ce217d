"""Balances by person: outstanding payments, and the sums of evenings that are still running."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db.models import QuerySet, Sum
from django.utils import timezone

from ..models import Account, Club, Evening, Payment, Player, Transfer
from ..payments import services as payments
from . import transfer_texts

LATELY = timedelta(days=30)
MOST_LATELY = 50
"""The most payments that were marked as paid lately, and whose mark the page can take back."""


@dataclass
class Balance:
    """The outstanding payments to and from a person, the kitty or the box, and the sums of running evenings (below 0:
    lost), in Rappen."""

    name: str
    player_id: int | None
    gets_minor: int = 0
    pays_minor: int = 0
    running_minor: int = 0

    @property
    def total_minor(self) -> int:
        """The total to get; below 0: to pay."""
        return self.gets_minor - self.pays_minor + self.running_minor


@dataclass
class Payer:
    """The outstanding payments of one person, oldest evening first."""

    name: str
    lines: list[tuple[Payment, str]] = field(default_factory=list)

    @property
    def total_minor(self) -> int:
        """The sum of the payments, in Rappen."""
        return sum(payment.amount_minor for payment, _payee in self.lines)


@dataclass(frozen=True)
class Holdings:
    """The coins of the kitty or the box: `stored_minor` by the ledger, of which `open_minor` was not paid in yet (below
    0: not paid out), in Rappen."""

    stored_minor: int
    open_minor: int

    @property
    def there_minor(self) -> int:
        """The coins that are really there."""
        return self.stored_minor - self.open_minor


def main_names(club: Club) -> dict[int, str]:
    """Return the name of the main player by merged player. One query."""
    return dict(Player.objects.filter(club=club, main__isnull=False).values_list("pk", "main__nickname"))


def balances(club: Club, outstanding: Sequence[Payment], mains: Mapping[int, str]) -> list[Balance]:
    """Return the balances that are not all 0: persons by name (`mains`: see `main_names`), then kitty and box. Three
    queries."""
    by_holder: dict[str, Balance] = {}

    def of(account: Account) -> Balance:
        player = account.player
        person = None if player is None else player.main_id or player.pk
        return by_holder.setdefault(payments.holder_key(account), Balance(_name(account, mains), person))

    for payment in outstanding:
        of(payment.payee).gets_minor += payment.amount_minor
        of(payment.payer).pays_minor += payment.amount_minor
    for account, amount in _running(club):
        of(account).running_minor += amount
    shown = [
        balance for balance in by_holder.values() if balance.gets_minor or balance.pays_minor or balance.running_minor
    ]
    return sorted(shown, key=lambda balance: (balance.player_id is None, balance.name.casefold()))


def payers(outstanding: Sequence[Payment], mains: Mapping[int, str]) -> list[Payer]:
    """Group outstanding payments by payer: persons by name, then kitty and box."""
    by_holder: dict[str, Payer] = {}
    for payment in outstanding:
        payer = by_holder.setdefault(payments.holder_key(payment.payer), Payer(_name(payment.payer, mains)))
        payer.lines.append((payment, _name(payment.payee, mains)))
    club_last = sorted(by_holder.items(), key=lambda item: (item[0].startswith("account"), item[1].name.casefold()))
    return [payer for _key, payer in club_last]


def lately_paid(club: Club, mains: Mapping[int, str]) -> list[tuple[Payment, str, str]]:
    """Return the payments that were marked as paid lately, with the names of payer and payee, newest mark first."""
    paid = payments.lately_paid(club, timezone.now() - LATELY)[:MOST_LATELY]
    return [(payment, _name(payment.payer, mains), _name(payment.payee, mains)) for payment in paid]


def holdings(stored_minor: int, kind: str, outstanding: Sequence[Payment]) -> Holdings:
    """Return the coins of the kitty or the box, of which the ledger has `stored_minor`."""
    coming = sum(payment.amount_minor for payment in outstanding if payment.payee.kind == kind)
    going = sum(payment.amount_minor for payment in outstanding if payment.payer.kind == kind)
    return Holdings(stored_minor, coming - going)


def _running(club: Club) -> list[tuple[Account, int]]:
    """Return the amount that each account has to get from evenings that are still running. Three queries."""
    sums: dict[int, int] = {}
    moved: QuerySet[Transfer] = Transfer.objects.filter(
        season__points_only=False, posting__evening__club=club, posting__evening__state=Evening.State.OPEN
    )
    for side, sign in (("to_account_id", 1), ("from_account_id", -1)):
        for account, amount in moved.order_by().values_list(side).annotate(amount=Sum("amount_minor")):
            sums[account] = sums.get(account, 0) + sign * amount
    accounts = Account.objects.filter(pk__in=sums).exclude(kind=Account.Kind.POT).select_related("player")
    return [(account, sums[account.pk]) for account in accounts]


def _name(account: Account, mains: Mapping[int, str]) -> str:
    return mains.get(account.player_id or 0) or transfer_texts.account_name(account)
