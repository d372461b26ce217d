"""Chratze: how the luck of a hand is measured."""

from __future__ import annotations

from typing import Final

from league.played_games import CHRATZE

from ..engine_bridge import Record, Result
from ..game.luck import Luck


def _call(record: Record, result: Result) -> str:
    return str(result["blind"] or CHRATZE.name)


def _tally(record: Record, result: Result) -> Record:
    return {"declarer": result["declarer"], "joiners": result["joiners"], "blind": result["blind"]}


LUCK: Final = Luck(_call, _tally)
