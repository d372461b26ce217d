"""A record of Kratzen without one step and without all that came after it."""

import re
from copy import deepcopy
from typing import Final

from engine.errors import Fault
from engine.kratzen.cutting import cut
from engine.kratzen.players import check_players
from engine.record import KratzenFull, read_kratzen
from engine.seats import order_from
from engine.steps.kratzen import EXCHANGING, claimed_at, declared
from engine.steps.scenes import Record

_PLACE: Final = re.compile(
    r"(cuts|deal\.hands|deal\.turned|calls|new_trump|last_word|answers|exchanges|play)"
    r"(?:\[(\d+)\])?(?:\.([a-z]+))?(?:\[(\d+)\])?"
)
_FIELDS: Final = ("cuts", "deal", "calls", "new_trump", "answers", "exchanges", "play")
"""The fields in the order of play; the last word goes with the answers."""


def cut_back(record: Record, at: str) -> Record | None:
    """A full record without the step at a place and all that came after it; None for a place that is no step.

    Of an exchange what was told before the field at the place stays: ``"exchanges[1].drop"`` leaves the cards drawn.
    """
    found = _PLACE.match(at)
    if found is None:
        return None
    part, first, second = found[1], int(found[2] or 0), int(found[4] or 0)
    new = deepcopy({name: value for name, value in record.items() if name != "claimed"})
    field = {"deal.hands": "deal", "deal.turned": "deal", "last_word": "answers"}.get(part, part)
    later = _FIELDS[_FIELDS.index(field) + 1 :]
    goes_on = any(record.get(name) for name in later)
    for name in later:
        if name == "deal":
            new["deal"] = {"hands": [[] for _ in new["deal"]["hands"]], "turned": []}
        else:
            new.pop(name, None)
    if "answers" in later:
        new.pop("last_word", None)
    if found[2] is None and part == field and goes_on:
        # The field as a whole: perhaps it only ends too early for what comes after it.
        return _pruned(new)
    if part == "last_word" or part == "answers":
        _answers_back(new, None if part == "last_word" else first)
    elif part == "deal.hands":
        new["deal"] = {"hands": _hands_back(new, first), "turned": []}
    elif part == "deal.turned":
        new["deal"]["turned"] = new["deal"]["turned"][:first]
    elif part == "play":
        tricks = new.get("play", [])
        new["play"] = [*tricks[:first], *([tricks[first][:second]] if second and first < len(tricks) else [])]
    else:
        new[field] = new.get(field, [])[:first] + _exchange_back(new.get(field, [])[first:], found[3])
    return _pruned(new)


def last_answer(record: Record, at: str) -> str:
    """The place of the last answer within the step at a place: in an exchange the field that was told last."""
    found = _PLACE.match(at)
    if found is None or found[1] != "exchanges":
        return at
    entry = record["exchanges"][int(found[2] or 0)]
    return next((f"{at}.{field}" for field in reversed(EXCHANGING) if field in entry), at)


def _exchange_back(entries: list[Record], field: str | None) -> list[Record]:
    """What is left of the first of some exchanges without a field of it and all that comes after that."""
    if field not in EXCHANGING or not entries or field not in entries[0]:
        return []
    kept = ("seat", "discard", *EXCHANGING[: EXCHANGING.index(field)])
    entry = {name: value for name, value in entries[0].items() if name in kept}
    return [entry] if len(entry) > 1 else []


def _pruned(record: Record) -> Record:
    return {name: value for name, value in record.items() if value != [] or name == "cuts"}


def _answers_back(new: Record, first: int | None) -> None:
    """The answers before one of them, or before the last word was claimed (None)."""
    last, calls = new.get("last_word"), new.get("calls", [])
    claimed = 0
    if last is not None and calls:
        claimed = max(0, claimed_at(last, declared(calls)[0], new["seats"]))
    new["answers"] = new.get("answers", [])[: claimed if first is None else first]
    if first is None or first < claimed:
        new.pop("last_word", None)


def _hands_back(new: Record, first: int) -> list[list[str]]:
    """The hands that were dealt before a seat's."""
    dealt_first = (_dealer(new) + 1) % new["seats"]
    order = order_from(dealt_first, new["seats"])
    return [hand if order.index(seat) < order.index(first) else [] for seat, hand in enumerate(new["deal"]["hands"])]


def _dealer(record: Record) -> int:
    table = read_kratzen(record).table
    done = cut(table.rules, seats=table.seats, dealer=table.dealer, cuts=table.cuts, with_symbols=False, is_over=False)
    return done.dealer


def is_shaped(record: Record) -> bool:
    """Whether its fields are of the right types (R1) and its table can be (R3, K1.1), so that it can be cut."""
    try:
        hand = read_kratzen(record)
        check_players(hand.table.seats, hand.table.dealer)
    except Fault:
        return False
    return isinstance(hand, KratzenFull) and len(hand.hands) == hand.table.seats
