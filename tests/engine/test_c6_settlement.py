"""C6 Settlement."""

from typing import Any

import pytest

import engine
from engine.pot import Unbalanced, book, check_balanced, equal_shares, limit_penalties, round_up, two_thirds
from tests.engine.hands import FULL, PASSED_OUT, WALKOVER, Record, changed, fault, full, message, paid, settled, tally


def hand(tricks: dict[str, int], joiners: list[int], **changes: Any) -> Record:
    return settled(tally(tricks=tricks, joiners=joiners, **changes))


@pytest.mark.parametrize(("tricks", "made"), [(0, False), (1, False), (2, True), (3, True)])
def test_c6_1_the_declarers_goal_is_two_tricks(tricks: int, made: bool) -> None:
    result = hand({"0": tricks, "1": 4 - tricks}, [1])
    assert (0 in paid(result, "payout")) is made
    assert (0 in paid(result, "penalty")) is not made


@pytest.mark.parametrize(("tricks", "made"), [(0, False), (1, True), (2, True)])
def test_c6_1_a_joiners_goal_is_one_trick(tricks: int, made: bool) -> None:
    result = hand({"0": 2, "1": 2 - tricks, "2": tricks}, [1, 2])
    assert (2 in paid(result, "payout")) is made
    assert (2 in paid(result, "penalty")) is not made


def test_c6_2_penalties_are_computed_from_the_pot_before_payouts() -> None:
    result = hand({"0": 4}, [1])
    assert result["pot"] == 100
    assert paid(result, "payout") == {0: 100}
    assert paid(result, "penalty") == {1: -100}
    assert result["pot_after"] == 100


def test_c6_3_the_declarer_takes_the_pot_if_nobody_joined() -> None:
    for record, pot in ((tally(joiners=..., tricks=...), 100), (tally(joiners=[], tricks={}), 100), (WALKOVER, 100)):
        result = settled(record)
        assert result["outcome"] == "walkover"
        assert paid(result, "payout") == {record.get("declarer", 1): pot}
        assert paid(result, "penalty") == {}
        assert result["pot_after"] == 0
        assert result["tricks"] == [0] * record["seats"]


@pytest.mark.parametrize(
    ("name", "value"), [("exchanges", FULL["exchanges"]), ("rob", {"seat": 0}), ("play", FULL["play"])]
)
def test_c6_3_no_exchange_and_no_play_in_a_walkover(name: str, value: object) -> None:
    assert fault(changed(WALKOVER, **{name: value})) == ("C6.3", name)


@pytest.mark.parametrize(("tricks", "winner"), [({"0": 4}, 0), ({"0": 3, "1": 1}, None), ({"0": 1, "2": 3}, 2)])
def test_c6_4_a_single_winner_takes_the_pot(tricks: dict[str, int], winner: int | None) -> None:
    payouts = paid(hand(tricks, [1, 2], pot_before=33), "payout")
    assert (payouts == {winner: 133}) is (winner is not None)


@pytest.mark.parametrize(
    ("pot_before", "rules", "joiners", "payouts"),
    [
        (0, {}, [1], {0: 80, 1: 20}),
        (0, {}, [1, 2], {0: 80, 1: 10, 2: 10}),
        (50, {}, [1], {0: 100, 1: 50}),
        (20, {}, [1], {0: 80, 1: 40}),
        (21, {}, [1], {0: 101, 1: 20}),
        (0, {"rounding": 5}, [1], {0: 70, 1: 30}),
        (0, {"rounding": 5}, [1, 2], {0: 70, 1: 15, 2: 15}),
        (0, {"rounding": 10, "coin": 10}, [1, 2], {0: 80, 1: 10, 2: 10}),
        (0, {"rounding": 20, "coin": 20}, [1, 2], {0: 100}),
        (0, {"rounding": 500}, [1], {0: 100}),
        (5, {"coin": 1, "rounding": 1}, [1, 2], {0: 71, 1: 17, 2: 17}),
    ],
)
def test_c6_5_two_thirds_are_rounded_up_and_the_rest_is_in_whole_coins(
    pot_before: int, rules: Record, joiners: list[int], payouts: dict[int, int]
) -> None:
    tricks = {"0": 4 - len(joiners)} | {str(seat): 1 for seat in joiners}
    assert paid(hand(tricks, joiners, pot_before=pot_before, rules=rules), "payout") == payouts


