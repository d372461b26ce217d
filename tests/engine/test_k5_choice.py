"""K5 Choice of game."""

import pytest

from tests.engine.hands import Record, changed, fault, message, put, settled
from tests.engine.kratzen_hands import (
    FULL,
    FULL_MUSS,
    HANDS,
    ODER,
    PASSED_OUT,
    PASSED_OUT_TALLY,
    PLAY_MISSING,
    WALKOVER,
    exchanging,
    free,
    full,
    muss,
)

DEALERS_DROP = {"seat": 0, "drop": ["9d"]}


@pytest.mark.parametrize(
    ("name", "value"),
    [("calls", [[0, "schlagen"]]), ("new_trump", ["Qs"]), ("last_word", 0), ("answers", [[1, "mit"]])],
)
def test_k5_1_nobody_speaks_in_a_muss(name: str, value: object) -> None:
    assert fault(changed(FULL_MUSS, **{name: value})) == ("K5.1", name)


@pytest.mark.parametrize(
    ("changes", "location"),
    [
        ({"declarer": 1, "joiners": [0, 2, 3]}, "declarer"),
        ({"declarer": None, "joiners": []}, "declarer"),
        ({"joiners": [1, 2]}, "joiners"),
        ({"joiners": ...}, "joiners"),
        ({"game_type": "schlagen"}, "game_type"),
        ({"cuts": [["A", "x"], ["x"]]}, "declarer"),
    ],
)
def test_k5_1_in_a_muss_the_dealer_declares_and_all_others_join(changes: Record, location: str) -> None:
    assert fault(muss(**changes)) == ("K5.1", location)


def test_k5_1_the_roles_of_a_muss() -> None:
    result = settled(FULL_MUSS)
    assert (result["declarer"], result["joiners"], result["tricks"]) == (0, [1, 2], [3, 0, 1])
    assert settled(muss(joiners=[3, 1, 2])) == settled(muss())


def test_k5_2_the_dealer_speaks_first() -> None:
    assert fault(full(calls=[[1, "schlagen"]])) == ("K5.2", "calls[0]")
    assert fault(full(calls=[[0, "weiter"], [2, "schlagen"]])) == ("K5.2", "calls[1]")
    assert fault(full(calls=[[3, "schlagen"]])) == ("R3", "calls[0][0]")
    assert fault(full(calls=[[0, "weiter"], [-1, "schlagen"]])) == ("R3", "calls[1][0]")
    cut = changed(PASSED_OUT, cuts=[["Ah", "8h"], ["9c"]], calls=[[1, "weiter"], [2, "weiter"], [0, "weiter"]])
    assert settled(cut)["outcome"] == "passed_out"


@pytest.mark.parametrize("calls", [..., [], [[0, "weiter"]], [[0, "weiter"], [1, "oder"]]])
def test_k5_2_each_seat_speaks(calls: object) -> None:
    assert fault(full(calls=calls)) == ("K5.2", "calls")


def test_k5_2_each_seat_speaks_once_and_nobody_after_schlagen() -> None:
    assert fault(changed(PASSED_OUT, calls=[*PASSED_OUT["calls"], [0, "schlagen"]])) == ("K5.2", "calls[3]")
    assert fault(full(calls=[[0, "weiter"], [1, "schlagen"], [2, "weiter"]])) == ("K5.2", "calls[2]")


@pytest.mark.parametrize("word", ["mit", "ohne", "chratze", "Schlagen", "", "weiter oder"])
def test_k5_2_an_unknown_call_is_refused(word: str) -> None:
    assert fault(full(calls=[[0, word]])) == ("K5.2", "calls[0]")


