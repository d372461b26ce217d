"""Verify the tables of an evening by their hand records, and rebuild their derived rows.

Hands are read in pages with a fixed number of queries, and each record is replayed once.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Sum

from league import ledger
from league.ledger import Move, result_rows
from league.ledger.result_rows import Outcome
from league.models import Account, Evening, ResultRow, Transfer

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..hands import chain as chains
from ..models import Revision, Seat, Table

HANDS_AT_ONCE = 200


@dataclass(frozen=True)
class Replayed:
    """The state of a table after `hands` hands, computed from its records: pot, next dealer (a player), deal number,
    players. `moved_minor` is the amount that came into the pot otherwise than by a hand (Rappen)."""

    hands: int
    pot_minor: int
    dealer_id: int
    deal_number: int
    moved_minor: int = 0
    players: tuple[int, ...] = ()


@dataclass(frozen=True)
class Stored:
    """One stored revision of a hand with its seats and transfers; `result` is computed from its record now."""

    number: int
    voided: bool
    record: Record
    stored_result: Result
    result: Result
    posting_id: uuid.UUID
    reverses_id: uuid.UUID | None
    dealer_set: bool
    moved_minor: int
    seats: Sequence[tuple[int, int]]
    transfers: Sequence[Move]

    @property
    def players(self) -> list[int]:
        """The players by seat."""
        return [player for _seat, player in self.seats]

    @property
    def all_seated(self) -> bool:
        """Return True if the seats are those that the record counts."""
        return [seat for seat, _player in self.seats] == list(range(self.record["seats"]))


@dataclass
class HandRows:
    """A hand with its revisions in order, and its result rows with the revision that each belongs to."""

    pk: uuid.UUID
    number: int
    revisions: list[Stored] = field(default_factory=list)
    rows: list[tuple[int, Outcome]] = field(default_factory=list)


def differences(evening: Evening) -> Iterator[str]:
    """Yield a sentence for each difference at the tables of an evening."""
    accounts = dict(Account.objects.filter(club=evening.club_id).values_list("player_id", "id"))
    for table in Table.objects.filter(evening=evening).order_by("pk"):
        yield from _table_differences(table, accounts)


def _table_differences(table: Table, accounts: Mapping[int, int]) -> Iterator[str]:
    state = Replayed(0, 0, table.first_dealer_id, 1)
    for hand in hands_of(table):
        where = f"table {table.pk}, hand {hand.number}"
        entered: Stored | None = None
        for revision in hand.revisions:
            place = f"{where}, revision {revision.number}"
            if not revision.all_seated:
                yield f"{place}: its seats are not 0 to {revision.record['seats'] - 1}, so the rest is not checked"
                return
            yield from _revision_differences(place, table, revision, accounts, entered)
            entered = None if revision.voided else revision
        yield from _row_differences(where, hand, entered)
        if entered is not None:
            yield from _chain_differences(where, state, hand.number, entered)
            if entered.result["ok"]:
                state = after_hand(state, hand.number, entered)
    yield from _state_differences(table, state)


# --- Reading ---------------------------------------------------------------------------------------------


def hands_of(table: Table) -> Iterator[HandRows]:
    """Yield the hands of a table in order. Five queries for each `HANDS_AT_ONCE` hands."""
    last = 0
    while True:
        rows = table.hand_set.filter(number__gt=last).order_by("number").values_list("pk", "number")
        page = {pk: HandRows(pk, number) for pk, number in rows[:HANDS_AT_ONCE]}
        if not page:
            return
        _read_revisions(page)
        _read_rows(page)
        yield from page.values()
        last = max(hand.number for hand in page.values())


COLUMNS = ("pk", "hand_id", "number", "kind", "record", "result", "posting_id", "posting__reverses_id")


def _read_revisions(page: Mapping[uuid.UUID, HandRows]) -> None:
    seats, transfers = _seats_of(page), _transfers_of(page)
    rows = Revision.objects.filter(hand__in=page).order_by("hand_id", "number")
    for pk, hand, number, kind, record, result, posting, reverses, dealer_set, moved in rows.values_list(
        *COLUMNS, "dealer_set", "moved_minor"
    ):
        revisions = page[hand].revisions
        # A voided revision has the record of the one before it.
        same = bool(revisions) and revisions[-1].record == record
        revisions.append(
            Stored(
                number=number,
                voided=kind == Revision.Kind.VOIDED,
                record=record,
                stored_result=result,
                result=revisions[-1].result if same else engine_bridge.replay(record),
                posting_id=posting,
                reverses_id=reverses,
                dealer_set=dealer_set,
                moved_minor=moved,
                seats=seats[pk],
                transfers=transfers[posting],
            )
        )


def _seats_of(page: Collection[uuid.UUID]) -> dict[int, list[tuple[int, int]]]:
    seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
    rows = Seat.objects.filter(revision__hand__in=page).order_by("number")
    for revision, number, player in rows.values_list("revision_id", "number", "player_id"):
        seats[revision].append((number, player))
    return seats


def _transfers_of(page: Collection[uuid.UUID]) -> dict[uuid.UUID, list[Move]]:
    moves: dict[uuid.UUID, list[Move]] = defaultdict(list)
    rows = Transfer.objects.filter(posting__hand_revision__hand__in=page).order_by()
    columns = ("posting_id", "from_account_id", "to_account_id", "amount_minor", "kind")
    for posting, source, target, amount, kind in rows.values_list(*columns):
        moves[posting].append(Move(source, target, amount, kind))
    return moves


OUTCOME = (
    *("player_id", "seat", "role", "made", "tricks", "change_minor", "pot_won_minor", "walkover", "passed_out"),
    *("blind", "susi", "muss"),
)
"""The columns of a result row, in the order of the fields of an outcome."""


def _read_rows(page: Mapping[uuid.UUID, HandRows]) -> None:
    rows = ResultRow.objects.filter(source__in=page).order_by()
    for source, revision, *outcome in rows.values_list("source", "revision", *OUTCOME):
        page[source].rows.append((revision, Outcome(*outcome)))


# --- Comparing -------------------------------------------------------------------------------------------


def _revision_differences(
    where: str, table: Table, revision: Stored, accounts: Mapping[int, int], before: Stored | None
) -> Iterator[str]:
    """Verify a revision's result by its record, and its transfers by this result."""
    if revision.result != revision.stored_result:
        yield f"{where}: the stored result is not what the record gives"
    if not revision.result["ok"]:
        return
    due = engine_bridge.moves(revision.result, [accounts.get(p, 0) for p in revision.players], table.pot_account_id)
    if revision.voided:
        due = [Move(m.to_account_id, m.from_account_id, m.amount_minor, m.kind) for m in due]
        if before is None or revision.reverses_id != before.posting_id:
            yield f"{where}: it reverses another posting than that of the revision before it"
    if sorted(revision.transfers, key=_in_order) != sorted(due, key=_in_order):
        yield f"{where}: the transfers are not what the record gives"


