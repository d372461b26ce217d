"""K4 Deal and Siebenermuss."""

from typing import Any

import pytest

from tests.engine.hands import Record, changed, fault, message, paid, put, settled
from tests.engine.kratzen_hands import FULL, FULL_MUSS, HANDS, SEVEN, free, full, muss


@pytest.mark.parametrize(
    ("hands", "location"),
    [
        ([], "deal.hands"),
        (HANDS[:2], "deal.hands"),
        ([*HANDS, ["Qs", "9s", "8s", "7s"]], "deal.hands"),
        ([HANDS[0], HANDS[1][:3], HANDS[2]], "deal.hands[1]"),
        ([[*HANDS[0], "Qs"], *HANDS[1:]], "deal.hands[0]"),
    ],
)
def test_k4_1_four_cards_each(hands: object, location: str) -> None:
    assert fault(put(FULL, ("deal", "hands"), hands)) == ("K4.1", location)


@pytest.mark.parametrize("turned", [[], ["Ts", "9s"], ["6d"], ["Ts", "6d"], ["6d", "Ts", "9s"]])
def test_k4_1_one_card_is_turned_and_another_after_the_weli(turned: list[str]) -> None:
    assert fault(put(FULL, ("deal", "turned"), turned)) == ("K4.1", "deal.turned")


def test_k4_1_the_turned_cards_belong_to_the_dealer() -> None:
    weli = put(FULL_MUSS, ("deal", "turned"), ["6d", "Ts"])
    assert fault(weli) == ("K6.5", "exchanges[0].drop")
    weli["exchanges"][0]["drop"] = ["9d", "7c"]
    weli["play"] = [["As", "Ks", "Js"], ["6d", "Td", "8d"], ["Ts", "8c", "9h"], ["Kh", "Qh", "Ac"]]
    assert settled(weli)["tricks"] == [4, 0, 0]


def test_k4_1_the_turned_cards_belong_to_the_dealer_after_the_cuts() -> None:
    record = changed(FULL_MUSS, cuts=[["Ah", "8h"], ["9c"]])
    assert fault(record) == ("K6.5", "exchanges")
    assert fault(record | {"exchanges": [{"seat": 1, "drop": ["Td"]}], "play": []}) == ("K7.1", "play")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("deal", "hands", 1, 0), "As"),
        (("deal", "hands", 2, 3), "Td"),
        (("deal", "turned", 0), "Kh"),
    ],
)
def test_r2_a_card_is_dealt_once(path: tuple[Any, ...], name: str) -> None:
    location = "deal.turned[0]" if path[1] == "turned" else f"deal.hands[{path[2]}][{path[3]}]"
    assert fault(put(FULL, path, name)) == ("R2", location)
    assert message(put(FULL, path, name)) == f"The card {name} was dealt twice."


def test_r2_the_weli_is_dealt_once() -> None:
    record = put(put(FULL, ("deal", "hands", 0, 0), "6d"), ("deal", "hands", 1, 2), "6d")
    assert message(record) == "The card 6d was dealt twice."
    assert message(put(FULL, ("deal", "hands", 0, 0), "6c")).startswith('There is no card "6c" in this game')


def test_k4_1_the_messages() -> None:
    assert message(put(FULL, ("deal", "hands"), [])) == "Each of the 3 seats has a hand; there are 0."
    assert message(put(FULL, ("deal", "hands", 0), [])) == "Seat 0 is dealt 4 cards, not 0."
    sentence = "One card is turned, after the Weli another one: not 0 cards."
    assert message(put(FULL, ("deal", "turned"), [])) == sentence
    another = "The Weli decides no trump: another card is turned after it; it is missing."
    assert message(put(FULL, ("deal", "turned"), ["6d"])) == another
    decides = "The card Ts decides the trump, so no other card is turned."
    assert message(put(FULL, ("deal", "turned"), ["Ts", "9s"])) == decides


def test_k4_2_a_turned_seven_turns_a_free_hand_into_a_muss() -> None:
    result = settled(SEVEN)
    assert result["muss"] is True
    assert result["declarer"] == 0
    assert result["joiners"] == [1, 2]
    assert paid(result, "ante") == {0: -10}
    assert paid(result, "payout") == {}
    assert result["pot_after"] == result["pot"] + 110
    assert settled(SEVEN | {"rules": {"seven_muss": "any"}}) == result


