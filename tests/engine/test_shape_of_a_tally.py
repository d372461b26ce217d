"""R1 of a tally, each field with any value: the fast check and the detailed check agree."""

import math
from typing import Any

import pytest

import engine
from tests.engine.hands import TALLY, changed

ANYTHING: list[Any] = [
    *(None, True, False, -1, 0, 1, 10**12, 10**12 + 1, 1.0, math.nan, "", "0", "1", "blind", "double", "chratze", ...),
    *([], [0], [0, 1], [-1], [True], [None], ["0"], [1.0], [[]], [10**400], ()),
    *({}, {"0": 4}, {"6": 4}, {"7": 4}, {"-1": 0}, {"00": 4}, {"x": 4}, {"0": "4"}, {"0": True}, {"0": None}, {0: 4}),
]


def is_integer(value: Any, least: int = -(10**500), most: int = 10**500) -> bool:
    return type(value) is int and least <= value <= most


def are_integers(value: Any) -> bool:
    return type(value) is list and all(is_integer(item) for item in value)


def are_tricks(value: Any) -> bool:
    return type(value) is dict and all(seat in ("0", "6", "7", "-1") and is_integer(value[seat]) for seat in value)


SHAPE_OF_A_TALLY: dict[str, Any] = {
    "rules": lambda value: type(value) is dict,
    "seats": is_integer,
    "dealer": is_integer,
    "pot_before": lambda value: is_integer(value, 0, 10**12),
    "deal_number": lambda value: is_integer(value, 1, 10**12),
    "blind": lambda value: value in (None, "blind", "double"),
    "declarer": lambda value: value is None or is_integer(value),
    "joiners": are_integers,
    "tricks": are_tricks,
    "made": are_integers,
    "claimed": are_integers,
}


@pytest.mark.parametrize("name", [*SHAPE_OF_A_TALLY, "colour"])
def test_r1_each_field_of_a_tally_with_any_value(name: str) -> None:
    fits = SHAPE_OF_A_TALLY.get(name, lambda value: False)
    for value in ANYTHING:
        record = changed(TALLY, tricks=...) | {name: value}
        result = engine.replay(record)
        refused = not result["ok"] and result["error"]["clause"] == "R1"
        assert refused is not fits(value), (record, result)
        if refused:
            assert result["error"]["at"].partition(".")[0].partition("[")[0] == name, (record, result)
