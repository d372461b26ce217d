"""The mistakes in records of Chratze, for the difference finder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..engine_bridge import Record
from ..game.declared_mistakes import DeclaredMistakes, without_declarer
from ..game.mistakes import Given, Idea, counted


def tally_of(record: Given, result: Given) -> Record:
    """The tally of a hand, also of one whose record has its cards."""
    if result["declarer"] is None:
        return without_declarer(record)
    tally: Record = {"declarer": result["declarer"], "joiners": list(result["joiners"])}
    if result["blind"]:
        tally["blind"] = result["blind"]
    if tally["joiners"] and result["tricks"] is not None:
        tally["tricks"] = counted(dict(enumerate(result["tricks"])))
    elif tally["joiners"]:
        tally["made"] = list(record["made"])
    return tally


def _other_blind(tally: Record, record: Given, result: Given) -> Iterator[Idea]:
    if tally["declarer"] != record["dealer"]:
        return
    for kind in (None, "blind", "double"):
        if kind != result["blind"]:
            sent = {name: value for name, value in tally.items() if name != "blind"}
            yield Idea("blind", sent | ({"blind": kind} if kind else {}), (tally["declarer"],), kind is not None)


MISTAKES: Final = DeclaredMistakes(tally_of, others=_other_blind).mistakes()
