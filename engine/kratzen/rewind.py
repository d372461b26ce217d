"""Remove steps from the end of a full record of Kratzen."""

import re
from copy import deepcopy
from typing import Final

from engine.errors import Fault
from engine.game import Rewind
from engine.kratzen.cutting import cut
from engine.kratzen.players import check_players
from engine.kratzen.record import Full, read
from engine.kratzen.steps import EXCHANGE_FIELDS, highest_call, last_word_position
from engine.scenes import Record
from engine.seats import order_from

_PLACE: Final = re.compile(
    r"(cuts|deal\.hands|deal\.turned|calls|new_trump|last_word|answers|exchanges|play)"
    r"(?:\[(\d+)\])?(?:\.([a-z]+))?(?:\[(\d+)\])?"
)
_FIELDS: Final = ("cuts", "deal", "calls", "new_trump", "answers", "exchanges", "play")
"""The fields in the order of play; the field ``last_word`` belongs to ``answers``."""


def truncate(record: Record, path: str) -> Record | None:
    """Return a full record without the step at a place and all later steps; None if the place is not that of a step.

    Earlier fields of an exchange stay: ``"exchanges[1].drop"`` keeps the cards drawn.
    """
    match = _PLACE.match(path)
    if match is None:
        return None
    part, first, second = match[1], int(match[2] or 0), int(match[4] or 0)
    new = deepcopy({name: value for name, value in record.items() if name != "claimed"})
    field = {"deal.hands": "deal", "deal.turned": "deal", "last_word": "answers"}.get(part, part)
    later = _FIELDS[_FIELDS.index(field) + 1 :]
    has_later_fields = any(record.get(name) for name in later)
    for name in later:
        if name == "deal":
            new["deal"] = {"hands": [[] for _ in new["deal"]["hands"]], "turned": []}
        else:
            new.pop(name, None)
    if "answers" in later:
        new.pop("last_word", None)
    if match[2] is None and part == field and has_later_fields:
        # The fault is at the field as a whole: its entries may be right and only too few for the later fields.
        return _without_empty_fields(new)
    if part == "last_word" or part == "answers":
        _truncate_answers(new, None if part == "last_word" else first)
    elif part == "deal.hands":
        new["deal"] = {"hands": _hands_before(new, first), "turned": []}
    elif part == "deal.turned":
        new["deal"]["turned"] = new["deal"]["turned"][:first]
    elif part == "play":
        tricks = new.get("play", [])
        new["play"] = [*tricks[:first], *([tricks[first][:second]] if second and first < len(tricks) else [])]
    else:
        new[field] = new.get(field, [])[:first] + _exchange_before(new.get(field, [])[first:], match[3])
    return _without_empty_fields(new)


def place_of_last_answer(record: Record, path: str) -> str:
    """Return the place of the last answer within a step: in an exchange the place of its last field."""
    match = _PLACE.match(path)
    if match is None or match[1] != "exchanges":
        return path
    entry = record["exchanges"][int(match[2] or 0)]
    return next((f"{path}.{field}" for field in reversed(EXCHANGE_FIELDS) if field in entry), path)


def _exchange_before(entries: list[Record], field: str | None) -> list[Record]:
    """Return the first of some exchanges without a field and all later fields; nothing if only the seat is left."""
    if field not in EXCHANGE_FIELDS or not entries or field not in entries[0]:
        return []
    kept = ("seat", "discard", *EXCHANGE_FIELDS[: EXCHANGE_FIELDS.index(field)])
    entry = {name: value for name, value in entries[0].items() if name in kept}
    return [entry] if len(entry) > 1 else []


def _without_empty_fields(record: Record) -> Record:
    return {name: value for name, value in record.items() if value != [] or name == "cuts"}


def _truncate_answers(new: Record, first: int | None) -> None:
    """Remove an answer and all later ones; None removes the claim of the last word and the answers after it."""
    last, calls = new.get("last_word"), new.get("calls", [])
    claimed = 0
    if last is not None and calls:
        claimed = max(0, last_word_position(last, highest_call(calls)[0], new["seats"]))
    new["answers"] = new.get("answers", [])[: claimed if first is None else first]
    if first is None or first < claimed:
        new.pop("last_word", None)


def _hands_before(new: Record, first: int) -> list[list[str]]:
    """Return the hands, emptied from a seat on, in the order of dealing."""
    dealt_first = (_dealer(new) + 1) % new["seats"]
    order = order_from(dealt_first, new["seats"])
    return [hand if order.index(seat) < order.index(first) else [] for seat, hand in enumerate(new["deal"]["hands"])]


def _dealer(record: Record) -> int:
    table = read(record).table
    done = cut(table.rules, seats=table.seats, dealer=table.dealer, cuts=table.cuts, with_symbols=False, is_over=False)
    return done.dealer


def can_be_truncated(record: Record) -> bool:
    """Return True if the types (R1) and the table (R3, K1.1) of a record are valid, so that steps can be removed."""
    try:
        hand = read(record)
        check_players(hand.table.seats, hand.table.dealer)
    except Fault:
        return False
    return isinstance(hand, Full) and len(hand.hands) == hand.table.seats


REWIND: Final = Rewind(truncate, can_be_truncated, place_of_last_answer)
