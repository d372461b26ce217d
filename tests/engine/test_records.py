"""R1 to R5: the fields and values of a record, and the order in which faults are found."""

import json
import math
from typing import Any

import pytest

import engine
from engine.replay import LINE_LIMIT
from tests.engine.hands import (
    BLIND,
    FULL,
    PASSED_OUT,
    PASSED_OUT_TALLY,
    TALLY,
    WALKOVER,
    WALKOVER_TALLY,
    Record,
    changed,
    fault,
    full,
    message,
    put,
    settled,
    tally,
)


@pytest.mark.parametrize("value", [None, 0, 1.5, math.nan, True, "record", [], [TALLY], {}.keys()])
def test_r1_a_record_is_an_object(value: object) -> None:
    assert fault(value) == ("R1", "")


@pytest.mark.parametrize("game", [..., None, 1, "jass", "", [], {"chratze": 1}, "Kratzen"])
def test_r1_the_game_is_checked_first(game: object) -> None:
    assert fault({"game": game} if game is not ... else {}) == ("R1", "game")
    assert fault(tally(game=game, colour="red")) == ("R1", "game")


@pytest.mark.parametrize("record", [TALLY, FULL])
@pytest.mark.parametrize("name", ["colour", "Seats", "cuts", "seven", "game_type", "new_trump", "answers"])
def test_r1_unknown_field(record: Record, name: str) -> None:
    assert fault(changed(record, **{name: None})) == ("R1", name)


@pytest.mark.parametrize("name", ["declarer", "joiners", "tricks", "made"])
def test_r1_a_full_record_has_no_field_of_a_tally(name: str) -> None:
    assert fault(changed(FULL, **{name: []})) == ("R1", name)


@pytest.mark.parametrize("name", ["calls", "exchanges", "rob", "play"])
def test_r1_a_tally_has_no_field_of_a_full_record(name: str) -> None:
    assert fault(tally(**{name: []})) == ("R1", name)


@pytest.mark.parametrize(
    ("key", "location"),
    [
        ("\ud800", "'\\ud800'"),
        ("a\x00b", "'a\\x00b'"),
        ("x" * 100_000, f"'{'x' * 40}'"),
        ("x" * 40, "x" * 40),
        (5, "5"),
        (None, "null"),
        ((1, 2), "something else"),
    ],
)
def test_r1_an_unprintable_field_name_is_escaped(key: Any, location: str) -> None:
    assert fault(TALLY | {key: 1}) == ("R1", location)
    assert fault(tally(rules={key: 1})) == ("R4", f"rules.{location}")
    assert fault(put(FULL, ("deal",), FULL["deal"] | {key: 1})) == ("R1", f"deal.{location}")


@pytest.mark.parametrize("name", ["seats", "dealer", "pot_before", "declarer"])
def test_r1_a_missing_field(name: str) -> None:
    assert fault(tally(**{name: ...})) == ("R1", name)
    assert message(tally(**{name: ...})) == f"The field {name} is missing."


@pytest.mark.parametrize("name", ["seats", "dealer", "pot_before"])
def test_r1_a_missing_field_of_a_full_record(name: str) -> None:
    assert fault(full(**{name: ...})) == ("R1", name)


@pytest.mark.parametrize(
    ("path", "location"),
    [
        (("deal", "hands"), "deal.hands"),
        (("deal", "turned"), "deal.turned"),
        (("exchanges", 1, "seat"), "exchanges[1].seat"),
    ],
)
def test_r1_a_missing_field_of_an_inner_object(path: tuple[str | int, ...], location: str) -> None:
    assert fault(put(FULL, path, ...)) == ("R1", location)
    assert fault(full(deal={})) == ("R1", "deal.hands")
    assert fault(full(rob={"when": "after"})) == ("R1", "rob.seat")