@pytest.mark.parametrize(
    ("words", "declarer"),
    [
        (["schlagen"], 0),
        (["oder", "schlagen"], 1),
        (["oder", "weiter-oder", "schlagen"], 2),
        (["weiter", "oder", "oder"], 1),
        (["weiter-oder", "oder", "weiter"], 1),
        (["weiter-oder", "weiter-oder", "weiter-oder"], 0),
        (["weiter", "weiter", "weiter-oder"], 2),
        (["oder", "weiter-oder", "weiter"], 0),
    ],
)
def test_k5_2_the_highest_call_wins_the_earlier_one_if_equal(words: list[str], declarer: int) -> None:
    record = changed(
        WALKOVER,
        calls=[[seat, word] for seat, word in enumerate(words)],
        new_trump=[] if "schlagen" in words else ["Jh"],
        answers=[[(declarer + left) % 3, "ohne"] for left in (1, 2)],
    )
    assert settled(record)["declarer"] == declarer


def test_k5_3_schlagen_keeps_the_trump() -> None:
    assert fault(full(new_trump=["Jh"])) == ("K5.3", "new_trump")


def turned_later(call: str, cards: list[str], **changes: object) -> Record:
    return changed(
        WALKOVER,
        calls=[[0, call], [1, "weiter"], [2, "weiter"]],
        new_trump=cards,
        answers=[[1, "ohne"], [2, "ohne"]],
        **changes,
    )


@pytest.mark.parametrize(
    ("call", "cards"),
    [
        ("oder", ["Jh"]),
        ("oder", ["Qs", "9s", "6d", "7h"]),
        ("oder", ["6d", "Jh"]),
        ("weiter-oder", ["Qs"]),
        ("weiter-oder", ["6d", "9s"]),
        ("weiter-oder", ["Ah"]),
    ],
)
def test_k5_3_no_card_is_turned_after_the_deciding_one(call: str, cards: list[str]) -> None:
    assert settled(turned_later(call, cards))["outcome"] == "walkover"
    assert fault(turned_later(call, [*cards, "Kc"])) == ("K5.3", f"new_trump[{len(cards)}]")


@pytest.mark.parametrize(
    ("call", "cards"),
    [("oder", []), ("oder", ["Qs"]), ("oder", ["6d"]), ("weiter-oder", []), ("weiter-oder", ["6d"])],
)
def test_k5_3_cards_are_turned_until_one_decides(call: str, cards: list[str]) -> None:
    assert fault(turned_later(call, cards)) == ("K5.3", "new_trump")


@pytest.mark.parametrize("cards", [["As"], ["Ts"], ["Qs", "Qs"], ["Ac"]])
def test_k5_3_only_cards_of_the_stock_are_turned(cards: list[str]) -> None:
    assert fault(turned_later("oder", cards)) == ("K5.3", f"new_trump[{len(cards) - 1}]")
    assert fault(turned_later("oder", ["6h"])) == ("R2", "new_trump[0]")


def test_k5_3_the_new_suit_is_trump_and_the_turned_card_is_out_of_play() -> None:
    record = changed(ODER, answers=[[1, "mit"], [2, "ohne"]], exchanges=[DEALERS_DROP])
    record["play"] = [["Kh", "Qh"], ["Ts", "Ks"], ["Td", "7c"], ["8c", "As"]]
    assert settled(record)["tricks"] == [1, 3, 0], "hearts are trump now, and diamonds or clubs take no spade"
    drawn = changed(record, exchanges=[{"seat": 0, "discard": ["9d"], "draw": ["Jh"], "drop": ["7c"]}])
    assert fault(drawn) == ("K6.4", "exchanges[0].draw[0]")


def test_k5_3_weiter_oder_may_bring_the_old_trump_back() -> None:
    record = exchanging(
        DEALERS_DROP,
        calls=[[0, "weiter"], [1, "weiter-oder"], [2, "weiter"]],
        new_trump=["Qs"],
    )
    assert fault(record) == PLAY_MISSING
    play = [["Ks", "Js", "As"], ["Ts", "Td", "8d"], ["Kh", "Qh", "9h"], ["7c", "8c", "Ac"]]
    assert settled(record | {"play": play})["tricks"] == [3, 0, 1]


STOCK_OF_TRUMPS = {
    "hands": [
        ["Ah", "Kh", "Qh", "Jh"],
        ["Th", "9h", "8h", "7h"],
        ["Ad", "Kd", "Qd", "Jd"],
        ["Td", "9d", "8d", "7d"],
        ["Ac", "Kc", "Qc", "Jc"],
        ["Tc", "9c", "8c", "7c"],
    ],
    "turned": ["As"],
}
"""Six seats hold all cards but the spades and the Weli: the ace of spades is turned, the stock has only one suit."""

