"""The data of stored hands for statistics and records of the league, which has no tables."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from league.models import HouseRules, Season

from .. import engine_bridge
from ..game.amounts import Antes
from ..models import Hand, Table
from .rule_sentences import antes_of


class StoredRecords:
    """The port `league.standings.recorded_hands`. The valid revision of a hand is that of its result rows' posting."""

    JOIN = """JOIN games_revision revision ON revision.posting_id = hand.posting_id
    JOIN games_hand stored ON stored.id = revision.hand_id
    JOIN games_table played_at ON played_at.id = stored.table_id"""
    TABLE = "played_at.number"
    NUMBER = "stored.number"
    DEALER = "CAST(revision.record ->> 'dealer' AS integer)"
    POT = "CAST(revision.result ->> 'pot' AS bigint)"
    # From evening to table to hand to revision, each by an index: the hands of other tables are not read.
    AT_TABLE = """SELECT revision.posting_id FROM league_evening evening
    JOIN games_table played_at ON played_at.evening_id = evening.id AND played_at.number = %(table)s
    JOIN games_hand stored ON stored.table_id = played_at.id
    JOIN games_revision revision ON revision.hand_id = stored.id
    WHERE evening.season_id = %(season)s"""

    def table_numbers(self, season: Season) -> list[int]:
        """Return the numbers of the tables of this season's evenings. One query."""
        tables = Table.objects.filter(evening__season=season).order_by("number")
        return list(tables.values_list("number", flat=True).distinct())

    def places(self, hands: Collection[uuid.UUID]) -> dict[uuid.UUID, tuple[int, int]]:
        """Return table and number of those of these ids that are hands. One query."""
        rows = Hand.objects.filter(pk__in=hands).values_list("pk", "table__number", "number")
        return {hand: (table, number) for hand, table, number in rows}

    def ante_minor(self, rules: HouseRules) -> int:
        """Return the ante of house rules, in Rappen."""
        return self._antes(rules).ante_minor

    def in_antes(self, amount_minor: int, rules: HouseRules) -> str:
        """Format an amount as a number of antes."""
        return self._antes(rules).show(amount_minor)

    def _antes(self, rules: HouseRules) -> Antes:
        return antes_of(engine_bridge.house_rules(rules.game, rules.values), rules.game)
