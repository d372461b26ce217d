"""The hands of a file, stored and taken back with the services of the games. It implements
`league.imports.hands.ImportedHands`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from league import ledger
from league.imports.columns import Column
from league.imports.hands import CheckedEvening, CheckedTable, Person, Played, TableRows
from league.models import Evening, HouseRules, Player, ResultRow, User
from league.tournaments.tables import HandRecord, TableRecords

from .. import engine_bridge
from ..closing.services import imported_close, imported_reopen
from ..hands import chain as chains
from ..hands import storage
from ..hands.tables import table_create
from ..hands.valid_hands import table_replay, valid_hands
from ..models import Revision, Table
from ..offered import game_of
from . import checking

OF_THE_CHAIN = ("game", "rules", "seats", "pot_before", "deal_number")
"""The fields of a record that follow from the evening and from the hands before it."""


class FileHands:
    """Hands that come from a file: `league.imports.hands` says what each method does."""

    def columns(self, game: str) -> Sequence[Column]:
        return game_of(game).records.cells.columns

    def needed(self, game: str) -> Sequence[Sequence[str]]:
        return game_of(game).records.cells.needed

    def sample(self, game: str) -> Sequence[Sequence[str]]:
        """Return a file of an evening without its date: a heading, and the rows of some hands."""
        return game_of(game).records.cells.sample

    def check(self, rules: HouseRules, tables: Sequence[TableRows], *, points_only: bool) -> CheckedEvening:
        return checking.check(rules, tables, points_only=points_only)

    def played(self, evenings: Sequence[Evening]) -> Mapping[int, Played]:
        tables = list(Table.objects.filter(evening__in=evenings))
        hands = valid_hands(tables)
        by_evening: dict[int, dict[int, list[tuple[tuple[Person, ...], str]]]] = {}
        for table in tables:
            rows = [(hand.players, _said(hand.record)) for hand in hands.get(table.pk, ())]
            by_evening.setdefault(table.evening_id, {})[table.number] = rows  # type: ignore[assignment]
        return by_evening

    def as_played(self, checked: CheckedEvening) -> Played:
        return {table.number: [(hand.players, _said(hand.record)) for hand in table.hands] for table in checked.tables}

    def store(
        self, evening: Evening, checked: CheckedEvening, players: Mapping[str, int], *, author: User | None
    ) -> None:
        ids = {
            player: _id(player, players) for table in checked.tables for hand in table.hands for player in hand.players
        }
        accounts = ledger.ensure_player_accounts(evening.club_id, sorted(set(ids.values())))
        people = Player.objects.in_bulk(set(ids.values()))
        present: list[int] = []
        for table in checked.tables:
            records = _records(table, ids)
            seated = [people[player] for player in records.hands[0].players]
            first = people[ids[table.first_dealer]]
            made = table_create(evening=evening, players=seated, first_dealer=first, number=table.number)
            table_replay(made.pk, records, accounts, author)
            present += [player for player in records.players if player not in present]
        imported_close(evening=evening, author=author, present=present)

    def lock(self, evenings: Sequence[int]) -> None:
        for evening in sorted(evenings):
            chains.lock_evening(evening)
        list(Table.objects.select_for_update().filter(evening__in=evenings).order_by("pk"))

    def take_back(self, evening: Evening, *, author: User | None) -> None:
        imported_reopen(evening=evening, author=author)
        for table in Table.objects.filter(evening=evening).order_by("number"):
            table.evening = evening
            _void_all(table, author)
        # An evening without hands: its receipt has none.
        imported_close(evening=evening, author=author, present=())


def _said(record: Mapping[str, Any]) -> str:
    """Return the calls and results of a hand, as text."""
    kept = {name: value for name, value in record.items() if name not in OF_THE_CHAIN and value not in (None, [], "")}
    return json.dumps(kept, sort_keys=True)


def _id(person: Person, added: Mapping[str, int]) -> int:
    return person if isinstance(person, int) else added[person]


def _records(table: CheckedTable, ids: Mapping[Person, int]) -> TableRecords:
    hands = tuple(
        HandRecord(tuple(ids[player] for player in hand.players), hand.record, dealer_set=hand.dealer_set)
        for hand in table.hands
    )
    return TableRecords(
        number=table.number, players=hands[-1].players, dealer=ids[table.next_dealer], dealer_set=False, hands=hands
    )


def _void_all(table: Table, author: User | None) -> None:
    """Void the hands of a table, the last one first: it is as it was before its first hand."""
    revisions = Revision.objects.filter(hand__table=table, kind=Revision.Kind.ENTERED).order_by("-hand__number")
    valid = list(revisions.select_related("hand", "posting").prefetch_related("seats", "posting__transfers"))
    ResultRow.objects.filter(source__in=[revision.hand_id for revision in valid]).delete()
    hashes = [engine_bridge.body_hash(["import", "void", str(revision.hand_id)]) for revision in valid]
    claims = ledger.new_claims(table.evening.club_id, author, hashes)
    for revision, claim in zip(valid, claims, strict=True):
        storage.void_cleared(table, revision, storage.Cause(author, claim))
    table.hands = table.pot_minor = table.moved_minor = 0
    table.dealer_id, table.deal_number, table.dealer_set = table.first_dealer_id, 1, False
    table.save(update_fields=chains.CHAIN_COLUMNS)
