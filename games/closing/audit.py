"""Ends of evenings recounted: closings and payments against the ledger, receipts against what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.db.models import Q

from league import payments, results
from league.models import Account, Closing, Club, Evening, Payment, Posting, Receipt, ResultRow, Season, Transfer
from league.results import Outcome
from league.roster.merging import mains

from ..models import Table
from . import pots, receipts
from .services import standing


def differences(season: Season) -> Iterator[str]:
    """Where the ends of a season's evenings differ from what they should be, a sentence each."""
    for evening in Evening.objects.filter(season=season).select_related("club", "season", "house_rules").order_by("pk"):
        stands = standing(evening)
        yield from _state_differences(evening, stands)
        for closing in evening.closings.select_related("posting").order_by("number"):
            yield from _closing_differences(evening, closing, closing == stands)
        yield from _paid_differences(evening)
        if stands is not None:
            yield from _receipt_differences(evening, stands)


def chain_differences(club: Club) -> Iterator[str]:
    """The club's receipts: numbers without a gap, and each digest over its content and the digest before."""
    before, number = "", 0
    for receipt in Receipt.objects.filter(club=club).prefetch_related("names").order_by("number").iterator(200):
        number += 1
        if receipt.number != number:
            yield f"club {club.pk}: receipt {number} is missing"
            number = receipt.number
        if receipts.digest_of(receipt.content, before) != receipt.digest:
            yield f"club {club.pk}: the seal of receipt {receipt.number} is broken"
        if not receipts.names_agree(receipt):
            yield f"club {club.pk}: a name in receipt {receipt.number} is not the one that was sealed"
        before = receipt.digest


def purse_differences(club: Club) -> Iterator[str]:
    """The club's box and kitty, from which nothing can be taken that is not there."""
    for kind in (Account.Kind.BOX, Account.Kind.KITTY):
        lies = pots.held(club.pk, kind)
        if lies < 0:
            yield f"club {club.pk}: {-lies} more were taken out of its {kind.value} than ever went in"


def rebuild(season: Season) -> None:
    """Store the result rows of shared pots anew. The caller holds the transaction and has taken the old ones away."""
    for evening in Evening.objects.filter(season=season, closings__pot=Closing.Pot.SHARE).distinct():
        stands = standing(evening)
        if stands is None or stands.posting is None:
            continue
        results.store(
            posting_id=stands.posting.pk,
            evening=evening,
            source=stands.pk,
            revision=1,
            outcomes=_outcomes(stands.posting),
        )


def _outcomes(posting: Posting) -> list[Outcome]:
    """What each player got of a shared pot, by the transfers, in their order."""
    got: dict[int, Outcome] = {}
    shared = posting.transfers.filter(kind=Transfer.Kind.SHARE).select_related("to_account").order_by("pk")
    for transfer in shared:
        player = transfer.to_account.player_id or 0
        known = got.get(player) or Outcome(player, len(got), ResultRow.Role.SHARE, None, None, 0)
        got[player] = replace(known, change_minor=known.change_minor + transfer.amount_minor)
    return list(got.values())


def _state_differences(evening: Evening, stands: Closing | None) -> Iterator[str]:
    where = f"evening {evening.pk}"
    if evening.state == Evening.State.OPEN:
        if stands is not None:
            yield f"{where}: it is open, and its closing {stands.number} stands"
        return
    if stands is None:
        if evening.closings.exists():
            yield f"{where}: it is closed, and its last closing opened it again"
        return
    if evening.season.points_only:
        # Nothing is settled there: the pot ends with the evening.
        return
    left = Table.objects.filter(evening=evening, pot_minor__gt=0).count()
    if left:
        yield f"{where}: it is closed, and {left} of its pots are not empty"
    # Who was one person with whom when it was settled; that may be told otherwise since.
    people = payments.persons(payments.sums(evening), mains(evening.club_id, stands.created_at))
    due = {purse.account.pk: purse.open_minor for purse in people}
    for payment in payments.still_open(stands.payments.all()):
        due[payment.payer_id] = due.get(payment.payer_id, 0) + payment.amount_minor
        due[payment.payee_id] = due.get(payment.payee_id, 0) - payment.amount_minor
    if any(due.values()):
        yield f"{where}: its payments do not settle what is open"