def _in_order(move: Move) -> tuple[Any, ...]:
    return (move.from_account_id, move.to_account_id, move.amount_minor, str(move.kind))


def _row_differences(where: str, hand: HandRows, valid: Stored | None) -> Iterator[str]:
    """Verify the result rows of a hand by its valid revision (none for a voided hand)."""
    if valid is None:
        if hand.rows:
            yield f"{where}: a voided hand has result rows"
        return
    stored = {outcome.player_id: outcome for _revision, outcome in hand.rows}
    due = {outcome.player_id: outcome for outcome in _outcomes(valid)}
    if stored != due or any(revision != valid.number for revision, _outcome in hand.rows):
        yield f"{where}: the result rows are not what the record gives"


def _outcomes(revision: Stored) -> list[Outcome]:
    if not revision.result["ok"]:
        return []
    return engine_bridge.outcomes(revision.record, revision.result, revision.players)


def _chain_differences(where: str, state: Replayed, number: int, revision: Stored) -> Iterator[str]:
    """Verify that a hand started with the pot, dealer and deal number that the table had after the hand before it."""
    record, players = revision.record, revision.players
    if number != state.hands + 1:
        yield f"{where}: the hand before it is missing"
    pot = state.pot_minor + revision.moved_minor
    if record["pot_before"] != pot:
        yield f"{where}: it began with a pot of {record['pot_before']} instead of {pot}"
    dealt = players[record["dealer"]]
    turn = dealt if revision.dealer_set else chains.next_dealer(state.dealer_id, state.players, players)
    if dealt != turn:
        yield f"{where}: player {dealt} dealt instead of player {turn}"
    deal = state.deal_number if turn == state.dealer_id and not revision.dealer_set else 1
    if record.get("deal_number", 1) != deal:
        yield f"{where}: it was deal {record.get('deal_number', 1)} instead of {deal}"


