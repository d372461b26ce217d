"""The tables of an evening, read from the database into plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from league.models import Evening, Player

from ..models import Place, Table
from .changes import EveningTables, TableState


def evening_tables(evening: Evening, rows: Sequence[Table], here: int) -> EveningTables:
    """All tables of the evening (`rows`) as plain data; `here` is the id of the table that changes. One query."""
    seats: dict[int, list[int]] = {table.pk: [] for table in rows}
    places = Place.objects.filter(table__in=seats).order_by("table_id", "seat")
    for table_id, player in places.values_list("table_id", "player_id"):
        seats[table_id].append(player)
    tables = [_at(table, seats[table.pk]) for table in rows]
    return EveningTables(
        game=evening.game,
        rules=evening.house_rules.values,
        here=next(state for state in tables if state.pk == here),
        others=tuple(state for state in tables if state.pk != here and not state.dissolved),
        numbers=max(state.number for state in tables),
    )


def _at(table: Table, players: Iterable[int]) -> TableState:
    return TableState(
        pk=table.pk,
        number=table.number,
        players=tuple(players),
        dealer_id=table.dealer_id,
        deal_number=table.deal_number,
        dealer_set=table.dealer_set,
        pot_minor=table.pot_minor,
        hands=table.hands,
        paused=table.paused_at is not None,
        dissolved=table.dissolved,
    )


def names_of(tables: EveningTables) -> dict[int, str]:
    """Nicknames of all players at the tables. One query."""
    people = {player for state in (tables.here, *tables.others) for player in state.players}
    return dict(Player.objects.filter(pk__in=people).values_list("pk", "nickname"))
