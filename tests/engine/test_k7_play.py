"""K7 Play."""

import pytest

from engine.kratzen.players import DECKS, trumps
from engine.tricks import ALWAYS, NEVER, TRUMPS, legal_cards
from tests.engine.hands import Record, changed, fault, message, put, settled
from tests.engine.kratzen_hands import FULL, FULL_MUSS, WALKOVER, exchanging

SPADES = next(deck for deck in DECKS.values() if trumps(deck) & deck.bit["As"])


def test_k7_1_the_declarer_leads_and_then_the_winner() -> None:
    assert settled(FULL)["tricks"] == [3, 1, 0]
    by_seat_0_first = put(FULL, ("play", 0), ["Kh", "Ah", "9h"])
    assert fault(by_seat_0_first) == ("K7.1", "play[0][0]")


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_k7_1_four_tricks(count: int) -> None:
    assert fault(changed(FULL, play=[*FULL["play"], ["7s", "8s", "9s"]][:count])) == ("K7.1", "play")


@pytest.mark.parametrize("trick", [[], ["Ah"], ["Ah", "9h"], ["Ah", "9h", "Kh", "7h"]])
def test_k7_1_every_active_seat_plays_a_card(trick: list[str]) -> None:
    assert fault(put(FULL, ("play", 0), trick)) == ("K7.1", "play[0]")


def test_k7_1_a_played_card_must_be_in_the_hand() -> None:
    assert fault(put(FULL, ("play", 0, 1), "8h")) == ("K7.1", "play[0][1]")
    assert fault(put(FULL, ("play", 3, 0), "Qs")) == ("K7.1", "play[3][0]")
    assert message(put(FULL, ("play", 3, 0), "6d")) == "Seat 0 plays 6d but holds Ts."


def test_k7_1_a_seat_that_is_out_does_not_play() -> None:
    record = exchanging({"seat": 1, "discard": ["8c"], "draw": ["Ah"]}, answers=[[2, "mit"], [0, "ohne"]])
    play = [["Ah", "9h"], ["Ks", "Js"], ["Qh", "8d"], ["Td", "Ac"]]
    assert settled(record | {"play": play})["tricks"] == [0, 4, 0]


def test_k7_2_a_seat_that_can_follow_may_not_trump() -> None:
    assert fault(put(FULL, ("play", 0, 1), "Js")) == ("K7.2", "play[0][1]")
    assert fault(put(FULL, ("play", 0, 2), "As")) == ("K7.2", "play[0][2]")
    assert message(put(FULL, ("play", 0, 1), "Js")) == "Seat 2 plays Js but must follow suit: 9h."


WELI_HELD = put(FULL_MUSS, ("deal", "hands", 2, 0), "6d")
"""Seat 2 has the Weli instead of the jack of trumps."""


def test_k7_2_the_weli_follows_as_a_trump() -> None:
    record = changed(WELI_HELD, play=[["Ts", "Ks", "9h"]])
    assert fault(record) == ("K7.2", "play[0][2]")
    assert message(record) == "Seat 2 plays 9h but must follow suit: 6d."
    assert message(changed(WELI_HELD, play=[["Ts", "Ks", "Js"]])) == "Seat 2 plays Js but holds 9h 8d Ac 6d."
    diamonds = changed(FULL_MUSS, exchanges=[{"seat": 0, "drop": ["7c"]}])
    diamonds = put(diamonds, ("deal", "hands", 1), ["6d", "Qh", "8c", "Tc"])
    assert fault(changed(diamonds, play=[["9d", "Qh", "8d"]])) == ("K7.3", "play[0][1]"), "it is no diamond"
    assert fault(changed(diamonds, play=[["9d", "6d", "8d"]])) == ("K7.1", "play")


def test_k7_3_a_seat_that_cannot_follow_must_trump() -> None:
    record = changed(FULL_MUSS, play=[["7c", "8c", "Ac"], ["Ac", "As", "Ks"]])
    assert fault(record) == ("K7.1", "play[1][0]")
    no_hearts = put(FULL_MUSS, ("deal", "hands", 2, 1), "Kd")
    assert fault(changed(no_hearts, play=[["Kh", "Qh", "Kd"]])) == ("K7.3", "play[0][2]")
    assert message(changed(no_hearts, play=[["Kh", "Qh", "Kd"]])) == "Seat 2 plays Kd but must trump: Js."
    assert fault(changed(no_hearts, play=[["Kh", "Qh", "Js"]])) == ("K7.1", "play")


def test_k7_3_and_k7_4_the_weli_trumps_and_beats() -> None:
    no_hearts = put(WELI_HELD, ("deal", "hands", 2, 1), "Kd")
    assert message(changed(no_hearts, play=[["Kh", "Qh", "Kd"]])) == "Seat 2 plays Kd but must trump: 6d."
    two_trumps = put(no_hearts, ("deal", "hands", 2, 3), "8s")
    fell_short = changed(two_trumps, play=[["Ts", "Ks", "8s"]])
    assert message(fell_short) == "Seat 2 plays 8s but must beat the cards on the table: 6d."


