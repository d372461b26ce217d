"""The end of a tournament's round: post the sheets of its tables, and divide the chips in its pots.

A table whose hands were not stored hands in a sheet: losers pay the pot, the pot pays winners, and the rest stays in
the pot. Then each pot is divided among those at its table in whole chips. The chips left over go one each, in
the order of play from the next dealer on. If the format says so, the pots stay as they are and belong to nobody.

All of it is one posting of the round's closing. Its result rows have the role `share`: one for each player of a sheet,
and one for each player at another table who got chips from the pot.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league import ledger
from league.ledger import LedgerFault, Move, result_rows
from league.ledger.result_rows import Outcome
from league.models import Closing, Evening, Posting, ResultRow, Transfer, User

from ..models import Table
from . import pots

CHIP = 1
"""Amounts in a season in chips are whole chips."""


@dataclass(frozen=True)
class TableSheet:
    """The sheet of one table that counts: net chips by player, in the order of the seats, and the chips in the pot.
    `sheet` identifies it: the `source` of the table's sheets and its number among them."""

    table: int
    sheet: tuple[str, int]
    chips: Mapping[int, int]
    pot: int


@dataclass(frozen=True)
class TableEnd:
    """A table when its round ends: its pot account, the chips in the pot before the closing, its players by seat, and
    the same players from the next dealer on."""

    number: int
    pot_account: int
    pot_before: int
    players: tuple[int, ...]
    order: tuple[int, ...]


@dataclass(frozen=True)
class RoundResult:
    """The transfers and the result rows of a closing. `left` are the chips in each pot after it, by pot account."""

    moves: tuple[Move, ...]
    outcomes: tuple[Outcome, ...]
    left: Mapping[int, int]


def table_ends(tables: Sequence[Table], posting: Posting | None = None) -> list[TableEnd]:
    """The tables of a round with their pots before its closing; `posting` is that of the closing if there was one. Two
    queries, three with a posting, and the places must be prefetched."""
    put_in = _put_in(posting)
    ends = []
    for table in sorted(tables, key=lambda item: item.number):
        if table.dissolved:
            continue
        before = table.pot_minor - put_in.get(table.pot_account_id, 0)
        players = tuple(place.player_id for place in table.places.all())
        order = tuple(pots.sharing_order([table], players))
        ends.append(TableEnd(table.number, table.pot_account_id, before, players, order))
    return ends


def result(
    ends: Sequence[TableEnd], accounts: Mapping[int, int], sheets: Sequence[TableSheet], *, divided: bool
) -> RoundResult:
    """Compute the closing of a round. `accounts` are those of the players.

    Raises:
        LedgerFault: a sheet that does not add up to zero, or that is not of the players at its table.
    """
    by_table = {sheet.table: sheet for sheet in sheets}
    moves: list[Move] = []
    outcomes: list[Outcome] = []
    left: dict[int, int] = {}
    for end in ends:
        sheet = by_table.pop(end.number, None)
        pot = end.pot_before
        changes: dict[int, int] = {}
        if sheet is not None:
            _check(sheet, end)
            moves += _sheet_moves(sheet, end, accounts)
            pot += sheet.pot
            changes = {player: sheet.chips[player] for player in end.players}
        if divided and pot:
            for part in pots.parts(pot, end.order, CHIP):
                if part.amount_minor:
                    moves.append(_move(end.pot_account, accounts[part.player_id], part.amount_minor))
                    changes[part.player_id] = changes.get(part.player_id, 0) + part.amount_minor
            pot = 0
        left[end.pot_account] = pot
        outcomes += [_outcome(player, len(outcomes) + n, chips) for n, (player, chips) in enumerate(changes.items())]
    if by_table:
        raise LedgerFault(f"sheets of tables {sorted(by_table)}, which the round does not have")
    return RoundResult(tuple(moves), tuple(outcomes), left)


def post(
    *, evening: Evening, closing_id: uuid.UUID, sheets: Sequence[TableSheet], divided: bool, author: User | None
) -> Posting | None:
    """Post the end of a round; None if no chips move. The caller has locked evening, tables and club."""
    tables = _locked_tables(evening)
    ends = table_ends(tables)
    players = [player for end in ends for player in end.players]
    accounts = ledger.ensure_player_accounts(evening.club_id, players)
    due = result(ends, accounts, sheets, divided=divided)
    if not due.moves and not due.outcomes:
        return None
    event = ledger.Event(evening=evening, source=closing_id, revision=1, author=author)
    posting = ledger.post(event=event, moves=due.moves, outcomes=due.outcomes)
    changes = {end.pot_account: due.left[end.pot_account] - end.pot_before for end in ends}
    _change_pots(tables, changes)
    return posting


