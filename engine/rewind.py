"""Going back in a hand that is told step by step: without the last step, or as far as nothing is wrong."""

import re
from copy import deepcopy
from typing import Final

from engine.chratze.players import check_players
from engine.errors import Fault
from engine.record import Full, read_chratze
from engine.seats import order_from
from engine.steps import Record, kratzen_back, walk
from engine.tricks import TRICKS

_PLACE: Final = re.compile(r"(deal\.hands|deal\.turned|calls|exchanges|rob|play)(?:\[(\d+)\])?[.a-z]*(?:\[(\d+)\])?")
_PARTS: Final = ("deal.hands", "deal.turned", "calls", "exchanges", "rob", "play")


def cut(record: Record, at: str) -> Record | None:
    """A full record without the step at a place and without all that came after it; None for a place that is no step.

    Taking the last step of `walk` back is ``cut(record, scenes[-1].step.at)``.
    """
    if record.get("game") == "kratzen":
        return kratzen_back.cut_back(record, at)
    found = _PLACE.match(at)
    if found is None:
        return None
    part, first, second = found[1], int(found[2] or 0), int(found[3] or 0)
    new = deepcopy({name: value for name, value in record.items() if name != "claimed"})
    later = _PARTS[_PARTS.index(part) + 1 :]
    for name in ("exchanges", "rob", "play"):
        if name in later and not (name == "rob" and _robbed_by_then(record, first)):
            new.pop(name, None)
    if part == "play" and "play" in new:
        tricks = new["play"]
        begun = [tricks[first][:second]] if found[2] and second else []
        new["play"] = [*tricks[: first if found[2] else TRICKS], *begun]
    elif part == "rob":
        new.pop("rob", None)
    elif part == "exchanges":
        new["exchanges"] = new.get("exchanges", [])[:first]
    elif part == "calls":
        new["calls"] = new.get("calls", [])[: first if found[2] else None]
        _turn_back(new)
    elif part == "deal.turned":
        new["deal"]["turned"] = new["deal"]["turned"][: first if found[2] else None]
        if found[2]:
            new["calls"] = new.get("calls", [])[: first * record["seats"]]
        _turn_back(new)
    else:
        new.pop("calls", None)
        new["deal"]["turned"] = []
        order = order_from((record["dealer"] + 1) % record["seats"], record["seats"])
        for seat in order[order.index(first) :] if first in order else order:
            new["deal"]["hands"][seat] = []
    return {name: value for name, value in new.items() if value != [] or name == "deal"}


def last_answer(record: Record, at: str) -> str:
    """The place to `cut` for taking back the last answer alone, from the place of the last step of `walk`."""
    return kratzen_back.last_answer(record, at) if record["game"] == "kratzen" else at


def _robbed_by_then(record: Record, number: int) -> bool:
    """Whether the turned card was taken before the first of the exchanges that are cut off."""
    rob, entries = record.get("rob", {}), record.get("exchanges", [])
    declarer = next((seat for seat, word in record.get("calls", []) if word == "chratze"), None)
    if rob.get("when") != "before" or declarer is None or number >= len(entries):
        return False
    seats = record["seats"]
    return bool((rob["seat"] - declarer) % seats <= (entries[number]["seat"] - declarer) % seats)


def _turn_back(record: Record) -> None:
    """No more turned cards than rounds were spoken (C2.4)."""
    words = [word for _, word in record["calls"]] if "calls" in record else []
    rounds = (words.index("chratze") if "chratze" in words else len(words)) // record["seats"]
    turned = record["deal"]["turned"]
    record["deal"]["turned"] = turned[: 1 if record.get("blind") else rounds + 1]


def sound(record: Record) -> Record | None:
    """As much of a full record as breaks no clause, to go on from; None where nothing can be kept."""
    try:
        walk(record)
    except Fault as fault:
        # A cut only takes away, so that this ends; one that takes nothing away helps no further.
        shorter = cut(record, fault.at) if _shaped(record) else None
        return None if shorter is None or shorter == record else sound(shorter)
    return record


def _shaped(record: Record) -> bool:
    """Whether its fields are of the right types (R1) and its table can be (R3, C1.1), so that it can be cut."""
    if record.get("game") == "kratzen":
        return kratzen_back.is_shaped(record)
    try:
        hand = read_chratze(record)
        check_players(hand.table)
    except Fault:
        return False
    return isinstance(hand, Full) and len(hand.hands) == hand.table.seats
