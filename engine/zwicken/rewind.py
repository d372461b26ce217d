"""Remove steps from the end of a full record of Zwicken."""

import re
from copy import deepcopy
from typing import Final

from engine.errors import Fault
from engine.game import Rewind
from engine.scenes import Record
from engine.zwicken.cutting import cut
from engine.zwicken.players import check_players
from engine.zwicken.record import Full, read
from engine.zwicken.speaking import order_after

_PLACE: Final = re.compile(
    r"(cuts|deal\.hands|deal\.turned|answers|exchanges|play)(?:\[(\d+)\])?(?:\.([a-z]+))?(?:\[(\d+)\])?"
)
_PARTS: Final = ("cuts", "deal.hands", "deal.turned", "answers", "exchanges", "play")


def truncate(record: Record, path: str) -> Record | None:
    """Return a full record without the step at a place and all later steps; None if the place is not that of a step.

    The discards of an exchange stay if the place is that of the cards drawn: ``"exchanges[1].draw"``.
    """
    match = _PLACE.match(path)
    if match is None:
        return None
    part, first, second = match[1], int(match[2] or 0), int(match[4] or 0)
    new = deepcopy({name: value for name, value in record.items() if name != "claimed"})
    later = _PARTS[_PARTS.index(part) + 1 :]
    removed = [new.pop(name, None) for name in ("answers", "exchanges", "play") if name in later]
    if "deal.turned" in later:
        new["deal"]["turned"] = None
    if "deal.hands" in later:
        new["deal"]["hands"] = [[] for _ in new["deal"]["hands"]]
    if match[2] is None and part in ("cuts", "answers") and any(removed):
        # The fault is at the field as a whole: its entries may be right and only too few for the later fields.
        return _without_empty_fields(new)
    if part == "deal.turned":
        new["deal"]["turned"] = None
    elif part == "deal.hands":
        new["deal"]["hands"] = _hands_before(new, first)
    elif part == "exchanges":
        entries = new.get("exchanges", [])
        new["exchanges"] = entries[:first] + _exchange_before(entries[first:], match[3])
    elif part == "play":
        tricks = new.get("play", [])
        new["play"] = [*tricks[:first], *([tricks[first][:second]] if second and first < len(tricks) else [])]
    else:
        new[part] = new.get(part, [])[:first]
    return _without_empty_fields(new)


def place_of_last_answer(record: Record, path: str) -> str:
    """Return the place of the last answer within a step: in an exchange the place of the cards drawn."""
    match = _PLACE.match(path)
    if match is None or match[1] != "exchanges":
        return path
    return f"{path}.draw" if record["exchanges"][int(match[2] or 0)].get("draw") else path


def _exchange_before(entries: list[Record], field: str | None) -> list[Record]:
    """Return the first of some exchanges without its draw; nothing if another field is the first to go."""
    if field != "draw" or not entries or not entries[0].get("draw"):
        return []
    return [{name: value for name, value in entries[0].items() if name != "draw"}]


def _without_empty_fields(record: Record) -> Record:
    return {name: value for name, value in record.items() if value != [] or name == "cuts"}


def _hands_before(new: Record, first: int) -> list[list[str]]:
    """Return the hands, emptied from a seat on, in the order of dealing."""
    order = order_after(_dealer(new), new["seats"])
    kept = order[: order.index(first)] if first in order else []
    return [hand if seat in kept else [] for seat, hand in enumerate(new["deal"]["hands"])]


def _dealer(record: Record) -> int:
    table = read(record).table
    done = cut(table.rules, seats=table.seats, dealer=table.dealer, cuts=table.cuts, with_symbols=False, is_over=False)
    return done.dealer


def can_be_truncated(record: Record) -> bool:
    """Return True if the types (R1) and the table (R3, Z1.1) of a record are valid, so that steps can be removed."""
    try:
        hand = read(record)
        check_players(hand.table.seats, hand.table.dealer)
    except Fault:
        return False
    return isinstance(hand, Full) and len(hand.hands) == hand.table.seats


REWIND: Final = Rewind(truncate, can_be_truncated, place_of_last_answer)