def take_back(closing: Closing, *, evening: Evening, author: User | None, reason: str = "") -> None:
    """Undo the posting of a closing: every chip returns. Evening and club are locked."""
    posting = closing.posting
    if posting is None:
        return
    result_rows.clear(source=closing.pk)
    event = ledger.Event(evening=evening, source=closing.pk, revision=2, author=author, reason=reason)
    ledger.reverse(event=event, posting=posting)
    _change_pots(_locked_tables(evening), {pot: -chips for pot, chips in _put_in(posting).items()})


def stored(sheets: Sequence[TableSheet]) -> list[dict[str, Any]]:
    """The sheets as the receipt keeps them."""
    return [
        {
            "table": table_sheet.table,
            "sheet": list(table_sheet.sheet),
            "chips": [[player, chips] for player, chips in table_sheet.chips.items()],
            "pot": table_sheet.pot,
        }
        for table_sheet in sheets
    ]


def read(content: Mapping[str, Any]) -> list[TableSheet]:
    """The sheets in the content of a receipt."""
    return [
        TableSheet(
            table=entry["table"],
            sheet=(entry["sheet"][0], entry["sheet"][1]),
            chips=dict(entry["chips"]),
            pot=entry["pot"],
        )
        for entry in content.get("sheets", ())
    ]


def shares(closing: Closing, sheets: Sequence[TableSheet]) -> dict[int, int]:
    """The chips that each player got from the pots at this closing, without those of sheets. One query."""
    got: dict[int, int] = defaultdict(int)
    for player, chips in _player_chips(closing.posting):
        got[player] += chips
    for sheet in sheets:
        for player, chips in sheet.chips.items():
            got[player] -= chips
    return {player: chips for player, chips in sorted(got.items()) if chips}


def _player_chips(posting: Posting | None) -> Iterator[tuple[int, int]]:
    if posting is None:
        return
    rows = posting.transfers.order_by("pk").values_list(
        "from_account__player_id", "to_account__player_id", "amount_minor"
    )
    for payer, payee, amount in rows:
        if payer is not None:
            yield payer, -amount
        if payee is not None:
            yield payee, amount


def _put_in(posting: Posting | None) -> dict[int, int]:
    """The chips that a closing put into each account (below 0: took out), by account."""
    put_in: dict[int, int] = defaultdict(int)
    if posting is not None:
        for payer, payee, amount in posting.transfers.values_list("from_account_id", "to_account_id", "amount_minor"):
            put_in[payer] -= amount
            put_in[payee] += amount
    return put_in


def _locked_tables(evening: Evening) -> list[Table]:
    rows = Table.objects.select_for_update().filter(evening=evening).order_by("pk")
    return list(rows.prefetch_related("places"))


def _change_pots(tables: Sequence[Table], changes: Mapping[int, int]) -> None:
    changed = [table for table in tables if changes.get(table.pot_account_id)]
    for table in changed:
        table.pot_minor += changes[table.pot_account_id]
        table.moved_minor += changes[table.pot_account_id]
    Table.objects.bulk_update(changed, ["pot_minor", "moved_minor"], batch_size=200)


def _check(sheet: TableSheet, end: TableEnd) -> None:
    if set(sheet.chips) != set(end.players):
        raise LedgerFault(f"the sheet of table {end.number} is not of the players at that table")
    if sum(sheet.chips.values()) + sheet.pot or sheet.pot < 0:
        raise LedgerFault(f"the sheet of table {end.number} does not add up to zero")


def _sheet_moves(sheet: TableSheet, end: TableEnd, accounts: Mapping[int, int]) -> list[Move]:
    """Losers pay the pot, then the pot pays winners."""
    chips = [(player, sheet.chips[player]) for player in end.players]
    lost = [_move(accounts[player], end.pot_account, -change) for player, change in chips if change < 0]
    return lost + [_move(end.pot_account, accounts[player], change) for player, change in chips if change > 0]


def _move(from_account: int, to_account: int, chips: int) -> Move:
    return Move(from_account, to_account, chips, Transfer.Kind.SHARE)


def _outcome(player: int, seat: int, chips: int) -> Outcome:
    return Outcome(player, seat, ResultRow.Role.SHARE, made=None, tricks=None, change_minor=chips)