SIX_SEATS: Record = {
    "game": "kratzen",
    "seats": 6,
    "dealer": 0,
    "pot_before": 100,
    "cuts": [["9c"]],
    "deal": STOCK_OF_TRUMPS,
}


def all_spades(call: str, cards: list[str], **changes: object) -> Record:
    record: Record = {
        **SIX_SEATS,
        "calls": [[0, call], *([seat, "weiter"] for seat in range(1, 6))],
        "new_trump": cards,
        "answers": [[seat, "ohne"] for seat in range(1, 6)],
    }
    return changed(record, **changes)


def test_k5_3_the_old_trump_stays_if_the_stock_ends() -> None:
    rest = ["Ks", "Qs", "Js", "6d", "Ts", "9s", "8s", "7s"]
    assert settled(all_spades("oder", rest))["outcome"] == "walkover"
    assert fault(all_spades("oder", rest[:-1])) == ("K5.3", "new_trump")
    answers = [[1, "mit"], *([seat, "ohne"] for seat in range(2, 6))]
    play = [["As", "7h"], ["Ah", "8h"], ["Kh", "9h"], ["Qh", "Th"]]
    joined = all_spades("oder", rest, answers=answers, exchanges=[{"seat": 0, "drop": ["Jh"]}], play=play)
    assert settled(joined)["tricks"][0] == 4, "spades are trump still"
    assert settled(all_spades("oder", rest, rules={"seven_muss": "any"}))["muss"] is False


def test_k5_3_with_any_a_seven_turned_later_makes_a_siebenermuss() -> None:
    rules = {"seven_muss": "any"}
    record = changed(
        FULL,
        rules=rules,
        calls=[[0, "weiter"], [1, "oder"], [2, "weiter"]],
        new_trump=["7h"],
        answers=...,
        exchanges=[DEALERS_DROP],
        play=[["Qh", "9h", "Kh"], ["As", "Ks", "Js"], ["Ts", "Td", "8d"], ["7c", "8c", "Ac"]],
    )
    result = settled(record)
    assert (result["muss"], result["declarer"], result["joiners"]) == (True, 1, [0, 2])
    assert [line["seat"] for line in result["lines"] if line["kind"] == "penalty"] == [1]
    assert fault(record | {"answers": [[2, "mit"], [0, "mit"]]}) == ("K4.2", "answers")
    assert fault(record | {"last_word": 2}) == ("K4.2", "last_word")
    exchanged = [{"seat": 0, "discard": ["9d"], "draw": ["Qs"], "drop": ["7c"]}]
    assert fault(record | {"exchanges": exchanged}) == ("K4.2", "exchanges[0].discard")
    assert fault(changed(record, rules=...)) == ("K5.5", "answers")
    weiter = put(record, ("calls", 1, 1), "weiter-oder")
    assert settled(weiter)["muss"] is True
    assert fault(changed(record, new_trump=["7h", "Jh"])) == ("K5.3", "new_trump[1]")
    passed_over = changed(record, new_trump=["7s", "Jh"])
    assert fault(passed_over) == ("K5.5", "answers"), "the seven did not decide"


def test_k5_3_the_tally_of_a_siebenermuss_after_oder() -> None:
    rules = {"seven_muss": "any"}
    record = free(rules=rules, seven=True, declarer=2, joiners=[0, 1, 3], tricks={"0": 1, "1": 3})
    assert settled(record)["declarer"] == 2
    assert settled(record)["muss"] is True
    assert fault(record | {"joiners": [0, 1]}) == ("K4.2", "joiners")
    assert fault(record | {"declarer": None}) == ("K4.2", "declarer")
    assert fault(record | {"declarer": 4}) == ("R3", "declarer")
    assert message(record | {"declarer": None}) == "In a Siebenermuss after oder the caller is declarer."


