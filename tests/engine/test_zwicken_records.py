"""R1, R4 to R6 for Zwicken: the fields of a record, the house rules, tricks and claimed sums."""

from typing import Any

import pytest

import engine
from tests.engine.hands import Record, changed, fault, message, put, settled
from tests.engine.zwicken_hands import FORCED, FREE, FULL, forced, free, full


@pytest.mark.parametrize("record", [FORCED, FREE, FULL])
@pytest.mark.parametrize(
    "name", ["colour", "deal_number", "blind", "made", "rob", "muss", "declarer", "joiners", "seven"]
)
def test_r1_unknown_fields(record: Record, name: str) -> None:
    assert fault(changed(record, **{name: None})) == ("R1", name)


@pytest.mark.parametrize("name", ["players", "tricks", "seven_lost"])
def test_r1_a_full_record_has_no_field_of_a_tally(name: str) -> None:
    assert fault(full(**{name: None})) == ("R1", name)


@pytest.mark.parametrize("name", ["answers", "exchanges", "play", "calls"])
def test_r1_a_tally_has_no_field_of_a_full_record(name: str) -> None:
    assert fault(forced(**{name: []})) == ("R1", name)


@pytest.mark.parametrize("name", ["seats", "dealer", "pot_before", "cuts"])
def test_r1_missing_fields(name: str) -> None:
    assert fault(forced(**{name: ...})) == fault(full(**{name: ...})) == ("R1", name)


@pytest.mark.parametrize(
    ("name", "value", "location"),
    [
        ("cuts", None, "cuts"),
        ("cuts", "x", "cuts"),
        ("cuts", [["x"]], "cuts[0]"),
        ("cuts", ["A", 7], "cuts[1]"),
        ("players", None, "players"),
        ("players", [1, "2"], "players[1]"),
        ("tricks", [], "tricks"),
        ("tricks", {"0": "3"}, "tricks.0"),
        ("seven_lost", "1", "seven_lost"),
        ("seven_lost", True, "seven_lost"),
        ("pot_before", -1, "pot_before"),
        ("rules", [], "rules"),
        ("claimed", [1.5], "claimed[0]"),
    ],
)
def test_r1_types_of_a_tally(name: str, value: object, location: str) -> None:
    assert fault(forced() | {name: value}) == ("R1", location)


@pytest.mark.parametrize(
    ("path", "value", "location"),
    [
        (("deal",), [], "deal"),
        (("deal", "turned"), ["Ts"], "deal.turned"),
        (("deal", "turned"), ..., "deal.turned"),
        (("deal", "hands"), ["As"], "deal.hands[0]"),
        (("deal", "stock"), [], "deal.stock"),
        (("answers",), None, "answers"),
        (("answers", 1), [0], "answers[1]"),
        (("answers", 1, 0), "0", "answers[1][0]"),
        (("exchanges",), {}, "exchanges"),
        (("exchanges", 0), [], "exchanges[0]"),
        (("exchanges", 0, "seat"), ..., "exchanges[0].seat"),
        (("exchanges", 0, "drop"), [], "exchanges[0].drop"),
        (("exchanges", 0, "draw"), "Ah", "exchanges[0].draw"),
        (("exchanges", 0, "discard"), [8], "exchanges[0].discard[0]"),
        (("play", 0), "Ah", "play[0]"),
    ],
)
def test_r1_types_of_a_full_record(path: tuple[Any, ...], value: object, location: str) -> None:
    assert fault(put(FULL, path, value)) == ("R1", location)


def test_r1_amounts_fit() -> None:
    most = {"stake": 10**12 - 1, "coin": 1}
    result = settled(forced(rules=most, cuts=["B", "B", "x"], tricks={"0": 3}, seven_lost=1))
    assert max(map(abs, [*result["deltas"], result["pot_after"]])) < 2**63
    assert settled(free(pot_before=97))["pot"] == 127


def test_r4_the_defaults_equal_those_of_the_rulebook() -> None:
    defaults = {
        "stake": 30,
        "coin": 10,
        "seven": True,
        "cut_moves": True,
        "exchange": True,
        "must_trump": True,
        "must_beat": "always",
        "bete": "pot",
        "seven_lost": "stake",
        "nobody": "dealer",
        "pot_limit": None,
    }
    assert engine.effective_rules("zwicken", {}) == engine.RULE_DEFAULTS["zwicken"] == defaults


GOOD: list[Record] = [
    {"stake": 60}, {"stake": 15, "coin": 5}, {"coin": 1}, {"coin": 2}, {"seven": False}, {"cut_moves": True},
    {"exchange": False}, {"must_trump": False}, {"must_beat": "always"}, {"must_beat": "trumps"}, {"must_beat": "off"},
    {"bete": "pot"}, {"bete": "stake"}, {"seven_lost": "stake"}, {"seven_lost": "off"}, {"nobody": "dealer"},
    {"nobody": "stays"}, {"pot_limit": None}, {"pot_limit": 30}, {"pot_limit": 31}, {"coin": 5, "pot_limit": 15},
]  # fmt: skip


