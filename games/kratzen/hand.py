"""A settled hand of Kratzen: the call of the declarer, and whether a seven decided the trump."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine_bridge import goal_of


def game_type_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> str | None:
    """The declarer's call in a hand of Kratzen (K5.2), or None."""
    if "deal" not in record:
        named: str | None = record.get("game_type")
        return named
    return next((call for seat, call in record.get("calls", []) if seat == result["declarer"]), None)


def is_siebenermuss(record: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    """True if a seven decided the trump, so that one trick is enough for everybody (K4.2, K5.3)."""
    return bool(result["muss"]) and goal_of(record, result, result["declarer"]) == 1
