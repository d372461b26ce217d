"""K3 The cut."""

import pytest

import engine
from tests.engine.hands import fault, message, paid, settled
from tests.engine.kratzen_hands import full, muss

Cuts = list[list[str]]


def after(cuts: Cuts, dealer: int = 0, **rules: object) -> tuple[int, tuple[int, ...]]:
    return engine.after_cuts(rules, seats=4, dealer=dealer, cuts=cuts)


def test_k3_0_the_first_dealer_comes_from_the_record() -> None:
    for dealer in range(4):
        assert after([["x"]], dealer) == (dealer, (0, 0, 0, 0))


@pytest.mark.parametrize("cut", [[], ["7"], ["A", "x", "x"], ["W", "A", "7"]])
def test_k3_1_a_card_with_effect_is_followed_by_another(cut: list[str]) -> None:
    assert fault(muss(cuts=[cut, ["x"]])) == ("K3.1", "cuts[0]")
    assert fault(muss(cuts=[["A", "7"], cut, ["x"]])) == ("K3.1", "cuts[1]")


def test_k3_1_the_second_card_may_have_no_effect() -> None:
    assert after([["7", "x"], ["x"]]) == (3, (0, 0, 0, 10))


@pytest.mark.parametrize(
    ("cuts", "dealer", "payments"),
    [
        ([["7", "x"], ["x"]], 3, (0, 0, 0, 10)),
        ([["A", "x"], ["x"]], 1, (0, 10, 0, 0)),
        ([["W", "x"], ["x"]], 0, (10, 10, 10, 10)),
        ([["W", "A"], ["x"]], 1, (10, 20, 10, 10)),
        ([["A", "W"], ["x"]], 1, (10, 20, 10, 10)),
    ],
)
def test_k3_2_a_seven_passes_the_pack_right_an_ace_left_the_weli_nowhere(
    cuts: Cuts, dealer: int, payments: tuple[int, ...]
) -> None:
    assert after(cuts) == (dealer, payments)
    others = [seat for seat in range(4) if seat != dealer]
    result = settled(muss(cuts=cuts, declarer=dealer, joiners=others, tricks={str(dealer): 4}))
    assert paid(result, "cut") == {seat: -amount for seat, amount in enumerate(payments) if amount}
    assert after(cuts, unit=50, coin=10)[1] == tuple(5 * amount for amount in payments)


def test_k3_2_the_rank_of_a_card_decides_its_effect() -> None:
    for seven in ("7s", "7h", "7d", "7c"):
        assert after([[seven, "Ks"], ["Qd"]]) == after([["7", "x"], ["x"]])
    for ace in ("As", "Ah", "Ad", "Ac"):
        assert after([[ace, "8s"], ["9s"]]) == after([["A", "x"], ["x"]])
    assert after([["6d", "Ts"], ["Js"]]) == after([["W", "x"], ["x"]])


@pytest.mark.parametrize(
    ("cut", "dealer", "payments"),
    [
        (["7", "A"], 0, (10, 0, 0, 10)),
        (["A", "7"], 0, (10, 10, 0, 0)),
        (["A", "A"], 2, (0, 10, 10, 0)),
        (["7", "7"], 2, (0, 0, 10, 10)),
    ],
)
def test_k3_3_both_receivers_pay(cut: list[str], dealer: int, payments: tuple[int, ...]) -> None:
    assert after([cut, ["x"]]) == (dealer, payments)


def test_k3_4_the_pack_is_cut_again_for_the_new_dealer() -> None:
    assert after([["A", "x"], ["A", "x"], ["7", "W"], ["x"]]) == (1, (10, 30, 20, 10))


@pytest.mark.parametrize("cuts", [[], [["7"]], [["7", "x"]], [["x", "x"]], [["x"], []], [["A", "x"], ["W"]]])
def test_k3_4_the_last_cut_shows_one_card_without_effect(cuts: Cuts) -> None:
    location = f"cuts[{len(cuts) - 1}]" if cuts else "cuts"
    if cuts == [["x"], []]:
        location = "cuts[0]"
    assert fault(muss(cuts=cuts)) == ("K3.4", location)


@pytest.mark.parametrize("cut", [["x"], ["x", "A"], ["x", "x", "x"]])
def test_k3_4_every_earlier_cut_starts_with_a_card_with_effect(cut: list[str]) -> None:
    assert fault(muss(cuts=[cut, ["x"]])) == ("K3.4", "cuts[0]")


def test_k3_4_unfinished_cuts_give_dealer_and_payments_so_far() -> None:
    nobody = (0, 0, 0, 0)
    assert after([]) == after([[]]) == (0, nobody)
    assert after([["A"]]) == after([["A", "x"]]) == after([["A", "x"], []]) == (1, (0, 10, 0, 0))
    assert after([["A", "7"], ["7"]]) == (3, (10, 10, 0, 10))


@pytest.mark.parametrize(
    ("cuts", "clause", "location"),
    [
        ([["x"], ["x"]], "K3.4", "cuts[0]"),
        ([["x", "x"]], "K3.4", "cuts[0]"),
        ([["A"], ["x"]], "K3.1", "cuts[0]"),
        ([["A", "x", "x"]], "K3.1", "cuts[0]"),
        ([["A", "x"], ["Y"]], "R2", "cuts[1][0]"),
    ],
)
def test_k3_4_impossible_unfinished_cuts_are_refused(cuts: Cuts, clause: str, location: str) -> None:
    with pytest.raises(engine.Fault) as caught:
        after(cuts)
    assert (caught.value.clause, caught.value.at) == (clause, location)


def test_k3_4_after_cuts_checks_the_table() -> None:
    for seats, dealer in ((2, 0), (4, 4)):
        with pytest.raises(engine.Fault):
            engine.after_cuts({}, seats=seats, dealer=dealer, cuts=[])


@pytest.mark.parametrize("symbol", ["A", "7", "W", "x"])
def test_r2_a_full_record_has_cards_and_no_symbols(symbol: str) -> None:
    assert fault(full(cuts=[[symbol]])) == ("R2", "cuts[0][0]")


@pytest.mark.parametrize("cut", [["7s", "7s"], ["6d", "6d"], ["W", "6d"], ["6d", "W"], ["W", "W"]])
def test_r2_one_cut_shows_a_card_only_once(cut: list[str]) -> None:
    assert fault(muss(cuts=[cut, ["x"]])) == ("R2", "cuts[0][1]")
    assert settled(muss(cuts=[["W", "x"], ["W", "x"], ["x"]]))


@pytest.mark.parametrize("name", ["a", "w", "X", "6s", "K", "", "7S", "xx"])
def test_r2_an_unknown_symbol_in_a_cut(name: str) -> None:
    assert fault(muss(cuts=[["A", name], ["x"]])) == ("R2", "cuts[0][1]")


def test_k3_4_the_messages() -> None:
    assert message(muss(cuts=[])) == "Rearhand cuts until a card without effect is shown; the list of cuts is empty."
    last = "The last cut shows one card, and that has no effect: no ace, no seven, no Weli."
    assert message(muss(cuts=[["7"]])) == last
    first = "The first card of this cut has no effect, so it is the last card that is shown."
    assert message(muss(cuts=[["x"], ["x"]])) == first
    two = "A cut that shows an ace, a seven or the Weli shows 2 cards, not 1."
    assert message(muss(cuts=[["A"], ["x"]])) == two
    assert message(muss(cuts=[["6d", "W"], ["x"]])) == "The card W is shown twice in one cut."