@pytest.mark.parametrize("rules", GOOD, ids=str)
def test_r4_values_that_are_allowed(rules: Record) -> None:
    assert settled(free(rules=rules))
    assert engine.effective_rules("zwicken", rules) == engine.RULE_DEFAULTS["zwicken"] | rules


BAD: list[tuple[Record, str]] = [
    ({"stake": 0}, "stake"),
    ({"stake": 20}, "stake"),
    ({"stake": 10**12 + 2}, "stake"),
    ({"stake": True}, "stake"),
    ({"coin": 0}, "coin"),
    ({"coin": 20}, "stake"),
    ({"coin": 7}, "stake"),
    ({"seven": 1}, "seven"),
    ({"cut_moves": None}, "cut_moves"),
    ({"exchange": "yes"}, "exchange"),
    ({"must_trump": 0}, "must_trump"),
    ({"must_beat": "never"}, "must_beat"),
    ({"must_beat": True}, "must_beat"),
    ({"bete": "trick"}, "bete"),
    ({"seven_lost": False}, "seven_lost"),
    ({"nobody": None}, "nobody"),
    ({"pot_limit": 29}, "pot_limit"),
    ({"pot_limit": 0}, "pot_limit"),
    ({"pot_limit": "none"}, "pot_limit"),
    ({"unit": 10}, "unit"),
    ({"rob": True}, "rob"),
]


@pytest.mark.parametrize(("rules", "name"), BAD, ids=str)
def test_r4_values_that_are_not_allowed(rules: Record, name: str) -> None:
    for record in (forced(rules=rules), full(rules=rules)):
        assert fault(record) == ("R4", f"rules.{name}")


def test_r4_the_messages() -> None:
    assert message(free(rules={"stake": 40})) == "The house rule stake is a multiple of 3 coins (30), not 40."
    assert message(free(rules={"pot_limit": 29})) == (
        "The house rule pot_limit is null or at least 3 coins (30), not 29."
    )
    assert message(free(rules={"pot_limit": "no"})) == (
        "The house rule pot_limit is null or a whole number of Rappen from 1 to 1000000000000, at least 3 coins, "
        'not "no".'
    )
    assert message(free(rules={"unit": 1})) == 'There is no house rule "unit" in Zwicken.'
    assert message(free(rules={"must_beat": 1})) == "The house rule must_beat is one of always, trumps, off, not 1."


@pytest.mark.parametrize(
    ("tricks", "location"),
    [
        (..., "tricks"),
        ({}, "tricks"),
        ({"2": 2}, "tricks"),
        ({"2": 4}, "tricks"),
        ({"2": 3, "4": -1}, "tricks.4"),
        ({"2": 2, "3": 1}, "tricks.3"),
        ({"3": 0, "2": 3}, "tricks.3"),
    ],
)
def test_r5_three_tricks_of_the_seats_that_play(tricks: object, location: str) -> None:
    assert fault(free(tricks=tricks)) == ("R5", location)


def test_r5_the_messages() -> None:
    assert message(free(tricks={"2": 4})) == "There are 3 tricks in a hand, not 4."
    assert message(free(tricks={"2": 2, "3": 1})) == "Seat 3 is out and can take no trick."


def test_r6_claimed_sums() -> None:
    assert settled(FORCED | {"claimed": [-60, 20, -30, 10, -30]})
    assert fault(FORCED | {"claimed": [-60, 20, -30, 10, -20]}) == ("R6", "claimed")


def test_the_result_has_the_fields_of_the_other_games() -> None:
    assert settled(free()) == {
        "ok": True,
        "outcome": "played",
        "declarer": None,
        "joiners": [2, 4],
        "muss": False,
        "pot": 120,
        "tricks": [0, 0, 3, 0, 0],
        "lines": [
            {"seat": 1, "kind": "ante", "amount": -30},
            {"seat": 2, "kind": "payout", "amount": 120},
            {"seat": 4, "kind": "penalty", "amount": -120},
        ],
        "deltas": [0, -30, 120, 0, -120],
        "pot_after": 120,
        "next": {"dealer": 2, "deal_number": 1, "muss": False},
        "susi": None,
        "blind": None,
    }


def test_faults_come_in_the_order_of_play() -> None:
    record = full(rules={"stake": 1}, seats=9, cuts=["Ac"], deal={"hands": [], "turned": None}, answers=[], play=[])
    order = []
    for name, value in (
        ("rules", {}),
        ("seats", 3),
        ("cuts", ["9c"]),
        ("deal", FULL["deal"]),
        ("answers", FULL["answers"]),
    ):
        order.append(fault(record)[0])
        record[name] = value
    assert [*order, fault(record)[0]] == ["R4", "Z1.1", "Z2.4", "Z3.1", "Z4.2", "Z6.1"]
