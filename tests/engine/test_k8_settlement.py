"""K8 Settlement."""

import pytest

import engine
from engine.kratzen.rules import house_rules
from engine.kratzen.settlement import amount_at_stake
from tests.engine.hands import Record, changed, fault, message, paid, settled
from tests.engine.kratzen_hands import FULL, PASSED_OUT_TALLY, WALKOVER, free, muss

WALKOVER_TALLY = free(joiners=..., tricks=...)


@pytest.mark.parametrize(
    ("tricks", "failed"),
    [
        ({"0": 2, "1": 1, "2": 1}, {3}),
        ({"0": 1, "1": 1, "2": 1, "3": 1}, {0}),
        ({"0": 4}, {1, 2, 3}),
        ({"1": 4}, {0, 2, 3}),
    ],
)
def test_k8_1_two_tricks_for_the_declarer_one_for_a_joiner(tricks: dict[str, int], failed: set[int]) -> None:
    assert set(paid(settled(muss(tricks=tricks)), "penalty")) == failed


@pytest.mark.parametrize(("tricks", "failed"), [({"0": 1, "1": 3}, {2, 3}), ({"1": 1, "2": 3}, {0, 3})])
def test_k8_1_in_a_siebenermuss_one_for_everyone(tricks: dict[str, int], failed: set[int]) -> None:
    assert set(paid(settled(muss(seven=True, tricks=tricks)), "penalty")) == failed


def test_k8_2_every_trick_brings_a_quarter() -> None:
    assert paid(settled(free()), "payout") == {1: 75, 3: 25}
    assert paid(settled(free(rules={"coin": 1})), "payout") == {1: 81, 3: 27}
    assert paid(settled(free(tricks={"3": 4})), "payout") == {3: 100}


def test_k8_2_a_seat_that_failed_gets_its_quarters_too() -> None:
    result = settled(free(tricks={"1": 1, "3": 3}))
    assert paid(result, "payout") == {1: 25, 3: 75}
    assert paid(result, "penalty") == {1: -220}
    assert settled(FULL)["deltas"] == [65, -195, -110]


def test_k8_2_with_no_joiner_the_declarer_takes_all_four_quarters() -> None:
    for record in (WALKOVER_TALLY, WALKOVER):
        result = settled(record)
        assert result["outcome"] == "walkover"
        assert paid(result, "payout") == {1: 100}
        assert paid(result, "penalty") == {}
        assert set(result["tricks"]) == {0}


def test_r5_no_tricks_if_nobody_played() -> None:
    assert fault(changed(WALKOVER_TALLY, tricks={"1": 4})) == ("R5", "tricks")
    assert fault(changed(PASSED_OUT_TALLY, tricks={"1": 4})) == ("R5", "tricks")
    assert message(changed(WALKOVER_TALLY, tricks={"1": 4})) == "The hand is a walkover, so nobody took a trick."
    assert message(changed(PASSED_OUT_TALLY, tricks={"1": 4})) == "The hand is passed out, so nobody took a trick."


@pytest.mark.parametrize(
    ("tricks", "clause", "location"),
    [
        (..., "R5", "tricks"),
        ({}, "R5", "tricks"),
        ({"1": 3}, "R5", "tricks"),
        ({"1": 5}, "R5", "tricks"),
        ({"1": 5, "3": -1}, "R5", "tricks.3"),
        ({"0": 1, "1": 3}, "R5", "tricks.0"),
        ({"1": 3, "4": 1}, "R3", "tricks.4"),
    ],
)
def test_r5_tricks_of_a_tally(tricks: object, clause: str, location: str) -> None:
    assert fault(free(tricks=tricks)) == (clause, location)


def test_k8_3_the_remainder_stays_or_goes_to_the_declarer() -> None:
    stays = settled(free())
    assert (paid(stays, "payout"), stays["pot_after"]) == ({1: 75, 3: 25}, 10)
    rules = {"remainder": "declarer"}
    goes = settled(free(rules=rules))
    assert (paid(goes, "payout"), goes["pot_after"]) == ({1: 85, 3: 25}, 0)
    assert paid(settled(changed(WALKOVER_TALLY, rules=rules)), "payout") == {1: 110}
    assert paid(settled(free(rules=rules, tricks={"1": 1, "3": 3})), "payout") == {1: 35, 3: 75}
    assert paid(settled(free(rules=rules, tricks={"3": 4})), "payout") == {1: 10, 3: 100}


def test_k8_4_a_declarer_who_failed_pays_double_a_joiner_once() -> None:
    result = settled(free(joiners=[0, 3], tricks={"1": 1, "3": 3}))
    assert paid(result, "penalty") == {0: -110, 1: -220}
    assert paid(settled(muss(tricks={"1": 4})), "penalty") == {0: -100, 2: -50, 3: -50}
    assert settled(muss(tricks={"1": 4}))["pot_after"] == 50 + 200