def test_k5_4_all_weiter_passes_the_hand_out() -> None:
    result = settled(PASSED_OUT)
    assert result["outcome"] == settled(PASSED_OUT_TALLY)["outcome"] == "passed_out"
    assert (result["pot_after"], result["next"]) == (110, {"dealer": 1, "deal_number": 1, "muss": False})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("new_trump", ["Jh"]),
        ("last_word", 0),
        ("answers", [[1, "ohne"]]),
        ("exchanges", [DEALERS_DROP]),
        ("play", [["As"]]),
    ],
)
def test_k5_4_nothing_follows_a_passed_out_hand(name: str, value: object) -> None:
    assert fault(changed(PASSED_OUT, **{name: value})) == ("K5.4", name)


@pytest.mark.parametrize(("name", "value"), [("joiners", [1]), ("game_type", "oder")])
def test_k5_4_nobody_joins_if_nobody_declared(name: str, value: object) -> None:
    assert fault(changed(PASSED_OUT_TALLY, **{name: value})) == ("K5.4", name)


def test_k5_4_a_declarer_has_a_call() -> None:
    assert fault(free(game_type=...)) == fault(free(game_type=None)) == ("R1", "game_type")
    for game_type in ("schlagen", "oder", "weiter-oder"):
        assert settled(free(game_type=game_type)) == settled(free())


def test_k5_5_the_others_answer_from_the_declarers_left() -> None:
    assert fault(full(answers=[[0, "mit"], [2, "mit"]])) == ("K5.5", "answers[0]")
    assert fault(full(answers=[[2, "mit"], [1, "mit"]])) == ("K5.5", "answers[1]")
    assert fault(full(answers=[[3, "mit"]])) == ("R3", "answers[0][0]")


@pytest.mark.parametrize("answers", [..., [], [[2, "mit"]]])
def test_k5_5_everybody_answers(answers: object) -> None:
    assert fault(full(answers=answers)) == ("K5.5", "answers")


def test_k5_5_everybody_answers_once() -> None:
    assert fault(full(answers=[*FULL["answers"], [2, "mit"]])) == ("K5.5", "answers[2]")


@pytest.mark.parametrize("word", ["metcho", "weg", "Mit", "weiter", ""])
def test_k5_5_the_answers_are_mit_and_ohne(word: str) -> None:
    assert fault(full(answers=[[2, "mit"], [0, word]])) == ("K5.5", "answers[1]")


def test_k5_6_the_last_word_comes_after_all_others() -> None:
    record = exchanging({"seat": 0, "drop": ["9d"]}, last_word=2, answers=[[0, "mit"], [2, "ohne"]])
    assert fault(record) == PLAY_MISSING
    assert fault(changed(record, answers=[[2, "ohne"], [0, "mit"]])) == ("K5.5", "answers[0]")
    assert fault(changed(record, last_word=0)) == ("K5.5", "answers[0]")
    assert fault(changed(record, last_word=0, answers=[[2, "mit"], [0, "ohne"]], exchanges=...)) == PLAY_MISSING


def test_k5_6_the_seat_with_the_last_word_must_join_if_nobody_else_did() -> None:
    record = exchanging(last_word=2, answers=[[0, "ohne"], [2, "ohne"]])
    assert fault(record) == ("K5.6", "answers[1]")
    assert fault(put(record, ("answers", 1, 1), "mit")) == PLAY_MISSING
    first = changed(record, last_word=None, answers=[[2, "ohne"], [0, "ohne"]], exchanges=[])
    assert settled(first)["outcome"] == "walkover"


def test_k5_6_seats_that_cannot_have_the_last_word() -> None:
    assert fault(full(last_word=1)) == ("R3", "last_word")
    assert fault(full(last_word=3)) == ("R3", "last_word")
    assert fault(full(last_word=-1)) == ("R3", "last_word")
    assert fault(full(last_word=0, rules={"last_word": False})) == ("K5.6", "last_word")
    assert settled(full(rules={"last_word": False})) == settled(full(last_word=0))


