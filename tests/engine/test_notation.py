"""The notation (docs/notation.md): writing a record and reading the line gives the record again."""

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
from tests.engine.test_fuzz import VALUES, damaged_records

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

ZWICKEN: Record = {
    "game": "zwicken",
    "seats": 3,
    "dealer": 0,
    "pot_before": 100,
    "rules": {"must_trump": False, "bete": "stake"},
    "cuts": ["A", "B", "7d", "x"],
    "deal": {"hands": [["As", "7d"], []], "turned": "Ts"},
    "answers": [[1, "mit"], [2, "weg"]],
    "exchanges": [{"seat": 1, "discard": ["8c"], "draw": ["Ah"]}, {"seat": 2}],
    "play": [["Ah", "Kh"], []],
    "players": [1, 0],
    "tricks": {"1": 3},
    "seven_lost": None,
    "claimed": [10, -10, 0],
}
ZWICKEN_LINE = (
    "zwicken 3 D0 P100 [must_trump=no bete=stake] cuts A B 7d x deal As7d - turned Ts answers 1:mit 2:weg "
    "exchange 1:8c>Ah 2: play AhKh - players 1 0 tricks 1:3 lost - claimed +10 -10 0"
)

LINES = {
    ZWICKEN_LINE: ZWICKEN,
    'zwicken 3 D0 P0 cuts "W" deal - - turned "1h" lost 2': {
        "game": "zwicken",
        "seats": 3,
        "dealer": 0,
        "pot_before": 0,
        "cuts": ["W"],
        "deal": {"hands": [[], []], "turned": "1h"},
        "seven_lost": 2,
    },
    "zwicken 3 D0 P0 deal - turned -": {
        "game": "zwicken",
        "seats": 3,
        "dealer": 0,
        "pot_before": 0,
        "deal": {"hands": [[]], "turned": None},
    },
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


def same(value: object, other: object) -> bool:
    """Return True for equal values of equal types; Python alone treats 1 and True as equal."""
    return json.dumps(value, sort_keys=True) == json.dumps(other, sort_keys=True)


@pytest.mark.parametrize(("line", "record"), LINES.items())
def test_a_line_and_its_record(line: str, record: Record) -> None:
    assert same(notation.read(line), record)
    assert notation.write(record) == line


@pytest.mark.parametrize("record", [FULL, BLIND, DOUBLE, PASSED_OUT, WALKOVER])
def test_a_full_hand_is_unchanged_after_writing_and_reading(record: Record) -> None:
    assert same(notation.read(notation.write(record)), record)


def test_every_golden_hand_is_unchanged_after_writing_and_reading() -> None:
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
def test_any_legal_hand_is_unchanged_after_writing_and_reading(seed: int, game: str, as_tally: bool) -> None:
    record = sample.random_hand(random.Random(seed), game=game)
    if as_tally:
        record = sample.tally_of(record, engine.replay(record))
    line = notation.write(record)
    assert same(notation.read(line), record)
    assert notation.write(notation.read(line)) == line
    assert "\n" not in line


@pytest.mark.rest
@EACH
@given(damaged_records())
def test_any_damaged_record_is_unchanged_or_refused(record: Record) -> None:
    check_unchanged_or_refused(record)


def check_unchanged_or_refused(record: Record) -> None:
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
    st.sampled_from(
        [*KRATZEN, *ZWICKEN, *LINES["chratze 2 D0 P0 #3 [] declared seen rob - by 1 with tricks made 0 claimed"]]
    ),
)
def test_any_value_in_any_field_is_unchanged_or_refused(value: object, name: str) -> None:
    for start in (TALLY, KRATZEN, ZWICKEN):
        check_unchanged_or_refused(start | {name: value})


@EACH
@given(st.text())
@example("chratze 5 D4 P0 [")
@example("chratze 5 D4 P0 [stake")
@example("]")
@example('chratze 5 D4 P0 play "')
@example("kratzen 5 D4 P0 exchange 0:/")
def test_any_text_is_read_or_refused(text: str) -> None:
    check_read_or_refused(text)


@EACH
@given(st.sampled_from([*LINES, notation.write(FULL)]), st.data())
def test_any_damaged_line_is_read_or_refused(line: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(line)))
        end = data.draw(st.integers(start, min(len(line), start + 4)))
        line = line[:start] + data.draw(st.text(alphabet='0123AKTsdh:>/-+[]="\\u yn', max_size=3)) + line[end:]
    check_read_or_refused(line)


def check_read_or_refused(text: str) -> None:
    refused = fault_of(notation.read, text)
    if refused is None:
        record = notation.read(text)
        assert same(notation.read(notation.write(record)), record)
    else:
        assert refused.clause == "R1"
        assert re.fullmatch(r"1:[1-9]\d*", refused.at)
        assert refused.message.startswith("Expected ")