def _closing_differences(evening: Evening, closing: Closing, stands: bool) -> Iterator[str]:
    where = f"evening {evening.pk}, closing {closing.number}"
    rows = {
        row.player_id: (row.seat, row.role, row.change_minor) for row in ResultRow.objects.filter(source=closing.pk)
    }
    posting = closing.posting
    if posting is None:
        if rows:
            yield f"{where}: it has result rows and moved nothing"
        return
    due = {one.player_id: (one.seat, one.role, one.change_minor) for one in _outcomes(posting)} if stands else {}
    if rows != due:
        yield f"{where}: its result rows are not what its transfers gave"
    undone = Posting.objects.filter(reverses=posting).exists()
    # What a later evening had begun with by then did not come back when this one was opened again.
    after = evening.closings.filter(number=closing.number + 1).values_list("kind", flat=True).first()
    stayed = closing.pot == Closing.Pot.CARRY and after == Closing.Kind.REOPENED
    if undone == stands and not stayed:
        yield f"{where}: {'its transfers were taken back' if stands else 'its transfers stand, and it no longer does'}"
    pots = set(Table.objects.filter(evening=evening).values_list("pot_account_id", flat=True))
    into = {Closing.Pot.SHARE: "player", Closing.Pot.KITTY: "kitty", Closing.Pot.CARRY: "box"}[Closing.Pot(closing.pot)]
    kind = Transfer.Kind.SHARE if closing.pot == Closing.Pot.SHARE else Transfer.Kind.MOVED
    for transfer in posting.transfers.select_related("to_account"):
        if transfer.from_account_id not in pots or transfer.to_account.kind != into or transfer.kind != kind:
            yield f"{where}: transfer {transfer.pk} is not from a pot of the evening to where its pots went"


def _paid_differences(evening: Evening) -> Iterator[str]:
    """Coins said to be paid belong to a payment of the evening, and go from its payee to its payer."""
    known = {payment.pk: payment for payment in Payment.objects.filter(closing__evening=evening)}
    paid = Q(transfers__kind=Transfer.Kind.PAID) | Q(source__in=known)
    for posting in Posting.objects.filter(paid, evening=evening).distinct().prefetch_related("transfers"):
        payment = known.get(posting.source)
        moved = [(t.kind, t.from_account_id, t.to_account_id, t.amount_minor) for t in posting.transfers.all()]
        if payment is None:
            yield f"evening {evening.pk}: posting {posting.pk} says that something was paid which nobody had to pay"
            continue
        ends = (payment.payee_id, payment.payer_id)
        marks = posting.revision % 2 == 1
        if moved != [(Transfer.Kind.PAID, *(ends if marks else ends[::-1]), payment.amount_minor)]:
            yield f"evening {evening.pk}: posting {posting.pk} moves something else than its payment"
        if marks == (posting.reverses_id is not None):
            yield f"evening {evening.pk}: the marks of payment {payment.pk} do not take turns"


def _receipt_differences(evening: Evening, stands: Closing) -> Iterator[str]:
    where = f"evening {evening.pk}"
    receipt = Receipt.objects.filter(closing=stands).first()
    if receipt is None:
        yield f"{where}: it was closed without a receipt"
        return
    now = receipts.content_of(stands, evening=evening, present=receipt.content["pot"]["present"])
    for one in receipts.differences(receipt.content, now):
        at = f", table {one.table}" if one.table else ""
        at += f", hand {one.number}" if one.number else ""
        yield f"{where}: its receipt says something else than what is stored ({one.part}{at})"
