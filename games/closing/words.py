"""What closing, settling up and receipts say, in words. Amounts come as whole Rappen and go out with their currency."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Account, Closing
from league.payments import Purse
from league.templatetags.league_tags import format_price

from .receipts import Difference


def purse_name(account: Account) -> str:
    """A player's nickname, or what the purse is."""
    if account.player is not None:
        return str(account.player)
    return {Account.Kind.KITTY.value: _("Kitty"), Account.Kind.BOX.value: _("Box for the next evening")}.get(
        account.kind, _("Pot")
    )


def told(payer: Account, payee: Account, amount_minor: int, currency: str) -> str:
    """A payment as something to do: "Anna gives Beni CHF 4.20"."""
    said = {
        (True, True): _("%(payer)s gives %(payee)s %(amount)s"),
        (True, Account.Kind.KITTY): _("%(payer)s puts %(amount)s into the kitty"),
        (True, Account.Kind.BOX): _("%(payer)s puts %(amount)s into the box"),
        (Account.Kind.KITTY, True): _("%(payee)s takes %(amount)s out of the kitty"),
        (Account.Kind.BOX, True): _("%(payee)s takes %(amount)s out of the box"),
        (Account.Kind.BOX, Account.Kind.KITTY): _("%(amount)s go from the box to the kitty"),
        (Account.Kind.KITTY, Account.Kind.BOX): _("%(amount)s go from the kitty to the box"),
    }[payer.player_id is not None or payer.kind, payee.player_id is not None or payee.kind]
    return said % {
        "payer": purse_name(payer),
        "payee": purse_name(payee),
        "amount": format_price(amount_minor, currency),
    }


def why(payer: Purse | None, payee: Purse | None, currency: str) -> str:
    """Where a payment comes from: what both won or lost tonight, and what of it they paid or got before."""
    return " ".join(part for purse in (payer, payee) if purse is not None for part in _stands(purse, currency))


def _stands(purse: Purse, currency: str) -> list[str]:
    values = {"name": purse_name(purse.account), "amount": format_price(abs(purse.won_minor), currency)}
    if purse.account.player_id is None:
        said = _boxed(purse) % values
    elif purse.won_minor < 0:
        said = _("%(name)s lost %(amount)s tonight.") % values
    elif purse.won_minor > 0:
        said = _("%(name)s won %(amount)s tonight.") % values
    else:
        said = _("%(name)s neither won nor lost.") % values
    paid = {"name": values["name"], "amount": format_price(abs(purse.paid_minor), currency)}
    if purse.paid_minor > 0:
        return [said, _("%(name)s has paid %(amount)s already.") % paid]
    if purse.paid_minor < 0:
        return [said, _("%(name)s has got %(amount)s already.") % paid]
    return [said]


def _boxed(purse: Purse) -> str:
    if purse.account.kind == Account.Kind.KITTY:
        return _("%(amount)s of the pot go to the kitty.")
    if purse.won_minor < 0:
        return _("In the box lie %(amount)s less than before.")
    return _("In the box lie %(amount)s more than before.")


def pots_way(closing_pot: str, amount_minor: int, people: int, currency: str) -> str:
    """What became of the pots, in a sentence."""
    if amount_minor == 0:
        return _("Nothing lay in the pot.")
    values = {"amount": format_price(amount_minor, currency), "n": people}
    if closing_pot == Closing.Pot.SHARE:
        said = ngettext(
            "%(amount)s from the pot went to one player.", "%(amount)s from the pot were shared among %(n)d.", people
        )
        return said % values
    if closing_pot == Closing.Pot.KITTY:
        return _("%(amount)s from the pot went to the kitty.") % values
    return _("%(amount)s from the pot stay for the next evening.") % values


def differs(one: Difference, currency: str, mine: str = "", *, amounts: bool = True) -> str:
    """Where a receipt no longer agrees, in a sentence; `amounts` only for the purse `mine` ("p12")."""
    if one.part == "hand":
        return _hand_differs(one)
    if one.part == "happenings":
        return _("Table %(table)d: what happened between the hands is told otherwise now.") % {"table": one.table}
    if one.part == "sums":
        was, now = (one.was or {}).get(mine), (one.now or {}).get(mine)
        if mine and was != now and amounts:
            return _("Your sum was %(was)s and is %(now)s now.") % {
                "was": format_price(was or 0, currency, plus="+"),
                "now": format_price(now or 0, currency, plus="+"),
            }
        return _("Sums of others are different now.") if mine else _("Sums are different now.")
    return {
        "evening": _("The evening itself is another: its date, its game or its house rules."),
        "pot": _("What became of the pot is different now."),
        "paid": _("What was paid before is different now."),
        "payments": _("Who has to pay whom is different now."),
    }[one.part]


def _hand_differs(one: Difference) -> str:
    values = {"table": one.table, "number": one.number}
    if one.was is None:
        return _("Table %(table)d, hand %(number)d: it was not there when the receipt was made.") % values
    if one.now is None:
        return _("Table %(table)d, hand %(number)d: it is no longer there.") % values
    return _("Table %(table)d, hand %(number)d: it is another one now.") % values
