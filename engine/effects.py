"""The house rules that changed the amounts of a hand: half of a large pot, the limit, rounding, the remainder.

A result has amounts only; these functions name the rules behind them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.game import HALF, LIMIT, REMAINDER, ROUNDING, Effect
from engine.games import BY_NAME
from engine.replay import replay

__all__ = ["HALF", "LIMIT", "REMAINDER", "ROUNDING", "Effect", "effects"]


def effects(record: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[Effect, ...]:
    """Return the house rules that changed the amounts of a hand, in the order in which they apply.

    ``record`` is complete and valid, ``result`` is its result.

    >>> hand = {"game": "chratze", "seats": 5, "dealer": 4, "pot_before": 0, "declarer": 0, "joiners": [1]}
    >>> effects(hand | {"made": [0, 1]}, replay(hand | {"made": [0, 1]}))
    (Effect(kind='rounding', amount=80, seat=None),)
    """
    return (*BY_NAME[record["game"]].effects(record, result), *_limit(record, result))


def _limit(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the limit of the pot if the penalties would be others without it (C6.7, K8.4)."""
    rules = record.get("rules", {})
    limit = rules.get("pot_limit")
    if limit is None:
        return
    unlimited = {name: value for name, value in record.items() if name != "claimed"}
    unlimited["rules"] = {**rules, "pot_limit": None}
    if replay(unlimited)["deltas"] != result["deltas"]:
        yield Effect(LIMIT, limit)
