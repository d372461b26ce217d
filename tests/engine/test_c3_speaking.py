"""C3 Speaking."""

import pytest

from tests.engine.hands import (
    BLIND,
    DOUBLE,
    FULL,
    PASSED_OUT,
    WALKOVER,
    WALKOVER_TALLY,
    Record,
    changed,
    fault,
    full,
    message,
    put,
    settled,
    tally,
)


def test_c3_1_the_seat_after_the_dealer_speaks_first_and_the_dealer_last() -> None:
    record = changed(WALKOVER, calls=[[0, "weg"], [1, "weg"], [2, "chratze"], [0, "weg"], [1, "weg"]])
    assert settled(record)["declarer"] == 2
    assert fault(put(record, ("calls", 0, 0), 1)) == ("C3.1", "calls[0][0]")
    assert fault(put(record, ("calls", 1, 0), 0)) == ("C3.1", "calls[1][0]")


@pytest.mark.parametrize("word", ["metcho", "Chratze", "", "fort", "mit", "\x00"])
def test_c3_1_the_words_are_chratze_and_weg(word: str) -> None:
    assert fault(put(WALKOVER, ("calls", 0, 1), word)) == ("C3.1", "calls[0][1]")


@pytest.mark.parametrize("calls", [..., [], WALKOVER["calls"][:1], PASSED_OUT["calls"][:2]])
def test_c3_1_all_seats_speak_until_somebody_declares(calls: object) -> None:
    assert fault(changed(WALKOVER, calls=calls)) == ("C3.1", "calls")
    assert fault(changed(PASSED_OUT, calls=PASSED_OUT["calls"][:5])) == ("C3.1", "calls")


def test_c3_1_nobody_speaks_after_the_last_turned_card() -> None:
    assert fault(changed(PASSED_OUT, calls=[*PASSED_OUT["calls"], [0, "chratze"]])) == ("C3.1", "calls[6]")


def test_c3_2_a_second_chratze_breaks_the_clause() -> None:
    assert fault(put(FULL, ("calls", 1, 1), "chratze")) == ("C3.2", "calls[1][1]")
    assert fault(put(BLIND, ("calls", 0, 1), "chratze")) == ("C3.2", "calls[0][1]")


def test_c3_2_the_first_chratze_ends_the_round() -> None:
    assert settled(WALKOVER)["declarer"] == 1


def test_c3_3_all_others_answer_once_starting_after_the_declarer() -> None:
    record = changed(WALKOVER, calls=[[0, "weg"], [1, "chratze"], [0, "weg"], [2, "weg"]])
    assert fault(record) == ("C3.3", "calls[2][0]")
    assert fault(changed(WALKOVER, calls=WALKOVER["calls"][:3])) == ("C3.3", "calls")
    assert fault(changed(WALKOVER, calls=[*WALKOVER["calls"], [2, "metcho"]])) == ("C3.3", "calls[4]")


def test_c3_3_a_seat_that_said_weg_may_join() -> None:
    record = put(WALKOVER, ("calls", 3, 1), "metcho")
    assert fault(record) == ("C5.1", "play")  # seats 0 and 1 play now


@pytest.mark.parametrize("word", ["weg ", "mit", "dabei"])
def test_c3_3_the_answers_are_metcho_and_weg(word: str) -> None:
    assert fault(put(FULL, ("calls", 1, 1), word)) == ("C3.3", "calls[1][1]")


def test_c3_3_nobody_joins_if_nobody_declared() -> None:
    assert fault(tally(declarer=None, tricks=...)) == ("C3.3", "joiners")


@pytest.mark.parametrize(("record", "clause"), [(WALKOVER, "C3.1"), (FULL, "C3.1"), (BLIND, "C3.3")])
def test_c3_3_calls_of_a_seat_that_does_not_exist(record: Record, clause: str) -> None:
    assert fault(put(record, ("calls", 0, 0), 3)) == ("R3", "calls[0][0]")
    assert fault(put(record, ("calls", 1, 0), -1)) == ("R3", "calls[1][0]")
    assert fault(put(record, ("calls", 0, 0), 2)) == (clause, "calls[0][0]")


def test_c3_4_a_blind_dealer_is_declarer_and_the_others_only_answer() -> None:
    result = settled(BLIND)
    assert (result["declarer"], result["blind"], result["joiners"]) == (0, "blind", [1, 2])
    assert fault(changed(BLIND, calls=FULL["calls"])) == ("C3.3", "calls[0][0]")
    assert fault(changed(BLIND, calls=...)) == ("C3.3", "calls")


