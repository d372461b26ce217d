"""A table as a chain of hands: what the next hand starts with, and how the table moves on."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from .models import Revision, Table
from .recording import Result, Start


@dataclass(frozen=True)
class Chain:
    """A table with the players of the next hand, by seat, and what that hand starts with."""

    table: Table
    players: tuple[int, ...]
    start: Start


def read(table: Table, players: tuple[int, ...]) -> Chain:
    """The chain as the table row says it; no query where evening and house rules are loaded."""
    return Chain(
        table=table,
        players=players,
        start=Start(
            number=table.hands + 1,
            game=table.evening.game,
            rules=table.evening.house_rules.values,
            seats=len(players),
            dealer=players.index(table.dealer_id),
            deal_number=table.deal_number,
            pot_before=table.pot_minor,
        ),
    )


def lock(table_id: int) -> Chain:
    """The chain, with the table's row locked until the transaction ends: the pot is read after the lock."""
    rows: QuerySet[Table] = Table.objects.select_related("evening__house_rules")
    if connection.features.has_select_for_update_of:
        rows = rows.select_for_update(of=("self",))
    table = rows.get(pk=table_id)
    return read(table, seating(table))


def seating(table: Table) -> tuple[int, ...]:
    """Players of the next hand by seat."""
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


def advance(chain: Chain, result: Result) -> None:
    """Move the table on to what follows the hand."""
    table, after = chain.table, result["next"]
    table.hands = chain.start.number
    table.pot_minor = result["pot_after"]
    table.dealer_id = chain.players[after["dealer"]]
    table.deal_number = after["deal_number"]
    table.save(update_fields=["hands", "pot_minor", "dealer", "deal_number"])


def retreat(table: Table, revision: Revision) -> None:
    """Move the table back to where it was before its last hand."""
    record = revision.record
    dealer = revision.seats.get(number=record["dealer"])
    table.hands -= 1
    table.pot_minor = record["pot_before"]
    table.dealer_id = dealer.player_id
    table.deal_number = record.get("deal_number", 1)
    table.save(update_fields=["hands", "pot_minor", "dealer", "deal_number"])
