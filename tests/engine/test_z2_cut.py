"""Z2 Stake and cut."""

import pytest

import engine
from tests.engine.hands import fault, message, paid, settled
from tests.engine.zwicken_hands import FORCED, forced, free, full

NOBODY = (0, 0, 0, 0)


def after(cuts: list[str], dealer: int = 0, **rules: object) -> tuple[int, tuple[int, ...]]:
    return engine.after_cuts(rules, seats=4, dealer=dealer, cuts=cuts, game="zwicken")


def test_z2_1_the_first_dealer_comes_from_the_record() -> None:
    for dealer in range(4):
        assert after(["x"], dealer) == (dealer, NOBODY)
        assert settled(forced(dealer=dealer))["next"]["dealer"] == (dealer + 1) % 5


@pytest.mark.parametrize("dealer", range(5))
@pytest.mark.parametrize("stake", [30, 60])
def test_z2_2_the_dealer_alone_pays_the_stake(dealer: int, stake: int) -> None:
    rules = {"stake": stake}
    for record in (forced(dealer=dealer, rules=rules), free(dealer=dealer, rules=rules)):
        assert paid(settled(record), "ante") == {dealer: -stake}
    due = engine.due("zwicken", rules, seats=5, dealer=dealer, pot_before=90)
    assert due == (tuple(stake if seat == dealer else 0 for seat in range(5)), False, 90 + stake)


@pytest.mark.parametrize(
    ("cuts", "dealer", "payments"),
    [
        (["A", "x"], 1, (0, 30, 0, 0)),
        (["7", "x"], 1, (0, 30, 0, 0)),
        (["B", "x"], 2, (0, 30, 30, 0)),
        (["B", "B", "x"], 0, (30, 30, 30, 30)),
        (["A", "7", "A", "x"], 3, (0, 30, 30, 30)),
        (["A", "B", "7", "x"], 0, (30, 30, 30, 30)),
    ],
)
def test_z2_3_ace_and_seven_hop_and_the_seven_of_schellen_jumps(
    cuts: list[str], dealer: int, payments: tuple[int, ...]
) -> None:
    assert after(cuts) == (dealer, payments)
    assert after(cuts, stake=60)[1] == tuple(2 * amount for amount in payments)
    result = settled(forced(cuts=cuts, seats=4, tricks={"0": 3}))
    assert paid(result, "cut") == {seat: -amount for seat, amount in enumerate(payments) if amount}
    assert result["next"]["dealer"] == (dealer + 1) % 4


def test_z2_3_without_the_seven_the_seven_of_schellen_hops() -> None:
    assert after(["B", "x"], seven=False) == after(["7d", "x"], seven=False) == (1, (0, 30, 0, 0))
    assert after(["7d", "x"]) == after(["B", "x"]) == (2, (0, 30, 30, 0))


def test_z2_3_the_rank_of_a_card_decides_its_effect() -> None:
    for card in ("As", "Ah", "Ad", "Ac", "7s", "7h", "7c"):
        assert after([card, "9c"]) == after(["A", "x"])
    for card in ("Ks", "Qh", "Jd", "Tc", "9s", "8d"):
        assert after([card]) == after(["x"])


def test_z2_3_without_moving_cuts_there_are_none() -> None:
    still = {"cut_moves": False}
    assert after([], cut_moves=False) == (0, NOBODY)
    assert settled(forced(rules=still, cuts=...)) == settled(forced(rules=still, cuts=[])) == settled(FORCED)
    assert settled(full(rules=still, cuts=...)) == settled(full(rules=still, cuts=[]))
    assert fault(forced(rules=still)) == fault(full(rules=still)) == ("Z2.3", "cuts")
    sentence = "By the house rules no cut moves the deal, so the field cuts must be empty."
    assert message(forced(rules=still)) == sentence


def test_r1_where_the_cut_moves_the_deal_there_are_cuts() -> None:
    assert fault(forced(cuts=...)) == fault(full(cuts=...)) == ("R1", "cuts")
    assert message(forced(cuts=...)) == "The field cuts is missing."


@pytest.mark.parametrize("cuts", [["A"], ["B", "7"], ["7d"]])
def test_z2_4_the_last_cut_shows_a_card_without_effect(cuts: list[str]) -> None:
    assert fault(forced(cuts=cuts)) == ("Z2.4", f"cuts[{len(cuts) - 1}]")
    assert message(forced(cuts=cuts)) == "The last cut shows a card without effect: no ace and no seven."
    assert after(cuts)


@pytest.mark.parametrize("cuts", [["x", "x"], ["A", "9c", "A", "x"]])
def test_z2_4_every_earlier_cut_has_an_effect(cuts: list[str]) -> None:
    assert fault(forced(cuts=cuts)) == ("Z2.4", f"cuts[{1 if cuts[0] == 'A' else 0}]")
    assert message(forced(cuts=cuts)) == "This card has no effect, so it is the last card that is shown."
    with pytest.raises(engine.Fault) as refused:
        after(cuts)
    assert refused.value.clause == "Z2.4"


def test_z2_4_the_pack_is_cut() -> None:
    assert fault(forced(cuts=[])) == fault(full(cuts=[])) == ("Z2.4", "cuts")
    assert message(forced(cuts=[])) == "Rearhand cuts until a card without effect is shown; the list of cuts is empty."


def test_z2_4_unfinished_cuts_give_dealer_and_payments_so_far() -> None:
    assert after([]) == (0, NOBODY)
    assert after(["A"]) == (1, (0, 30, 0, 0))


def test_z2_5_the_first_stake_stays_and_each_new_dealer_pays() -> None:
    result = settled(free(cuts=["A", "x"], dealer=0))
    assert (paid(result, "ante"), paid(result, "cut")) == ({0: -30}, {1: -30})
    assert result["pot"] == 90 + 60


@pytest.mark.parametrize("name", ["a", "b", "W", "6d", "K", "", "7D", "xx", "A7"])
def test_r2_an_unknown_symbol_in_a_cut(name: str) -> None:
    assert fault(forced(cuts=["A", name, "x"])) == ("R2", "cuts[1]")


@pytest.mark.parametrize("symbol", ["A", "7", "B", "x"])
def test_r2_a_full_record_has_cards_and_no_symbols(symbol: str) -> None:
    assert fault(full(cuts=[symbol])) == ("R2", "cuts[0]")


def test_z2_4_after_cuts_checks_the_table() -> None:
    for seats, dealer in ((2, 0), (4, 4)):
        with pytest.raises(engine.Fault):
            engine.after_cuts({}, seats=seats, dealer=dealer, cuts=[], game="zwicken")