def test_k7_4_a_seat_that_must_trump_must_beat() -> None:
    assert fault(put(FULL, ("play", 1, 2), "Ts")) == ("K7.4", "play[1][2]")
    assert message(put(FULL, ("play", 1, 2), "Ts")) == "Seat 0 plays Ts but must beat the cards on the table: As."
    # Seats 1 and 2 have no hearts; seat 1 has trumped with the nine.
    record = put(FULL_MUSS, ("deal", "hands", 1), ["9s", "Tc", "8c", "Td"])
    record = put(record, ("deal", "hands", 2), ["Js", "8s", "Ac", "8d"])
    assert fault(changed(record, play=[["Kh", "9s", "8s"]])) == ("K7.4", "play[0][2]")
    assert fault(changed(record, play=[["Kh", "9s", "Js"]])) == ("K7.1", "play")


def test_k7_4_a_seat_that_cannot_beat_still_plays_a_trump() -> None:
    assert FULL["play"][1] == ["Ks", "Js", "As"]
    assert fault(put(FULL, ("play", 1, 1), "8d")) == ("K7.2", "play[1][1]")


@pytest.mark.parametrize(
    ("hand", "led", "on_table", "may", "with_always"),
    [
        ("9h Kh", "Th", "Th", "9h Kh", "Kh"),
        ("8h 9h", "Th", "Th", "8h 9h", "8h 9h"),
        ("9h Kh", "Th", "Th 7s", "9h Kh", "9h Kh"),
        ("9h Kh As", "Th", "Th Qh", "9h Kh", "Kh"),
        ("7s Qs Ad", "Th", "Th Js", "Qs", "Qs"),
        ("7s 8s Ad", "Th", "Th Js", "7s 8s", "7s 8s"),
        ("7s Qs Ad", "Th", "Th", "7s Qs", "7s Qs"),
        ("7s Qs Ad", "9s", "9s Js", "Qs", "Qs"),
        ("7s 6d Ad", "Ks", "Ks", "6d", "6d"),
        ("7s Ks Ad", "6d", "6d", "7s Ks", "7s Ks"),
        ("7s As Ad", "6d", "6d", "As", "As"),
        ("7c Kd", "Th", "Th Js", "7c Kd", "7c Kd"),
        ("9h Kh As", "9h", "", "9h Kh", "9h Kh"),
    ],
)
def test_k7_4_the_duty_to_beat(hand: str, led: str, on_table: str, may: str, with_always: str) -> None:
    def bits(cards: str) -> int:
        return sum(SPADES.bit[name] for name in cards.split())

    suit = SPADES.suit_of[SPADES.bit[led]]
    assert legal_cards(bits(hand), suit, trumps(SPADES), bits(on_table), TRUMPS) == bits(may)
    assert legal_cards(bits(hand), suit, trumps(SPADES), bits(on_table), ALWAYS) == bits(with_always)
    never = legal_cards(bits(hand), suit, trumps(SPADES), bits(on_table), NEVER)
    assert never == legal_cards(bits(hand), suit, trumps(SPADES))
    assert never & bits(with_always) == bits(with_always)


def test_k7_4_with_always_plain_suits_must_be_beaten_too() -> None:
    deal = put(FULL_MUSS, ("deal", "hands", 2, 2), "Ah")
    plain: Record = changed(deal, play=[["Kh", "Qh", "9h"]])
    assert fault(plain) == ("K7.1", "play")
    plain["rules"] = {"must_beat": "always"}
    assert fault(plain) == ("K7.4", "play[0][2]")
    assert fault(changed(plain, play=[["Kh", "Qh", "Ah"]])) == ("K7.1", "play")


def test_k7_5_without_suit_and_trump_any_card_is_legal() -> None:
    assert settled(put(put(FULL, ("play", 2, 2), "Ac"), ("play", 3, 2), "8d"))["tricks"] == [3, 1, 0]


def test_k7_6_the_highest_trump_takes_the_trick_else_the_highest_of_the_suit_led() -> None:
    play = [["7c", "8c", "Ac"], ["8d", "9d", "Td"]]
    keeps_diamond = changed(FULL_MUSS, exchanges=[{"seat": 0, "drop": ["Kh"]}], play=play)
    assert fault(keeps_diamond) == ("K7.1", "play")
    record = changed(keeps_diamond, play=[*play, ["Ks", "Js", "As"], ["Ts", "Qh", "9h"]])
    assert settled(record)["tricks"] == [2, 1, 1]


@pytest.mark.parametrize("seat", [0, 2])
def test_r5_a_walkover_has_no_tricks(seat: int) -> None:
    assert fault(WALKOVER | {"play": [["Ah"]]}) == ("K8.2", "play")
    assert fault(WALKOVER | {"exchanges": [{"seat": seat}]}) == ("K8.2", "exchanges")
    assert message(WALKOVER | {"play": [["Ah"]]}) == "Nobody joined, so the field play must be empty."
