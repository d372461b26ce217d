"""Verify closings: closings and payments against the ledger, receipts against the stored data; rebuild result rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.db.models import Q

from league import keyset
from league.access.persons import main_players
from league.ledger import LedgerFault, Move, club_accounts, result_rows
from league.ledger.result_rows import Outcome
from league.models import (
    Account,
    Closing,
    Club,
    Entrant,
    Evening,
    Payment,
    Posting,
    Receipt,
    ResultRow,
    Season,
    Sheet,
    Transfer,
)
from league.payments import services as payments
from league.tournaments.results import player_in

from ..closing import receipts, round_result
from ..closing.round_result import RoundResult, TableSheet
from ..closing.services import valid_closing
from ..models import Table
from .tables import OUTCOME


def differences(season: Season) -> Iterator[str]:
    """Yield a sentence for each wrong closing, payment or receipt of a season's evenings."""
    for evening in Evening.objects.filter(season=season).select_related("club", "season", "house_rules").order_by("pk"):
        yield from evening_differences(evening)


def evening_differences(evening: Evening) -> Iterator[str]:
    """Yield a sentence for each wrong closing, payment or receipt of an evening, with club, season and rules loaded."""
    valid = valid_closing(evening)
    yield from _state_differences(evening, valid)
    for closing in evening.closings.select_related("posting").order_by("number"):
        yield from _closing_differences(evening, closing, closing == valid)
    yield from _paid_differences(evening)
    if valid is not None:
        yield from _receipt_differences(evening, valid)


def chain_differences(club: Club) -> Iterator[str]:
    """Verify the chain of the club's receipts: numbers without gaps, each digest over content and the digest before."""
    before, number = "", 0
    for receipt in keyset.each(Receipt.objects.filter(club=club).prefetch_related("names"), ("number",), 200):
        number += 1
        if receipt.number != number:
            yield f"club {club.pk}: receipt {number} is missing"
            number = receipt.number
        if receipts.digest_of(receipt.content, before) != receipt.digest:
            yield f"club {club.pk}: the seal of receipt {receipt.number} is broken"
        if not receipts.names_agree(receipt):
            yield f"club {club.pk}: a name in receipt {receipt.number} is not the one that was sealed"
        before = receipt.digest


def club_account_differences(club: Club) -> Iterator[str]:
    """Verify that no more coins went from the club's box and kitty into pots than came from pots."""
    for kind in (Account.Kind.BOX, Account.Kind.KITTY):
        balance = club_accounts.moved(club.pk, kind)
        if balance < 0:
            yield f"club {club.pk}: {-balance} more were taken out of its {kind.value} than ever went in"


def rebuild(season: Season) -> None:
    """Store the result rows of shared pots and of sheets again. The caller holds the transaction, has deleted the old
    rows and rebuilt the tables."""
    evenings = Evening.objects.filter(season=season).select_related("season")
    if not season.in_chips:
        evenings = evenings.filter(closings__pot=Closing.Pot.SHARE)
    for evening in evenings.distinct():
        valid = valid_closing(evening)
        if valid is None or valid.posting is None:
            continue
        rows = result_rows.rows(
            posting_id=valid.posting.pk,
            evening=evening,
            source=valid.pk,
            revision=1,
            outcomes=_round_result(evening, valid).outcomes if season.in_chips else _outcomes(valid.posting),
        )
        ResultRow.objects.bulk_create(rows)


def _round_result(evening: Evening, valid: Closing) -> RoundResult:
    """The result of the closing of a round, by its sheets and by its tables now. Raises LedgerFault as `result`
    does."""
    tables = list(Table.objects.filter(evening=evening).prefetch_related("places"))
    ends = round_result.table_ends(tables, valid.posting)
    players = [player for end in ends for player in end.players]
    accounts = dict(Account.objects.filter(player__in=players).values_list("player_id", "pk"))
    divided = valid.pot == Closing.Pot.SHARE
    return round_result.result(ends, accounts, receipts.sheets_of(valid), divided=divided)


