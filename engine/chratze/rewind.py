"""Remove steps from the end of a full record of Chratze."""

import re
from copy import deepcopy
from typing import Final

from engine.chratze.players import TRICKS, check_players
from engine.chratze.record import Full, read
from engine.errors import Fault
from engine.game import Rewind
from engine.scenes import Record
from engine.seats import order_from

_PLACE: Final = re.compile(r"(deal\.hands|deal\.turned|calls|exchanges|rob|play)(?:\[(\d+)\])?[.a-z]*(?:\[(\d+)\])?")
_PARTS: Final = ("deal.hands", "deal.turned", "calls", "exchanges", "rob", "play")


def truncate(record: Record, path: str) -> Record | None:
    """Return a full record without the step at a place and all later steps; None if the place is not that of a step."""
    match = _PLACE.match(path)
    if match is None:
        return None
    part, first, second = match[1], int(match[2] or 0), int(match[3] or 0)
    new = deepcopy({name: value for name, value in record.items() if name != "claimed"})
    later = _PARTS[_PARTS.index(part) + 1 :]
    for name in ("exchanges", "rob", "play"):
        if name in later and not (name == "rob" and part == "exchanges" and _robbed_before(record, first)):
            new.pop(name, None)
    if part == "play":
        tricks = new.get("play", [])
        unfinished = [tricks[first][:second]] if match[2] and second else []
        new["play"] = [*tricks[: first if match[2] else TRICKS], *unfinished]
    elif part == "rob":
        new.pop("rob", None)
    elif part == "exchanges":
        new["exchanges"] = new.get("exchanges", [])[:first]
    elif part == "calls":
        new["calls"] = new.get("calls", [])[: first if match[2] else None]
        _remove_unused_turned_cards(new)
    elif part == "deal.turned":
        new["deal"]["turned"] = new["deal"]["turned"][: first if match[2] else None]
        if match[2]:
            new["calls"] = new.get("calls", [])[: first * record["seats"]]
        _remove_unused_turned_cards(new)
    else:
        new.pop("calls", None)
        new["deal"]["turned"] = []
        order = order_from((record["dealer"] + 1) % record["seats"], record["seats"])
        for seat in order[order.index(first) :] if first in order else order:
            new["deal"]["hands"][seat] = []
    return {name: value for name, value in new.items() if value != [] or name == "deal"}


def _robbed_before(record: Record, number: int) -> bool:
    """Return True if the turned card was taken before the exchange with this number, the first one to be removed."""
    rob, entries = record.get("rob", {}), record.get("exchanges", [])
    declarer = next((seat for seat, word in record.get("calls", []) if word == "chratze"), None)
    if rob.get("when") != "before" or declarer is None or number >= len(entries):
        return False
    seats = record["seats"]
    return bool((rob["seat"] - declarer) % seats <= (entries[number]["seat"] - declarer) % seats)


def _remove_unused_turned_cards(record: Record) -> None:
    """Remove turned cards after the current round of calls (C2.4)."""
    words = [word for _, word in record["calls"]] if "calls" in record else []
    rounds = (words.index("chratze") if "chratze" in words else len(words)) // record["seats"]
    turned = record["deal"]["turned"]
    record["deal"]["turned"] = turned[: 1 if record.get("blind") else rounds + 1]


def place_of_last_answer(record: Record, path: str) -> str:
    """Return the place of the last answer within a step: each step is one answer."""
    return path


def can_be_truncated(record: Record) -> bool:
    """Return True if the types (R1) and the table (R3, C1.1) of a record are valid, so that steps can be removed."""
    try:
        hand = read(record)
        check_players(hand.table)
    except Fault:
        return False
    return isinstance(hand, Full) and len(hand.hands) == hand.table.seats


REWIND: Final = Rewind(truncate, can_be_truncated, place_of_last_answer)
