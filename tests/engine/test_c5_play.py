"""C5 Play."""

import pytest

from engine.cards import BIT, NAME
from engine.tricks import legal_cards, rotated
from tests.engine.hands import FULL, Record, fault, full, message, put, settled


def bits(cards: str) -> int:
    return sum(BIT[name] for name in cards.split())


def two_seats(first: str, second: str, *tricks: str, turned: str = "9s") -> Record:
    """Seat 0 declares, seat 1 joins, nobody exchanges."""
    return {
        "game": "chratze",
        "seats": 2,
        "dealer": 1,
        "pot_before": 0,
        "deal": {"hands": [first.split(), second.split()], "turned": [turned]},
        "calls": [[0, "chratze"], [1, "metcho"]],
        "play": [trick.split() for trick in tricks],
    }


def test_c5_1_the_declarer_leads_and_then_the_winner() -> None:
    record = two_seats("As 7h 6d 6c", "Ks Ah 7d 7c", "As Ks", "7h Ah", "7d 6d", "7c 6c")
    assert settled(record)["tricks"] == [1, 3]
    assert fault(put(record, ("play", 2), ["6d", "7d"])) == ("C5.1", "play[2][0]")


def test_c5_1_active_seats_play_in_order() -> None:
    assert fault(put(FULL, ("play", 0), ["As", "Js", "8s"])) == ("C5.1", "play[0][1]")


def test_c5_1_there_are_four_tricks() -> None:
    assert fault(full(play=FULL["play"][:3])) == ("C5.1", "play")
    assert fault(full(play=[*FULL["play"], []])) == ("C5.1", "play")
    assert fault(full(play=...)) == ("C5.1", "play")
    assert fault(full(play=[])) == ("C5.1", "play")


@pytest.mark.parametrize("trick", [["Ks", "Qs"], ["Ks", "Qs", "9c", "7h"], []])
def test_c5_1_each_active_seat_plays_one_card(trick: list[str]) -> None:
    assert fault(put(FULL, ("play", 1), trick)) == ("C5.1", "play[1]")


def test_c5_1_a_seat_that_is_out_does_not_play() -> None:
    record = put(FULL, ("calls", 2, 1), "weg")
    assert fault(record) == ("C5.1", "play[0]")


@pytest.mark.parametrize(
    ("trick", "place", "card"),
    [(0, 0, "Tc"), (0, 1, "As"), (1, 2, "Js"), (3, 0, "7d"), (1, 1, "6c")],
    ids=["from the stock", "another seat's", "played before", "discarded", "discarded by a joiner"],
)
def test_c5_1_a_played_card_must_be_in_the_hand(trick: int, place: int, card: str) -> None:
    assert fault(put(FULL, ("play", trick, place), card)) == ("C5.1", f"play[{trick}][{place}]")


def test_c5_1_the_message_names_seat_and_cards() -> None:
    assert message(put(FULL, ("play", 1, 2), "Js")) == "Seat 2 plays Js but holds 7h Kd 9c."
    assert message(put(FULL, ("play", 1), ["Ks"])) == (
        "Each of seats 0, 1, 2 plays one card to the trick: 3 cards, not 1."
    )


@pytest.mark.parametrize(("trick", "place"), [(0, 0), (2, 1), (3, 2)])
def test_c5_1_an_unknown_card_is_r2(trick: int, place: int) -> None:
    assert fault(put(FULL, ("play", trick, place), "1s")) == ("R2", f"play[{trick}][{place}]")


def test_c5_2_the_suit_led_must_be_played() -> None:
    record = put(put(FULL, ("play", 2, 1), "6d"), ("play", 3, 1), "8h")
    assert fault(record) == ("C5.2", "play[2][1]")
    assert message(record) == "Seat 1 plays 6d but must follow suit: 8h."


def test_c5_2_a_seat_that_can_follow_may_not_trump() -> None:
    record = two_seats("Ah Kh 6d 6c", "7h As 7d 7c", "Ah As", "7d 6d", "7c 6c", "7h Kh")
    assert fault(record) == ("C5.2", "play[0][1]")


def test_c5_2_a_trump_lead_must_be_followed() -> None:
    record = two_seats("As Kh 6d 6c", "7s Ah 7d 7c", "As Ah", "Kh 7s", "7d 6d", "7c 6c")
    assert fault(record) == ("C5.2", "play[0][1]")


