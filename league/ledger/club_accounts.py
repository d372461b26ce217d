"""The two accounts that a club has once: the box and the kitty."""

from __future__ import annotations

from django.db.models import Q, Sum

from .. import ledger
from ..models import Account, Transfer


def account_of(club_id: int, kind: str) -> Account:
    """Return the club's box or kitty, created at its first use. The club's row is locked."""
    found = Account.objects.filter(club_id=club_id, kind=kind).first()
    return found or ledger.create_account(club_id=club_id, kind=kind)


def held(club_id: int, kind: str) -> int:
    """Return the coins in the club's box or kitty, in Rappen. Payments do not count: they bring or take coins whose
    transfer from or to a pot is stored already."""
    account = Account.objects.filter(club=club_id, kind=kind).values_list("pk", flat=True).first()
    if account is None:
        return 0
    played = Transfer.objects.filter(~Q(kind=Transfer.Kind.PAID))
    into = played.filter(to_account=account).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = played.filter(from_account=account).aggregate(s=Sum("amount_minor"))["s"] or 0
    return int(into - out)
