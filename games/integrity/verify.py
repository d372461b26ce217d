"""Verify everything against the hand records: `differences` lists what does not agree, `rebuild` writes derived rows
again.

Hand records and seats are the source. Transfers are checked against them and never changed; result rows, tables,
standings and balances can be rebuilt. The transfers of a closing show how the pots of its evening were distributed.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Sum

from league import ledger
from league.ledger import Move, result_rows
from league.ledger.result_rows import Outcome
from league.models import Account, Balance, Club, EveningScore, ResultRow, Season, Standing, Transfer
from league.roster import merging
from league.standings import counting

from .. import engine_bridge
from ..hands import chain as chains
from ..models import Revision, Table
from . import closings


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


def differences(seasons: Sequence[Season] | None = None) -> Iterator[str]:
    """Yield a sentence for each stored value that differs from what the records give."""
    for season in seasons if seasons is not None else Season.objects.select_related("club").order_by("pk"):
        for table in Table.objects.filter(evening__season=season).select_related("evening__house_rules").order_by("pk"):
            yield from _table_differences(table)
        yield from closings.differences(season)
        yield from _count_differences(season)
    for club in Club.objects.filter(receipts__isnull=False).distinct().order_by("pk"):
        yield from closings.chain_differences(club)
        yield from closings.club_account_differences(club)
    yield from merging.differences()
    yield from _foreign_rows()


def _table_differences(table: Table) -> Iterator[str]:
    state = Replayed(0, 0, table.first_dealer_id, 1)
    accounts = dict(Account.objects.filter(club=table.evening.club_id).values_list("player_id", "id"))
    for hand in table.hand_set.order_by("number"):
        where = f"table {table.pk}, hand {hand.number}"
        entered: Revision | None = None
        for revision in hand.revisions.order_by("number").prefetch_related("seats", "posting__transfers"):
            players = _players(revision)
            at = f"{where}, revision {revision.number}"
            if not _all_seated(revision):
                yield f"{at}: its seats are not 0 to {revision.record['seats'] - 1}, so the rest is not checked"
                return
            yield from _revision_differences(at, table, revision, players, accounts, entered)
            entered = revision if revision.kind == Revision.Kind.ENTERED else None
        if entered is None:
            yield from _row_differences(where, hand.pk, None, [])
            continue
        players = _players(entered)
        yield from _row_differences(where, hand.pk, entered, players)
        yield from _chain_differences(where, state, hand.number, entered, players)
        after = engine_bridge.replay(entered.record)
        if after["ok"]:
            state = _after(state, entered, after, players)
    yield from _state_differences(table, state)


def _players(revision: Revision) -> list[int]:
    return [seat.player_id for seat in revision.seats.all()]


def _all_seated(revision: Revision) -> bool:
    return [seat.number for seat in revision.seats.all()] == list(range(revision.record["seats"]))


def _after(state: Replayed, revision: Revision, result: engine_bridge.Result, players: Sequence[int]) -> Replayed:
    following = result["next"]
    return Replayed(
        hands=revision.hand.number,
        pot_minor=result["pot_after"],
        dealer_id=players[following["dealer"]],
        deal_number=following["deal_number"],
        moved_minor=state.moved_minor + revision.moved_minor,
        players=tuple(players),
    )


def _revision_differences(
    where: str,
    table: Table,
    revision: Revision,
    players: Sequence[int],
    accounts: Mapping[int, int],
    before: Revision | None,
) -> Iterator[str]:
    """Verify a revision's result by replaying its record, and its transfers by this result."""
    result = engine_bridge.replay(revision.record)
    if result != revision.result:
        yield f"{where}: the stored result is not what the record gives"
    if not result["ok"]:
        return
    due = engine_bridge.moves(result, [accounts.get(p, 0) for p in players], table.pot_account_id)
    if revision.kind == Revision.Kind.VOIDED:
        due = [Move(m.to_account_id, m.from_account_id, m.amount_minor, m.kind) for m in due]
        if before is None or revision.posting.reverses_id != before.posting_id:
            yield f"{where}: it reverses another posting than that of the revision before it"
    stored = [
        Move(t.from_account_id, t.to_account_id, t.amount_minor, t.kind) for t in revision.posting.transfers.all()
    ]
    if sorted(stored, key=repr) != sorted(due, key=repr):
        yield f"{where}: the transfers are not what the record gives"


def _row_differences(where: str, source: uuid.UUID, valid: Revision | None, players: Sequence[int]) -> Iterator[str]:
    """Verify the result rows of a hand by its valid revision (none for a voided hand)."""
    rows = ResultRow.objects.filter(source=source)
    if valid is None:
        if rows.exists():
            yield f"{where}: a voided hand has result rows"
        return
    stored = {row.player_id: _as_outcome(row) for row in rows}
    result = engine_bridge.replay(valid.record)
    due = {o.player_id: o for o in engine_bridge.outcomes(valid.record, result, players)} if result["ok"] else {}
    if stored != due or any(row.revision != valid.number for row in rows):
        yield f"{where}: the result rows are not what the record gives"


