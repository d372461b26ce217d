"""Z1 Players and cards."""

import pytest

import engine
from engine.cards import SUITS, highest
from engine.zwicken.players import BELLI, DECK, PACK, in_deck, trump_of
from tests.engine.hands import fault, message, settled
from tests.engine.zwicken_hands import forced, full, table


@pytest.mark.parametrize("seats", [-1, 0, 1, 2, 7, 10**18])
def test_z1_1_not_fewer_than_three_and_not_more_than_six_seats(seats: int) -> None:
    assert fault(forced(seats=seats)) == ("Z1.1", "seats")
    with pytest.raises(engine.Fault):
        engine.due("zwicken", {}, seats=seats, dealer=0, pot_before=0)


@pytest.mark.parametrize("seats", range(3, 7))
def test_z1_1_three_to_six_seats(seats: int) -> None:
    result = settled(forced(seats=seats, tricks={"0": 2, str(seats - 1): 1}))
    assert (len(result["deltas"]), result["next"]["dealer"]) == (seats, 1)


@pytest.mark.parametrize("dealer", [-1, 5, 99])
def test_r3_the_dealer_is_a_seat(dealer: int) -> None:
    assert fault(forced(dealer=dealer)) == ("R3", "dealer")


def test_z1_1_everything_goes_to_the_left() -> None:
    assert settled(forced(dealer=4))["next"]["dealer"] == 0


def test_z1_2_the_pack_has_32_cards() -> None:
    assert (len(DECK.bit), PACK.bit_count()) == (32, 32)
    assert {name[0] for name in DECK.bit} == set("AKQJT987")
    assert fault(full(cuts=["6d"])) == ("R2", "cuts[0]")
    assert message(full(cuts=["6d"])) == (
        'There is no card "6d" in this game: a card is a rank of AKQJT987 and a suit of shdc.'
    )


@pytest.mark.parametrize("suit", SUITS)
def test_z1_3_the_seven_is_the_second_highest_trump(suit: str) -> None:
    deck, trumps = trump_of("T" + suit, seven=True)
    assert trumps.bit_count() == (8 if suit == "d" else 9)
    assert (highest(trumps), highest(trumps ^ deck.bit["A" + suit])) == (deck.bit["A" + suit], deck.bit[BELLI])
    for other in SUITS.replace(suit, ""):
        assert deck.suit_of[deck.bit["9" + other]].bit_count() == (7 if other == "d" else 8)
    assert sum(deck.bit.values()).bit_count() == 32
    assert in_deck(deck, PACK) == sum(deck.bit.values())
    assert in_deck(deck, DECK.bit["As"]) == DECK.bit["As"]
    assert [deck.bit[name] for name in deck.bit] == sorted(deck.bit.values())


@pytest.mark.parametrize("suit", SUITS)
def test_z1_3_without_the_house_rule_it_is_a_plain_seven(suit: str) -> None:
    deck, trumps = trump_of("T" + suit, seven=False)
    assert (deck, trumps.bit_count()) == (DECK, 8)
    assert deck.suit_of[deck.bit[BELLI]] == deck.suit_of[deck.bit["Ad"]]
    assert in_deck(deck, PACK) == PACK


def test_z1_3_only_the_trump_ace_beats_it() -> None:
    beats = ["Kh Th 7d", "Kc 8c Qc", "8s Qs 9s"]
    assert settled(table("8c Kh Qs", "Qc Th 9s", "Kc 7d 8s", turned="9h", dealer=2, play=beats))["tricks"] == [1, 0, 2]
    loses = ["Kh 7d Ah", "Qc 8c Kc", "8s 9s Qs"]
    hand = table("8c Kh Qs", "Kc 7d 8s", "Qc Ah 9s", turned="9h", dealer=2, play=loses)
    assert settled(hand)["tricks"] == [1, 1, 1]


def test_z1_3_ace_is_high_and_seven_low() -> None:
    hand = table("Ac 7h 9s", "Kc Ah Qs", "7c Kh 8s", turned="Td", dealer=2, play=["7h Ah Kh", "Kc 7c Ac", "9s Qs 8s"])
    assert settled(hand)["tricks"] == [1, 2, 0]
