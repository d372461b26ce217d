"""R1 and R4 for Kratzen: the fields of a record, and the house rules."""

from typing import Any

import pytest

import engine
from tests.engine.hands import Record, changed, fault, message, put, settled
from tests.engine.kratzen_hands import FREE, FULL, MUSS, free, full, muss


@pytest.mark.parametrize("record", [MUSS, FREE, FULL])
@pytest.mark.parametrize("name", ["colour", "deal_number", "blind", "made", "rob", "muss"])
def test_r1_unknown_fields(record: Record, name: str) -> None:
    assert fault(changed(record, **{name: None})) == ("R1", name)


@pytest.mark.parametrize("name", ["seven", "game_type", "declarer", "joiners", "tricks"])
def test_r1_a_full_record_has_no_field_of_a_tally(name: str) -> None:
    assert fault(full(**{name: None})) == ("R1", name)


@pytest.mark.parametrize("name", ["calls", "new_trump", "last_word", "answers", "exchanges", "play"])
def test_r1_a_tally_has_no_field_of_a_full_record(name: str) -> None:
    assert fault(muss(**{name: []})) == ("R1", name)


@pytest.mark.parametrize("name", ["seats", "dealer", "pot_before", "cuts"])
def test_r1_missing_fields(name: str) -> None:
    assert fault(muss(**{name: ...})) == fault(full(**{name: ...})) == ("R1", name)
    assert fault(muss(declarer=...)) == ("R1", "declarer")


@pytest.mark.parametrize(
    ("name", "value", "location"),
    [
        ("cuts", None, "cuts"),
        ("cuts", "x", "cuts"),
        ("cuts", ["x"], "cuts[0]"),
        ("cuts", [["x"], ["A", 7]], "cuts[1][1]"),
        ("seven", None, "seven"),
        ("seven", 1, "seven"),
        ("game_type", "weiter", "game_type"),
        ("game_type", False, "game_type"),
        ("game_type", ["oder"], "game_type"),
        ("declarer", "0", "declarer"),
        ("joiners", {}, "joiners"),
        ("tricks", {"0": "4"}, "tricks.0"),
        ("rules", [], "rules"),
    ],
)
def test_r1_types_of_a_tally(name: str, value: object, location: str) -> None:
    assert fault(changed(MUSS, tricks=...) | {name: value}) == ("R1", location)


@pytest.mark.parametrize(
    ("path", "value", "location"),
    [
        (("deal",), [], "deal"),
        (("deal", "turned"), "Ts", "deal.turned"),
        (("calls",), {}, "calls"),
        (("calls", 0), ["weiter", 0], "calls[0][0]"),
        (("new_trump",), "Jh", "new_trump"),
        (("new_trump",), [1], "new_trump[0]"),
        (("last_word",), "0", "last_word"),
        (("last_word",), False, "last_word"),
        (("answers",), None, "answers"),
        (("answers", 1), [0], "answers[1]"),
        (("exchanges",), {}, "exchanges"),
        (("exchanges", 0), [], "exchanges[0]"),
        (("exchanges", 0, "seat"), ..., "exchanges[0].seat"),
        (("exchanges", 0, "drop"), "8h", "exchanges[0].drop"),
        (("exchanges", 0, "show"), None, "exchanges[0].show"),
        (("exchanges", 0, "open"), [5], "exchanges[0].open[0]"),
        (("exchanges", 0, "hidden"), {}, "exchanges[0].hidden"),
        (("exchanges", 0, "closed"), [], "exchanges[0].closed"),
        (("play", 0), "Ah", "play[0]"),
    ],
)
def test_r1_types_of_a_full_record(path: tuple[Any, ...], value: object, location: str) -> None:
    assert fault(put(FULL, path, value)) == ("R1", location)


def test_r1_the_messages() -> None:
    assert message(muss(seven=1)) == "The field seven is true or false, not 1."
    kinds = 'The field game_type is null, "schlagen", "oder" or "weiter-oder", not "weiter".'
    assert message(muss(game_type="weiter")) == kinds