@pytest.mark.parametrize(
    ("joiners", "location"), [([4], "joiners[0]"), ([-1], "joiners[0]"), ([3, 3], "joiners[1]"), ([0, 1], "joiners[1]")]
)
def test_r3_joiners_of_a_tally(joiners: list[int], location: str) -> None:
    assert fault(free(joiners=joiners)) == ("R3", location)


def test_r3_the_declarer_of_a_tally() -> None:
    for declarer in (-1, 4):
        assert fault(free(declarer=declarer)) == ("R3", "declarer")
        assert fault(muss(declarer=declarer)) == ("R3", "declarer")


SENTENCES = [
    (full(calls=[[1, "oder"]]), "It is seat 0's turn to speak, not seat 1's."),
    (full(calls=[]), "Seat 0 has not spoken."),
    (full(calls=[[0, "x"]]), 'Seat 0 says schlagen, oder, weiter-oder, weiter, not "x".'),
    (full(calls=[*FULL["calls"], [2, "oder"]]), "Nothing beats schlagen: nobody speaks any more."),
    (
        changed(PASSED_OUT, calls=[*PASSED_OUT["calls"], [0, "oder"]]),
        "Each seat speaks once: nobody speaks any more.",
    ),
    (full(new_trump=["Jh"]), "Seat 1 says schlagen, which keeps the trump, so the field new_trump must be empty."),
    (turned_later("oder", ["Jh", "9s"]), "The card Jh has decided the trump, so no other card is turned."),
    (turned_later("oder", ["As"]), "The card As is turned, but it is not in the stock any more."),
    (turned_later("oder", []), "Seat 0 says oder: cards are turned until a card of another suit comes."),
    (turned_later("weiter-oder", []), "Seat 0 says weiter-oder: cards are turned until a card of a suit comes."),
    (full(answers=[[2, "x"]]), 'Seat 2 answers mit or ohne, not "x".'),
    (
        full(answers=[*FULL["answers"], [2, "mit"]]),
        "Every seat but the declarer (seat 1) has given its one answer already.",
    ),
    (
        exchanging(last_word=2, answers=[[0, "ohne"], [2, "ohne"]]),
        "Nobody else has joined, so seat 2, who has the last word, must.",
    ),
    (full(last_word=1), "Seat 1 is the declarer and gives no answer, so it cannot have the last word."),
    (
        full(last_word=0, rules={"last_word": False}),
        "The house rules do not allow the last word, which seat 0 claims.",
    ),
    (
        changed(PASSED_OUT, answers=[[1, "mit"]]),
        "Everybody has said weiter and the hand is passed out, so the field answers must be empty.",
    ),
    (changed(PASSED_OUT_TALLY, joiners=[1]), "Nobody declared, so the field joiners must be empty."),
    (free(game_type=None), "Seat 1 declared; the field game_type is missing."),
    (muss(game_type="oder"), "The hand is a Muss, so nobody has called oder."),
    (muss(declarer=1), "The hand is a Muss: the declarer is seat 0, who deals, not 1."),
    (muss(joiners=[1]), "The hand is a Muss: every seat but the declarer is a joiner."),
    (muss(joiners=[1, 1]), "Seat 1 is named twice among the joiners."),
    (muss(joiners=[0]), "Seat 0 is the declarer and cannot join as well."),
    (muss(joiners=[9]), "There is no seat 9 at this table: seats are 0 to 3."),
    (
        changed(FULL_MUSS, answers=[[1, "mit"]]),
        "The hand is a Muss: no one speaks, so the field answers must be empty.",
    ),
    (
        changed(
            FULL,
            rules={"seven_muss": "any"},
            calls=[[0, "weiter"], [1, "oder"], [2, "weiter"]],
            new_trump=["7h"],
        ),
        "A Siebenermuss by 7h: all others join and no one answers, so the field answers must be empty.",
    ),
]


@pytest.mark.parametrize(("record", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_the_message_of_a_fault(record: Record, sentence: str) -> None:
    assert message(record) == sentence


def test_the_hands_of_the_tests_are_legal() -> None:
    assert len({card for hand in HANDS for card in hand}) == 12
