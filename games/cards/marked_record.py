"""A hand record as text with one place marked, and the names of places of a record."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

_PLACE = re.compile(
    r"(cuts|deal\.hands|deal\.turned|calls|new_trump|answers|exchanges|play)\[(\d+)\](?:[.a-z]*\[(\d+)\])?"
)


def place_sentence(path: str, names: Sequence[str]) -> str:
    """The name of a place of a record: `trick 2, card 3`; empty where it has no better name than its path."""
    match = _PLACE.match(path)
    if match is None:
        return ""
    part, first, card = match[1], int(match[2]), int(match[3] or 0) + 1
    words = {"n": first + 1, "card": card, "name": names[first] if first < len(names) else ""}
    said = {
        "cuts": _("cut %(n)d, card %(card)d"),
        "deal.hands": _("the cards of %(name)s"),
        "deal.turned": _("turned card %(n)d"),
        "calls": _("call %(n)d"),
        "new_trump": _("card %(n)d turned for another trump"),
        "answers": _("answer %(n)d"),
        "exchanges": _("exchange %(n)d"),
        "play": _("trick %(n)d, card %(card)d"),
    }
    return said[part] % words


def marked_record(record: Mapping[str, Any], path: str) -> list[tuple[str, bool]]:
    """A record as text in pieces, a field a line; the piece at `path` (or the nearest around it) is marked."""
    places = [path]
    while places[-1]:
        places.append(places[-1][: max(places[-1].rfind("."), places[-1].rfind("["), 0)])
    known = {place for place, _value in _places(record, "")}
    target = next((place for place in places if place and place in known), None)
    pieces: list[tuple[str, bool]] = [("{\n", False)]
    for number, (name, value) in enumerate(record.items()):
        pieces.append((f"  {json.dumps(name)}: ", False))
        pieces.extend(_pieces(value, name, target))
        pieces.append((",\n" if number + 1 < len(record) else "\n", False))
    return [*pieces, ("}", False)]


def _places(value: Any, place: str) -> list[tuple[str, Any]]:
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        inner = [(f"{place}.{name}".removeprefix("."), item) for name, item in value.items()]
    elif isinstance(value, list):
        inner = [(f"{place}[{number}]", item) for number, item in enumerate(value)]
    return [(place, value), *(pair for where, item in inner for pair in _places(item, where))]


def _pieces(value: Any, place: str, target: str | None) -> list[tuple[str, bool]]:
    if target is None or not target.startswith(place) or target == place:
        return [(json.dumps(value, ensure_ascii=False), target == place)]
    if isinstance(value, dict):
        items = [(f"{json.dumps(name)}: ", f"{place}.{name}", item) for name, item in value.items()]
    elif isinstance(value, list):
        items = [("", f"{place}[{number}]", item) for number, item in enumerate(value)]
    else:
        return [(json.dumps(value, ensure_ascii=False), False)]
    pieces = [("{" if isinstance(value, dict) else "[", False)]
    for number, (head, where, item) in enumerate(items):
        pieces.append(((", " if number else "") + head, False))
        pieces.extend(_pieces(item, where, target))
    return [*pieces, ("}" if isinstance(value, dict) else "]", False)]