def test_c3_4_only_the_dealer_can_declare_blind() -> None:
    record = tally(blind="blind", dealer=0)
    assert settled(record)["blind"] == "blind"
    assert fault(changed(record, dealer=3)) == ("C3.4", "declarer")
    passed_out = changed(record, declarer=None, joiners=..., tricks=...)
    assert fault(passed_out) == ("C3.4", "declarer")


@pytest.mark.parametrize("turned", [["9s", "8c"], []])
def test_c3_4_one_card_is_turned_in_a_blind_hand(turned: list[str]) -> None:
    assert fault(put(BLIND, ("deal", "turned"), turned)) == ("C3.4", "deal.turned")


def test_c3_4_the_blind_dealer_takes_the_turned_card() -> None:
    record = put(BLIND, ("exchanges", 0), {"seat": 0, "discard": ["7d"], "draw": []})
    record = put(record, ("play", 2), ["9h", "8h", "7h"])
    record = put(record, ("play", 3), ["9s", "6d", "Kd"])
    assert settled(record)["tricks"] == [4, 0, 0]


def test_c3_4_the_house_rules_may_forbid_blind_hands() -> None:
    for record in (BLIND, tally(blind="blind", dealer=0)):
        assert fault(changed(record, rules={"blind": "none"})) == ("C3.4", "blind")
        assert settled(changed(record, rules={"blind": "blind"}))["blind"] == "blind"


def test_c3_5_the_double_blind_dealer_is_dealt_five_and_takes_the_turned_card() -> None:
    assert settled(DOUBLE)["blind"] == "double"
    assert fault(put(DOUBLE, ("deal", "hands", 0), ["As", "Ks", "9h", "7d"])) == ("C3.5", "deal.hands[0]")
    six = ["As", "Ks", "9h", "7d", "Ah", "6s"]
    assert fault(put(DOUBLE, ("deal", "hands", 0), six)) == ("C3.5", "deal.hands[0]")
    assert fault(put(DOUBLE, ("deal", "turned"), ["9s", "8c"])) == ("C3.5", "deal.turned")


def test_c3_5_the_house_rules_may_forbid_double_blind_hands() -> None:
    for record in (DOUBLE, tally(blind="double", dealer=0)):
        for rule in ("none", "blind"):
            assert fault(changed(record, rules={"blind": rule})) == ("C3.5", "blind")


def test_c3_5_only_the_dealer_can_declare_double_blind() -> None:
    assert fault(tally(blind="double")) == ("C3.5", "declarer")


def test_c3_5_a_forbidden_blind_hand_is_reported_before_a_wrong_declarer() -> None:
    assert fault(tally(blind="double", rules={"blind": "none"})) == ("C3.5", "blind")


@pytest.mark.parametrize(("rule", "susi"), [("label", 0), ("off", None)])
def test_c3_6_the_last_seat_to_answer_is_susi_if_nobody_joined(rule: str, susi: int | None) -> None:
    assert settled(changed(WALKOVER, rules={"susi": rule}))["susi"] == susi
    assert settled(changed(WALKOVER_TALLY, rules={"susi": rule}, declarer=1))["susi"] == susi
    assert settled(changed(WALKOVER_TALLY, rules={"susi": rule}))["susi"] == (None if susi is None else 4)


def test_c3_6_nobody_is_susi_if_somebody_joined_or_nobody_declared() -> None:
    assert settled(full())["susi"] is None
    assert settled(tally())["susi"] is None
    assert settled(PASSED_OUT)["susi"] is None


def test_c3_6_forced_susi_must_join() -> None:
    forced = {"susi": "forced"}
    assert fault(changed(WALKOVER, rules=forced)) == ("C3.6", "calls[3][1]")
    assert "seat 0 must" in message(changed(WALKOVER, rules=forced))
    assert fault(changed(WALKOVER_TALLY, rules=forced)) == ("C3.6", "joiners")
    assert settled(full(rules=forced))["susi"] is None
    assert settled(changed(PASSED_OUT, rules=forced | {"max_turns": 2}))["susi"] is None


def test_c3_6_forced_susi_may_stay_out_if_somebody_joined() -> None:
    record = put(FULL, ("calls", 2, 1), "weg")
    record["rules"] = {"susi": "forced"}
    record["play"] = [["As", "8s"], ["Ks", "Qs"], ["Ah", "8h"], ["9h", "6d"]]
    assert settled(record)["joiners"] == [1]
