"""The cuts in a tally of Zwicken (Z2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import engine_bridge
from ..engine_bridge import Record, Start
from .hand_form import cuts_of


def moves_deal(rules: Mapping[str, Any]) -> bool:
    """True if the cut moves the deal by the house rules."""
    return bool(engine_bridge.house_rules("zwicken", rules)["cut_moves"])


def cut_field(start: Start, shown: str) -> Record:
    """The field `cuts` of a tally; none where no cut moves the deal, unless one was entered."""
    return {"cuts": cuts_of(shown)} if shown or moves_deal(start.rules) else {}
