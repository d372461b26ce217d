"""The tables of a tournament's round: they are made, reseated, read and closed. It implements
`league.tournaments.tables.RoundTables`.

A round is an evening of the tournament's season in chips, and its tables are tables of that evening.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone

from league import ledger
from league.models import Account, Club, Evening, HouseRules, ResultRow, User
from league.tournaments.tables import Seating, SheetResult, TableBegun, TableState

from .. import engine_bridge
from ..closing import services as closing
from ..closing.round_result import TableSheet
from ..evening.house_rules import house_rules_of
from ..hands import chain as chains
from ..hands.tables import tables_create
from ..models import Hand, Happening, Pencil, Place, Table
from ..offered import GAMES, game_of
from ..table import pencil
from .records import RecordedHands

GAME_NAMES = {game.name: game.title for game in GAMES.values()}


class GameTables(RecordedHands):
    """The tables of rounds in every game. A chip is the smallest amount of the house rules, which an evening
    in money counts in Rappen. `RoundTables` says what each method does."""

    def games(self) -> Mapping[str, str]:
        return GAME_NAMES

    def sizes(self, game: str) -> tuple[int, int]:
        # C1.1, K1.1, Z1.1
        return engine_bridge.SEATS[game]

    def house_rules(self, club_id: int, game: str) -> HouseRules:
        return house_rules_of(Club.objects.get(pk=club_id), game)

    def ante(self, rules: HouseRules) -> int:
        values = engine_bridge.house_rules(rules.game, rules.values)
        return int(values[game_of(rules.game).ante_rule])

    def open(self, evening: Evening, seatings: Sequence[Seating]) -> None:
        # Nine queries at most, for any number of tables.
        _ensure_accounts(evening, seatings)
        tables_create(evening=evening, seatings={seating.number: seating.players for seating in seatings})

    def reseat(self, evening: Evening, seatings: Sequence[Seating]) -> None:
        # A table that goes is deleted, unless an append-only record refers to it: then it is dissolved.
        tables = _locked_tables(evening)
        wanted = {seating.number: seating.players for seating in seatings}
        changing = [card_table for number, card_table in tables.items() if _players(card_table) != wanted.get(number)]
        _check_not_begun(changing)
        _ensure_accounts(evening, seatings)
        gone = [table for table in changing if table.number not in wanted]
        _remove([table for table in gone if not table.dissolved])
        for table in changing:
            if table.number in wanted:
                _seat(table, wanted[table.number])
        new = {number: players for number, players in wanted.items() if number not in tables}
        tables_create(evening=evening, seatings=new)

    def substitute(self, evening: Evening, left: int, came: int) -> None:
        tables = [table for table in _locked_tables(evening).values() if left in _players(table)]
        _check_not_begun(tables)
        ledger.ensure_player_accounts(evening.club_id, [came])
        for table in tables:
            _seat(table, tuple(came if player == left else player for player in _players(table)))

    def states(self, evening: Evening) -> dict[int, TableState]:
        rows = Table.objects.filter(evening=evening, dissolved=False).order_by("number").prefetch_related("places")
        tables = list(rows)
        holders = {
            held.table_id: str(held.holder)
            for held in Pencil.objects.filter(
                table__evening=evening, seen_at__gt=timezone.now() - pencil.LAPSES
            ).select_related("holder")
        }
        results = ResultRow.objects.filter(evening=evening).order_by().values_list("player_id")
        chips = dict(results.annotate(chips=Sum("change_minor")))
        return {
            table.number: TableState(
                number=table.number,
                table_id=table.pk,
                players=_players(table),
                hands=table.hands,
                pot=table.pot_minor,
                chips={player: chips.get(player, 0) for player in _players(table)},
                address=reverse("table", kwargs={"club": evening.club.slug, "table": table.pk}),
                recorder=holders.get(table.pk, ""),
                last_hand=table.last_hand,
            )
            for table in tables
        }

    def close(
        self, evening: Evening, *, divide_pots: bool, sheets: Mapping[int, SheetResult], author: User | None
    ) -> None:
        tables = _locked_tables(evening)
        _check_not_begun([tables[number] for number in sheets if number in tables])
        result = [
            TableSheet(number, (str(sheet.source), sheet.revision), dict(sheet.chips), sheet.pot)
            for number, sheet in sorted(sheets.items())
        ]
        closing.round_close(evening=evening, author=author, divided=divide_pots, sheets=result)

    def reopen(self, evening: Evening, *, author: User | None, reason: str) -> None:
        closing.round_reopen(evening=evening, author=author, reason=reason)


def _ensure_accounts(evening: Evening, seatings: Iterable[Seating]) -> None:
    players = sorted({player for seating in seatings for player in seating.players})
    ledger.ensure_player_accounts(evening.club_id, players)


def _locked_tables(evening: Evening) -> dict[int, Table]:
    """The tables of the evening by number, locked after the evening, as in every service that seats a player."""
    chains.lock_evening(evening.pk)
    rows = Table.objects.select_for_update().filter(evening=evening).order_by("pk").prefetch_related("places")
    return {table.number: table for table in rows}


def _players(table: Table) -> tuple[int, ...]:
    """The players by seat; none of a dissolved table. The places are prefetched."""
    return () if table.dissolved else tuple(place.player_id for place in table.places.all())


def _check_not_begun(tables: Iterable[Table]) -> None:
    for table in sorted(tables, key=lambda item: item.number):
        if table.hands and not table.dissolved:
            raise TableBegun(table.number)


def _seat(table: Table, players: Sequence[int]) -> None:
    """Seat these players at a table without hands; the first one deals first."""
    table.places.all().delete()
    Place.objects.bulk_create(Place(table=table, seat=seat, player_id=player) for seat, player in enumerate(players))
    table.first_dealer_id = table.dealer_id = players[0]
    table.deal_number, table.dealer_set, table.dissolved, table.last_hand = 1, False, False, False
    table.paused_at = None
    table.save()


def _remove(tables: Sequence[Table]) -> None:
    """Delete tables without hands. A table to which an append-only record refers is dissolved."""
    kept = set(Hand.objects.filter(table__in=tables).values_list("table_id", flat=True))
    kept |= set(Happening.objects.filter(table__in=tables).values_list("table_id", flat=True))
    dissolved = [table.pk for table in tables if table.pk in kept]
    Table.objects.filter(pk__in=dissolved).update(dissolved=True)
    gone = [table for table in tables if table.pk not in kept]
    Table.objects.filter(pk__in=[table.pk for table in gone]).delete()
    Account.objects.filter(pk__in=[table.pot_account_id for table in gone]).delete()
