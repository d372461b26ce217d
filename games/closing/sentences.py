"""Sentences of closing, settling up and receipts. Amounts are passed in Rappen and formatted with their currency."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Account, Closing
from league.money import format_price
from league.payments.services import AccountSum

from .receipts import Difference


def account_name(account: Account) -> str:
    """The nickname of a player, or the name of the club's account."""
    if account.player is not None:
        return str(account.player)
    return {Account.Kind.KITTY.value: _("Kitty"), Account.Kind.BOX.value: _("Box for the next evening")}.get(
        account.kind, _("Pot")
    )


def payment_sentence(payer: Account, payee: Account, amount_minor: int, currency: str) -> str:
    """A payment as an instruction: "Anna gives Beni CHF 4.20"."""
    text = {
        (True, True): _("%(payer)s gives %(payee)s %(amount)s"),
        (True, Account.Kind.KITTY): _("%(payer)s puts %(amount)s into the kitty"),
        (True, Account.Kind.BOX): _("%(payer)s puts %(amount)s into the box"),
        (Account.Kind.KITTY, True): _("%(payee)s takes %(amount)s out of the kitty"),
        (Account.Kind.BOX, True): _("%(payee)s takes %(amount)s out of the box"),
        (Account.Kind.BOX, Account.Kind.KITTY): _("%(amount)s go from the box to the kitty"),
        (Account.Kind.KITTY, Account.Kind.BOX): _("%(amount)s go from the kitty to the box"),
    }[payer.player_id is not None or payer.kind, payee.player_id is not None or payee.kind]
    return text % {
        "payer": account_name(payer),
        "payee": account_name(payee),
        "amount": format_price(amount_minor, currency),
    }


def payment_parties(payer: Account, payee: Account, *, paid: bool) -> str:
    """Payer and payee, for a row with the amount in its own column: "Anna gives Beni", once paid "Anna gave Beni"."""
    gives: dict[tuple[str | bool, str | bool], tuple[str, str]] = {
        (True, True): (_("%(payer)s gives %(payee)s"), _("%(payer)s gave %(payee)s")),
        (True, Account.Kind.KITTY): (_("%(payer)s puts into the kitty"), _("%(payer)s has put into the kitty")),
        (True, Account.Kind.BOX): (_("%(payer)s puts into the box"), _("%(payer)s has put into the box")),
        (Account.Kind.KITTY, True): (_("%(payee)s takes out of the kitty"), _("%(payee)s took out of the kitty")),
        (Account.Kind.BOX, True): (_("%(payee)s takes out of the box"), _("%(payee)s took out of the box")),
        (Account.Kind.BOX, Account.Kind.KITTY): (_("From the box to the kitty"),) * 2,
        (Account.Kind.KITTY, Account.Kind.BOX): (_("From the kitty to the box"),) * 2,
    }
    both = gives[payer.player_id is not None or payer.kind, payee.player_id is not None or payee.kind]
    return both[paid] % {"payer": account_name(payer), "payee": account_name(payee)}


def payment_line(payer: Account, payee: Account, amount_minor: int, currency: str) -> str:
    """A payment without a sentence, for a chat: "Anna → Beni CHF 4.20"."""
    return f"{account_name(payer)} → {account_name(payee)} {format_price(amount_minor, currency)}"


def payment_reason(payer: AccountSum | None, payee: AccountSum | None, currency: str) -> str:
    """The reason for a payment: the gains or losses of both on the evening, and their earlier payments."""
    return " ".join(
        part
        for account_sum in (payer, payee)
        if account_sum is not None
        for part in _account_sentences(account_sum, currency)
    )


def _account_sentences(account_sum: AccountSum, currency: str) -> list[str]:
    values = {"name": account_name(account_sum.account), "amount": format_price(abs(account_sum.won_minor), currency)}
    if account_sum.account.player_id is None:
        sentence = _club_account_sentence(account_sum) % values
    elif account_sum.won_minor < 0:
        sentence = _("%(name)s lost %(amount)s tonight.") % values
    elif account_sum.won_minor > 0:
        sentence = _("%(name)s won %(amount)s tonight.") % values
    else:
        sentence = _("%(name)s neither won nor lost.") % values
    paid = {"name": values["name"], "amount": format_price(abs(account_sum.paid_minor), currency)}
    if account_sum.paid_minor > 0:
        return [sentence, _("%(name)s has already paid %(amount)s.") % paid]
    if account_sum.paid_minor < 0:
        return [sentence, _("%(name)s has already got %(amount)s.") % paid]
    return [sentence]


def _club_account_sentence(account_sum: AccountSum) -> str:
    if account_sum.account.kind == Account.Kind.KITTY:
        return _("%(amount)s of the pot go to the kitty.")
    if account_sum.won_minor < 0:
        return _("The box holds %(amount)s less than before.")
    return _("The box holds %(amount)s more than before.")


def pots_sentence(closing_pot: str, amount_minor: int, people: int, currency: str) -> str:
    """A sentence on how the pots were distributed."""
    if amount_minor == 0:
        return _("The pot was empty.")
    values = {"amount": format_price(amount_minor, currency), "n": people}
    if closing_pot == Closing.Pot.SHARE:
        sentence = ngettext(
            "%(amount)s from the pot went to one player.", "%(amount)s from the pot were shared among %(n)d.", people
        )
        return sentence % values
    if closing_pot == Closing.Pot.KITTY:
        return _("%(amount)s from the pot went to the kitty.") % values
    return _("%(amount)s from the pot stay for the next evening.") % values


def difference_sentence(difference: Difference, currency: str, mine: str = "", *, amounts: bool = True) -> str:
    """A sentence on a difference between receipt and store; amounts only of the account `mine` ("p12")."""
    if difference.part == "hand":
        return _hand_differs(difference)
    if difference.part == "happenings":
        return _("Table %(table)d: what happened between the hands was changed.") % {"table": difference.table}
    if difference.part == "sums":
        was, now = (difference.was or {}).get(mine), (difference.now or {}).get(mine)
        if mine and was != now and amounts:
            return _("Your sum was %(was)s and is now %(now)s.") % {
                "was": format_price(was or 0, currency, plus="+"),
                "now": format_price(now or 0, currency, plus="+"),
            }
        return _("Sums of others are different now.") if mine else _("Sums are different now.")
    return {
        "evening": _("The evening itself was changed: its date, its game or its house rules."),
        "pot": _("What happened to the pot is different now."),
        "paid": _("What was paid before is different now."),
        "payments": _("Who has to pay whom is different now."),
        "sheets": _("The sheet of a table is different now."),
    }[difference.part]


def _hand_differs(difference: Difference) -> str:
    values = {"table": difference.table, "number": difference.number}
    if difference.was is None:
        return _("Table %(table)d, hand %(number)d: it was added after the receipt was made.") % values
    if difference.now is None:
        return _("Table %(table)d, hand %(number)d: it is no longer there.") % values
    return _("Table %(table)d, hand %(number)d: it was changed.") % values
