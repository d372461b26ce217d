"""Writes that come from outside are checked field by field (`static/js/night/writes.js`)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEY = "11111111-2222-4333-8444-555555555555"
OTHER = "aaaaaaaa-2222-4333-8444-555555555555"
HAND = {
    "number": 1,
    "players": [1, 2, f"{OTHER}:3", OTHER],
    "record": {"declarer": 0, "joiners": [1], "tricks": {"0": 2, "1": 2}, "blind": None},
    "expected": {"deltas": [10, -10, 0, 0], "pot_after": 40},
}
BEGIN = {
    "season": 3,
    "game": "kratzen",
    "rules_version": 1,
    "seating": [{"player": 7}, {"guest": "Fritz"}],
    "first_dealer": 1,
    "held_on": "2026-11-23",
    "carry": False,
    "settling": "end",
}
KINDS: dict[str, dict[str, Any]] = {
    "hand": HAND,
    "come": {"guest": "Fritz", "after": 7},
    "leave": {"player": OTHER},
    "order": {"players": [3, 2, 1]},
    "dealer": {"player": 2},
    "pause": {},
    "resume": {},
    "begin": BEGIN,
    "correct": {
        "hands": [{"number": 4, "revision": 9, "players": [1, OTHER], "record": {"declarer": None}, "dealer": 1}],
        "hands_seen": 4,
    },
    "leave-out": {
        "hands": [{"number": 4, "players": [1, None], "record": {"declarer": None}}],
        "changes": [{"kind": "come", "players": [None]}],
    },
}
# Invalid values of each of these fields; a path with dots names a field of a field.
SPOILED: dict[str, list[Any]] = {
    "format": [2, "1", None],
    "key": ["x", OTHER.upper(), 5],
    "kind": ["", "handle", "constructor", None],
    "club": ["", "../etc", "a b", 3],
    "table": [0, -1, 1.5, "5", None, {"id": 1}],
    "at": [-1, "now", 1e300],
    "more": [1],
    "number": [0, 1.5, "1", 10**9],
    "players": [[1], [1, 1], [1, "x"], [1, 2, 3, 4, 5, 6, 7, 8], [1, f"{OTHER}:9"], [1, f"{OTHER}:1:1"], None],
    "record": [None, [], {"declarer": 7}, {"joiners": [1, 1]}, {"tricks": {"0": 5}}, {"tricks": [1]}, {"deal": {}}],
    "record.cuts": ["A7", [["A"] * 3], [["Schilten"]], [[]]],
    "record.blind": ["triple", 1],
    "record.seven": [1],
    "record.game_type": ["x"],
    "expected": [{}, {"deltas": [1, -1], "pot_after": 1}, {"deltas": [10, -10, 0, 0], "pot_after": -1}],
    "after": [None, "x"],
    "player": [None, "x", 0],
    "guest": ["", " ", "x" * 41],
    "season": [None, "1"],
    "game": ["poker"],
    "seating": [[], [{"player": 1}], [{"player": 1}, {"player": 2, "guest": "x"}], [{"player": "x"}, {"guest": "y"}]],
    "first_dealer": [2, -1],
    "held_on": ["yesterday", "2026-13-40", None],
    "carry": [1],
    "settling": ["never"],
    "revision": [0, "1"],
    "hands": [None, [{"number": 1}], [{"number": 1, "sentence": "x"}], [{"number": 1, "players": [0], "record": {}}]],
    "hands_seen": [0, "4"],
    "changes": [None, [{"kind": "go", "players": []}], [{"kind": "come"}]],
}


def common(kind: str) -> dict[str, Any]:
    table = {} if kind == "begin" else {"table": 5}
    return {"format": 1, "key": KEY, "kind": kind, "club": "roessli", "at": 1_700_000_000_000} | table


def spoiled() -> list[dict[str, Any]]:
    """Return each write with each field spoiled, missing, and with one field too many."""
    found: list[dict[str, Any]] = [{}, {"kind": "hand"}]
    for kind, fields in KINDS.items():
        whole = common(kind) | fields
        # A hand that the phone could not count has none.
        found += [{k: v for k, v in whole.items() if k != name} for name in whole if name != "expected"]
        for path, values in SPOILED.items():
            name, _, inner = path.partition(".")
            if inner:
                found += [whole | {name: whole[name] | {inner: value}} for value in values if name in whole]
            elif name in whole or name == "more":
                found += [whole | {name: value} for value in values]
    return found


def kept_writes() -> list[dict[str, Any]]:
    """Return the writes that the server must take for long (`tests/games/test_night_formats.py`)."""
    text = (Path(__file__).parent.parent / "data" / "night_writes_1.json").read_text(encoding="utf-8")
    for number, name in enumerate(dict.fromkeys(re.findall('"@[a-zA-Z]+"', text)), start=1):
        text = text.replace(name, str(number))
    return [one for night in json.loads(text).values() for one in night]


READ = """async (values) => {
  const { readWrite } = await import("/static/js/night/writes.js");
  return values.map((value) => readWrite(value));
}"""


def test_each_kind_is_read_as_it_is_and_refused_with_any_field_spoiled(page: Page, home: Any) -> None:
    sign_in(page, "/c/roessli/")
    good = [common(kind) | fields for kind, fields in KINDS.items()]
    good.append(common("hand") | {"table": OTHER} | HAND)
    good.append(common("hand") | HAND | {"expected": None})
    good.append(common("hand") | {name: value for name, value in HAND.items() if name != "expected"})
    good.append(common("come") | {"player": 8, "after": OTHER})
    good += kept_writes()
    assert page.evaluate(READ, good) == good
    bad = [*spoiled(), None, 1, "x", [], [[]]]
    assert len(bad) > 150
    read = page.evaluate(READ, bad)
    left = [one for one, value in zip(bad, read, strict=True) if value is not None]
    assert left == []