def _outcomes(posting: Posting) -> list[Outcome]:
    """The outcome of each player who got a part of a shared pot, by its transfers, in their order."""
    got: dict[int, Outcome] = {}
    shared = posting.transfers.filter(kind=Transfer.Kind.SHARE).select_related("to_account").order_by("pk")
    for transfer in shared:
        player = transfer.to_account.player_id or 0
        known = got.get(player) or Outcome(player, len(got), ResultRow.Role.SHARE, None, None, 0)
        got[player] = replace(known, change_minor=known.change_minor + transfer.amount_minor)
    return list(got.values())


def _state_differences(evening: Evening, valid: Closing | None) -> Iterator[str]:
    where = f"evening {evening.pk}"
    if evening.state == Evening.State.OPEN:
        if valid is not None:
            yield f"{where}: it is open, and its closing {valid.number} is still valid"
        return
    if valid is None:
        if evening.closings.exists():
            yield f"{where}: it is closed, and its last closing opened it again"
        return
    if evening.season.points_only:
        # Nothing is settled in such a season: the pot ends with the evening.
        if evening.season.in_chips:
            yield from _round_differences(evening, valid)
        return
    left = Table.objects.filter(evening=evening, pot_minor__gt=0).count()
    if left:
        yield f"{where}: it is closed, and {left} of its pots are not empty"
    # The players merged when it was settled; others may have been merged or unmerged since.
    people = payments.sums_by_person(payments.sums(evening), main_players(evening.club_id, valid.created_at))
    due = {account_sum.account.pk: account_sum.open_minor for account_sum in people}
    for payment in payments.outstanding(valid.payments.all()):
        due[payment.payer_id] = due.get(payment.payer_id, 0) + payment.amount_minor
        due[payment.payee_id] = due.get(payment.payee_id, 0) - payment.amount_minor
    if any(due.values()):
        yield f"{where}: its payments do not settle the evening"


def _closing_differences(evening: Evening, closing: Closing, valid: bool) -> Iterator[str]:
    where = f"evening {evening.pk}, closing {closing.number}"
    rows = {
        row.player_id: (row.seat, row.role, row.change_minor) for row in ResultRow.objects.filter(source=closing.pk)
    }
    posting = closing.posting
    if posting is None:
        if rows:
            yield f"{where}: it has result rows and moved nothing"
        return
    if evening.season.in_chips:
        yield from _round_closing_differences(where, closing, rows, valid)
        return
    due = (
        {outcome.player_id: (outcome.seat, outcome.role, outcome.change_minor) for outcome in _outcomes(posting)}
        if valid
        else {}
    )
    if rows != due:
        yield f"{where}: its result rows are not what its transfers gave"
    undone = Posting.objects.filter(reverses=posting).exists()
    # Coins that a later evening had begun with by then did not return when this one was reopened.
    after = evening.closings.filter(number=closing.number + 1).values_list("kind", flat=True).first()
    stayed = closing.pot == Closing.Pot.CARRY and after == Closing.Kind.REOPENED
    if undone == valid and not stayed:
        yield f"{where}: {'its transfers were reversed' if valid else 'its transfers still count, but it is not valid'}"
    pots = set(Table.objects.filter(evening=evening).values_list("pot_account_id", flat=True))
    into = {Closing.Pot.SHARE: "player", Closing.Pot.KITTY: "kitty", Closing.Pot.CARRY: "box"}[Closing.Pot(closing.pot)]
    kind = Transfer.Kind.SHARE if closing.pot == Closing.Pot.SHARE else Transfer.Kind.MOVED
    for transfer in posting.transfers.select_related("to_account"):
        if transfer.from_account_id not in pots or transfer.to_account.kind != into or transfer.kind != kind:
            yield f"{where}: transfer {transfer.pk} is not from a pot of the evening to where its pots went"


Rows = Mapping[int, tuple[int, str, int]]


def _round_closing_differences(where: str, closing: Closing, rows: Rows, valid: bool) -> Iterator[str]:
    """Verify that the closing of a round counts exactly as long as it is valid."""
    if rows and not valid:
        yield f"{where}: it has result rows, but it is not valid"
    if Posting.objects.filter(reverses=closing.posting).exists() == valid:
        yield f"{where}: {'its transfers were reversed' if valid else 'its transfers still count, but it is not valid'}"


