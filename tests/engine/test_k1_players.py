"""K1 Players and cards."""

import pytest

import engine
from engine.cards import SUITS, highest
from engine.kratzen.players import DECK, DECKS, PACK, WELI, _deck_of, trumps, with_weli_as_trump
from tests.engine.hands import changed, fault, message, put, settled
from tests.engine.kratzen_hands import FULL, FULL_MUSS, ODER, free, full, muss


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_k1_1_three_to_six_seats(seats: int) -> None:
    record = muss(seats=seats, joiners=[*range(1, seats)], tricks={"0": 4})
    assert len(settled(record)["deltas"]) == seats


@pytest.mark.parametrize("seats", [-1, 0, 2, 7, 10**9])
def test_k1_1_no_other_number_of_seats(seats: int) -> None:
    assert fault(muss(seats=seats)) == ("K1.1", "seats")
    assert fault(full(seats=seats)) == ("K1.1", "seats")


def test_k1_1_the_message_names_the_fewest_and_most_seats() -> None:
    assert message(muss(seats=2)) == "Kratzen is played by 3 to 6 seats, not 2."


def test_k1_1_the_dealer_must_be_a_seat_of_the_table() -> None:
    for dealer in (-1, 4):
        assert fault(muss(dealer=dealer)) == ("R3", "dealer")


def test_k1_2_the_pack_has_thirty_three_cards() -> None:
    assert len(DECK.bit) == PACK.bit_count() == 33
    assert set(DECK.bit) == {rank + suit for rank in "AKQJT987" for suit in SUITS} | {WELI}
    assert all(sorted(deck.bit) == sorted(DECK.bit) for deck in DECKS.values())


@pytest.mark.parametrize("name", ["6s", "6h", "6c", "5d", "10s", "W", "x", "", "AS"])
def test_k1_2_other_cards_are_unknown(name: str) -> None:
    assert fault(put(FULL, ("deal", "hands", 0, 2), name)) == ("R2", "deal.hands[0][2]")
    assert fault(put(FULL, ("deal", "turned", 0), name)) == ("R2", "deal.turned[0]")
    assert fault(put(FULL, ("exchanges", 0, "discard", 0), name)) == ("R2", "exchanges[0].discard[0]")
    assert fault(put(FULL, ("exchanges", 0, "draw", 1), name)) == ("R2", "exchanges[0].draw[1]")
    assert fault(put(FULL, ("exchanges", 0, "drop", 0), name)) == ("R2", "exchanges[0].drop[0]")
    assert fault(put(FULL, ("play", 1, 2), name)) == ("R2", "play[1][2]")
    assert fault(full(cuts=[[name]])) == ("R2", "cuts[0][0]")


def test_k1_2_the_message_describes_the_cards() -> None:
    words = 'There is no card "6s" in this game: a card is a rank of AKQJT987 and a suit of shdc, or 6d, the Weli.'
    assert message(put(FULL, ("play", 1, 2), "6s")) == words
    assert message(full(cuts=[["6s"]])) == words
    assert message(put(FULL, ("deal", "turned", 0), "6s")) == words
    assert message(put(FULL, ("exchanges", 0, "drop", 0), "6s")) == words
    assert message(put(FULL, ("exchanges", 0, "discard", 0), "6s")) == words
    assert message(changed(ODER, new_trump=["6s"])) == words


@pytest.mark.parametrize("suit", SUITS)
def test_k1_3_only_the_trump_ace_beats_the_weli(suit: str) -> None:
    deck = next(deck for deck in DECKS.values() if trumps(deck) & deck.bit["A" + suit])
    order = [deck.bit[rank + suit] for rank in "789TJQK"] + [deck.bit[WELI], deck.bit["A" + suit]]
    assert order == sorted(order)
    assert trumps(deck) == sum(order)
    assert highest(sum(order[:-1])) == deck.bit[WELI]
    assert all(deck.suit_of[bit] == trumps(deck) for bit in order)
    for other in set(SUITS) - {suit}:
        plain = [deck.bit[rank + other] for rank in "789TJQKA"]
        assert plain == sorted(plain)
        assert {deck.suit_of[bit] for bit in plain} == {sum(plain)}


@pytest.mark.parametrize("suit", SUITS)
def test_k1_3_each_trump_suit_has_its_own_deck(suit: str) -> None:
    deck = _deck_of(suit)
    assert DECKS[DECK.suit_of[DECK.bit["K" + suit]]] == deck
    assert deck.bit["A" + suit] == 2 * deck.bit[WELI] == 4 * deck.bit["K" + suit]
    assert deck.description == DECK.description


def test_k1_3_the_weli_moves_to_the_trump_suit() -> None:
    for deck in DECKS.values():
        assert with_weli_as_trump(deck, PACK) == sum(deck.bit.values())
        assert with_weli_as_trump(deck, DECK.bit["As"]) == deck.bit["As"]


def test_k1_3_the_weli_takes_a_trick_in_play() -> None:
    record = put(FULL_MUSS, ("deal", "hands", 1, 0), "6d")
    record["play"] = [["Ts", "6d", "Js"], ["Qh", "9h", "Kh"], ["As", "8c", "8d"], ["7c", "Td", "Ac"]]
    assert settled(record)["tricks"] == [2, 1, 1]
    # The trump ace takes it.
    record["play"] = [["As", "6d", "Js"], ["Ts", "Td", "8d"], ["Kh", "Qh", "9h"], ["7c", "8c", "Ac"]]
    assert settled(record)["tricks"] == [3, 0, 1]


def test_k1_4_left_is_the_next_seat_and_right_the_previous_one() -> None:
    assert engine.after_cuts({}, seats=4, dealer=0, cuts=[["7", "x"]]).dealer == 3
    assert engine.after_cuts({}, seats=4, dealer=3, cuts=[["A", "x"]]).dealer == 0
    assert settled(free(dealer=3, declarer=1))["next"]["dealer"] == 0