def test_c6_5_with_two_seats_rounding_can_leave_nothing_to_the_joiner() -> None:
    record = tally(seats=2, dealer=1, joiners=[1], tricks={"0": 2, "1": 2})
    assert paid(settled(record), "payout") == {0: 40}
    record["rules"] = {"rounding": 5}
    assert paid(settled(record), "payout") == {0: 30, 1: 10}


def test_c6_5_rounding_follows_the_stake_in_whole_coins() -> None:
    assert engine.effective_rules("chratze", {"stake": 50})["rounding"] == 50
    assert engine.effective_rules("chratze", {"stake": 12})["rounding"] == 15
    assert engine.effective_rules("chratze", {"coin": 50})["rounding"] == 50
    assert engine.effective_rules("chratze", {"stake": 12, "rounding": 5})["rounding"] == 5


@pytest.mark.parametrize(
    ("pot_before", "coin", "tricks", "joiners", "share", "left"),
    [
        (0, 5, {"1": 2, "2": 2}, [1, 2], 50, 0),
        (5, 5, {"1": 2, "2": 2}, [1, 2], 50, 5),
        (0, 5, {"1": 1, "2": 1, "3": 2}, [1, 2, 3], 30, 10),
        (0, 1, {"1": 1, "2": 1, "3": 2}, [1, 2, 3], 33, 1),
        (3, 5, {"1": 1, "2": 1, "3": 1, "4": 1}, [1, 2, 3, 4], 25, 3),
    ],
)
def test_c6_6_the_remainder_stays_in_the_pot(
    pot_before: int, coin: int, tricks: dict[str, int], joiners: list[int], share: int, left: int
) -> None:
    result = hand(tricks, joiners, pot_before=pot_before, rules={"coin": coin})
    assert paid(result, "payout") == dict.fromkeys(joiners, share)
    assert result["pot_after"] == left + 2 * result["pot"]


def test_c6_7_a_declarer_pays_the_pot_twice_and_a_joiner_once() -> None:
    result = hand({"1": 4}, [1, 2, 3], pot_before=7)
    assert paid(result, "penalty") == {0: -214, 2: -107, 3: -107}


@pytest.mark.parametrize(
    ("limit", "penalties"),
    [
        (299, {0: -195, 2: -95}),
        (300, {0: -200, 2: -100}),
        (301, {0: -200, 2: -100}),
        (250, {0: -165, 2: -80}),
        (20, {0: -10, 2: -5}),
    ],
)
def test_c6_7_a_limit_cuts_the_penalties_and_never_the_antes(limit: int, penalties: dict[int, int]) -> None:
    result = hand({"1": 4}, [1, 2], rules={"pot_limit": limit})
    assert paid(result, "penalty") == penalties
    assert paid(result, "ante") == dict.fromkeys(range(5), -20)
    assert result["pot_after"] == -sum(penalties.values()) <= limit


def test_c6_7_the_limit_applies_to_the_pot_after_payouts() -> None:
    # 101 shared between two leaves 1: the room is 199 for penalties of 202.
    result = hand({"1": 2, "2": 2}, [1, 2], pot_before=1, rules={"pot_limit": 200, "coin": 1})
    assert result["pot"] == 101
    assert paid(result, "penalty") == {0: -199}
    assert result["pot_after"] == 200


def test_c6_7_a_pot_above_the_limit_takes_no_penalty() -> None:
    result = hand(
        {"1": 1, "2": 1, "3": 2}, [1, 2, 3], pot_before=1, rules={"pot_limit": 20, "coin": 20, "rounding": 20}
    )
    assert result["pot"] - sum(paid(result, "payout").values()) == 41
    assert paid(result, "penalty") == {}
    assert result["pot_after"] == 41


def test_c6_8_a_seat_that_is_out_pays_its_ante_alone() -> None:
    result = hand({"0": 4}, [1, 2])
    assert result["deltas"][3:] == [-20, -20]


