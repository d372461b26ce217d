"""C2 Ante and deal."""

import pytest

import engine
from tests.engine.hands import (
    BLIND,
    DOUBLE,
    FULL,
    PASSED_OUT,
    PASSED_OUT_TALLY,
    WALKOVER,
    Record,
    changed,
    fault,
    full,
    message,
    paid,
    put,
    settled,
    tally,
)


def test_c2_0_the_cut_is_not_recorded() -> None:
    assert fault(tally(cuts=[["As"]])) == ("R1", "cuts")


def test_c2_1_every_seat_pays_a_stake_even_if_it_is_out() -> None:
    result = settled(tally(rules={"stake": 30}))
    assert paid(result, "ante") == dict.fromkeys(range(5), -30)
    assert result["pot"] == 150


def test_c2_1_antes_come_on_top_of_the_pot_before() -> None:
    assert settled(tally(pot_before=35))["pot"] == 135


@pytest.mark.parametrize("hands", [FULL["deal"]["hands"][:2], [*FULL["deal"]["hands"], ["8c", "Tc", "Jc", "Qc"]], []])
def test_c2_2_every_seat_has_a_hand(hands: list[list[str]]) -> None:
    assert fault(put(FULL, ("deal", "hands"), hands)) == ("C2.2", "deal.hands")


@pytest.mark.parametrize("hand", [["Qs", "8h", "Td"], ["Qs", "8h", "Td", "6c", "Tc"], []])
def test_c2_2_a_seat_is_dealt_four_cards(hand: list[str]) -> None:
    assert fault(put(FULL, ("deal", "hands", 1), hand)) == ("C2.2", "deal.hands[1]")


def test_c2_2_only_the_double_blind_dealer_is_dealt_five() -> None:
    assert fault(changed(DOUBLE, dealer=1)) == ("C2.2", "deal.hands[0]")
    assert fault(changed(DOUBLE, blind=None)) == ("C2.2", "deal.hands[0]")


@pytest.mark.parametrize(
    ("path", "card", "location"),
    [
        (("deal", "hands", 0, 1), "As", "deal.hands[0][1]"),
        (("deal", "hands", 2, 3), "As", "deal.hands[2][3]"),
        (("deal", "turned", 0), "9c", "deal.turned[0]"),
        (("deal", "turned"), ["9s", "8c", "9s"], "deal.turned[2]"),
        (("deal", "turned", 0), "9x", "deal.turned[0]"),
    ],
)
def test_c2_2_no_card_is_dealt_twice(path: tuple[str | int, ...], card: object, location: str) -> None:
    assert fault(put(FULL, path, card)) == ("R2", location)


def test_c2_2_the_turned_suit_is_trump() -> None:
    other_trump = put(put(FULL, ("deal", "turned", 0), "9d"), ("play",), [["As", "8s", "Js"], ["Ks", "Qs", "Kd"]])
    assert fault(other_trump) == ("C5.1", "play")  # seat 2 has no spade left and trumps with its king
    with_the_old = put(FULL, ("deal", "turned", 0), "9d")
    assert fault(with_the_old) == ("C5.3", "play[1][2]")


def test_c2_3_the_next_seat_deals_after_a_hand_with_a_declarer() -> None:
    for record in (full(), WALKOVER, BLIND, DOUBLE):
        result = settled(record)
        assert result["next"] == {"dealer": (record["dealer"] + 1) % 3, "deal_number": 1, "muss": None}


def test_c2_4_after_a_passed_out_hand_the_pot_stays_and_the_same_dealer_deals() -> None:
    result = settled(PASSED_OUT)
    assert result["outcome"] == "passed_out"
    assert (result["declarer"], result["joiners"], result["tricks"]) == (None, [], [0, 0, 0])
    assert result["pot_after"] == result["pot"] == 100
    assert result["deltas"] == [-20, -20, -20]
    assert result["next"] == {"dealer": 2, "deal_number": 2, "muss": None}


def test_c2_4_a_dealer_may_deal_any_number_of_times_in_a_row() -> None:
    result = settled(changed(PASSED_OUT, deal_number=9))
    assert result["next"] == {"dealer": 2, "deal_number": 10, "muss": None}


def test_c2_4_the_last_turned_card_decides_the_trump() -> None:
    record = full(calls=[[0, "weg"], [1, "weg"], [2, "weg"], *FULL["calls"]])
    assert settled(put(record, ("deal", "turned"), ["8c", "9s"]))["tricks"] == [4, 0, 0]


