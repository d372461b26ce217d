"""The house rules that changed the amounts of a hand of Kratzen."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.game import HALF, REMAINDER, Effect
from engine.kratzen.players import TRICKS
from engine.kratzen.rules import house_rules
from engine.kratzen.settlement import TO_DECLARER, amount_at_stake
from engine.pot import equal_shares


def effects(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the half of a large pot, and the remainder of its quarters (K8.3, K8.5)."""
    if result["outcome"] == "passed_out":
        return
    rules = house_rules(record.get("rules", {}))
    at_stake = amount_at_stake(rules, result["pot"], result["muss"])
    if at_stake != result["pot"]:
        yield Effect(HALF, at_stake)
    _quarter, remainder = equal_shares(at_stake, TRICKS, rules.coin)
    if remainder and not result["muss"]:
        yield Effect(REMAINDER, remainder, result["declarer"] if rules.remainder == TO_DECLARER else None)