def test_k4_2_everybody_needs_only_one_trick() -> None:
    tricks = {"0": 1, "1": 1, "2": 1, "3": 1}
    assert paid(settled(muss(seven=True, tricks=tricks)), "penalty") == {}
    assert paid(settled(muss(tricks=tricks)), "penalty") == {0: -100}
    assert paid(settled(muss(seven=True, tricks={"1": 2, "2": 2})), "penalty") == {0: -100, 3: -50}


def test_k4_2_a_muss_keeps_its_antes() -> None:
    assert settled(muss(seven=True, tricks={"0": 4}))["pot"] == 50
    seven = changed(SEVEN, pot_before=0)
    assert paid(settled(seven), "ante") == {0: -20, 1: -10, 2: -10}


def test_k4_2_with_seven_muss_off_a_seven_has_no_effect() -> None:
    off = {"seven_muss": "off"}
    assert fault(SEVEN | {"rules": off}) == ("K5.2", "calls")
    assert fault(muss(seven=True, rules=off)) == ("K4.2", "seven")
    assert fault(free(seven=True, rules=off)) == ("K4.2", "seven")
    assert settled(changed(SEVEN, pot_before=0, rules=off))["muss"] is True


SPOKEN = [
    ("calls", [[0, "schlagen"]]),
    ("new_trump", ["Qs"]),
    ("last_word", 1),
    ("last_word", 0),
    ("answers", [[1, "mit"], [2, "mit"]]),
]


@pytest.mark.parametrize(("name", "value"), SPOKEN)
def test_k4_2_nobody_speaks_in_a_siebenermuss(name: str, value: object) -> None:
    assert fault(changed(SEVEN, **{name: value})) == ("K4.2", name)


@pytest.mark.parametrize(
    ("field", "cards"), [("discard", ["9d"]), ("draw", ["Qs"]), ("show", ["As"]), ("open", ["Qs"]), ("hidden", ["Qs"])]
)
def test_k4_2_nobody_exchanges_in_a_siebenermuss(field: str, cards: list[str]) -> None:
    assert fault(put(SEVEN, ("exchanges", 0, field), cards)) == ("K4.2", f"exchanges[0].{field}")
    assert settled(put(SEVEN, ("exchanges", 0, field), []))


SIEBENERMUSS: Record = {
    "seven": True,
    "game_type": ...,
    "declarer": 0,
    "joiners": [1, 2, 3],
    "tricks": {"0": 1, "1": 3},
}


@pytest.mark.parametrize(
    ("changes", "location"),
    [
        ({"declarer": 1, "joiners": [0, 2, 3]}, "declarer"),
        ({"declarer": None, "joiners": []}, "declarer"),
        ({"joiners": [1, 2]}, "joiners"),
        ({"joiners": []}, "joiners"),
        ({"game_type": "schlagen"}, "game_type"),
        ({"game_type": "oder"}, "seven"),
        ({"game_type": "oder", "pot_before": 0}, "game_type"),
    ],
)
def test_k4_2_the_roles_of_a_siebenermuss(changes: Record, location: str) -> None:
    assert settled(free(**SIEBENERMUSS))["muss"] is True
    assert fault(free(**(SIEBENERMUSS | changes))) == ("K4.2", location)


def test_k4_2_the_messages() -> None:
    assert message(free(seven=True, rules={"seven_muss": "off"})) == "The house rules allow no Siebenermuss."
    later = "The house rules allow no Siebenermuss by a seven turned after oder."
    assert message(free(seven=True)) == later
    turned = "The turned seven made a Siebenermuss, so nobody called schlagen."
    assert message(free(seven=True, game_type="schlagen")) == turned
    silent = "The hand is a Siebenermuss: no one speaks, so the field calls must be empty."
    assert message(changed(SEVEN, calls=[[0, "oder"]])) == silent
    drop = "The hand is a Siebenermuss: nobody exchanges, only a drop is left."
    assert message(put(SEVEN, ("exchanges", 0, "discard"), ["9d"])) == drop
    deals = "The hand is a Siebenermuss: the declarer is seat 0, who deals, not 1."
    assert message(free(**(SIEBENERMUSS | {"declarer": 1}))) == deals
    everybody = "The hand is a Siebenermuss: every seat but the declarer is a joiner."
    assert message(free(**(SIEBENERMUSS | {"joiners": [1]}))) == everybody


def test_k4_2_only_a_seven_that_decided_the_trump_counts() -> None:
    assert fault(full(deal={"hands": [["7s", "Kh", "9d", "7c"], *HANDS[1:]], "turned": ["Ts"]}))[0] != "K4.2"
