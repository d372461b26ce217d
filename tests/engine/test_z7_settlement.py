"""Z7 Settlement."""

import pytest

import engine
from engine.effects import Effect, effects
from engine.pot import check_balanced
from tests.engine.hands import Record, changed, fault, message, paid, settled
from tests.engine.zwicken_hands import FORCED, FULL, FULL_FORCED, NOBODY_TALLY, WALKOVER_TALLY, forced, free, full


def of(record: Record) -> list[Effect]:
    return list(effects(record, settled(record)))


def test_the_examples_of_the_rulebook() -> None:
    first = settled(FORCED)
    assert (first["pot"], first["deltas"], first["pot_after"]) == (30, [-60, 20, -30, 10, -30], 90)
    second = settled(changed(free(), dealer=first["next"]["dealer"], pot_before=first["pot_after"]))
    assert (second["pot"], second["deltas"], second["pot_after"]) == (120, [0, -30, 120, 0, -120], 120)
    hop = settled(free(dealer=0, cuts=["A", "x"]))
    assert hop["pot"] == 90 + 60


@pytest.mark.parametrize(
    ("pot_before", "coin", "third", "left"), [(60, 10, 30, 0), (70, 10, 30, 10), (85, 10, 30, 25), (85, 5, 35, 10)]
)
def test_z7_1_a_trick_brings_a_third_in_whole_coins(pot_before: int, coin: int, third: int, left: int) -> None:
    record = free(pot_before=pot_before, rules={"coin": coin}, players=[0, 2, 4], tricks={"0": 2, "2": 1})
    result = settled(record)
    assert paid(result, "payout") == {0: 2 * third, 2: third}
    assert result["pot_after"] == left + result["pot"]
    assert of(record) == ([Effect("remainder", left)] if left else [])


def test_z7_2_a_seat_without_a_trick_pays_the_pot() -> None:
    assert paid(settled(free()), "penalty") == {4: -120}
    assert paid(settled(FORCED), "penalty") == {0: -30, 2: -30, 4: -30}


def test_z7_2_by_house_rule_it_pays_a_stake() -> None:
    assert paid(settled(free(rules={"bete": "stake"})), "penalty") == {4: -30}
    assert paid(settled(free(rules={"bete": "stake", "stake": 60})), "penalty") == {4: -60}


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(360, {0: -120, 2: -120, 3: -120}), (359, {0: -110, 2: -110, 3: -110}), (30, {0: -10, 2: -10, 3: -10})],
)
def test_z7_2_the_limit_of_the_pot(limit: int, expected: dict[int, int]) -> None:
    record = free(players=[0, 2, 3, 4], tricks={"4": 3}, rules={"pot_limit": limit})
    assert paid(settled(record), "penalty") == expected
    assert of(record) == ([Effect("limit", limit)] if limit < 360 else [])


def test_z7_2_the_limit_leaves_room_for_the_remainder() -> None:
    record = free(players=[0, 2, 3, 4], tricks={"4": 3}, pot_before=100, rules={"pot_limit": 30})
    result = settled(record)  # 130 leave a remainder of 10: room for 20, less than a coin for each of three
    assert (paid(result, "penalty"), result["pot_after"]) == ({}, 10)


def test_z7_2_stakes_are_not_limited() -> None:
    record = free(players=[2, 4], tricks={"2": 3}, dealer=0, cuts=["B", "x"], rules={"pot_limit": 30})
    assert (paid(settled(record), "cut"), settled(record)["pot"]) == ({1: -30, 2: -30}, 180)


def test_z7_3_who_loses_the_seven_to_the_trump_ace_pays_a_stake() -> None:
    result = settled(FULL)
    assert paid(result, "seven") == {1: -30}
    assert (result["deltas"], result["pot_after"]) == ([10, 50, -130], 170)
    assert paid(settled(FULL_FORCED), "seven") == {1: -30}
    assert paid(settled(full(rules={"stake": 60})), "seven") == {1: -60}
    assert paid(settled(full(rules={"seven_lost": "off"})), "seven") == {}


def test_z7_3_nobody_pays_where_the_seven_is_no_trump() -> None:
    plain = full(rules={"seven": False}, play=[["Ah", "9h", "Kh"], ["Ks", "Js", "As"], ["9d", "7d", "Ac"]])
    result = settled(plain)
    assert (result["tricks"], paid(result, "seven")) == ([2, 1, 0], {})


@pytest.mark.parametrize(
    "play",
    [
        [["7d", "Js", "As"], ["9d", "Ks", "Ac"], ["Ah", "9h", "Kh"]],
        [["Ks", "Js", "As"], ["9d", "7d", "Ac"], ["Ah", "9h", "Kh"]],
    ],
)
def test_z7_3_both_cards_in_one_trick(play: list[list[str]]) -> None:
    lost = any({"7d", "As"} <= {*trick} for trick in play)
    assert paid(settled(full(play=play)), "seven") == ({1: -30} if lost else {})


