"""What a player still owes, and is still owed, from closed evenings of a club: by counterpart, over all evenings."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from . import payments
from .models import Account, Club, Evening
from .names import Names


@dataclass(frozen=True)
class OpenWith:
    """What stands between a player and another purse (Rappen, below 0: the player pays), and from which evenings."""

    name: str
    amount_minor: int
    evenings: tuple[Evening, ...]


def open_with(club: Club, player_id: int, names: Names) -> list[OpenWith]:
    """By counterpart, the largest sum first; who is quits with the player is left out. One query."""
    sums: dict[str, int] = {}
    purses: dict[str, Account] = {}
    evenings: dict[str, dict[int, Evening]] = {}
    person = f"player {player_id}"
    for payment in payments.debts(club, [player_id]):
        pays = payments.whose(payment.payer) == person
        other = payment.payee if pays else payment.payer
        key = payments.whose(other)
        purses[key] = other
        sums[key] = sums.get(key, 0) + (-payment.amount_minor if pays else payment.amount_minor)
        evenings.setdefault(key, {})[payment.closing.evening_id] = payment.closing.evening
    found = [
        OpenWith(_name(purses[key], names), amount, tuple(evenings[key].values()))
        for key, amount in sums.items()
        if amount
    ]
    return sorted(found, key=lambda one: (-abs(one.amount_minor), one.name))


def _name(account: Account, names: Names) -> str:
    if account.player is not None:
        return names.show(account.player.pk, account.player.nickname)
    return _("Kitty") if account.kind == Account.Kind.KITTY else _("Box for the next evening")
