"""Z4 Who plays."""

import pytest

import engine
from engine.effects import Effect, effects
from tests.engine.hands import changed, fault, message, paid, settled
from tests.engine.zwicken_hands import (
    FORCED,
    FULL,
    FULL_FORCED,
    NOBODY,
    NOBODY_TALLY,
    WALKOVER,
    WALKOVER_TALLY,
    forced,
    free,
    full,
)


def test_z4_1_in_a_forced_hand_every_seat_plays() -> None:
    result = settled(FORCED)
    assert (result["muss"], result["joiners"], result["declarer"]) == (True, [0, 1, 2, 3, 4], None)
    assert settled(FULL_FORCED)["joiners"] == [0, 1, 2]
    assert settled(FULL)["muss"] is False


@pytest.mark.parametrize("pot", [1, 10, 29, 30, 10**12])
def test_z4_1_any_pot_makes_the_hand_free(pot: int) -> None:
    assert fault(forced(pot_before=pot)) == ("R5", "tricks")
    assert settled(free(pot_before=pot))["muss"] is False
    assert engine.due("zwicken", {}, seats=3, dealer=0, pot_before=pot).muss is False
    assert engine.due("zwicken", {}, seats=3, dealer=0, pot_before=0).muss is True


def test_z4_1_in_a_forced_hand_nobody_speaks() -> None:
    assert fault(forced(players=[0, 1, 2, 3, 4])) == ("Z4.1", "players")
    assert settled(forced(players=[])) == settled(FORCED)
    assert fault(changed(FULL_FORCED, answers=FULL["answers"])) == ("Z4.1", "answers")
    assert message(forced(players=[1])) == ("The hand is forced: every seat plays, so the field players must be empty.")
    assert message(changed(FULL_FORCED, answers=[[1, "mit"]])) == (
        "The hand is forced: every seat plays and nobody speaks."
    )


def test_z4_2_each_seat_says_once_whether_it_plays_the_dealer_last() -> None:
    assert settled(FULL)["joiners"] == [0, 1, 2]
    out = full(answers=[[1, "mit"], [2, "weg"], [0, "mit"]], play=[["Ah", "Kh"], ["7d", "As"], ["9d", "Ks"]])
    assert settled(out)["joiners"] == [0, 1]
    # After a hop seat 1 deals and speaks last.
    assert fault(full(cuts=["Ac", "9c"])) == ("Z4.2", "answers[0][0]")
    hopped = full(cuts=["Ac", "9c"], answers=[[2, "mit"], [0, "mit"], [1, "mit"]], exchanges=..., play=...)
    assert fault(hopped) == ("Z6.1", "play")


@pytest.mark.parametrize(
    ("answers", "clause", "location"),
    [
        ([], "Z4.2", "answers"),
        ([[1, "mit"], [2, "mit"]], "Z4.2", "answers"),
        ([[0, "mit"]], "Z4.2", "answers[0][0]"),
        ([[3, "mit"]], "R3", "answers[0][0]"),
        ([[-1, "mit"]], "R3", "answers[0][0]"),
        ([[1, "mit"], [1, "mit"]], "Z4.2", "answers[1][0]"),
        ([[1, "ohne"]], "Z4.2", "answers[0][1]"),
        ([[1, "mit"], [2, "mit"], [0, "mit"], [1, "mit"]], "Z4.2", "answers[3]"),
    ],
)
def test_z4_2_the_answers_in_turn(answers: list[list[object]], clause: str, location: str) -> None:
    assert fault(full(answers=answers)) == (clause, location)


def test_z4_2_the_messages() -> None:
    assert message(full(answers=[])) == "Seat 1 has not spoken."
    assert message(full(answers=[[0, "mit"]])) == "It is seat 1's turn to speak, not seat 0's."
    assert message(full(answers=[[1, "ja"]])) == 'Seat 1 says mit or weg, not "ja".'
    assert message(full(answers=[*FULL["answers"], [1, "mit"]])) == "Every seat has spoken already."


