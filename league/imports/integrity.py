"""Verify imported evenings by their totals, and store their result rows again."""

from __future__ import annotations

from collections.abc import Iterator

from ..ledger import result_rows
from ..models import Account, Evening, ImportedEvening, ImportedTotal, Posting, ResultRow, Season, Transfer
from .services import moves_of, outcomes_of


def differences(evening: Evening) -> Iterator[str]:
    """Yield a sentence for each posting or result row of an imported evening that differs from its totals."""
    posted = ImportedEvening.objects.filter(evening=evening).select_related("posting", "paid").first()
    if posted is None:
        if ImportedTotal.objects.filter(evening=evening).exists():
            yield f"evening {evening.pk}: it has imported totals, and nothing of them was posted"
        if evening.undone_at is not None and ResultRow.objects.filter(evening=evening).exists():
            yield f"evening {evening.pk}: its import was undone, and its hands still count"
        return
    where = f"evening {evening.pk}"
    totals = _totals(evening)
    undone = evening.undone_at is not None
    rows = ResultRow.objects.filter(posting=posted.posting).order_by("seat")
    stored = list(rows.values_list("player_id", "role", "change_minor"))
    if stored != ([] if undone else [(total.player_id, ResultRow.Role.SHARE, total.change_minor) for total in totals]):
        yield f"{where}: its result rows are not its imported totals"
    if len(totals) != posted.people:
        yield f"{where}: it was imported with {posted.people} totals and has {len(totals)}"
    if any(total.undone != undone for total in totals):
        yield f"{where}: some of its totals are undone, and others are not"
    accounts = dict(
        Account.objects.filter(player__in=[total.player_id for total in totals]).values_list("player_id", "pk")
    )
    due = [
        (transfer.from_account_id, transfer.to_account_id, transfer.amount_minor)
        for transfer in moves_of({accounts.get(total.player_id, 0): total.change_minor for total in totals})
    ]
    back = [(payee, payer, amount) for payer, payee, amount in due]
    for posting, kind, moves in ((posted.posting, Transfer.Kind.SHARE, due), (posted.paid, Transfer.Kind.PAID, back)):
        if _moved(posting) != [(*move, kind) for move in moves]:
            yield f"{where}: its transfers are not what its imported totals give"
        if posting is not None and Posting.objects.filter(reverses=posting).exists() != undone:
            yield f"{where}: {'its transfers still count' if undone else 'its transfers were reversed'}"


def rebuild(season: Season) -> None:
    """Store the result rows of the season's imported evenings again. The caller holds the transaction and has deleted
    the old rows."""
    evenings = ImportedEvening.objects.filter(evening__season=season, evening__undone_at__isnull=True)
    for imported in evenings.select_related("evening", "posting").order_by("pk"):
        rows = result_rows.rows(
            posting_id=imported.posting_id,
            evening=imported.evening,
            source=imported.posting.source,
            revision=1,
            outcomes=outcomes_of(_totals(imported.evening)),
        )
        ResultRow.objects.bulk_create(rows)


def _totals(evening: Evening) -> list[ImportedTotal]:
    """The totals of an evening in the order in which they were stored."""
    return list(ImportedTotal.objects.filter(evening=evening).order_by("pk"))


def _moved(posting: Posting | None) -> list[tuple[int, int, int, str]]:
    if posting is None:
        return []
    rows = posting.transfers.order_by("pk")
    return list(rows.values_list("from_account_id", "to_account_id", "amount_minor", "kind"))
