"""Names and sentences of transfers, for the treasurer's pages."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ..models import Account, Transfer

Kind = Account.Kind


def account_name(account: Account) -> str:
    """Return the nickname of a player, or the name of the club's account. The player is loaded."""
    if account.player is not None:
        return account.player.nickname
    return {
        Kind.KITTY.value: _("Kitty"),
        Kind.BOX.value: _("Box for the next evening"),
        Kind.OUTSIDE.value: _("outside the club"),
    }.get(account.kind, _("Pot"))


def moved_sentence(transfer: Transfer) -> str:
    """Describe the cause of a transfer into the kitty or the box, or out of it. The accounts are loaded."""
    kinds = {transfer.from_account.kind, transfer.to_account.kind}
    if transfer.kind == Transfer.Kind.SPENT:
        return _("Spent")
    if transfer.kind == Transfer.Kind.BROUGHT:
        return _("Brought in")
    if transfer.kind == Transfer.Kind.FEE:
        return _("Member fee")
    back = transfer.posting.reverses_id is not None
    if Kind.POT in kinds and back:
        return _("Pot taken back: the evening was opened again or corrected")
    if transfer.to_account.kind == Kind.POT:
        return _("Into the pot of an evening")
    return _("Pot of an evening")


def paid_sentence(transfer: Transfer) -> str:
    """Return payer and payee of a payment as a sentence. A marked payment is a transfer from the payee to the payer."""
    payer, payee = transfer.to_account, transfer.from_account
    if transfer.posting.reverses_id is not None:
        payer, payee = payee, payer
    return _("%(payer)s gave %(payee)s") % {"payer": account_name(payer), "payee": account_name(payee)}