def after_hand(state: Replayed, number: int, revision: Stored) -> Replayed:
    """Return the state of the table after a valid hand."""
    following = revision.result["next"]
    return Replayed(
        hands=number,
        pot_minor=revision.result["pot_after"],
        dealer_id=revision.players[following["dealer"]],
        deal_number=following["deal_number"],
        moved_minor=state.moved_minor + revision.moved_minor,
        players=tuple(revision.players),
    )


def _state_differences(table: Table, state: Replayed) -> Iterator[str]:
    """Verify the table's row by its hands, and its pot by the ledger."""
    dealer, deal = _next_deal(table, state)
    stored = (table.hands, table.pot_minor - table.moved_minor, table.dealer_id, table.deal_number)
    due = (state.hands, state.pot_minor, dealer, deal)
    if stored != due:
        yield f"table {table.pk}: it says {stored} instead of {due}"
    moved = _moved_into(table) - state.moved_minor
    if table.moved_minor != moved:
        yield f"table {table.pk}: it says that {table.moved_minor} came into the pot since its last hand, not {moved}"
    balance = ledger.balance(table.pot_account_id)
    if balance != table.pot_minor:
        yield f"table {table.pk}: the ledger has {balance} in the pot instead of {table.pot_minor}"


def _next_deal(table: Table, state: Replayed) -> tuple[int, int]:
    """The dealer and the deal number of the next hand: by the hands, or as named by a recorder since."""
    if table.dealer_set:
        return table.dealer_id, table.deal_number
    dealer = chains.next_dealer(state.dealer_id, state.players, chains.seating(table))
    return dealer, state.deal_number if dealer == state.dealer_id else 1


def _moved_into(table: Table) -> int:
    """The amount that transfers other than those of hands moved into a table's pot, minus the amount they moved out."""
    moves = Transfer.objects.filter(kind__in=[Transfer.Kind.MOVED, Transfer.Kind.SHARE])
    into = moves.filter(to_account=table.pot_account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = moves.filter(from_account=table.pot_account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    return int(into - out)


# --- Rebuilding ------------------------------------------------------------------------------------------


def rebuild(table: Table) -> int:
    """Store the result rows and the row of a table again, and return the number of its hands. The caller holds the
    transaction and has deleted the old rows.

    Raises:
        LookupError: a stored record no longer replays.
    """
    state = Replayed(0, 0, table.first_dealer_id, 1)
    for hand in hands_of(table):
        revision = hand.revisions[-1] if hand.revisions else None
        if revision is None or revision.voided:
            continue
        if not revision.result["ok"]:
            raise LookupError(f"table {table.pk}, hand {hand.number}: {revision.result['error']['message']}")
        rows = result_rows.rows(
            posting_id=revision.posting_id,
            evening=table.evening,
            source=hand.pk,
            revision=revision.number,
            outcomes=_outcomes(revision),
        )
        ResultRow.objects.bulk_create(rows)
        state = after_hand(state, hand.number, revision)
    table.hands, table.moved_minor = state.hands, _moved_into(table) - state.moved_minor
    table.pot_minor = state.pot_minor + table.moved_minor
    table.dealer_id, table.deal_number = _next_deal(table, state)
    table.save(update_fields=["hands", "pot_minor", "moved_minor", "dealer", "deal_number"])
    return state.hands
