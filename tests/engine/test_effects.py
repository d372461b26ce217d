"""The house rules that changed the amounts of a hand, and their clauses."""

import pytest

import engine
from engine.effects import Effect, effects
from tests.engine.hands import FULL, PASSED_OUT, WALKOVER_TALLY, Record, changed, settled, tally
from tests.engine.kratzen_hands import FULL as KRATZEN_FULL
from tests.engine.kratzen_hands import PASSED_OUT_TALLY, free, muss


def of(record: Record) -> list[Effect]:
    return list(effects(record, settled(record)))


THREE = tally(pot_before=15, joiners=[1, 2, 3], tricks={"0": 2, "1": 1, "2": 1})
"""A pot of 115: two thirds are 80 with the rounding of 20; three joiners, two of them made it."""


def test_c6_5_two_thirds_are_rounded_and_the_declarer_gets_the_remainder() -> None:
    assert of(THREE) == [Effect("rounding", 80), Effect("remainder", 5, 0)]
    assert of(changed(THREE, tricks=..., made=[0, 1, 2])) == of(THREE)


def test_c6_5_exact_thirds_are_not_rounded() -> None:
    assert of(tally(pot_before=20, joiners=[1], tricks={"0": 2, "1": 2})) == []


def test_c6_5_without_a_joiner_who_made_it_nothing_is_divided() -> None:
    assert of(tally(joiners=[1, 2], tricks={"0": 4})) == []
    assert of(WALKOVER_TALLY) == []


def test_c6_6_the_remainder_of_joiners_alone_stays_in_the_pot() -> None:
    assert of(tally(joiners=[1, 2, 3], tricks={"0": 1, "1": 1, "2": 1, "3": 1})) == [Effect("remainder", 10)]
    assert of(tally(joiners=[1, 2], tricks={"0": 1, "1": 2, "2": 1})) == []
    assert of(tally(joiners=[1, 2], tricks={"0": 1, "1": 3})) == []


def test_c6_6_one_joiner_alone_wins_the_whole_pot() -> None:
    record = tally(pot_before=3, joiners=[1], tricks={"0": 1, "1": 3})
    assert {"seat": 1, "kind": "payout", "amount": settled(record)["pot"]} in settled(record)["lines"]
    assert of(record) == []


def test_c6_6_two_joiners_leave_the_indivisible_remainder_in_the_pot() -> None:
    assert of(tally(pot_before=15, joiners=[1, 2], tricks={"0": 1, "1": 2, "2": 1})) == [Effect("remainder", 5)]


@pytest.mark.parametrize(("rules", "expected"), [({}, [80]), ({"coin": 20}, [80, 20]), ({"rounding": 10}, [70])])
def test_c6_5_the_effects_follow_the_house_rules(rules: Record, expected: list[int]) -> None:
    record = tally(rules=rules, joiners=[1, 2], pot_before=0, tricks={"0": 2, "1": 1, "2": 1})
    assert [effect.amount for effect in of(record)] == expected


def test_c6_1_a_joiner_needs_one_trick_and_the_declarer_two() -> None:
    assert of(tally(joiners=[1], tricks={"0": 1, "1": 3})) == []
    assert of(tally(joiners=[1], tricks={"0": 3, "1": 1})) == [Effect("rounding", 80)]


@pytest.mark.parametrize(("limit", "cut"), [(299, True), (300, False), (100, True), (None, False)])
def test_c6_7_the_limit_is_named_where_it_cuts_a_penalty(limit: int | None, cut: bool) -> None:
    # All fail but a joiner: 200 and 100 are paid into an empty pot.
    record = tally(rules={"pot_limit": limit}, joiners=[1, 2], tricks={"0": 1, "1": 3})
    assert of(record) == ([Effect("limit", limit or 0)] if cut else [])


def test_c6_7_a_penalty_that_is_cut_to_nothing_counts_too() -> None:
    record = tally(rules={"pot_limit": 20}, pot_before=20, joiners=[1, 2], tricks={"0": 1, "1": 1, "2": 2})
    assert Effect("limit", 20) in of(record)


def test_the_sums_written_down_do_not_matter() -> None:
    record = tally(rules={"pot_limit": 100}, joiners=[1, 2], tricks={"0": 1, "1": 3})
    assert of(record | {"claimed": settled(record)["deltas"]}) == of(record)


def test_k8_5_a_large_pot_is_played_for_by_halves() -> None:
    # The pot is 110; half of it is 55, a quarter of that 10.
    assert of(free(rules={"split_over": 100})) == [Effect("half", 55), Effect("remainder", 15)]
    assert of(free(rules={"split_over": 110})) == [Effect("remainder", 10)]
    assert of(free(rules={"split_over": 100}, joiners=..., tricks=...)) == [Effect("half", 55), Effect("remainder", 15)]


def test_k8_3_the_remainder_goes_where_the_house_rules_say() -> None:
    assert of(free()) == [Effect("remainder", 10)]
    assert of(free(rules={"remainder": "declarer"})) == [Effect("remainder", 10, 1)]
    assert of(free(pot_before=110)) == []


def test_k8_4_the_limit_and_the_muss() -> None:
    # A Muss: the declarer fails with a pot of 50 and pays 100.
    failed = {"0": 1, "1": 1, "2": 1, "3": 1}
    assert of(muss(rules={"pot_limit": 149}, tricks=failed)) == [Effect("limit", 149)]
    assert of(muss(rules={"pot_limit": 150}, tricks=failed)) == []
    assert of(muss()) == []
    assert of(muss(rules={"split_over": 40}, pot_before=15)) == []


def test_a_hand_with_cards_has_the_same_effects() -> None:
    assert of(FULL) == []
    assert [effect.kind for effect in of(KRATZEN_FULL)] == ["remainder"]


def test_nothing_is_divided_where_nobody_plays() -> None:
    assert of(PASSED_OUT) == of(PASSED_OUT_TALLY) == []
    assert engine.replay(PASSED_OUT_TALLY)["pot"] == 110
