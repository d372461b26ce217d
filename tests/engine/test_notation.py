"""docs/notation.md: a hand as one line of text, lossless to and from its record."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import engine
from engine import notation, sample
from engine.errors import Fault
from tests.engine.hands import BLIND, DOUBLE, FULL, PASSED_OUT, TALLY, WALKOVER, Record
from tests.engine.test_fuzz import VALUES, spoiled_records

DATA = Path(__file__).parents[1] / "data"
STORED = [
    json.loads(line) for name in ("golden", "examples") for line in (DATA / f"{name}.jsonl").read_text().splitlines()
]
EACH = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])

KRATZEN: Record = {
    "game": "kratzen",
    "seats": 3,
    "dealer": 0,
    "pot_before": 505,
    "rules": {"split_over": 300, "last_word": False, "pot_limit": None, "must_beat": "always"},
    "cuts": [["A", "7"], ["W", "x"], ["9s"], []],
    "deal": {"hands": [["9h", "Td", "7d", "7s"], ["Ac", "Th", "8h", "Qd"], ["Kd", "7h", "9s", "Ah"]], "turned": []},
    "seven": True,
    "calls": [[0, "weiter"], [1, "weiter-oder"]],
    "game_type": None,
    "new_trump": ["6d", "Qc"],
    "last_word": 0,
    "answers": [[2, "ohne"], [0, "mit"]],
    "exchanges": [
        {"seat": 0, "discard": [], "draw": []},
        {"seat": 1},
        {
            "seat": 2,
            "discard": ["Ac", "8h"],
            "draw": ["Jd"],
            "show": ["Jc"],
            "open": ["7c", "Js"],
            "hidden": ["Ad"],
            "drop": ["Js", "Qs"],
        },
    ],
    "play": [["6d", "Qh"], []],
    "claimed": [10, -20, 0],
}
KRATZEN_LINE = (
    "kratzen 3 D0 P505 [split_over=300 last_word=no pot_limit=- must_beat=always] cuts A7 Wx 9s - "
    "deal 9hTd7d7s AcTh8hQd Kd7h9sAh turned - seven yes calls 0:weiter 1:weiter-oder type - trump 6dQc last 0 "
    "answers 2:ohne 0:mit exchange 0:->- 1: 2:Ac8h>Jd!Jc+7cJs?Ad/JsQs play 6dQh - claimed +10 -20 0"
)

LINES = {
    "chratze 5 D4 P0 by 0 with 1 2 tricks 0:2 1:1 2:1": TALLY,
    KRATZEN_LINE: KRATZEN,
    "chratze 5 D4 P100 by -": {"game": "chratze", "seats": 5, "dealer": 4, "pot_before": 100, "declarer": None},
    "chratze 2 D0 P0 #3 [] declared seen rob - by 1 with tricks made 0 claimed": {
        "game": "chratze",
        "seats": 2,
        "dealer": 0,
        "pot_before": 0,
        "deal_number": 3,
        "rules": {},
        "blind": None,
        "rob": {},
        "declarer": 1,
        "joiners": [],
        "tricks": {},
        "made": [0],
        "claimed": [],
    },
    "chratze 2 D0 P0 declared double exchange 0:7s>8s/9d 1:/9h rob 1:before": {
        "game": "chratze",
        "seats": 2,
        "dealer": 0,
        "pot_before": 0,
        "blind": "double",
        "exchanges": [{"seat": 0, "discard": ["7s"], "draw": ["8s"], "drop": "9d"}, {"seat": 1, "drop": "9h"}],
        "rob": {"seat": 1, "when": "before"},
    },
    "chratze 2 D0 P0 rob 1": {"game": "chratze", "seats": 2, "dealer": 0, "pot_before": 0, "rob": {"seat": 1}},
    r'chratze -1 D7 P0 ["\u0020"="yes"] calls 0:"\ud83d\ude00\u0000A" play As"1h"7h "As7h"': {
        "game": "chratze",
        "seats": -1,
        "dealer": 7,
        "pot_before": 0,
        "rules": {" ": "yes"},
        "calls": [[0, "😀\0A"]],
        "play": [["As", "1h", "7h"], ["As7h"]],
    },
}


def same(one: object, other: object) -> bool:
    """Equal, and of equal types: to Python 1 is true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@pytest.mark.parametrize(("line", "record"), LINES.items())
def test_a_line_and_its_record(line: str, record: Record) -> None:
    assert same(notation.read(line), record)
    assert notation.write(record) == line


@pytest.mark.parametrize("record", [FULL, BLIND, DOUBLE, PASSED_OUT, WALKOVER])
def test_a_full_hand_comes_back(record: Record) -> None:
    assert same(notation.read(notation.write(record)), record)