def test_z4_2_one_trick_is_enough() -> None:
    result = settled(free(players=[0, 2, 4], tricks={"0": 1, "2": 1, "4": 1}))
    assert paid(result, "penalty") == {}


@pytest.mark.parametrize(
    ("players", "location"), [([2, 5], "players[1]"), ([-1], "players[0]"), ([2, 4, 2], "players[2]")]
)
def test_r3_the_players_of_a_tally_are_seats(players: list[int], location: str) -> None:
    assert fault(free(players=players)) == ("R3", location)


def test_r3_the_message_of_a_player_named_twice() -> None:
    assert message(free(players=[2, 2])) == "Seat 2 is named twice among the seats that play."


def test_z4_2_the_players_are_ascending_in_the_result() -> None:
    assert settled(free(players=[4, 2]))["joiners"] == [2, 4]


def test_z4_3_if_nobody_plays_the_dealer_takes_the_pot() -> None:
    for record in (NOBODY_TALLY, changed(NOBODY_TALLY, players=[])):
        result = settled(record)
        assert (result["outcome"], result["tricks"], result["joiners"]) == ("passed_out", [0] * 5, [])
        assert (paid(result, "payout"), result["pot_after"]) == ({1: 120}, 0)
        assert result["next"] == {"dealer": 2, "deal_number": 1, "muss": True}
    assert paid(settled(NOBODY), "payout") == {0: 130}


def test_z4_3_the_dealer_takes_whole_coins() -> None:
    record = changed(NOBODY_TALLY, pot_before=97, cuts=["A", "x"])
    result = settled(record)
    assert (result["pot"], paid(result, "payout"), result["pot_after"]) == (157, {2: 150}, 7)
    assert effects(record, result) == (Effect("remainder", 7),)


def test_z4_3_the_pot_stays_by_house_rule() -> None:
    record = changed(NOBODY_TALLY, rules={"nobody": "stays"}, pot_before=97)
    result = settled(record)
    assert (paid(result, "payout"), result["pot_after"], result["deltas"]) == ({}, 127, [0, -30, 0, 0, 0])
    assert effects(record, result) == ()


def test_z4_3_one_seat_alone_takes_the_whole_pot() -> None:
    record = changed(WALKOVER_TALLY, pot_before=97)
    result = settled(record)
    assert (result["outcome"], result["joiners"], result["tricks"]) == ("walkover", [3], [0] * 5)
    assert (paid(result, "payout"), result["pot_after"], result["next"]["muss"]) == ({3: 127}, 0, True)
    assert effects(record, result) == ()
    assert paid(settled(WALKOVER), "payout") == {2: 130}


@pytest.mark.parametrize("record", [WALKOVER, NOBODY])
def test_z4_3_nothing_follows(record: dict[str, object]) -> None:
    assert fault(record | {"exchanges": FULL["exchanges"]}) == ("Z4.3", "exchanges")
    assert fault(record | {"play": FULL["play"]}) == ("Z4.3", "play")
    assert settled(record | {"exchanges": [], "play": []}) == settled(record)


def test_z4_3_the_messages() -> None:
    assert message(WALKOVER | {"play": FULL["play"]}) == "One seat alone plays, so the field play must be empty."
    assert message(NOBODY | {"play": FULL["play"]}) == "Nobody plays, so the field play must be empty."


@pytest.mark.parametrize(("record", "why"), [(WALKOVER_TALLY, "a walkover"), (NOBODY_TALLY, "passed out")])
def test_r5_nobody_took_a_trick(record: dict[str, object], why: str) -> None:
    assert fault(record | {"tricks": {"3": 3}}) == ("R5", "tricks")
    assert message(record | {"tricks": {"3": 3}}) == f"The hand is {why}, so nobody took a trick."
    assert settled(record | {"tricks": {}}) == settled(record)
