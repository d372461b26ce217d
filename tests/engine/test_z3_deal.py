"""Z3 Deal."""

from typing import Any

import pytest

from tests.engine.hands import fault, message, put, settled
from tests.engine.zwicken_hands import FULL, HANDS, PLAY_MISSING, exchanging, full, table


@pytest.mark.parametrize(
    ("hands", "location"),
    [
        ([], "deal.hands"),
        (HANDS[:2], "deal.hands"),
        ([*HANDS, ["Qs", "9s", "8s"]], "deal.hands"),
        ([HANDS[0], HANDS[1][:2], HANDS[2]], "deal.hands[1]"),
        ([[*HANDS[0], "Qs"], *HANDS[1:]], "deal.hands[0]"),
    ],
)
def test_z3_1_three_cards_each(hands: object, location: str) -> None:
    assert fault(put(FULL, ("deal", "hands"), hands)) == ("Z3.1", location)


def test_z3_1_one_card_is_turned() -> None:
    assert fault(put(FULL, ("deal", "turned"), None)) == ("Z3.1", "deal.turned")


def test_z3_1_the_messages() -> None:
    assert message(put(FULL, ("deal", "hands"), [])) == "Each of the 3 seats has a hand; there are 0."
    assert message(put(FULL, ("deal", "hands", 1), ["Ks"])) == "Seat 1 is dealt 3 cards, not 1."
    assert message(put(FULL, ("deal", "turned"), None)) == "One card is turned and decides the trump; it is missing."


def test_z3_1_the_turned_card_decides_the_trump_and_is_out_of_play() -> None:
    hands = ("9c 8c 8s", "Kh Kd Qs", "Qh Qd Ks")
    for turned, taker in (("Th", 1), ("Td", 1), ("Tc", 0)):
        play = ["Kh Qh 9c", "Kd Qd 8c", "Qs Ks 8s"] if turned != "Tc" else ["Kh Qh 9c", "8c Kd Qd", "8s Qs Ks"]
        result = settled(table(*hands, turned=turned, play=play))
        assert result["tricks"] == ([0, 2, 1] if taker else [2, 0, 1])
    assert fault(exchanging({"seat": 1, "discard": ["8c"], "draw": ["Ts"]})) == ("Z5.1", "exchanges[0].draw[0]")


@pytest.mark.parametrize("path", [("deal", "hands", 1, 0), ("deal", "hands", 2, 2), ("deal", "turned")])
def test_r2_a_card_is_dealt_once(path: tuple[Any, ...]) -> None:
    location = "deal.turned" if path[1] == "turned" else f"deal.hands[{path[2]}][{path[3]}]"
    assert fault(put(FULL, path, "As")) == ("R2", location)
    assert message(put(FULL, path, "As")) == "The card As was dealt twice."


def test_r2_two_cards_dealt_twice_are_found() -> None:
    hands = [["As", "As", "9d"], ["Ks", "Ks", "8c"], HANDS[2]]
    assert fault(put(FULL, ("deal", "hands"), hands)) == ("R2", "deal.hands[0][1]")


@pytest.mark.parametrize("path", [("deal", "hands", 0, 1), ("deal", "turned")])
@pytest.mark.parametrize("name", ["6d", "6s", "1h", "", "kh"])
def test_r2_an_unknown_card(path: tuple[Any, ...], name: str) -> None:
    location = "deal.turned" if path[1] == "turned" else "deal.hands[0][1]"
    assert fault(put(FULL, path, name)) == ("R2", location)


def test_z3_2_the_seven_turned_makes_diamonds_trump_and_stays_out() -> None:
    play = ["Kh Qh 9d", "8d Kc Kd", "Qs 8s Ks"]
    result = settled(table("9d 8d 8s", "Kh Kc Ks", "Qh Kd Qs", turned="7d", play=play))
    assert result["tricks"] == [1, 1, 1]
    out = full(deal={"hands": [HANDS[0], ["Ks", "9c", "8c"], HANDS[2]], "turned": "7d"}, play=...)
    assert fault(out | {"exchanges": [{"seat": 1, "discard": ["8c"], "draw": ["7d"]}]})[0] == "Z5.1"
    assert fault(out | {"exchanges": [{"seat": 1, "discard": ["8c"], "draw": ["7h"]}]}) == PLAY_MISSING
