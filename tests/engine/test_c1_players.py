"""C1 Players and cards."""

import pytest

from engine.cards import BIT, NAME, PACK, SUIT_OF, highest, names, six_of
from tests.engine.hands import FULL, fault, full, message, put, settled, tally


@pytest.mark.parametrize("seats", range(2, 8))
def test_c1_1_two_to_seven_seats_are_legal(seats: int) -> None:
    record = tally(seats=seats, dealer=0, joiners=[1], tricks={"0": 3, "1": 1})
    assert settled(record)["pot"] == 20 * seats


@pytest.mark.parametrize("seats", [-1, 0, 1, 8, 36, 10**30])
def test_c1_1_other_numbers_of_seats_are_illegal(seats: int) -> None:
    assert fault(tally(seats=seats)) == ("C1.1", "seats")


def test_c1_1_is_checked_before_the_dealers_seat() -> None:
    assert fault(tally(seats=8, dealer=9)) == ("C1.1", "seats")


def test_c1_1_the_message_does_not_print_a_huge_number() -> None:
    assert message(tally(seats=10**5000)) == "Chratze is played by 2 to 7 seats, not a huge number."


def test_c1_2_thirty_six_cards_of_four_suits() -> None:
    assert len(BIT) == 36
    assert PACK.bit_count() == 36
    assert {name[1] for name in BIT} == set("shdc")
    assert {NAME[bit] for bit in BIT.values()} == set(BIT)
    assert sorted(set(SUIT_OF.values())) == sorted({SUIT_OF[BIT["A" + suit]] for suit in "shdc"})
    assert all(SUIT_OF[BIT[name]] == sum(BIT[rank + name[1]] for rank in "6789TJQKA") for name in BIT)


@pytest.mark.parametrize("name", ["5s", "2h", "10s", "AS", "sA", "", "A", "Ass", "1h", "🂡", "\ud800"])
def test_c1_2_other_cards_are_unknown(name: str) -> None:
    assert fault(put(FULL, ("deal", "hands", 0, 0), name)) == ("R2", "deal.hands[0][0]")


def test_c1_3_ace_is_high_six_is_low_jack_is_between_ten_and_queen() -> None:
    for suit in "shdc":
        bits = [BIT[rank + suit] for rank in "6789TJQKA"]
        assert bits == sorted(bits)
        assert highest(sum(bits)) == BIT["A" + suit]
        assert six_of(sum(bits)) == BIT["6" + suit]


def test_c1_3_trump_jack_and_trump_nine_have_no_special_rank() -> None:
    # The trump ace takes the trump jack, and the trump queen the nine and the jack.
    assert settled(full())["tricks"] == [4, 0, 0]


def test_c1_3_cards_are_named_low_to_high() -> None:
    assert names(BIT["Ah"] | BIT["6s"] | BIT["As"] | BIT["Th"]) == "6s As Th Ah"
    assert names(0) == ""


def test_c1_4_the_next_seat_is_one_higher() -> None:
    assert settled(tally(dealer=3))["next"]["dealer"] == 4
    assert settled(tally(dealer=4))["next"]["dealer"] == 0
    assert fault(put(FULL, ("calls", 0), [2, "chratze"])) == ("C3.1", "calls[0][0]")
