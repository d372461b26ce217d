"""The sections of a line of Chratze in the notation."""

import re
from typing import Any, Final

from engine.game import Notation
from engine.notation_forms import (
    CALL,
    DEALT,
    NONE,
    NUMBER,
    PLAYED,
    TEXT,
    Form,
    Record,
    Section,
    exchange_form,
    number_written,
    numbers,
    object_with_seat,
    one_of,
    text_read,
    text_written,
)


def _rob_written(value: Any) -> str:
    if value == {}:
        return NONE
    rob = object_with_seat(value, {"seat", "when"})
    return number_written(rob["seat"]) + (f":{text_written(rob['when'])}" if "when" in rob else "")


def _rob_read(text: str) -> Record:
    if text == NONE:
        return {}
    seat, _, when = text.partition(":")
    return {"seat": int(seat)} | ({"when": text_read(when)} if when else {})


_ROB: Final = Form(
    re.compile(rf"{NUMBER}(?::{TEXT})?|{NONE}"),
    "the seat that takes the turned card, such as 2:before",
    _rob_written,
    _rob_read,
)
_BLIND: Final = one_of({"seen": None, "blind": "blind", "double": "double"})

NOTATION: Final = Notation(
    head=(Section("#", "deal_number", numbers("#", "the deal number, such as #1")),),
    sections=(
        Section("declared", "blind", _BLIND),
        *DEALT,
        Section("calls", "calls", CALL, is_list=True),
        Section("exchange", "exchanges", exchange_form(marks=("discard", "draw", "drop"), one_drop=True), is_list=True),
        Section("rob", "rob", _ROB),
        *PLAYED,
    ),
)
