"""Verify the member fees of a club against the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from ..models import Account, Club, MemberFeeShare, Payment, Posting, Transfer


def differences(club: Club) -> Iterator[str]:
    """Yield a sentence for each share, payment or mark that is not what the others say. Six queries."""
    kitty = Account.objects.filter(club=club, kind=Account.Kind.KITTY).values_list("pk", flat=True).first()
    accounts = dict(Account.objects.filter(club=club, player__isnull=False).values_list("player_id", "pk"))
    shares = MemberFeeShare.objects.filter(fee__club=club).select_related(
        "fee", "payment", "entry__posting__reversed_by"
    )
    fee_shares = list(shares.prefetch_related("entry__posting__transfers", "entry__posting__reversed_by__transfers"))
    marks: dict[Any, list[Posting]] = {}
    of_fees = Payment.objects.filter(fee_share__fee__club=club)
    for posting in (
        Posting.objects.filter(source__in=of_fees.values("pk")).order_by("revision").prefetch_related("transfers")
    ):
        marks.setdefault(posting.source, []).append(posting)
    for share in fee_shares:
        where = f"club {club.pk}, member fee {share.fee_id}, player {share.player_id}"
        ends = (accounts.get(share.player_id), kitty)
        yield from _share_differences(where, share, ends)
        yield from _payment_differences(where, share, ends, marks)
    known = {share.entry.posting_id for share in fee_shares}
    of_entry = Q(posting__in=known) | Q(posting__reverses__in=known)
    stray = Transfer.objects.filter(kind=Transfer.Kind.FEE, season__club=club).exclude(of_entry).count()
    if stray:
        yield f"club {club.pk}: {stray} transfers of member fees belong to no share"


def _share_differences(where: str, share: MemberFeeShare, ends: tuple[Any, Any]) -> Iterator[str]:
    entry, fee = share.entry, share.fee
    kept = (entry.club_id, entry.day, entry.player_id, share.year)
    if kept != (fee.club_id, fee.day, share.player_id, fee.year):
        yield f"{where}: its entry is of another club, day, player or year"
    if _moved(entry.posting) != [(Transfer.Kind.FEE, *ends, share.amount_minor)]:
        yield f"{where}: its posting does not move its amount from the player to the kitty"
    reversal = getattr(entry.posting, "reversed_by", None)
    if (reversal is None) != (share.undone_at is None):
        yield f"{where}: it was {'not ' if reversal is None else ''}undone in the ledger alone"
    if reversal is not None and _moved(reversal) != [(Transfer.Kind.FEE, *ends[::-1], share.amount_minor)]:
        yield f"{where}: its reversal does not move its amount back"


def _payment_differences(
    where: str, share: MemberFeeShare, ends: tuple[Any, Any], marks: dict[Any, list[Posting]]
) -> Iterator[str]:
    payment = getattr(share, "payment", None)
    if payment is None:
        yield f"{where}: it has no payment"
        return
    if (payment.payer_id, payment.payee_id, payment.amount_minor) != (*ends, share.amount_minor):
        yield f"{where}: its payment has other ends or another amount"
    made = marks.get(payment.pk, [])
    for number, posting in enumerate(made, start=1):
        marked = number % 2 == 1
        due = (Transfer.Kind.PAID, *(ends[::-1] if marked else ends), share.amount_minor)
        taken_back = posting.reverses_id is not None
        if posting.revision != number or posting.evening_id or taken_back == marked or _moved(posting) != [due]:
            yield f"{where}: mark {posting.pk} of its payment is not what it should be"
    if share.undone_at is not None and len(made) % 2 == 1:
        yield f"{where}: it was undone and is paid"


def _moved(posting: Posting) -> list[tuple[Any, ...]]:
    return [
        (transfer.kind, transfer.from_account_id, transfer.to_account_id, transfer.amount_minor)
        for transfer in posting.transfers.all()
    ]