def test_every_stored_hand_comes_back_but_those_that_are_no_record() -> None:
    written = 0
    for case in STORED:
        try:
            line = notation.write(case["record"])
        except Fault:
            assert case["result"]["error"]["clause"] == "R1", case["name"]
            continue
        written += 1
        assert same(notation.read(line), case["record"]), case["name"]
        assert notation.write(notation.read(line)) == line
    assert written > 0.95 * len(STORED)


@settings(parent=EACH, max_examples=300)
@given(st.integers(0, 2**32), st.sampled_from(engine.GAMES), st.booleans())
def test_any_legal_hand_comes_back(seed: int, game: str, as_tally: bool) -> None:
    record = sample.random_hand(random.Random(seed), game=game)
    if as_tally:
        record = sample.tally_of(record, engine.replay(record))
    line = notation.write(record)
    assert same(notation.read(line), record)
    assert notation.write(notation.read(line)) == line
    assert "\n" not in line


@EACH
@given(spoiled_records())
def test_any_spoiled_record_comes_back_or_is_refused(record: Record) -> None:
    comes_back_or_is_refused(record)


def comes_back_or_is_refused(record: Record) -> None:
    refused = fault_of(notation.write, record)
    if refused is None:
        assert same(notation.read(notation.write(record)), record)
    else:
        assert refused.clause == "R1"


def fault_of(call: Callable[[Any], object], value: object) -> Fault | None:
    try:
        call(value)
    except Fault as fault:
        return fault
    return None


@EACH
@given(
    VALUES,
    st.sampled_from([*KRATZEN, *LINES["chratze 2 D0 P0 #3 [] declared seen rob - by 1 with tricks made 0 claimed"]]),
)
def test_any_value_in_any_field_comes_back_or_is_refused(value: object, name: str) -> None:
    for start in (TALLY, KRATZEN):
        comes_back_or_is_refused(start | {name: value})


@EACH
@given(st.text())
@example("chratze 5 D4 P0 [")
@example("chratze 5 D4 P0 [stake")
@example("]")
@example('chratze 5 D4 P0 play "')
@example("kratzen 5 D4 P0 exchange 0:/")
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refused(text)


@EACH
@given(st.sampled_from([*LINES, notation.write(FULL)]), st.data())
def test_any_spoiled_line_is_read_or_refused(line: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(line)))
        end = data.draw(st.integers(start, min(len(line), start + 4)))
        line = line[:start] + data.draw(st.text(alphabet='0123AKTsdh:>/-+[]="\\u yn', max_size=3)) + line[end:]
    read_or_refused(line)


def read_or_refused(text: str) -> None:
    refused = fault_of(notation.read, text)
    if refused is None:
        record = notation.read(text)
        assert same(notation.read(notation.write(record)), record)
    else:
        assert refused.clause == "R1"
        assert re.fullmatch(r"1:[1-9]\d*", refused.at)
        assert refused.message.startswith("Expected is ")


REFUSED = {
    "": ("1:1", "Expected is the game, chratze or kratzen, not the end of the line."),
    "  jass 4": ("1:3", 'Expected is the game, chratze or kratzen, not "jass".'),
    "chratze five": ("1:9", 'Expected is the number of seats, such as 5, not "five".'),
    "chratze 5 4": ("1:11", 'Expected is the dealer\'s seat, such as D4, not "4".'),
    "chratze 5 D4 P2.40": ("1:14", 'Expected is the pot in Rappen, such as P240, not "P2.40".'),
    "chratze 5 D4 P0 #": ("1:17", 'Expected is the deal number, such as #1, not "#".'),
    "chratze 5 D4 P0 [stake]": ("1:18", 'Expected is a house rule, such as stake=50, not "stake".'),
    "chratze 5 D4 P0 [rob=no rob=no]": ("1:25", 'Expected is each house rule once, not "rob=no".'),
    "chratze 5 D4 P0 [stake=50": ("1:17", 'Expected is house rules within [ and ], not "[".'),
    "chratze 5 D4 P0 by": ("1:19", "Expected is a seat, or - for nobody, not the end of the line."),
    "chratze 5 D4 P0 by 0 1": (
        "1:22",
        "Expected is one of the words declared, deal, turned, calls, exchange, rob, play, with, tricks, made, claimed, "
        'not "1".',
    ),
    "chratze 5 D4 P0 with 0 with 1": ("1:24", "Expected is one of the words"),
    "chratze 5 D4 P0 cuts x": ("1:17", "Expected is one of the words"),
    "kratzen 5 D4 P0 #1": ("1:17", "Expected is one of the words"),
    "kratzen 5 D4 P0 cuts A7s9": ("1:22", 'Expected is the cards of a cut, such as A7, x or 9d, not "A7s9".'),
    "kratzen 5 D4 P0 seven 7s": ("1:23", 'Expected is yes or no, not "7s".'),
    "kratzen 5 D4 P0 type 1": ("1:22", 'Expected is a word, or - for none, not "1".'),
    "chratze 5 D4 P0 tricks 0:2 1": ("1:28", 'Expected is a seat and its tricks, such as 0:2, not "1".'),
    "chratze 5 D4 P0 tricks 0:2 0:1": ("1:28", 'Expected is the tricks of each seat once, not "0:1".'),
    "chratze 5 D4 P0 calls weg": ("1:23", 'Expected is a seat and what it says, such as 0:weg, not "weg".'),
    "chratze 5 D4 P0 claimed 0.5": ("1:25", 'Expected is a change in Rappen, such as +60, not "0.5".'),
    "chratze 5 D4 P0 rob": ("1:20", "Expected is the seat that takes the turned card, such as 2:before, not the end"),
    "chratze 5 D4 P0 exchange 0:7s!8s": ("1:26", "Expected is a seat's exchange, such as 0:7d>Ah, not"),
    "chratze 5 D4 P0 exchange 0:7s/8s9s": ("1:26", "Expected is a seat's exchange, such as 0:7d>Ah, not"),
    "chratze 5 D4 P0 declared": ("1:25", "Expected is seen or blind or double, not the end of the line."),
    "chratze 5 D4 P0 play As1h": ("1:22", 'Expected is cards, such as AsKs9h7d, not "As1h".'),
    "chratze 5 D4 P0 deal As Ks": ("1:27", "Expected is turned after deal, not the end of the line."),
    "chratze 5 D4 P0 turned As ": ("1:26", "Expected is deal beside turned, not the end of the line."),
}