@pytest.mark.parametrize("value", [None, 1.0, "5", True, [5], {}])
@pytest.mark.parametrize("name", ["seats", "dealer", "pot_before", "deal_number"])
def test_r1_whole_numbers(name: str, value: object) -> None:
    assert fault(tally(**{name: value})) == ("R1", name)
    assert fault(full(**{name: value})) == ("R1", name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("declarer", "0"),
        ("declarer", 0.0),
        ("declarer", False),
        ("joiners", None),
        ("joiners", {}),
        ("joiners", 1),
        ("tricks", []),
        ("tricks", None),
        ("made", {}),
        ("claimed", None),
        ("claimed", {}),
        ("rules", None),
        ("rules", []),
        ("blind", "Blind"),
        ("blind", False),
        ("blind", ["blind"]),
    ],
)
def test_r1_types_of_a_tally(name: str, value: object) -> None:
    assert fault(tally(**{name: value})) == ("R1", name)


@pytest.mark.parametrize(
    ("name", "value", "location"),
    [
        ("joiners", [1, "2"], "joiners[1]"),
        ("joiners", [True], "joiners[0]"),
        ("made", [0, None], "made[1]"),
        ("claimed", [0, 0, 0.0, 0, 0], "claimed[2]"),
        ("tricks", {"0": 4.0}, "tricks.0"),
        ("tricks", {"0": True}, "tricks.0"),
        ("tricks", {"00": 4}, "tricks.00"),
        ("tricks", {"-0": 4}, "tricks.-0"),
        ("tricks", {"+1": 4}, "tricks.+1"),
        ("tricks", {"": 4}, "tricks."),
        ("tricks", {"-": 4}, "tricks.-"),
        ("tricks", {"one": 4}, "tricks.one"),
        ("tricks", {"²": 4}, "tricks.²"),
        ("tricks", {"٣": 4}, "tricks.٣"),
        ("tricks", {"1" * 13: 4}, "tricks." + "1" * 13),
        ("tricks", {0: 4}, "tricks.0"),
    ],
)
def test_r1_types_inside_a_tally(name: str, value: object, location: str) -> None:
    assert fault(changed(TALLY, tricks=...) | {name: value}) == ("R1", location)


@pytest.mark.parametrize(
    ("path", "value", "location"),
    [
        (("deal",), None, "deal"),
        (("deal",), [], "deal"),
        (("deal", "hands"), {}, "deal.hands"),
        (("deal", "hands"), "AsKs", "deal.hands"),
        (("deal", "hands", 1), "AsKs", "deal.hands[1]"),
        (("deal", "hands", 1, 2), 5, "deal.hands[1][2]"),
        (("deal", "hands", 1, 2), ["As"], "deal.hands[1][2]"),
        (("deal", "turned"), "9s", "deal.turned"),
        (("deal", "turned", 0), None, "deal.turned[0]"),
        (("deal", "cut"), [], "deal.cut"),
        (("calls",), {}, "calls"),
        (("calls",), None, "calls"),
        (("calls", 1), "weg", "calls[1]"),
        (("calls", 1), [1], "calls[1]"),
        (("calls", 1), [1, "weg", 2], "calls[1]"),
        (("calls", 1), {"seat": 1}, "calls[1]"),
        (("calls", 1, 0), "1", "calls[1][0]"),
        (("calls", 1, 0), True, "calls[1][0]"),
        (("calls", 1, 1), None, "calls[1][1]"),
        (("exchanges",), {}, "exchanges"),
        (("exchanges", 0), [], "exchanges[0]"),
        (("exchanges", 0, "seat"), "0", "exchanges[0].seat"),
        (("exchanges", 0, "discard"), "7d", "exchanges[0].discard"),
        (("exchanges", 0, "discard", 0), 7, "exchanges[0].discard[0]"),
        (("exchanges", 1, "draw"), None, "exchanges[1].draw"),
        (("exchanges", 1, "drop"), None, "exchanges[1].drop"),
        (("exchanges", 1, "drop"), ["8s"], "exchanges[1].drop"),
        (("exchanges", 1, "show"), [], "exchanges[1].show"),
        (("rob",), None, "rob"),
        (("rob",), [], "rob"),
        (("rob",), {"seat": "0"}, "rob.seat"),
        (("rob",), {"seat": 0, "when": None}, "rob.when"),
        (("rob",), {"seat": 0, "when": "Before"}, "rob.when"),
        (("rob",), {"seat": 0, "card": "6s"}, "rob.card"),
        (("play",), {}, "play"),
        (("play", 2), "Ah", "play[2]"),
        (("play", 2, 1), None, "play[2][1]"),
    ],
)
def test_r1_types_of_a_full_record(path: tuple[str | int, ...], value: object, location: str) -> None:
    assert fault(put(FULL, path, value)) == ("R1", location)


