"""A player's outstanding payments in a club, added up by counterpart over all closed evenings and member fees."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..access.names import Names
from ..models import Account, Club, Evening
from . import services as payments


@dataclass(frozen=True)
class Outstanding:
    """The outstanding amount between a player and another account (Rappen, below 0: the player pays), with its
    evenings, and the names of its member fees."""

    name: str
    sentence: str
    amount_minor: int
    evenings: tuple[Evening, ...]
    fees: tuple[str, ...] = ()


def outstanding_with(club: Club, player_id: int, names: Names) -> list[Outstanding]:
    """Return the sums by counterpart, the largest first, without those that are 0. One query."""
    sums: dict[str, int] = {}
    accounts: dict[str, Account] = {}
    evenings: dict[str, dict[int, Evening]] = {}
    fees: dict[str, list[str]] = {}
    person = f"player {player_id}"
    for payment in payments.outstanding_payments(club, [player_id]):
        pays = payments.holder_key(payment.payer) == person
        other = payment.payee if pays else payment.payer
        key = payments.holder_key(other)
        accounts[key] = other
        sums[key] = sums.get(key, 0) + (-payment.amount_minor if pays else payment.amount_minor)
        if payment.evening is not None:
            evenings.setdefault(key, {})[payment.evening.pk] = payment.evening
        else:
            fees.setdefault(key, []).append(payment.fee_title)
    lines = [
        Outstanding(
            _name(accounts[key], names),
            _sentence(accounts[key], amount, names),
            amount,
            tuple(evenings.get(key, {}).values()),
            tuple(fees.get(key, ())),
        )
        for key, amount in sums.items()
        if amount
    ]
    return sorted(lines, key=lambda line: (-abs(line.amount_minor), line.name))


def _name(account: Account, names: Names) -> str:
    if account.player is not None:
        return names.show(account.player.pk, account.player.nickname)
    return _("Kitty") if account.kind == Account.Kind.KITTY else _("Box for the next evening")


def _sentence(account: Account, amount_minor: int, names: Names) -> str:
    pays = amount_minor < 0
    if account.player is not None:
        pattern = _("pays %(other)s") if pays else _("gets from %(other)s")
        return pattern % {"other": _name(account, names)}
    if account.kind == Account.Kind.KITTY:
        return _("puts into the kitty") if pays else _("takes out of the kitty")
    return _("puts into the box") if pays else _("takes out of the box")
