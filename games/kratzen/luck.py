"""Kratzen: how the luck of a hand is measured."""

from __future__ import annotations

from typing import Final

from league.luck.situations import MUSS, SIEBENERMUSS

from ..engine_bridge import Record, Result
from ..game.luck import Luck
from .hand import game_type_of, is_siebenermuss


def _call(record: Record, result: Result) -> str:
    if result["muss"]:
        return SIEBENERMUSS if is_siebenermuss(record, result) else MUSS
    return str(game_type_of(record, result))


def _tally(record: Record, result: Result) -> Record:
    return {
        "declarer": result["declarer"],
        "joiners": result["joiners"],
        "cuts": record.get("cuts", []),
        "seven": is_siebenermuss(record, result),
        "game_type": game_type_of(record, result),
    }


LUCK: Final = Luck(_call, _tally)