REFUSED = {
    "": ("1:1", "Expected the game, chratze or kratzen or zwicken, found the end of the line."),
    "  jass 4": ("1:3", 'Expected the game, chratze or kratzen or zwicken, found "jass".'),
    "chratze five": ("1:9", 'Expected the number of seats, such as 5, found "five".'),
    "chratze 5 4": ("1:11", 'Expected the dealer\'s seat, such as D4, found "4".'),
    "chratze 5 D4 P2.40": ("1:14", 'Expected the pot in Rappen, such as P240, found "P2.40".'),
    "chratze 5 D4 P0 #": ("1:17", 'Expected the deal number, such as #1, found "#".'),
    "chratze 5 D4 P0 [stake]": ("1:18", 'Expected a house rule, such as stake=50, found "stake".'),
    "chratze 5 D4 P0 [rob=no rob=no]": ("1:25", 'Expected each house rule once, found "rob=no".'),
    "chratze 5 D4 P0 [stake=50": ("1:17", 'Expected house rules within [ and ], found "[".'),
    "chratze 5 D4 P0 by": ("1:19", "Expected a seat, or - for nobody, found the end of the line."),
    "chratze 5 D4 P0 by 0 1": (
        "1:22",
        "Expected one of the words declared, deal, turned, calls, exchange, rob, play, with, tricks, made, claimed, "
        'found "1".',
    ),
    "chratze 5 D4 P0 with 0 with 1": ("1:24", "Expected one of the words"),
    "chratze 5 D4 P0 cuts x": ("1:17", "Expected one of the words"),
    "kratzen 5 D4 P0 #1": ("1:17", "Expected one of the words"),
    "kratzen 5 D4 P0 cuts A7s9": ("1:22", 'Expected the cards of a cut, such as A7, x or 9d, found "A7s9".'),
    "kratzen 5 D4 P0 seven 7s": ("1:23", 'Expected yes or no, found "7s".'),
    "kratzen 5 D4 P0 type 1": ("1:22", 'Expected a word, or - for none, found "1".'),
    "zwicken 5 D4 P0 cuts A7": ("1:22", 'Expected the card of a cut, such as A, x or 9d, found "A7".'),
    "zwicken 5 D4 P0 cuts W": ("1:22", 'Expected the card of a cut, such as A, x or 9d, found "W".'),
    "zwicken 5 D4 P0 turned AsKs": ("1:24", 'Expected a card, such as Ts, or - for none, found "AsKs".'),
    "zwicken 5 D4 P0 by 0": ("1:17", "Expected one of the words cuts, deal, turned, answers, exchange, play, players"),
    "chratze 5 D4 P0 tricks 0:2 1": ("1:28", 'Expected a seat and its tricks, such as 0:2, found "1".'),
    "chratze 5 D4 P0 tricks 0:2 0:1": ("1:28", 'Expected the tricks of each seat once, found "0:1".'),
    "chratze 5 D4 P0 calls weg": ("1:23", 'Expected a seat and what it says, such as 0:weg, found "weg".'),
    "chratze 5 D4 P0 claimed 0.5": ("1:25", 'Expected a change in Rappen, such as +60, found "0.5".'),
    "chratze 5 D4 P0 rob": ("1:20", "Expected the seat that takes the turned card, such as 2:before, found the end"),
    "chratze 5 D4 P0 exchange 0:7s!8s": ("1:26", "Expected a seat's exchange, such as 0:7d>Ah, found"),
    "chratze 5 D4 P0 exchange 0:7s/8s9s": ("1:26", "Expected a seat's exchange, such as 0:7d>Ah, found"),
    "chratze 5 D4 P0 declared": ("1:25", "Expected seen or blind or double, found the end of the line."),
    "chratze 5 D4 P0 play As1h": ("1:22", 'Expected cards, such as AsKs9h7d, found "As1h".'),
    "chratze 5 D4 P0 deal As Ks": ("1:27", "Expected turned after deal, found the end of the line."),
    "chratze 5 D4 P0 turned As ": ("1:26", "Expected deal beside turned, found the end of the line."),
}


@pytest.mark.parametrize(("line", "expected"), REFUSED.items())
def test_a_fault_of_a_line_has_its_column(line: str, expected: tuple[str, str]) -> None:
    with pytest.raises(Fault) as refused:
        notation.read(line)
    assert (refused.value.clause, refused.value.at) == ("R1", expected[0])
    assert refused.value.message.startswith(expected[1])


def test_a_fault_of_a_line_has_its_line_number() -> None:
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
    (ZWICKEN | {"deal": {"hands": [], "turned": ["Ts"]}}, "deal.turned"),
    (ZWICKEN | {"cuts": [["x"]]}, "cuts"),
    (ZWICKEN | {"declarer": None}, "declarer"),
    (ZWICKEN | {"exchanges": [{"seat": 0, "drop": []}]}, "exchanges"),
]


@pytest.mark.parametrize(("record", "location"), UNWRITABLE)
def test_an_invalid_record_is_not_written(record: Record, location: str) -> None:
    with pytest.raises(Fault) as refused:
        notation.write(record)
    assert (refused.value.clause, refused.value.at) == ("R1", location)
    assert refused.value.message.startswith("The notation has no words for ")


def test_the_message_names_the_value_that_cannot_be_written() -> None:
    with pytest.raises(Fault) as refused:
        notation.write(FULL | {"game": "jass"})
    assert refused.value.message == 'The notation has no words for "jass" in the field game.'


def test_sections_may_stand_in_any_order_with_any_blanks() -> None:
    line = " chratze  5 D4 P0\ttricks 0:2 1:1 2:1 with 1 2 by 0 \n"
    assert notation.write(notation.read(line)) == "chratze 5 D4 P0 by 0 with 1 2 tricks 0:2 1:1 2:1"


def test_every_line_of_the_document_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs/notation.md").read_text()
    lines = re.findall(r"^(?:chratze|kratzen|zwicken) .*$", text, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        assert notation.write(notation.read(line)) == line
