"""K2 Muss and free hands."""

import pytest

import engine
from tests.engine.hands import fault, message, paid, settled
from tests.engine.kratzen_hands import free, full, muss


@pytest.mark.parametrize(
    ("pot", "rules", "is_muss"),
    [
        (0, {}, True),
        (15, {}, True),
        (20, {}, False),
        (100, {}, False),
        (3, {"coin": 1}, True),
        (4, {"coin": 1}, False),
        (60, {"coin": 20, "unit": 40}, True),
        (80, {"coin": 20, "unit": 40}, False),
    ],
)
def test_k2_1_a_hand_is_a_muss_if_the_pot_is_below_four_coins(
    pot: int, rules: dict[str, object], is_muss: bool
) -> None:
    due = engine.due("kratzen", rules, seats=4, dealer=0, pot_before=pot)
    assert due.muss is is_muss
    good, bad = (muss, free) if is_muss else (free, muss)
    assert settled(good(pot_before=pot, rules=rules))["muss"] is is_muss
    assert not engine.replay(bad(pot_before=pot, rules=rules))["ok"]


@pytest.mark.parametrize(("pot", "rules"), [(1, {}), (7, {}), (101, {}), (30, {"coin": 20, "unit": 40})])
def test_k2_1_a_pot_is_in_whole_coins(pot: int, rules: dict[str, object]) -> None:
    for record in (muss(pot_before=pot, rules=rules), full(pot_before=pot, rules=rules)):
        assert fault(record) == ("R1", "pot_before")
    with pytest.raises(engine.Fault, match="R1 at pot_before"):
        engine.due("kratzen", rules, seats=4, dealer=0, pot_before=pot)
    assert message(muss(pot_before=7)) == "The pot is in whole coins of 5, not 7."


def test_k2_2_in_a_muss_everybody_pays_a_unit_and_the_dealer_two() -> None:
    assert paid(settled(muss()), "ante") == {0: -20, 1: -10, 2: -10, 3: -10}
    assert paid(settled(muss(rules={"unit": 50})), "ante") == {0: -100, 1: -50, 2: -50, 3: -50}
    assert engine.due("kratzen", {}, seats=3, dealer=2, pot_before=15) == ((10, 10, 20), True, 55)


def test_k2_2_the_seat_with_the_pack_before_the_cuts_pays_the_dealers_ante() -> None:
    record = muss(cuts=[["A", "x"], ["x"]], declarer=1, joiners=[0, 2, 3])
    result = settled(record)
    assert paid(result, "ante") == {0: -20, 1: -10, 2: -10, 3: -10}
    assert paid(result, "cut") == {1: -10}


def test_k2_2_nothing_can_be_won_in_a_muss() -> None:
    result = settled(muss(pot_before=15, tricks={"0": 4}))
    assert paid(result, "payout") == {}
    assert result["pot"] == 65


def test_k2_3_in_a_free_hand_only_the_dealer_pays() -> None:
    assert paid(settled(free()), "ante") == {0: -10}
    assert paid(settled(free(dealer=2, rules={"unit": 30})), "ante") == {2: -30}
    assert engine.due("kratzen", {}, seats=3, dealer=2, pot_before=20) == ((0, 0, 10), False, 30)


def test_k2_3_due_checks_the_table() -> None:
    with pytest.raises(engine.Fault, match=r"K1\.1 at seats"):
        engine.due("kratzen", {}, seats=7, dealer=0, pot_before=0)
    with pytest.raises(engine.Fault, match="R3 at dealer"):
        engine.due("kratzen", {}, seats=4, dealer=4, pot_before=0)
    with pytest.raises(engine.Fault, match=r"R4 at rules\.stake"):
        engine.due("kratzen", {"stake": 20}, seats=4, dealer=0, pot_before=0)
    with pytest.raises(engine.Fault, match=r"C1\.1 at seats"):
        engine.due("chratze", {}, seats=8, dealer=0, pot_before=0)
    with pytest.raises(engine.Fault, match="R3 at dealer"):
        engine.due("chratze", {}, seats=4, dealer=4, pot_before=0)
    with pytest.raises(engine.Fault, match="R1 at game"):
        engine.due("jass", {}, seats=4, dealer=0, pot_before=0)
    second = engine.due("chratze", {"ante_on_redeal": False}, seats=2, dealer=0, pot_before=40, deal_number=2)
    assert second == ((0, 0), None, 40)


def test_k2_3_only_chratze_counts_deals() -> None:
    for ask in (
        lambda: engine.ante_of_deal("kratzen", {}, deal_number=1),
        lambda: engine.pot_in_play("kratzen", {}, seats=4, pot_before=0, deal_number=1),
    ):
        with pytest.raises(engine.Fault, match="R1 at game: In Kratzen the ante is not the same for all seats"):
            ask()
