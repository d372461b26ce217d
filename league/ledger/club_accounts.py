"""The accounts that a club has once: the box, the kitty, and everything outside the club."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet, Sum

from .. import ledger
from ..models import Account, Club, Season, Transfer


def account_of(club_id: int, kind: str) -> Account:
    """Return the club's account of this kind, created at its first use. The club's row is locked."""
    account = Account.objects.filter(club_id=club_id, kind=kind).first()
    return account or ledger.create_account(club_id=club_id, kind=kind)


def held(club_id: int, kind: str) -> int:
    """Return the coins in the club's box or kitty, in Rappen. Payments do not count: they bring or take coins whose
    transfer from or to a pot is stored already."""
    account = Account.objects.filter(club=club_id, kind=kind).values_list("pk", flat=True).first()
    if account is None:
        return 0
    return _sum(account, ~Q(kind=Transfer.Kind.PAID))


def moved(club_id: int, kind: str) -> int:
    """Return the coins that came from pots into the club's box or kitty, less those that went back, in Rappen."""
    account = Account.objects.filter(club=club_id, kind=kind).values_list("pk", flat=True).first()
    return 0 if account is None else _sum(account, Q(kind=Transfer.Kind.MOVED))


def transfers_of(club: Club) -> QuerySet[Transfer]:
    """Return the transfers of the club's seasons with amounts, for filters by account or by posting.

    The season is no column alone: by the index of a season SQLite would read all its transfers, of each hand.
    """
    seasons = Season.objects.filter(club=club, points_only=False).values("pk")
    return Transfer.objects.annotate(of_season=F("season_id") + 0).filter(of_season__in=seasons)


def _sum(account: int, wanted: Q) -> int:
    played = Transfer.objects.filter(wanted)
    into = played.filter(to_account=account).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = played.filter(from_account=account).aggregate(s=Sum("amount_minor"))["s"] or 0
    return int(into - out)
