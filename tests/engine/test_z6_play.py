"""Z6 Play."""

import pytest

from engine.tricks import ALWAYS, NEVER, TRUMPS, legal_cards
from engine.zwicken.players import trump_of
from tests.engine.hands import changed, fault, message, put, settled
from tests.engine.zwicken_hands import FULL, full, table


def legal(
    hand: str, on_table: str, must_beat: str = ALWAYS, *, must_trump: bool = True, seven: bool = True
) -> set[str]:
    """Return the legal cards of a hand where hearts are trump and some cards lie on the table."""
    deck, trump = trump_of("9h", seven=seven)
    cards = [deck.bit[name] for name in on_table.split()]
    led = deck.suit_of[cards[0]]
    held = sum(deck.bit[name] for name in hand.split())
    allowed = legal_cards(held, led, trump, sum(cards), must_beat, must_trump)
    return {name for name, bit in deck.bit.items() if bit & allowed}


def test_z6_1_the_first_seat_to_the_dealers_left_leads_and_the_winner_leads_on() -> None:
    assert settled(FULL)["tricks"] == [1, 2, 0]
    out = [[1, "weg"], [2, "mit"], [0, "mit"]]
    hand = full(answers=out, exchanges=..., play=[["Js", "As"], ["Kh", "9h"], ["9d", "Ac"]])
    assert settled(hand)["tricks"] == [3, 0, 0]
    assert fault(changed(hand, play=[["As", "Js"], ["Kh", "9h"], ["9d", "Ac"]])) == ("Z6.1", "play[0][0]")
    hopped = full(cuts=["Ac", "9c"], answers=[[2, "mit"], [0, "mit"], [1, "weg"]], exchanges=...)
    assert settled(changed(hopped, play=[["Js", "As"], ["Kh", "9h"], ["9d", "Ac"]]))["tricks"] == [3, 0, 0]


@pytest.mark.parametrize(
    ("path", "value", "location"),
    [
        (("play",), ..., "play"),
        (("play",), FULL["play"][:2], "play"),
        (("play",), [*FULL["play"], []], "play"),
        (("play", 1), ["7d", "Js"], "play[1]"),
        (("play", 1), [], "play[1]"),
        (("play", 0, 0), "8c", "play[0][0]"),
        (("play", 0, 1), "9d", "play[0][1]"),
        (("play", 1, 0), "Ah", "play[1][0]"),
    ],
)
def test_z6_1_three_tricks_from_the_own_hand(path: tuple[object, ...], value: object, location: str) -> None:
    assert fault(put(FULL, path, value)) == ("Z6.1", location)


def test_z6_1_the_messages() -> None:
    assert message(full(play=[])) == "A hand has 3 tricks, not 0."
    assert message(put(FULL, ("play", 0, 0), "8c")) == "Seat 1 plays 8c but holds Ks 7d Ah."


@pytest.mark.parametrize("name", ["6d", "6s", "xx"])
def test_r2_an_unknown_card_in_the_play(name: str) -> None:
    assert fault(put(FULL, ("play", 1, 2), name)) == ("R2", "play[1][2]")


def test_z6_2_the_suit_led_is_followed() -> None:
    assert legal("8c Kh Qs", "9s", NEVER) == {"Qs"}
    assert fault(put(FULL, ("play", 0, 2), "As")) == ("Z6.2", "play[0][2]")
    assert message(put(FULL, ("play", 0, 2), "As")) == "Seat 0 plays As but must follow suit: Kh."


def test_z6_2_the_seven_follows_as_a_trump() -> None:
    assert legal("7d 8c", "9h") == {"7d"}
    assert legal("7d 8c", "9d") == {"7d"}  # no diamond: it must trump
    assert legal("7d 8d", "9d", NEVER) == {"8d"}
    assert legal("Kd 8h", "7d", NEVER) == {"8h"}  # the seven led asks for trumps
    assert legal("7d 8c", "9d", NEVER, seven=False) == {"7d"}
    assert legal("7d 8d", "9d", NEVER, seven=False) == {"7d", "8d"}
    assert legal("7d 8c", "9h", NEVER, seven=False) == {"7d", "8c"}


def test_z6_3_who_cannot_follow_must_trump() -> None:
    assert legal("8c Kh 9h", "9s", NEVER) == {"Kh", "9h"}
    assert fault(put(FULL, ("play",), [["Ks", "Js", "As"], ["9d", "Ah", "Ac"], []])) == ("Z6.3", "play[1][1]")
    assert message(put(FULL, ("play",), [["Ks", "Js", "As"], ["9d", "Ah", "Ac"], []])) == (
        "Seat 1 plays Ah but must trump: 7d."
    )