def test_r1_amounts_fit() -> None:
    assert settled(tally(pot_before=10**12))["pot"] == 10**12 + 100
    for value in (-1, 10**12 + 1, 10**400):
        assert fault(tally(pot_before=value)) == ("R1", "pot_before")
    assert settled(tally(deal_number=10**12))
    for value in (-1, 0, 10**12 + 1):
        assert fault(tally(deal_number=value)) == ("R1", "deal_number")
    largest = tally(
        pot_before=10**12, rules={"stake": 10**12}, seats=7, dealer=6, joiners=[1, 2, 3, 4, 5, 6], tricks={"1": 4}
    )
    result = settled(largest)
    assert max(map(abs, [*result["deltas"], result["pot_after"], result["pot"]])) < 2**63


def test_r1_tricks_and_made_together() -> None:
    assert fault(tally(made=[0, 1, 2])) == ("R1", "made")
    assert settled(tally(made=[])) == settled(tally())
    assert settled(tally(tricks={}, made=[0, 1]))["tricks"] is None


def test_r1_the_message_describes_the_expected_value() -> None:
    assert message(tally(seats="5")) == 'The field seats is a whole number, not "5".'
    assert message(tally(seats=True)) == "The field seats is a whole number, not true or false."
    assert message(tally(seats=5.5)) == "The field seats is a whole number, not a number with a fraction."
    assert message(tally(tricks={"0": "2"})) == 'The field tricks.0 is a whole number, not "2".'
    assert message(tally(game="chess")) == 'There is no game "chess": it is "chratze", "kratzen" or "zwicken".'
    assert message(tally(joiners={})) == "The field joiners is a list, not an object."
    assert message(tally(rules=[])) == "The field rules is an object, not a list."
    assert message(tally(declarer="x")) == 'The field declarer is a seat or null, not "x".'
    assert message(tally(blind="x")) == 'The field blind is null, "blind" or "double", not "x".'
    assert message(tally(colour="x")) == "There is no field colour in such a record."
    assert message(put(FULL, ("deal", "x"), 1)) == "There is no field deal.x in such a record."
    assert message(tally(pot_before=-1)) == "The field pot_before is a whole number from 0 to 1000000000000, not -1."
    assert message(tally(seats=None)) == "The field seats is a whole number, not null."
    assert message(None) == "A record is a JSON object, not null."


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "nul",
        "{",
        '{"game": "chratze",}',
        '{"seats": NaN}',
        '{"seats": -Infinity}',
        "\ufeff{}",
        "[" * 200_000,
        '{"a":' * 200_000,
        "1" * 5000,
        b"\xff\xfe",
        b'{"game": "\xe4"}',
        b"\x00",
        b"[]",
        "\N{NO-BREAK SPACE}{}",
        '{"seats": 5, "seats": 6}',
        '{"game": "chratze", "rules": {"coin": 5, "coin": 5}}',
    ],
    ids=lambda line: repr(line[:24]),
)
def test_r1_a_line_that_is_not_a_json_object(line: str | bytes) -> None:
    result = engine.replay_line(line)
    assert result["error"]["clause"] == "R1"
    assert result["error"]["at"] == ""
    assert result["error"]["message"].isprintable()


