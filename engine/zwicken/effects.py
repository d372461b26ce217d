"""The house rules that changed the amounts of a hand of Zwicken."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.game import REMAINDER, Effect
from engine.pot import equal_shares
from engine.zwicken.players import TRICKS
from engine.zwicken.rules import DEALER, house_rules


def effects(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the indivisible remainder that stays in the pot (Z4.3, Z7.1)."""
    rules, outcome = house_rules(record.get("rules", {})), result["outcome"]
    if outcome == "walkover" or (outcome == "passed_out" and rules.nobody != DEALER):
        return
    _share, remainder = equal_shares(result["pot"], TRICKS if outcome == "played" else 1, rules.coin)
    if remainder:
        yield Effect(REMAINDER, remainder)