def _as_outcome(row: ResultRow) -> Outcome:
    return Outcome(
        player_id=row.player_id,
        seat=row.seat,
        role=row.role,
        made=row.made,
        tricks=row.tricks,
        change_minor=row.change_minor,
        pot_won_minor=row.pot_won_minor,
        walkover=row.walkover,
        passed_out=row.passed_out,
        blind=row.blind,
        susi=row.susi,
        muss=row.muss,
    )


def _chain_differences(
    where: str, state: Replayed, number: int, revision: Revision, players: Sequence[int]
) -> Iterator[str]:
    """Verify that a hand started with the pot, dealer and deal number that the table had after the hand before it."""
    record = revision.record
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
    """The dealer and the deal number of the next hand: by the hands, or as a recorder named the dealer since."""
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


COUNTED: tuple[Any, ...] = (Standing, EveningScore, Balance)


def _counted(season: Season) -> list[set[tuple[tuple[str, Any], ...]]]:
    """The season's counted rows, without their ids."""
    return [
        {
            tuple(sorted((k, v) for k, v in row.items() if k != "id"))
            for row in model.objects.filter(season=season).values()
        }
        for model in COUNTED
    ]


def _count_differences(season: Season) -> Iterator[str]:
    """Standings, nights and balances against a count from scratch, which is thrown away. A season that still
    waits to be counted is behind, not wrong."""
    with transaction.atomic():
        fresh = Season.objects.select_related("count").get(pk=season.pk)
        counted = getattr(fresh, "count", None)
        if fresh.ledger_mark > (counted.counted_mark if counted else 0):
            return
        stored = _counted(season)
        counting.recount(fresh)
        scratch = _counted(season)
        transaction.set_rollback(True)
    for model, kept, due in zip(COUNTED, stored, scratch, strict=True):
        if kept != due:
            yield f"season {season}: {len(kept ^ due)} rows of {model.__name__} are not what its results give"


def _foreign_rows() -> Iterator[str]:
    """Find transfers and result rows that belong to no hand, happening or closing."""
    stray = Transfer.objects.filter(
        posting__hand_revision__isnull=True,
        posting__happening__isnull=True,
        posting__closing__isnull=True,
        posting__reverses__closing__isnull=True,
    ).exclude(kind=Transfer.Kind.PAID)
    if stray.exists():
        yield f"{stray.count()} transfers belong to no revision of a hand, no move of a pot and no end of an evening"
    rows = ResultRow.objects.filter(posting__hand_revision__isnull=True, posting__closing__isnull=True).count()
    if rows:
        yield f"{rows} result rows belong to no revision of a hand and no end of an evening"


def rebuild(season: Season) -> int:
    """Rebuild result rows, tables and counts of one season from its records, in one transaction. Returns the number
    of hands.

    Raises:
        LookupError: a stored record no longer replays; nothing is changed then.
    """
    hands = 0
    with transaction.atomic():
        locked = Season.objects.select_for_update().get(pk=season.pk)
        merging.rebuild(locked.club_id)
        ResultRow.objects.filter(season=locked).delete()
        for table in Table.objects.filter(evening__season=locked).select_related("evening").order_by("pk"):
            hands += _rebuild_table(table)
        closings.rebuild(locked)
        # A new mark, so that pages with the old count see that there is a newer one.
        locked.ledger_mark += 1
        locked.save(update_fields=["ledger_mark"])
    counting.count_season(season.pk)
    return hands


def _rebuild_table(table: Table) -> int:
    state = Replayed(0, 0, table.first_dealer_id, 1)
    newest = table.hand_set.annotate(last=Max("revisions__number")).values_list("pk", "last")
    valid = Revision.objects.filter(hand__table=table, kind=Revision.Kind.ENTERED).select_related("hand")
    last = dict(newest)
    for revision in valid.order_by("hand__number", "number").prefetch_related("seats"):
        if revision.number != last[revision.hand_id]:
            continue
        players = _players(revision)
        result = engine_bridge.replay(revision.record)
        if not result["ok"]:
            raise LookupError(f"table {table.pk}, hand {revision.hand.number}: {result['error']['message']}")
        result_rows.store(
            posting_id=revision.posting_id,
            evening=table.evening,
            source=revision.hand_id,
            revision=revision.number,
            outcomes=engine_bridge.outcomes(revision.record, result, players),
        )
        state = _after(state, revision, result, players)
    table.hands, table.moved_minor = state.hands, _moved_into(table) - state.moved_minor
    table.pot_minor = state.pot_minor + table.moved_minor
    table.dealer_id, table.deal_number = _next_deal(table, state)
    table.save(update_fields=["hands", "pot_minor", "moved_minor", "dealer", "deal_number"])
    return state.hands