def test_r1_the_message_for_an_invalid_line() -> None:
    def said(line: str | bytes) -> str:
        return str(engine.replay_line(line)["error"]["message"])

    assert said('{"a": 1, "b": 2, "b": 3}') == 'The field "b" is given twice in one object.'
    assert said('{"a": NaN}') == "NaN is no number in JSON."
    assert said(b'{"\xff"}') == "The line is not UTF-8: byte 2 cannot be read."
    assert said("[" * 200_000) == "The record is nested too deeply."
    assert said("[" + "1" * 5000 + "]") == "The line is not JSON: a number is too long."
    assert said('{"a"}') == "The line is not JSON: Expecting ':' delimiter at character 4."
    assert said('{"a": 1} {}') == "The line is not JSON: Extra data at character 8."
    assert said(" " * (LINE_LIMIT + 1)) == "A record is one line of at most 1048576 bytes; this one is longer."


def test_r1_a_line_may_be_as_long_as_the_limit() -> None:
    line = json.dumps(TALLY).ljust(LINE_LIMIT)
    assert engine.replay_line(line) == settled(TALLY)
    assert engine.replay_line(line.encode()) == settled(TALLY)
    fault = engine.replay_line(line + " ")["error"]
    assert (fault["clause"], fault["at"]) == ("R1", "")


def test_r2_a_card_twice_or_unknown_in_the_deal() -> None:
    assert fault(put(FULL, ("deal", "hands", 1, 0), "As")) == ("R2", "deal.hands[1][0]")
    assert message(put(FULL, ("deal", "hands", 1, 0), "As")) == "The card As was dealt twice."
    assert fault(put(FULL, ("deal", "hands", 1, 0), "Bs")) == ("R2", "deal.hands[1][0]")
    assert message(put(FULL, ("deal", "hands", 1, 0), "Bs")).startswith('There is no card "Bs" in this game')


@pytest.mark.parametrize(
    ("changes", "location"),
    [
        ({"dealer": 5}, "dealer"),
        ({"dealer": -1}, "dealer"),
        ({"declarer": 5}, "declarer"),
        ({"declarer": -1}, "declarer"),
        ({"joiners": [1, 5]}, "joiners[1]"),
        ({"joiners": [-1]}, "joiners[0]"),
        ({"joiners": [1, 2, 1]}, "joiners[2]"),
        ({"joiners": [1, 0]}, "joiners[1]"),
        ({"joiners": [1, 0, 1]}, "joiners[1]"),
        ({"joiners": [5, 1, 1]}, "joiners[0]"),
        ({"joiners": [1, 1, 5]}, "joiners[1]"),
        ({"joiners": [2, 1, 3, 2]}, "joiners[3]"),
        ({"joiners": [0]}, "joiners[0]"),
        ({"tricks": {"0": 3, "5": 1}}, "tricks.5"),
        ({"tricks": {"-1": 4}}, "tricks.-1"),
        ({"tricks": ..., "made": [0, 5]}, "made[1]"),
        ({"tricks": ..., "made": [0, -1]}, "made[1]"),
        ({"tricks": ..., "made": [1, 1]}, "made[1]"),
    ],
)
def test_r3_seats_that_do_not_exist_or_are_named_twice(changes: Record, location: str) -> None:
    assert fault(tally(**changes)) == ("R3", location)


def test_r3_the_declarer_of_a_blind_hand_is_checked_before_r3() -> None:
    assert fault(tally(declarer=5, blind="blind")) == ("R3", "declarer")


def test_r3_the_message_names_the_seats() -> None:
    assert message(tally(dealer=5)) == "There is no seat 5 at this table: seats are 0 to 4."
    assert message(tally(declarer=7)) == "There is no seat 7 at this table: seats are 0 to 4."
    assert message(tally(dealer=10**20)) == "There is no seat a huge number at this table: seats are 0 to 4."


