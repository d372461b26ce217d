"""The tally of a stored hand: what a recorder notes, without the fields that follow from the hands before it."""

from __future__ import annotations

from typing import Any

from .. import engine_bridge
from ..offered import game_of
from .selectors import HandView

CHAIN_FIELDS = ("game", "rules", "seats", "dealer", "pot_before", "deal_number")
"""The fields of a record that the chain decides; a recorder enters the others."""


def tally_of(hand: HandView) -> dict[str, Any]:
    """The record of a hand without the fields of the chain; of one with cards, its tally."""
    record = hand.record
    if not engine_bridge.has_cards(record):
        return {name: value for name, value in record.items() if name not in (*CHAIN_FIELDS, "claimed")}
    return game_of(hand.game).records.tally_of(record, hand.result)
