"""Zwicken: how the luck of a hand is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from league.luck.situations import MUSS

from ..engine_bridge import Record, Result
from ..game.luck import Luck


def _call(record: Record, result: Result) -> str:
    return MUSS if result["muss"] else "mit"


def _tally(record: Record, result: Result) -> Record:
    cuts = {"cuts": record["cuts"]} if "cuts" in record else {}
    return cuts if result["muss"] else {**cuts, "players": result["joiners"]}


def _apart(result: Result) -> Sequence[int]:
    """Return what is paid for a lost Belli (Z7.3): tricks do not say who held it."""
    paid = [0] * len(result["deltas"])
    for line in result["lines"]:
        if line["kind"] == "seven":
            paid[line["seat"]] += line["amount"]
    return paid


LUCK: Final = Luck(_call, _tally, _apart)