GOOD_RULES: dict[str, list[object]] = {
    "stake": [1, 20, 10**12],
    "rounding": [5, 100, 10**12],
    "coin": [1, 5, 10, 10**12],
    "no_taker": ["turn", "redeal"],
    "max_turns": [1, 2, 8],
    "ante_on_redeal": [True, False],
    "blind": ["none", "blind", "both"],
    "susi": ["off", "label", "forced"],
    "rob": [True, False],
    "pot_limit": [None, 20, 10**12],
}
BAD_RULES: dict[str, list[object]] = {
    "stake": [0, -1, 20.0, "20", True, None, [], {}, 10**12 + 1, math.nan],
    "rounding": [0, -5, 7, 5.0, True, None, [], {}, 10**12 + 5],
    "coin": [0, -5, 5.0, True, None, [], {}, 10**12 + 1],
    "no_taker": ["Turn", "", None, True, 1, [], {}],
    "max_turns": [0, 9, -1, 3.0, True, None, "3"],
    "ante_on_redeal": [0, 1, None, "true", []],
    "blind": ["double", None, True, ["both"]],
    "susi": [False, None, "on", {}],
    "rob": [0, 1, None, "yes"],
    "pot_limit": [0, 19, -1, False, 20.0, "20", [], 10**12 + 1],
}


def test_r4_covers_every_house_rule() -> None:
    assert set(GOOD_RULES) == set(BAD_RULES) == set(engine.RULE_DEFAULTS["chratze"])


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GOOD_RULES.items() for value in values])
def test_r4_allowed_values_of_a_house_rule(name: str, value: object) -> None:
    assert engine.effective_rules("chratze", {name: value})[name] == value
    assert settled(tally(rules={name: value}, pot_before=10**9))


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD_RULES.items() for value in values])
def test_r4_other_values_of_a_house_rule_are_refused(name: str, value: object) -> None:
    assert fault(tally(rules={name: value})) == ("R4", f"rules.{name}")
    with pytest.raises(engine.Fault) as caught:
        engine.effective_rules("chratze", {name: value})
    assert (caught.value.clause, caught.value.at) == ("R4", f"rules.{name}")
    assert str(caught.value) == f"R4 at rules.{name}: {caught.value.message}"


def test_r4_a_house_rule_that_does_not_exist() -> None:
    assert fault(tally(rules={"joker": 1})) == ("R4", "rules.joker")
    assert message(tally(rules={"joker": 1})) == 'There is no house rule "joker" in Chratze.'
    assert fault(tally(rules={"unit": 10})) == ("R4", "rules.unit")


def test_r4_conditions_are_checked_on_the_effective_values() -> None:
    assert fault(tally(rules={"rounding": 12})) == ("R4", "rules.rounding")
    assert message(tally(rules={"rounding": 12})) == "The house rule rounding is a multiple of coin (5), not 12."
    assert settled(tally(rules={"rounding": 12, "coin": 6}))
    assert fault(tally(rules={"pot_limit": 49, "stake": 50})) == ("R4", "rules.pot_limit")
    assert settled(tally(rules={"pot_limit": 50, "stake": 50}))
    wrong = "The house rule pot_limit is null or at least the stake (20), not 19."
    assert message(tally(rules={"pot_limit": 19})) == wrong


def test_r4_the_message_describes_the_allowed_values() -> None:
    assert message(tally(rules={"susi": "on"})) == 'The house rule susi is one of off, label, forced, not "on".'
    assert message(tally(rules={"rob": 1})) == "The house rule rob is true or false, not 1."
    assert message(tally(rules={"max_turns": 9})) == "The house rule max_turns is a whole number from 1 to 8, not 9."


def test_r4_is_checked_after_r1_and_before_all_clauses() -> None:
    assert fault(tally(rules={"coin": 0}, zebra=1)) == ("R1", "zebra")
    assert fault(tally(rules={"coin": 0}, made=[0])) == ("R1", "made")
    assert fault(tally(rules={"coin": 0}, seats=9)) == ("R4", "rules.coin")
    assert fault(full(seats=9, play=[[1]])) == ("R1", "play[0][0]")


def test_r4_effective_rules_of_an_unknown_game() -> None:
    for ask in (
        lambda: engine.effective_rules("jass", {}),
        lambda: engine.ante_of_deal("jass", {}, deal_number=1),
        lambda: engine.pot_in_play("jass", {}, seats=5, pot_before=0, deal_number=1),
    ):
        with pytest.raises(engine.Fault) as caught:
            ask()
        assert (caught.value.clause, caught.value.at) == ("R1", "game")