@pytest.mark.parametrize(("line", "told"), REFUSED.items())
def test_what_cannot_be_read_is_told_with_its_column(line: str, told: tuple[str, str]) -> None:
    with pytest.raises(Fault) as refused:
        notation.read(line)
    assert (refused.value.clause, refused.value.at) == ("R1", told[0])
    assert refused.value.message.startswith(told[1])


def test_the_line_of_a_file_is_told() -> None:
    with pytest.raises(Fault) as refused:
        notation.read("chratze 5 D4", number=12)
    assert refused.value.at == "12:13"


UNWRITABLE: list[tuple[Record, str]] = [
    ({}, "game"),
    ({"game": "jass"}, "game"),
    ({"game": ["chratze"]}, "game"),
    ({"game": "chratze", "seats": True}, "seats"),
    (TALLY | {"pot_before": 10**15}, "pot_before"),
    (TALLY | {"pot_before": None}, "pot_before"),
    (TALLY | {"colour": "red"}, "colour"),
    (KRATZEN | {"deal_number": 1}, "deal_number"),
    (TALLY | {"rules": []}, "rules"),
    (TALLY | {"rules": {"stake": 0.5}}, "rules"),
    (TALLY | {"rules": {1: 1}}, "rules"),
    (TALLY | {"blind": "yes"}, "blind"),
    (TALLY | {"joiners": 1}, "joiners"),
    (TALLY | {"tricks": [1]}, "tricks"),
    (TALLY | {"tricks": {"one": 1}}, "tricks"),
    (TALLY | {"tricks": {0: 1}}, "tricks"),
    (FULL | {"deal": {"hands": []}}, "deal"),
    (FULL | {"calls": [[0]]}, "calls"),
    (FULL | {"calls": [0]}, "calls"),
    (FULL | {"play": [[7]]}, "play"),
    (FULL | {"exchanges": [{"discard": []}]}, "exchanges"),
    (FULL | {"exchanges": [{"seat": 0, "drop": ["As"]}]}, "exchanges"),
    (FULL | {"exchanges": [{"seat": 0, "show": []}]}, "exchanges"),
    (FULL | {"exchanges": [[]]}, "exchanges"),
    (FULL | {"rob": {"when": "before"}}, "rob"),
    (KRATZEN | {"exchanges": [{"seat": 0, "drop": "As"}]}, "exchanges"),
]


@pytest.mark.parametrize(("record", "at"), UNWRITABLE)
def test_what_no_record_can_hold_is_not_written(record: Record, at: str) -> None:
    with pytest.raises(Fault) as refused:
        notation.write(record)
    assert (refused.value.clause, refused.value.at) == ("R1", at)
    assert refused.value.message.startswith("The notation has no words for ")


def test_sections_may_stand_in_any_order_with_any_blanks() -> None:
    line = " chratze  5 D4 P0\ttricks 0:2 1:1 2:1 with 1 2 by 0 \n"
    assert notation.write(notation.read(line)) == "chratze 5 D4 P0 by 0 with 1 2 tricks 0:2 1:1 2:1"


def test_every_line_of_the_document_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs/notation.md").read_text()
    lines = re.findall(r"^(?:chratze|kratzen) .*$", text, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        assert notation.write(notation.read(line)) == line