def test_z7_3_other_aces_do_not_take_it() -> None:
    deal = {"hands": [["Ad", "Kh", "9d"], ["Ks", "7d", "8c"], ["Js", "9h", "Ac"]], "turned": "Ts"}
    hand = full(deal=deal, exchanges=..., play=[["7d", "Js", "Ad"], ["Ks", "9h", "Kh"], ["8c", "Ac", "9d"]])
    assert (settled(hand)["tricks"], paid(settled(hand), "seven")) == ([0, 2, 1], {})


def test_z7_3_a_tally_names_the_seat() -> None:
    record = free(players=[2, 4], tricks={"2": 2, "4": 1}, seven_lost=4)
    result = settled(record)
    assert (paid(result, "seven"), result["deltas"][4]) == ({4: -30}, 40 - 30)
    assert settled(changed(record, seven_lost=None)) == settled(changed(record, seven_lost=...))
    assert paid(settled(changed(record, tricks={"2": 3})), "seven") == {4: -30}


@pytest.mark.parametrize(
    ("record", "clause"),
    [
        (free(seven_lost=3), "Z7.3"),
        (free(seven_lost=2), "Z7.3"),  # it took all three tricks
        (free(seven_lost=5), "R3"),
        (free(seven_lost=-1), "R3"),
        (free(seven_lost=4, rules={"seven_lost": "off"}), "Z7.3"),
        (free(seven_lost=4, rules={"seven": False}), "Z7.3"),
        (WALKOVER_TALLY | {"seven_lost": 3}, "Z7.3"),
        (NOBODY_TALLY | {"seven_lost": 3}, "Z7.3"),
    ],
)
def test_z7_3_a_seat_that_cannot_have_lost_it(record: Record, clause: str) -> None:
    assert fault(record) == (clause, "seven_lost")


def test_z7_3_the_messages() -> None:
    assert message(free(seven_lost=3)) == "Seat 3 has not played and cannot have lost the seven of Schellen."
    assert message(free(seven_lost=2)) == "Seat 2 took every trick and cannot have lost the seven of Schellen."
    off = message(free(seven_lost=4, rules={"seven": False}))
    assert off == "By the house rules nobody pays for the seven of Schellen."


def test_z7_3_the_limit_of_the_pot_does_not_reduce_it() -> None:
    record = free(tricks={"2": 3}, seven_lost=4, rules={"pot_limit": 30})
    result = settled(record)
    assert (paid(result, "penalty"), paid(result, "seven"), result["pot_after"]) == ({4: -30}, {4: -30}, 60)


def test_z7_4_the_next_pot_is_the_remainder_and_the_payments() -> None:
    result = settled(free(pot_before=100, seven_lost=4))
    assert (result["pot"], result["pot_after"]) == (130, 10 + 130 + 30)
    assert [line["kind"] for line in result["lines"]] == ["ante", "payout", "penalty", "seven"]
    assert settled(forced(tricks={"0": 1, "1": 1, "2": 1}))["pot_after"] == 60


def test_z7_4_the_next_hand_is_forced_if_the_pot_is_empty() -> None:
    empty = settled(free(tricks={"2": 2, "4": 1}))
    assert (empty["pot_after"], empty["next"]["muss"]) == (0, True)
    assert settled(FORCED)["next"]["muss"] is False


@pytest.mark.parametrize("record", [FORCED, free(), FULL, FULL_FORCED, WALKOVER_TALLY, NOBODY_TALLY])
def test_z7_5_the_sum_is_zero(record: Record) -> None:
    result = settled(record)
    check_balanced(result)
    assert sum(result["deltas"]) + result["pot_after"] - record["pot_before"] == 0


@pytest.mark.parametrize("record", [FORCED, free(), FULL, WALKOVER_TALLY, NOBODY_TALLY])
@pytest.mark.parametrize("moves", [["x"], ["A", "x"], ["B", "7", "x"]])
def test_z7_6_the_next_dealer_is_on_the_left_of_the_one_who_dealt(record: Record, moves: list[str]) -> None:
    if "deal" in record:
        moves, record = ["9c"], changed(record)
    seats = record["seats"]
    dealer = engine.after_cuts({}, seats=seats, dealer=record["dealer"], cuts=moves, game="zwicken").dealer
    assert settled(record | {"cuts": moves})["next"] == {
        "dealer": (dealer + 1) % seats,
        "deal_number": 1,
        "muss": settled(record | {"cuts": moves})["pot_after"] == 0,
    }