def test_r1_amounts_fit() -> None:
    result = settled(
        muss(pot_before=0, rules={"unit": 10**12, "coin": 5 * 10**11}, seats=6, joiners=[1, 2, 3, 4, 5], cuts=[["x"]])
    )
    assert max(map(abs, [*result["deltas"], result["pot_after"]])) < 2**63
    assert fault(muss(pot_before=10**12 + 5)) == ("R1", "pot_before")


def test_r4_the_defaults_equal_those_of_the_rulebook() -> None:
    defaults = {
        "unit": 10,
        "coin": 5,
        "must_beat": "trumps",
        "remainder": "pot",
        "seven_muss": "deal",
        "last_word": True,
        "open_trumps": True,
        "pot_limit": None,
        "split_over": None,
    }
    assert engine.effective_rules("kratzen", {}) == engine.RULE_DEFAULTS["kratzen"] == defaults
    assert engine.effective_rules("kratzen", {"unit": 20}) == defaults | {"unit": 20}


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ({"stake": 20}, "stake"),
        ({"unit": 0}, "unit"),
        ({"unit": 12}, "unit"),
        ({"unit": 5}, "unit"),
        ({"coin": 10}, "unit"),
        ({"coin": 3}, "unit"),
        ({"coin": 0}, "coin"),
        ({"coin": 5.0}, "coin"),
        ({"must_beat": "never"}, "must_beat"),
        ({"must_beat": True}, "must_beat"),
        ({"remainder": "joiner"}, "remainder"),
        ({"seven_muss": True}, "seven_muss"),
        ({"last_word": 1}, "last_word"),
        ({"open_trumps": "yes"}, "open_trumps"),
        ({"pot_limit": 39}, "pot_limit"),
        ({"pot_limit": 0}, "pot_limit"),
        ({"split_over": 39}, "split_over"),
        ({"split_over": True}, "split_over"),
        ({"coin": 20, "unit": 40, "split_over": 159}, "split_over"),
    ],
)
def test_r4_invalid_house_rules(rules: dict[str, object], name: str) -> None:
    assert fault(muss(rules=rules)) == fault(full(rules=rules)) == ("R4", f"rules.{name}")
    with pytest.raises(engine.Fault):
        engine.effective_rules("kratzen", rules)


@pytest.mark.parametrize(
    "rules",
    [
        {"unit": 10, "coin": 5, "pot_limit": 40, "split_over": 40},
        {"unit": 40, "coin": 20, "split_over": 160},
        {"coin": 1, "pot_limit": 8},
        {"must_beat": "always", "remainder": "declarer", "seven_muss": "any", "last_word": False, "open_trumps": False},
        {"pot_limit": None, "split_over": None},
    ],
)
def test_r4_valid_house_rules(rules: dict[str, object]) -> None:
    assert settled(muss(rules=rules))


def test_r4_the_messages() -> None:
    assert message(muss(rules={"stake": 1})) == 'There is no house rule "stake" in Kratzen.'
    assert message(muss(rules={"unit": 12})) == "The house rule unit is a multiple of coin (5) and at least 10, not 12."
    limit = "The house rule split_over is null or at least 8 coins (40), not 39."
    assert message(muss(rules={"split_over": 39})) == limit
    kind = (
        "The house rule pot_limit is null or a whole number of Rappen from 1 to 1000000000000, at least 8 coins, not 0."
    )
    assert message(muss(rules={"pot_limit": 0})) == kind
    assert message(muss(rules={"remainder": 5})) == "The house rule remainder is one of pot, declarer, not 5."


def test_r1_fields_are_checked_before_r4_and_that_before_the_pot() -> None:
    assert fault(muss(rules={"unit": 0}, pot_before=7, colour=1)) == ("R1", "colour")
    assert fault(muss(rules={"unit": 0}, pot_before=7)) == ("R4", "rules.unit")
    assert fault(muss(pot_before=7, seats=9)) == ("R1", "pot_before")


def test_empty_lists_equal_missing_fields() -> None:
    assert settled(free(rules={}, claimed=[], seven=False)) == settled(free())
    assert settled(full(new_trump=[], last_word=None)) == settled(full())