@pytest.mark.parametrize(
    ("limit", "penalties"),
    [
        (1000, {0: -100, 2: -50, 3: -50}),
        (250, {0: -100, 2: -50, 3: -50}),
        (150, {0: -50, 2: -25, 3: -25}),
        (140, {0: -45, 2: -20, 3: -20}),
        (40, {}),
    ],
)
def test_k8_4_the_pot_limit_reduces_all_penalties_in_proportion(limit: int, penalties: dict[int, int]) -> None:
    result = settled(muss(tricks={"1": 4}, rules={"pot_limit": limit}))
    assert paid(result, "penalty") == penalties
    assert result["pot_after"] <= max(limit, 50)


def test_k8_5_half_of_a_large_pot_is_at_stake() -> None:
    record: Record = free(pot_before=500, rules={"split_over": 300}, tricks={"1": 2, "3": 2})
    result = settled(record)
    assert result["pot"] == 510
    assert paid(result, "payout") == {1: 120, 3: 120}
    assert (result["pot_after"], result["next"]["muss"]) == (270, False)
    failed = settled(changed(record, tricks={"1": 1, "3": 3}))
    assert paid(failed, "penalty") == {1: -510}
    rest = settled(changed(record, rules={"split_over": 300, "remainder": "declarer"}))
    assert paid(rest, "payout") == {1: 135, 3: 120}
    walkover = settled(changed(WALKOVER_TALLY, pot_before=500, rules={"split_over": 300}))
    assert paid(walkover, "payout") == {1: 240}


@pytest.mark.parametrize(
    ("pot", "muss", "at_stake"), [(300, False, 300), (305, False, 150), (310, False, 155), (305, True, 305)]
)
def test_k8_5_only_above_the_limit_and_only_in_a_free_hand(pot: int, muss: bool, at_stake: int) -> None:
    assert amount_at_stake(house_rules({"split_over": 300}), pot, muss) == at_stake
    assert amount_at_stake(house_rules({}), pot, muss) == pot


def test_k8_5_the_pot_limit_counts_the_half_not_at_stake() -> None:
    rules = {"split_over": 300, "pot_limit": 400}
    result = settled(free(pot_before=500, rules=rules, tricks={"1": 1, "3": 3}))
    # Of 510, 255 are played for and 240 paid out: 270 are left, and 130 may come.
    assert paid(result, "penalty") == {1: -130}
    assert result["pot_after"] == 400


def test_k8_6_the_next_dealer_is_left_of_the_dealer() -> None:
    cuts = [["A", "A"], ["x"]]
    assert settled(free(cuts=cuts))["next"]["dealer"] == 3
    assert settled(changed(PASSED_OUT_TALLY, cuts=cuts))["next"]["dealer"] == 3
    assert settled(changed(WALKOVER_TALLY, dealer=3))["next"]["dealer"] == 0
    assert settled(muss())["next"] == {"dealer": 1, "deal_number": 1, "muss": False}


@pytest.mark.parametrize(
    ("record", "is_muss"),
    [
        (free(), True),
        (WALKOVER_TALLY, True),
        (free(tricks={"1": 1, "3": 3}), False),
        (free(tricks={"1": 4}), False),
        (PASSED_OUT_TALLY, False),
        (muss(seven=True, tricks={"0": 1, "1": 1, "2": 1, "3": 1}), False),
        (free(pot_before=500, rules={"split_over": 300}), False),
    ],
)
def test_k8_7_the_next_hand_is_a_muss_if_everybody_made_the_goal(record: Record, is_muss: bool) -> None:
    assert settled(record)["next"]["muss"] is is_muss


@pytest.mark.parametrize("record", [muss(), free(), FULL, WALKOVER, WALKOVER_TALLY, PASSED_OUT_TALLY])
def test_k8_8_all_changes_add_up_to_zero(record: Record) -> None:
    result = settled(record)
    assert sum(result["deltas"]) + result["pot_after"] == record["pot_before"]
    engine.check_balanced(result)


def test_r6_claimed_sums_must_be_right() -> None:
    assert settled(free(claimed=[-10, 75, 0, 25])) == settled(free(claimed=[])) == settled(free())
    assert fault(free(claimed=[-10, 75, 0, 30])) == ("R6", "claimed")
    assert fault(free(claimed=[-10, 75, 25])) == ("R6", "claimed")


def test_k8_8_fields_of_chratze_are_null() -> None:
    result = settled(muss())
    assert result["susi"] is None
    assert result["blind"] is None
