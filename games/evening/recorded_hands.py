"""What statistics and records read of stored hands, for the league, which knows no tables."""

from __future__ import annotations

from league.models import HouseRules

from .. import engine_bridge
from .rule_sentences import Antes


class StoredRecords:
    """The port `league.standings.recorded_hands`. The valid revision of a hand is that of its result rows' posting."""

    JOIN = """JOIN games_revision revision ON revision.posting_id = hand.posting_id
    JOIN games_hand stored ON stored.id = revision.hand_id
    JOIN games_table played_at ON played_at.id = stored.table_id"""
    TABLE = "played_at.number"
    NUMBER = "stored.number"
    DEALER = "CAST(revision.record ->> 'dealer' AS integer)"
    POT = "CAST(revision.result ->> 'pot' AS bigint)"

    def ante_minor(self, rules: HouseRules) -> int:
        """Return the ante of house rules, in Rappen."""
        return self._antes(rules).ante_minor

    def in_antes(self, amount_minor: int, rules: HouseRules) -> str:
        """Format an amount as a number of antes."""
        return self._antes(rules).show(amount_minor)

    def _antes(self, rules: HouseRules) -> Antes:
        return Antes.of(engine_bridge.house_rules(rules.game, rules.values), rules.game)