def test_c5_3_a_seat_that_cannot_follow_must_trump() -> None:
    record = two_seats("Ah Kh 6d 6c", "7s 8d 7d 7c", "Ah 8d", "Kh 7s", "7d 6d", "7c 6c")
    assert fault(record) == ("C5.3", "play[0][1]")
    assert message(record) == "Seat 1 plays 8d but must trump: 7s."


def test_c5_3_a_seat_must_trump_even_below_another_trump() -> None:
    record = full()
    record["deal"]["hands"] = [["Ah", "Kh", "6d", "6c"], ["Ks", "8d", "7d", "7c"], ["7s", "9d", "Td", "9c"]]
    record["deal"]["turned"] = ["9s"]
    record["exchanges"] = []
    record["play"] = [["Ah", "Ks", "9d"], ["7d", "Td", "6d"], ["7s", "6c", "7c"], ["9c", "Kh", "8d"]]
    assert fault(record) == ("C5.3", "play[0][2]")
    record["play"] = [["Ah", "Ks", "7s"], ["7d", "9d", "6d"], ["Td", "Kh", "8d"], ["9c", "6c", "7c"]]
    assert settled(record)["tricks"] == [0, 1, 3]


def test_c5_4_without_suit_and_trump_any_card_is_legal() -> None:
    for last_two in (["9c", "Kd"], ["Kd", "9c"]):
        record = put(FULL, ("play", 1, 2), last_two[0])
        record = put(record, ("play", 3, 2), last_two[1])
        assert settled(record)["tricks"] == [4, 0, 0]


def test_c5_4_nobody_must_beat() -> None:
    record = two_seats("Kh 8s 6d 6c", "Ah 7h 7d As", "Kh 7h", "8s As", "Ah 6d", "7d 6c")
    assert settled(record)["tricks"] == [1, 3]


@pytest.mark.parametrize(
    ("hand", "led", "allowed"),
    [
        ("7s Ah Kh 6c", "Qh", "Ah Kh"),
        ("7s 8s Kd 6c", "Qh", "7s 8s"),
        ("7d 8d Kd 6c", "Qh", "7d 8d Kd 6c"),
        ("7s 8d Kd 6c", "Qs", "7s"),
        ("8d Kd 6c", "Qs", "8d Kd 6c"),
    ],
)
def test_c5_4_legal_cards(hand: str, led: str, allowed: str) -> None:
    suits = {suit: bits(" ".join(rank + suit for rank in "6789TJQKA")) for suit in "shdc"}
    assert legal_cards(bits(hand), suits[led[1]], suits["s"]) == bits(allowed)


def test_c5_5_the_highest_trump_takes_the_trick() -> None:
    record = two_seats("Ah Kh 6d 6c", "6s 8d 7d 7c", "Ah 6s", "7d 6d", "7c 6c", "8d Kh")
    assert settled(record)["tricks"] == [0, 4]


def test_c5_5_without_a_trump_the_highest_of_the_suit_led() -> None:
    record = two_seats("6h 9d Td Jd", "Ac Kc Qc Jc", "6h Ac", "9d Kc", "Td Qc", "Jd Jc")
    assert settled(record)["tricks"] == [4, 0]


@pytest.mark.parametrize("suit", "shdc")
def test_c5_5_every_rank_beats_the_lower_ones_trump_or_not(suit: str) -> None:
    other = "h" if suit == "s" else "s"
    for low, high in zip("6789TJQK", "789TJQKA", strict=True):
        fillers = [rank + side for side in "shdc" if side not in (suit, other) for rank in "6789TJ"]
        first = [low + suit, *fillers[:3]]
        second = [high + suit, *fillers[6:9]]
        for turned in ("Q" + other, ("A" if high != "A" else "6") + suit):
            record = two_seats(" ".join(first), " ".join(second), f"{low + suit} {high + suit}", turned=turned)
            assert fault(record) == ("C5.1", "play")
            taken = put(record, ("play",), [[low + suit, high + suit], [first[1], second[1]]])
            assert fault(taken) == ("C5.1", "play[1][0]"), "the higher card leads next"


def test_c5_5_the_winner_leads_next() -> None:
    assert rotated([3, 4, 1], 1) == [4, 1, 3]
    assert rotated([3, 4, 1], 0) == [3, 4, 1]
    assert NAME[BIT["Ah"]] == "Ah"