def test_c2_4_max_turns_limits_the_turned_cards() -> None:
    record = put(FULL, ("deal", "turned"), ["9s", "8c", "Tc", "Jc"])
    assert fault(record) == ("C2.4", "deal.turned")
    assert fault(put(FULL, ("deal", "turned"), [])) == ("C2.4", "deal.turned")


def test_c2_4_no_card_is_turned_after_the_declaration() -> None:
    assert fault(put(FULL, ("deal", "turned"), ["9s", "8c"])) == ("C2.4", "deal.turned")


@pytest.mark.parametrize("calls", [PASSED_OUT["calls"], PASSED_OUT["calls"][:3]])
def test_c2_4_another_card_is_turned_if_nobody_declared(calls: list[object]) -> None:
    record = put(changed(PASSED_OUT, calls=calls), ("deal", "turned"), ["9s"])
    assert fault(record) == ("C2.4", "deal.turned")
    assert "card 2 of 2" in message(record)


def test_c2_4_with_seven_seats_eight_cards_can_be_turned() -> None:
    suits = [rank + suit for suit in "shdc" for rank in "6789TJQKA"]
    record = {
        "game": "chratze",
        "seats": 7,
        "dealer": 6,
        "pot_before": 0,
        "rules": {"max_turns": 8},
        "deal": {"hands": [suits[4 * seat : 4 * seat + 4] for seat in range(7)], "turned": suits[28:]},
        "calls": [[seat, "weg"] for _ in range(8) for seat in range(7)],
    }
    assert settled(record)["outcome"] == "passed_out"


@pytest.mark.parametrize(
    ("name", "value"), [("exchanges", FULL["exchanges"]), ("rob", {"seat": 0}), ("play", FULL["play"])]
)
def test_c2_4_nothing_follows_a_passed_out_hand(name: str, value: object) -> None:
    assert fault(changed(PASSED_OUT, **{name: value})) == ("C2.4", name)
    redeal = put(PASSED_OUT, ("deal", "turned"), ["9s"])
    redeal = changed(redeal, rules={"no_taker": "redeal"}, calls=PASSED_OUT["calls"][:3])
    assert settled(redeal)["outcome"] == "passed_out"
    assert fault(changed(redeal, **{name: value})) == ("C2.5", name)


@pytest.mark.parametrize("turned", [["9s", "8c"], []])
def test_c2_5_one_card_is_turned_in_each_deal(turned: list[str]) -> None:
    record = full(rules={"no_taker": "redeal"})
    assert settled(record)
    assert fault(put(record, ("deal", "turned"), turned)) == ("C2.5", "deal.turned")


@pytest.mark.parametrize(("deal_number", "next_deal"), [(1, (4, 2)), (2, (4, 3)), (3, (0, 1))])
def test_c2_5_the_next_seat_deals_after_the_last_passed_out_deal(deal_number: int, next_deal: tuple[int, int]) -> None:
    record = changed(PASSED_OUT_TALLY, rules={"no_taker": "redeal"}, deal_number=deal_number)
    result = settled(record)
    assert (result["next"]["dealer"], result["next"]["deal_number"]) == next_deal


def test_c2_5_max_turns_limits_the_deals_in_a_row() -> None:
    for record in (tally(), PASSED_OUT_TALLY, FULL):
        redeal = changed(record, rules={"no_taker": "redeal", "max_turns": 2})
        assert settled(changed(redeal, deal_number=2))
        assert fault(changed(redeal, deal_number=3)) == ("C2.5", "deal_number")


def test_c2_5_each_redeal_costs_an_ante_unless_ante_on_redeal_is_off() -> None:
    for no_taker in ("turn", "redeal"):
        for deal_number, ante_on_redeal, ante in ((1, True, 20), (1, False, 20), (2, True, 20), (2, False, 0)):
            rules: Record = {"no_taker": no_taker, "ante_on_redeal": ante_on_redeal}
            result = settled(tally(rules=rules, deal_number=deal_number, pot_before=60))
            assert result["pot"] == 60 + 5 * ante
            assert paid(result, "ante") == (dict.fromkeys(range(5), -ante) if ante else {})
            assert engine.ante_of_deal("chratze", rules, deal_number=deal_number) == ante
            pot = engine.pot_in_play("chratze", rules, seats=5, pot_before=60, deal_number=deal_number)
            assert pot == result["pot"]


def test_c2_5_deal_number_counts_from_one() -> None:
    assert settled(tally(deal_number=1)) == settled(tally())
    assert fault(tally(deal_number=0)) == ("R1", "deal_number")