def test_z6_3_by_house_rule_who_cannot_follow_plays_any_card() -> None:
    assert legal("8c Kh 9h", "9s", must_trump=False) == {"8c", "Kh", "9h"}
    assert legal("8c Qs Kh", "9s", must_trump=False) == {"Qs"}
    assert legal("8c Kh", "9h", must_trump=False) == {"Kh"}
    free = full(rules={"must_trump": False}, play=[["Ks", "Js", "As"], ["9d", "Ah", "Ac"], ["Kh", "7d", "9h"]])
    assert settled(free)["tricks"] == [2, 1, 0]
    assert fault(changed(free, rules={})) == ("Z6.3", "play[1][1]")


@pytest.mark.parametrize(
    ("hand", "on_table", "always", "trumps", "off"),
    [
        ("Ks 8s", "9s", "Ks", "Ks 8s", "Ks 8s"),
        ("Ks 8s", "As", "Ks 8s", "Ks 8s", "Ks 8s"),
        ("Ks 8s", "9s Kh", "Ks 8s", "Ks 8s", "Ks 8s"),
        ("Kh 8h", "9s", "Kh 8h", "Kh 8h", "Kh 8h"),
        ("Kh 8h", "9s 9h", "Kh", "Kh", "Kh 8h"),
        ("Kh 8h", "9s Ah", "Kh 8h", "Kh 8h", "Kh 8h"),
        ("Kh 8h", "9h", "Kh", "Kh", "Kh 8h"),
        ("Kh 7d", "9h Qh", "Kh 7d", "Kh 7d", "Kh 7d"),
        ("Ah Kh", "7d", "Ah", "Ah", "Ah Kh"),
        ("Qh Kh", "7d", "Qh Kh", "Qh Kh", "Qh Kh"),
    ],
)
def test_z6_4_the_duty_to_beat(hand: str, on_table: str, always: str, trumps: str, off: str) -> None:
    for must_beat, cards in ((ALWAYS, always), (TRUMPS, trumps), (NEVER, off)):
        assert legal(hand, on_table, must_beat) == set(cards.split()), must_beat


def test_z6_4_the_house_rule_decides() -> None:
    cards = ("Kc 8c Td", "Qc Th 9s", "Ac Qh 8s")
    beaten = table(*cards, turned="9h", dealer=2, play=["8c Qc Ac", "Qh Td Th", "8s Kc 9s"])
    assert settled(beaten)["tricks"] == [0, 1, 2]
    low = table(*cards, turned="9h", dealer=1, play=["Qh Td Th", "8s 8c 9s", "Qc Ac Kc"])
    assert settled(low)["tricks"] == [0, 1, 2]
    lower = table("8c Kc Td", "Qc Jc 9s", "Ac 9c 8s", turned="9h", dealer=2, play=["8c Jc 9c", "Qc Ac Kc", "8s Td 9s"])
    assert fault(lower) == ("Z6.4", "play[0][2]")
    assert message(lower) == "Seat 2 plays 9c but must beat the cards on the table: Ac."
    for must_beat in ("trumps", "off"):
        assert settled(changed(lower, rules={"must_beat": must_beat}))["tricks"] == [0, 2, 1]


def test_z6_4_with_trumps_the_duty_holds_for_trumps_alone() -> None:
    hand = table("8h Kc Td", "Qh Jc 9s", "Ah 9h 8s", turned="Th", dealer=2, play=["8h Qh 9h", "Jc Ah Kc", "8s Td 9s"])
    for must_beat in ("always", "trumps"):
        assert fault(changed(hand, rules={"must_beat": must_beat})) == ("Z6.4", "play[0][2]")
    assert settled(changed(hand, rules={"must_beat": "off"}))["tricks"] == [0, 2, 1]


def test_z6_5_who_can_neither_follow_nor_trump_plays_any_card() -> None:
    assert legal("8c Kd 7c", "9s") == {"8c", "Kd", "7c"}


def test_z6_6_the_highest_trump_takes_the_trick_or_the_highest_card_of_the_suit_led() -> None:
    assert settled(FULL)["tricks"] == [1, 2, 0]  # the third trick: Ks trumps 9d, the ace of clubs takes nothing
    plain = table("8h Kc Td", "Qh Jc 9s", "Ah 9h 8s", turned="Tc", dealer=2, play=["8h Qh Ah", "9h Kc Jc", "Td 9s 8s"])
    assert settled(plain)["tricks"] == [2, 0, 1]