def _round_differences(evening: Evening, valid: Closing) -> Iterator[str]:
    """Verify the transfers and result rows of a finished round by its tables and sheets, and the sheets by those that
    were handed in."""
    where = f"evening {evening.pk}"
    if Payment.objects.filter(closing__evening=evening).exists():
        yield f"{where}: a round has payments"
    if Receipt.objects.filter(closing=valid).exists():
        yield from _sheet_differences(where, evening, receipts.sheets_of(valid))
        try:
            due = _round_result(evening, valid)
        except (LedgerFault, LookupError) as fault:
            yield f"{where}: its closing cannot be computed again ({fault})"
            return
        posted = valid.posting.transfers.order_by("pk") if valid.posting else Transfer.objects.none()
        columns = ("from_account_id", "to_account_id", "amount_minor", "kind")
        if [Move(*row) for row in posted.values_list(*columns)] != list(due.moves):
            yield f"{where}: its transfers are not what its pots and sheets give"
        stored = ResultRow.objects.filter(source=valid.pk).order_by("seat")
        if [Outcome(*row) for row in stored.values_list(*OUTCOME)] != list(due.outcomes):
            yield f"{where}: its result rows are not what its pots and sheets give"
        pots = dict(Table.objects.filter(evening=evening).values_list("pot_account_id", "pot_minor"))
        if any(pots[pot] != left for pot, left in due.left.items()):
            yield f"{where}: its pots are not what its closing left"


def _sheet_differences(where: str, evening: Evening, sheets: Sequence[TableSheet]) -> Iterator[str]:
    """Verify that each sheet that counted was handed in like this: table, number, the chips of each player, pot."""
    handed_in = {
        (row.table_number, row.number): row
        for row in Sheet.objects.filter(round__evening=evening).select_related("round")
    }
    of_tournament = Entrant.objects.filter(tournament__season=evening.season_id)
    entrants = (
        {str(entrant.number): entrant for entrant in of_tournament.prefetch_related("substitutions")} if sheets else {}
    )
    for sheet in sheets:
        stored = handed_in.get((sheet.table, sheet.sheet[1]))
        chips: dict[int, int] = {}
        if stored is not None and stored.chips.keys() <= entrants.keys():
            number = stored.round.number
            chips = {player_in(entrants[start], number): change for start, change in stored.chips.items()}
        if stored is None or (chips, stored.pot) != (dict(sheet.chips), sheet.pot):
            yield f"{where}, table {sheet.table}: sheet {sheet.sheet[1]} is not the one that counted"


def _paid_differences(evening: Evening) -> Iterator[str]:
    """Verify that each mark belongs to a payment of the evening, and moves its amount from the payee to the payer."""
    known = {payment.pk: payment for payment in Payment.objects.filter(closing__evening=evening)}
    paid = Q(transfers__kind=Transfer.Kind.PAID) | Q(source__in=known)
    of_an_import = Q(imported_payment__isnull=False) | Q(reverses__imported_payment__isnull=False)
    marks = Posting.objects.filter(paid, evening=evening).exclude(of_an_import).distinct()
    for posting in marks.prefetch_related("transfers"):
        payment = known.get(posting.source)
        moved = [(t.kind, t.from_account_id, t.to_account_id, t.amount_minor) for t in posting.transfers.all()]
        if payment is None:
            yield f"evening {evening.pk}: posting {posting.pk} says that something was paid which nobody had to pay"
            continue
        ends = (payment.payee_id, payment.payer_id)
        marked = posting.revision % 2 == 1
        if moved != [(Transfer.Kind.PAID, *(ends if marked else ends[::-1]), payment.amount_minor)]:
            yield f"evening {evening.pk}: posting {posting.pk} moves something else than its payment"
        if marked == (posting.reverses_id is not None):
            yield f"evening {evening.pk}: the marks of payment {payment.pk} do not take turns"


def _receipt_differences(evening: Evening, valid: Closing) -> Iterator[str]:
    where = f"evening {evening.pk}"
    receipt = Receipt.objects.filter(closing=valid).first()
    if receipt is None:
        yield f"{where}: it was closed without a receipt"
        return
    now = receipts.content_now(valid, evening=evening, sealed=receipt.content)
    for difference in receipts.differences(receipt.content, now):
        place = f", table {difference.table}" if difference.table else ""
        place += f", hand {difference.number}" if difference.number else ""
        yield f"{where}: its receipt says something else than what is stored ({difference.part}{place})"