def test_r4_the_defaults_equal_those_of_the_rulebook() -> None:
    defaults = {
        "stake": 20,
        "rounding": 20,
        "coin": 5,
        "no_taker": "turn",
        "max_turns": 3,
        "ante_on_redeal": True,
        "blind": "both",
        "susi": "label",
        "rob": True,
        "pot_limit": None,
    }
    assert engine.effective_rules("chratze", {}) == engine.RULE_DEFAULTS["chratze"] == defaults
    assert list(engine.effective_rules("chratze", {"rob": False})) == list(defaults)
    assert engine.GAMES == ("chratze", "kratzen", "zwicken")


@pytest.mark.parametrize(
    ("changes", "location"),
    [
        ({"tricks": {"0": 3}}, "tricks"),
        ({"tricks": {"0": 5}}, "tricks"),
        ({"tricks": {"0": 10**5000}}, "tricks"),
        ({"tricks": {"0": 5, "1": -1}}, "tricks.1"),
        ({"tricks": {"0": 3, "3": 1}}, "tricks.3"),
        ({"tricks": {"0": 4, "3": 0}}, "tricks.3"),
        ({"tricks": ...}, "tricks"),
        ({"tricks": {}}, "tricks"),
        ({"tricks": ..., "made": []}, "tricks"),
        ({"tricks": ..., "made": [0, 3]}, "made[1]"),
        ({"tricks": ..., "made": [0, 1, 2, 3], "joiners": [1, 2, 3]}, "made"),
    ],
)
def test_r5_impossible_tricks(changes: Record, location: str) -> None:
    assert fault(tally(**changes)) == ("R5", location)


def test_r5_at_most_four_joiners_can_have_a_trick() -> None:
    six = tally(seats=7, dealer=6, joiners=[1, 2, 3, 4, 5, 6], tricks=...)
    assert settled(six | {"made": [1, 2, 3, 4]})["pot"] == 140
    assert fault(six | {"made": [1, 2, 3, 4, 5]}) == ("R5", "made")
    assert settled(six | {"made": [0, 1, 2]})["pot"] == 140
    assert fault(six | {"made": [0, 1, 2, 3]}) == ("R5", "made")


def test_r5_made_and_tricks_give_the_same_amounts() -> None:
    for tricks in ({"0": 2, "1": 2}, {"0": 1, "1": 3}, {"0": 4}, {"1": 2, "2": 2}, {"0": 2, "1": 1, "2": 1}):
        goals = {"0": 2}
        made = [int(seat) for seat, count in tricks.items() if count >= goals.get(seat, 1)]
        by_made = settled(tally(tricks=..., made=made))
        assert by_made.pop("tricks") is None
        by_tricks = settled(tally(tricks=tricks))
        del by_tricks["tricks"]
        assert by_made == by_tricks


@pytest.mark.parametrize("record", [WALKOVER_TALLY, PASSED_OUT_TALLY])
def test_r5_no_tricks_if_nobody_played(record: Record) -> None:
    assert fault(changed(record, tricks={"0": 4})) == ("R5", "tricks")
    assert fault(changed(record, made=[0])) == ("R5", "made")
    assert settled(changed(record, tricks={}, made=[])) == settled(record)


def test_r5_the_message_gives_the_reason() -> None:
    assert message(changed(WALKOVER_TALLY, made=[0])) == "The hand is a walkover, so nobody took a trick."
    assert message(changed(PASSED_OUT_TALLY, made=[0])) == "The hand is passed out, so nobody took a trick."


@pytest.mark.parametrize("record", [TALLY, FULL, BLIND, WALKOVER, PASSED_OUT])
def test_replay_does_not_change_the_record(record: Record) -> None:
    before = json.dumps(record)
    assert settled(record) == settled(record)
    assert json.dumps(record) == before


def test_the_result_has_the_fields_of_the_rulebook_in_order() -> None:
    fields = "ok outcome declarer joiners muss pot tricks lines deltas pot_after next susi blind"
    assert {" ".join(settled(record)) for record in (TALLY, FULL, WALKOVER, PASSED_OUT)} == {fields}
