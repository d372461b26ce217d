"""Hands of Chratze for tests, and helpers that change and replay them."""

import copy
from typing import Any

import engine

Record = dict[str, Any]

TALLY: Record = {
    "game": "chratze",
    "seats": 5,
    "dealer": 4,
    "pot_before": 0,
    "declarer": 0,
    "joiners": [1, 2],
    "tricks": {"0": 2, "1": 1, "2": 1},
}

FULL: Record = {
    "game": "chratze",
    "seats": 3,
    "dealer": 2,
    "pot_before": 40,
    "deal": {
        "hands": [["As", "Ks", "9h", "7d"], ["Qs", "8h", "Td", "6c"], ["Js", "7h", "Kd", "9c"]],
        "turned": ["9s"],
    },
    "calls": [[0, "chratze"], [1, "metcho"], [2, "metcho"]],
    "exchanges": [
        {"seat": 0, "discard": ["7d"], "draw": ["Ah"]},
        {"seat": 1, "discard": ["6c", "Td"], "draw": ["8s", "6d"]},
    ],
    "play": [["As", "8s", "Js"], ["Ks", "Qs", "9c"], ["Ah", "8h", "7h"], ["9h", "6d", "Kd"]],
}
"""Three seats, spades are trump; seat 0 declares and takes all four tricks."""

BLIND: Record = FULL | {
    "dealer": 0,
    "blind": "blind",
    "calls": [[1, "metcho"], [2, "metcho"]],
    "exchanges": [
        {"seat": 0, "discard": ["7d", "9s"], "draw": ["Ah"]},
        {"seat": 1, "discard": ["6c", "Td"], "draw": ["8s", "6d"]},
    ],
}
"""The same cards; seat 0 deals, declares blind and holds five cards."""

DOUBLE: Record = BLIND | {
    "blind": "double",
    "deal": {"hands": [["As", "Ks", "9h", "7d", "Ah"], *FULL["deal"]["hands"][1:]], "turned": ["9s"]},
    "exchanges": [{"seat": 0, "discard": ["7d", "9s"]}, BLIND["exchanges"][1]],
}
"""The same cards; seat 0 deals, declares double blind and holds six cards."""

PASSED_OUT: Record = {
    "game": "chratze",
    "seats": 3,
    "dealer": 2,
    "pot_before": 40,
    "rules": {"max_turns": 2},
    "deal": {"hands": FULL["deal"]["hands"], "turned": ["9s", "8c"]},
    "calls": [[0, "weg"], [1, "weg"], [2, "weg"], [0, "weg"], [1, "weg"], [2, "weg"]],
}

WALKOVER: Record = {
    "game": "chratze",
    "seats": 3,
    "dealer": 2,
    "pot_before": 40,
    "deal": FULL["deal"],
    "calls": [[0, "weg"], [1, "chratze"], [2, "weg"], [0, "weg"]],
}


def changed(record: Record, **changes: Any) -> Record:
    """Return a copy of a record with some fields changed; `...` removes a field."""
    merged = copy.deepcopy(record) | changes
    return {name: value for name, value in merged.items() if value is not ...}


def tally(**changes: Any) -> Record:
    return changed(TALLY, **changes)


WALKOVER_TALLY = tally(joiners=..., tricks=...)
PASSED_OUT_TALLY = tally(declarer=None, joiners=..., tricks=...)


def full(**changes: Any) -> Record:
    return changed(FULL, **changes)


def put(record: Record, path: tuple[Any, ...], value: Any) -> Record:
    """Return a copy of a record with the value at one place replaced; `...` removes it."""
    record = copy.deepcopy(record)
    inside: Any = record
    for step in path[:-1]:
        inside = inside[step]
    if value is ...:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return record


def settled(record: Record) -> Record:
    """Return the result of a record that must be valid."""
    result = engine.replay(record)
    assert result["ok"], result
    return result


def fault(record: object) -> tuple[str, str]:
    """Return clause and place of the fault of a record, which must have one; check the form of its message."""
    result = engine.replay(record)
    assert not result["ok"], result
    error = result["error"]
    assert list(error) == ["clause", "at", "message"]
    assert error["message"].isprintable()
    assert error["message"].endswith(".")
    assert len(error["message"]) < 300
    return error["clause"], error["at"]


def message(record: object) -> str:
    return str(engine.replay(record)["error"]["message"])


def paid(result: Record, kind: str) -> dict[int, int]:
    """Return the amounts of the result lines of one kind, by seat."""
    return {line["seat"]: line["amount"] for line in result["lines"] if line["kind"] == kind}