def test_c6_9_the_next_pot_is_the_rest_and_the_penalties() -> None:
    result = hand({"0": 1, "1": 2, "2": 1}, [1, 2, 3])
    assert result["pot_after"] == 300
    assert settled(tally(pot_before=300))["pot"] == 400


@pytest.mark.parametrize("record", [tally(), full(), PASSED_OUT, WALKOVER, tally(tricks={"1": 4})])
def test_c6_9_the_changes_add_up_to_zero(record: Record) -> None:
    result = settled(record)
    assert sum(result["deltas"]) + result["pot_after"] - record["pot_before"] == 0
    check_balanced(result)


@pytest.mark.parametrize(
    "spoiled",
    [
        {"deltas": [61, -10, -10, -20, -20]},
        {"deltas": [61, -11, -10, -20, -20]},
        {"pot_after": 1},
        {"pot": 101},
        {"lines": []},
        {"lines": [{"seat": seat, "kind": "ante", "amount": -20} for seat in range(5)]},
    ],
)
def test_c6_9_a_result_that_does_not_add_up_raises(spoiled: Record) -> None:
    result = settled(tally())
    check_balanced(result)
    with pytest.raises(Unbalanced):
        check_balanced(result | spoiled)


def test_c6_9_a_negative_pot_raises() -> None:
    lines = [{"seat": 0, "kind": "payout", "amount": 5}]
    with pytest.raises(Unbalanced, match="change -5"):
        check_balanced({"deltas": [5], "lines": lines, "pot": 0, "pot_after": -5})
    check_balanced({"deltas": [5], "lines": lines, "pot": 5, "pot_after": 0})


def test_c6_9_cut_payments_count_as_paid_before_play() -> None:
    lines, deltas = book(2, (("ante", [-20, 0]), ("cut", [0, -10]), ("payout", [60, 0]), ("penalty", [])))
    assert lines == [
        {"seat": 0, "kind": "ante", "amount": -20},
        {"seat": 1, "kind": "cut", "amount": -10},
        {"seat": 0, "kind": "payout", "amount": 60},
    ]
    assert deltas == [40, -10]
    check_balanced({"deltas": deltas, "lines": lines, "pot": 60, "pot_after": 0})


def test_c6_9_lines_are_ordered_by_kind_and_seat() -> None:
    result = hand({"4": 1, "2": 3}, [4, 2], declarer=3)
    order = ["ante", "cut", "payout", "penalty"]
    places = [(order.index(line["kind"]), line["seat"]) for line in result["lines"]]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
    assert result["joiners"] == [2, 4]


def test_helper_functions_of_the_pot() -> None:
    assert [round_up(amount, 20) for amount in (0, 1, 19, 20, 21)] == [0, 20, 20, 20, 40]
    assert [two_thirds(pot, 20) for pot in (0, 30, 31, 90, 91, 100)] == [0, 20, 31, 60, 80, 80]
    assert equal_shares(100, 3, 5) == (30, 10)
    assert limit_penalties([-10, 0, -20], 30, 0, 5) == [-10, 0, -20]
    assert limit_penalties([-10, 0, -20], 30, 1, 5) == [-5, 0, -15]
    assert limit_penalties([-10, -20], 30, 31, 5) == [0, 0]
    assert limit_penalties([0, 0], 30, 31, 5) == [0, 0]


def test_r6_names_the_right_amount_of_each_seat() -> None:
    record = tally(claimed=[60, -10, -10, -20, -20])
    assert settled(record) == settled(tally())
    wrong = tally(claimed=[46, 0, -20, -20, -20])
    assert fault(wrong) == ("R6", "claimed")
    assert message(wrong).endswith("seat 0 +60, seat 1 -10, seat 2 -10, seat 3 -20, seat 4 -20.")


@pytest.mark.parametrize("claimed", [[60], [60, -10, -10, -20, -20, 0], [10**5000] * 5])
def test_r6_a_claim_of_the_wrong_length_or_size(claimed: list[int]) -> None:
    assert fault(tally(claimed=claimed)) == ("R6", "claimed")


def test_r6_an_empty_claim_equals_a_missing_one() -> None:
    assert settled(tally(claimed=[])) == settled(tally())


def test_r6_is_checked_last() -> None:
    assert fault(full(claimed=[1], play=[])) == ("C5.1", "play")
