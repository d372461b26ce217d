"""Questions and faults of unfinished hands of Kratzen, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.rewind import place_of_last_answer, truncate, valid_part
from engine.steps import Question, add, begin, only_answer, walk
from tests.engine.hands import changed
from tests.engine.kratzen_hands import FULL, FULL_MUSS, HANDS, ODER, PASSED_OUT, SEVEN, WALKOVER

START: dict[str, Any] = {"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 100}
DEALT = changed(FULL, calls=..., answers=..., exchanges=..., play=...)
ANSWERED = changed(FULL, exchanges=..., play=...)
READY = changed(FULL, play=...)
MUSS_EXCHANGE = changed(FULL_MUSS, exchanges=[{"seat": 0, "discard": ["9d"]}])


# --- Questions ---------------------------------------------------------------------------------------------


def next_question(record: dict[str, Any]) -> tuple[Any, ...]:
    question = walk(record).question
    return (question.kind, question.seat, question.wanted)


def clauses(question: Question) -> dict[str, str]:
    return {name: fault.clause for name, fault in question.refused.items()}


def test_k3_1_rearhand_cuts_and_shows_another_card_after_one_with_effect():
    record = begin(START)
    assert next_question(record) == ("cut", 2, 1)
    record = add(record, walk(record).question, ["7h"])
    question = walk(record).question
    # The seat that cut also shows the bottom card, although the pack has been passed to the right.
    assert (question.kind, question.seat, clauses(question)) == ("cut", 2, {"7h": "R2"})
    assert walk(record).scenes[-1].step.seat == 2
    record = add(record, question, ["Ac"])
    assert (record["cuts"], next_question(record)) == ([["7h", "Ac"]], ("cut", 2, 1))
    assert walk(record).scenes[-1].step.seat == 0


def test_k3_4_a_card_without_effect_ends_the_cuts():
    record = add(begin(START), walk(begin(START)).question, ["9c"])
    assert (record["cuts"], next_question(record)) == ([["9c"]], ("deal", 1, 4))
    assert walk(begin(START) | {"cuts": [[]]}).question == walk(begin(START)).question


def test_k4_1_the_new_dealers_left_is_dealt_first_and_after_the_weli_another_card_is_turned():
    record = begin(START) | {"cuts": [["Ah", "8h"], ["8h"]]}
    kinds = []
    while (question := walk(record).question).kind in ("deal", "turn"):
        kinds.append((question.kind, question.seat, question.wanted))
        cards = [card for card in question.choices if card != "6d"]
        record = add(
            record, question, ["6d"] if kinds[-1] == ("turn", None, 1) and len(kinds) == 4 else cards[: question.wanted]
        )
    assert kinds == [("deal", 2, 4), ("deal", 0, 4), ("deal", 1, 4), ("turn", None, 1), ("turn", None, 1)]
    assert "Weli" in walk(record).scenes[-1].hands[1]
    assert next_question(record) == ("call", 1, 1)


def test_k4_1_a_card_is_dealt_once():
    deal = {"hands": [[], ["Ks", "Qh"], []], "turned": []}
    question = walk(DEALT | {"deal": deal}).question
    assert (question.kind, question.seat, question.wanted, clauses(question)) == (
        "deal",
        1,
        2,
        {"Ks": "R2", "Qh": "R2"},
    )
    turn = walk(DEALT | {"deal": DEALT["deal"] | {"turned": []}}).question
    assert (turn.kind, turn.seat, len(turn.choices), len(turn.refused)) == ("turn", None, 21, 12)


def test_k5_1_nobody_speaks_in_a_muss_and_the_dealer_drops():
    question = walk(DEALT | {"pot_before": 0}).question
    assert (question.kind, question.seat, question.wanted) == ("drop", 0, 1)
    assert set(question.choices) == {*HANDS[0], "Ts"}
    record = add(DEALT | {"pot_before": 0}, question, ["9d"])
    assert record["exchanges"] == [{"seat": 0, "drop": ["9d"]}]
    assert next_question(record) == ("card", 0, 1)
    assert replay(record | {"play": FULL_MUSS["play"]})["ok"]


def test_k4_1_the_dealer_drops_two_after_the_weli():
    record = DEALT | {"pot_before": 0, "deal": DEALT["deal"] | {"turned": ["6d", "Ts"]}}
    assert next_question(record) == ("drop", 0, 2)
    record = add(record, walk(record).question, ["9d"])
    question = walk(record).question
    assert (question.kind, question.wanted, "9d" in question.choices) == ("drop", 1, False)
    assert add(record, question, ["7c"])["exchanges"] == [{"seat": 0, "drop": ["9d", "7c"]}]


def test_k4_2_after_a_seven_nobody_speaks():
    assert next_question(changed(SEVEN, exchanges=..., play=...)) == ("drop", 0, 1)
    off = changed(SEVEN, exchanges=..., play=..., rules={"seven_muss": "off"})
    assert next_question(off) == ("call", 0, 1)


def test_k5_2_the_dealer_speaks_first_and_schlagen_ends_it():
    question = walk(DEALT).question
    assert (question.kind, question.seat, question.choices) == (
        "call",
        0,
        ("schlagen", "oder", "weiter-oder", "weiter"),
    )
    assert next_question(DEALT | {"calls": [[0, "oder"]]}) == ("call", 1, 1)
    assert next_question(DEALT | {"calls": [[0, "oder"], [1, "schlagen"]]}) == ("answer", 2, 1)


def test_k5_3_oder_turns_until_another_suit_comes():
    record = changed(ODER, new_trump=..., answers=..., exchanges=..., play=...)
    turns = []
    for card in ("Qs", "6d", "Jh"):
        turns.append(next_question(record))
        question = walk(record).question
        assert question.refused["As"].clause == "K5.3"
        record = add(record, question, [card])
    assert turns == [("trump", 0, 1)] * 3
    assert next_question(record) == ("answer", 1, 1)
    # The turned cards are out of play; the dealer's hand does not change.
    assert [(len(scene.hands[0]), scene.stock) for scene in walk(record).scenes[-4:]] == [
        (5, n) for n in (20, 19, 18, 17)
    ]


def test_k5_3_a_seven_turned_by_oder_makes_a_siebenermuss_with_any():
    calls = [[0, "weiter"], [1, "weiter-oder"], [2, "weiter"]]
    record = DEALT | {"calls": calls, "new_trump": ["7h"]}
    assert next_question(record) == ("answer", 2, 1)
    assert next_question(record | {"rules": {"seven_muss": "any"}}) == ("drop", 0, 1)
    assert walk(record | {"rules": {"seven_muss": "any"}}).active == (1, 2, 0)


def test_k5_6_the_last_word_is_claimed_in_turn_and_may_force_to_join():
    record = DEALT | {"calls": [[0, "schlagen"]]}
    question = walk(record).question
    assert (question.kind, question.seat, question.choices, question.last_word) == ("answer", 1, ("mit", "ohne"), True)
    record = add(record, question, ["last word"])
    assert record["last_word"] == 1
    assert walk(record).scenes[-1].step[:3] == ("last word", "last_word", 1)
    other = walk(record).question
    assert (other.seat, other.last_word) == (2, False)
    record = add(record, other, ["ohne"])
    last = walk(record).question
    assert (last.seat, last.choices, clauses(last)) == (1, ("mit",), {"ohne": "K5.6"})
    assert not walk(DEALT | {"calls": [[0, "schlagen"]], "rules": {"last_word": False}}).question.last_word


def test_k5_6_the_last_word_has_a_scene_at_its_position():
    record = DEALT | {"calls": [[0, "schlagen"]], "answers": [[1, "mit"]], "last_word": 2}
    assert [scene.step.kind for scene in walk(record).scenes[-2:]] == ["answer", "last word"]
    record = DEALT | {"calls": [[0, "schlagen"]], "answers": [[2, "mit"]], "last_word": 1}
    assert [scene.step.kind for scene in walk(record).scenes[-2:]] == ["last word", "answer"]


@pytest.mark.parametrize(("record", "active"), [(PASSED_OUT, ()), (WALKOVER, (1,)), (FULL, (1, 2, 0))])
def test_k5_4_k8_2_there_is_no_question_at_the_end(record, active):
    progress = walk(record)
    assert (progress.question, progress.active) == (None, active)


def test_k6_1_the_dealer_exchanges_first_then_in_order():
    assert next_question(ANSWERED) == ("exchange", 0, 0)
    record = ANSWERED | {"exchanges": FULL["exchanges"][:1]}
    assert next_question(record) == ("exchange", 1, 0)
    assert next_question(record | {"exchanges": FULL["exchanges"]}) == ("exchange", 2, 0)
    assert next_question(record | {"exchanges": [*FULL["exchanges"], {"seat": 2}]}) == ("card", 1, 1)
    out = changed(ANSWERED, answers=[[2, "mit"], [0, "ohne"]])
    assert next_question(out) == ("exchange", 1, 0)


def test_k6_2_up_to_three_cards_or_the_whole_hand_are_discarded():
    assert walk(ANSWERED).question.counts == (0, 1, 2, 3, 5)
    assert walk(READY | {"exchanges": FULL["exchanges"]}).question.counts == (0, 1, 2, 3, 4)
    record = add(ANSWERED, walk(ANSWERED).question, [])
    assert (record["exchanges"], next_question(record)) == ([{"seat": 0, "discard": []}], ("drop", 0, 1))


def test_k6_2_discards_are_replaced_and_the_surplus_is_dropped():
    record = add(ANSWERED, walk(ANSWERED).question, ["9d", "7c"])
    draw = walk(record).question
    assert next_question(record) == ("draw", 0, 2)
    assert (draw.refused["Ks"].clause, len(draw.choices)) == ("K6.4", 20)
    record = add(record, draw, ["Qs"])
    assert (next_question(record), clauses(walk(record).question)["Qs"]) == (("draw", 0, 1), "K6.4")
    record = add(record, walk(record).question, ["8h"])
    drop = walk(record).question
    assert (drop.kind, drop.wanted, set(drop.choices)) == ("drop", 1, {"As", "Kh", "Qs", "8h", "Ts"})
    assert add(record, drop, ["8h"])["exchanges"] == FULL["exchanges"][:1]


def opened(**fields: Any) -> dict[str, Any]:
    """Return the record up to the exchange of the dealer's whole hand."""
    entry = {"seat": 0, "discard": [*HANDS[0], "Ts"], "draw": ["Qs", "7s", "8h", "Ah", "Kc"], **fields}
    return ANSWERED | {"exchanges": [entry]}


def test_k6_3_trumps_among_the_five_drawn_may_be_laid_open():
    question = walk(opened()).question
    assert (question.kind, question.seat, question.choices, question.wanted, question.counts) == (
        "show",
        0,
        ("Qs", "7s"),
        0,
        (0, 1, 2),
    )
    assert clauses(question) == dict.fromkeys(["8h", "Ah", "Kc"], "K6.3")
    record = add(opened(), question, [])
    assert (record["exchanges"][0]["show"], next_question(record)) == ([], ("drop", 0, 1))
    assert next_question(opened() | {"rules": {"open_trumps": False}}) == ("drop", 0, 1)
    assert next_question(opened(draw=["8h", "Th", "Ah", "Kc", "Qc"])) == ("drop", 0, 1)


def test_k6_3_each_trump_laid_open_brings_a_card_and_a_trump_among_these_another():
    record = add(opened(), walk(opened()).question, ["Qs", "7s"])
    assert next_question(record) == ("open", 0, 2)
    record = add(record, walk(record).question, ["8s", "9c"])
    question = walk(record).question
    assert (question.kind, question.wanted, question.refused["8s"].clause) == ("open", 1, "K6.4")
    record = add(record, question, ["Tc"])
    assert next_question(record) == ("drop", 0, 4)
    assert walk(record).scenes[-1].step.shown == ("Qs", "7s")


def test_k6_3_the_trump_ace_laid_open_brings_five_cards_face_down():
    deal = {"hands": [["Ad", "Kh", "9d", "7c"], *HANDS[1:]], "turned": ["Ts"]}
    entry = {"seat": 0, "discard": ["Ad", "Kh", "9d", "7c", "Ts"], "draw": ["As", "6d", "8h", "Ah", "Kc"]}
    record = ANSWERED | {"deal": deal, "exchanges": [entry | {"show": ["As", "6d"]}]}
    assert next_question(record) == ("open", 0, 1)
    record = add(record, walk(record).question, ["9c"])
    assert next_question(record) == ("hidden", 0, 5)
    first = walk(record).question
    record = add(record, first, first.choices[:2])
    assert next_question(record) == ("hidden", 0, 3)
    assert walk(record).question.choices == first.choices[2:]
    record = add(record, walk(record).question, first.choices[2:5])
    assert next_question(record) == ("drop", 0, 7)
    assert walk(record).scenes[-1].stock == 33 - 13 - 11


def test_k6_3_a_later_field_means_that_no_trump_was_laid_open():
    record = opened(drop=["Kc"])
    assert next_question(record) == ("exchange", 1, 0)


def test_k6_2_a_later_field_means_that_no_more_cards_are_drawn():
    assert next_question(opened(draw=["Qs"])) == next_question(opened(draw=["Qs"], drop=[])) == ("draw", 0, 4)
    for fields in ({"show": ["Qs"]}, {"show": []}, {"open": ["9c"]}, {"hidden": ["9c"]}, {"drop": ["Qs"]}):
        with pytest.raises(Fault, match="draws 5 cards, not 1") as fault:
            walk(opened(draw=["Qs"], **fields))
        assert (fault.value.clause, fault.value.at) == ("K6.2", "exchanges[0].draw")


def test_k7_4_a_card_that_does_not_beat_is_refused_with_the_clause():
    question = walk(READY | {"exchanges": [*FULL["exchanges"], {"seat": 2}], "play": [["Ks", "Js"]]}).question
    assert (question.seat, question.choices) == (0, ("As",))
    assert clauses(question) == {"Ts": "K7.4", "Qs": "K7.4", "Kh": "K7.2"}
    assert question.refused["Kh"].at == "play[0][2]"
    assert question.refused["Kh"].message == "Seat 0 plays Kh but must follow suit: Ts Qs As."


def test_k7_4_with_always_plain_suits_must_be_beaten_too():
    play = {"play": [["Qh", "9h"]], "exchanges": [FULL["exchanges"][0], {"seat": 1}]}
    deal = {"hands": [["As", "Kh", "9d", "7c"], HANDS[1], HANDS[2]], "turned": ["Ts"]}
    record = READY | play | {"deal": deal}
    entry = {"seat": 0, "discard": ["9d", "7c"], "draw": ["Th", "8c"], "drop": ["Ts"]}
    deal["hands"][1] = ["Ks", "Qh", "7d", "Td"]
    record["exchanges"] = [entry]
    assert set(walk(record).question.choices) == {"Kh", "Th"}
    assert walk(record | {"rules": {"must_beat": "always"}}).question.choices == ("Kh",)


def test_k7_1_the_declarer_leads_and_the_winner_leads_on():
    record = READY | {"exchanges": [*FULL["exchanges"], {"seat": 2}], "play": FULL["play"][:1]}
    question = walk(record).question
    assert (question.seat, question.leads, set(question.choices)) == (1, True, {"Ks", "Qh", "Td"})
    assert not walk(add(record, question, ["Ks"])).question.leads
    assert add(record | {"play": [*FULL["play"][:1], []]}, question, ["Ks"])["play"] == [FULL["play"][0], ["Ks"]]
    record["play"] = [*FULL["play"][:2], []]
    assert add(record, walk(record).question, ["Qs"])["play"] == [*FULL["play"][:2], ["Qs"]]


def test_k7_6_the_scene_that_completes_a_trick_has_the_winner():
    scenes = walk(FULL).scenes[-12:]
    assert [scene.winner for scene in scenes] == [None, None, 1, None, None, 0, None, None, 0, None, None, 0]
    assert [scene.taken for scene in scenes[2::3]] == [(0, 1, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0)]


def test_k7_1_a_hand_has_four_tricks():
    with pytest.raises(Fault, match="A hand has 4 tricks, not 5") as fault:
        walk(changed(FULL, play=[*FULL["play"], ["As", "Ks", "Js"]]))
    assert (fault.value.clause, fault.value.at) == ("K7.1", "play")


@pytest.mark.parametrize(
    ("record", "left"),
    [
        (FULL | {"play": [*FULL["play"][:3], FULL["play"][3][:1]]}, ("Td",)),
        (FULL | {"play": FULL["play"][:3]}, ("Ts",)),
        (FULL | {"play": FULL["play"][:2]}, ()),
        (FULL, ()),
        (ANSWERED, ()),
        (DEALT, ()),
    ],
)
def test_only_answer_of_the_last_cards(record, left):
    assert only_answer(walk(record).question) == left


def test_only_answer_is_the_whole_stock():
    question = Question("draw", 0, ("As", "Ks"), {}, 2)
    assert only_answer(question) == ("As", "Ks")
    assert only_answer(question._replace(wanted=1)) == ()
    assert only_answer(question._replace(kind="deal")) == ()
    assert only_answer(question._replace(kind="trump", choices=("As",), wanted=1)) == ("As",)
    assert only_answer(Question("card", 0, ("As",), {}, robber=0)) == ()
    why = Fault("K7.2", "play[0][1]", "…")
    assert only_answer(Question("card", 0, ("As",), {"Kh": why})) == ()
    assert only_answer(Question("card", 0, ("As", "Ks"), {"Kh": why})) == ()


# --- Faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "clause", "location", "kept"),
    [
        (changed(FULL, cuts=[["Ah"]]), "K3.4", "cuts[0]", None),
        (changed(FULL, cuts=[["9c"], ["9h"]]), "K3.4", "cuts[0]", None),
        (changed(FULL, cuts=[["Ah", "7s"], ["zz"]]), "R2", "cuts[1][0]", "cuts[0]"),
        (
            changed(FULL, deal={"hands": [HANDS[0], HANDS[1], ["As", "9h", "Ac", "8d"]], "turned": ["Ts"]}),
            "R2",
            "deal.hands[2][0]",
            "deal.hands[1]",
        ),
        (changed(FULL, deal={"hands": HANDS, "turned": ["Ts", "8s"]}), "K4.1", "deal.turned", "deal.hands[0]"),
        (changed(FULL, calls=[[0, "weiter"], [1, "mit"]]), "K5.2", "calls[1]", "calls[0]"),
        (changed(FULL, calls=[[0, "weiter"], [9, "schlagen"]]), "R3", "calls[1][0]", "calls[0]"),
        (changed(FULL, new_trump=["9s"]), "K5.3", "new_trump", "calls[1]"),
        (changed(ODER, new_trump=["Qs", "As"]), "K5.3", "new_trump[1]", "new_trump[0]"),
        (changed(FULL, last_word=1), "R3", "last_word", "calls[1]"),
        (changed(FULL, last_word=0, answers=[[2, "ohne"], [0, "ohne"]]), "K5.6", "answers[1]", "last_word"),
        (changed(FULL, answers=[[2, "ja"]]), "K5.5", "answers[0]", "calls[1]"),
        (changed(FULL, exchanges=[{"seat": 1}, {"seat": 0}]), "K6.5", "exchanges", "answers[1]"),
        (changed(FULL, exchanges=[FULL["exchanges"][0], {"seat": 0}]), "K6.1", "exchanges[1].seat", "exchanges[0]"),
        (
            changed(FULL, exchanges=[FULL["exchanges"][0] | {"draw": ["Qs"]}]),
            "K6.2",
            "exchanges[0].draw",
            "exchanges[0]",
        ),
        (changed(FULL, play=[["Ah", "8d", "Kh"]]), "K7.2", "play[0][1]", "play[0][0]"),
        (changed(FULL, play=[["Ah"], ["Ks"]]), "K7.1", "play[0]", "exchanges[1]"),
        (changed(FULL, answers=[[2, "mit"]]), "K5.5", "answers", "answers[0]"),
        (changed(PASSED_OUT, play=[["Ks"]]), "K5.4", "play", "calls[2]"),
        (changed(WALKOVER, exchanges=[{"seat": 1}]), "K8.2", "exchanges", "answers[1]"),
        (
            changed(FULL_MUSS, exchanges=[{"seat": 0, "discard": ["9d"]}]),
            "K6.1",
            "exchanges[0].discard",
            "deal.turned[0]",
        ),
    ],
)
def test_walk_raises_the_first_fault_and_valid_part_keeps_the_steps_before_it(record, clause, location, kept):
    with pytest.raises(Fault) as fault:
        walk(record)
    assert (fault.value.clause, fault.value.at) == (clause, location)
    assert replay(record)["error"]["clause"] == clause
    scenes = walk(valid_part(record)).scenes
    assert (scenes[-1].step.at if scenes else None) == kept


@pytest.mark.parametrize(
    "record",
    [
        {"game": "kratzen"},
        {"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 100, "cuts": [["x"]], "declarer": None},
        DEALT | {"seats": 9},
        DEALT | {"pot_before": 7},
        DEALT | {"rules": {"unit": 7}},
        DEALT | {"calls": 1},
        DEALT | {"deal": {"hands": [[]], "turned": []}},
    ],
)
def test_an_invalid_record_has_no_valid_part(record):
    with pytest.raises(Fault):
        walk(record)
    assert valid_part(record) is None


def test_walk_ignores_claimed_sums():
    assert walk(FULL | {"claimed": [0, 0, 0]}).question is None


def test_a_hand_of_32_cards_has_a_wrong_number_of_cards():
    pack = [rank + suit for rank in "AKQJT987" for suit in "shdc"]
    with pytest.raises(Fault) as fault:
        walk(DEALT | {"deal": {"hands": [pack, [], []], "turned": []}})
    assert (fault.value.clause, fault.value.at) == ("K4.1", "deal.hands[0]")


@pytest.mark.parametrize(
    "question", [Question("cut", 2, (), {}), Question("turn", None, (), {}), Question("call", 0, (), {})]
)
def test_a_question_has_only_one_answer(question):
    with pytest.raises(Fault, match="one answer") as fault:
        add(DEALT, question, ["weiter", "weiter"])
    assert (fault.value.clause, fault.value.at) == ("R1", "")


@pytest.mark.parametrize("place", ["", "rules.unit", "seats", "claimed", "rob"])
def test_truncate_returns_none_for_a_place_that_is_not_a_step(place):
    assert truncate(FULL, place) is None


@pytest.mark.parametrize(
    ("record", "place", "kept"),
    [
        (changed(FULL, last_word=2, answers=[[0, "mit"], [2, "mit"]]), "last_word", {"calls": FULL["calls"]}),
        (
            changed(FULL, last_word=2, answers=[[0, "mit"], [2, "mit"]]),
            "answers[1]",
            {"calls": FULL["calls"], "last_word": 2, "answers": [[0, "mit"]]},
        ),
        (
            changed(FULL, last_word=0, answers=[[2, "mit"], [0, "mit"]]),
            "answers[0]",
            {"calls": FULL["calls"]},
        ),
        (
            changed(FULL, last_word=0, answers=[[2, "mit"], [0, "mit"]]),
            "last_word",
            {"calls": FULL["calls"], "answers": [[2, "mit"]]},
        ),
        (changed(FULL, last_word=2), "calls[1]", {"calls": FULL["calls"][:1]}),
    ],
)
def test_truncate_removes_a_later_last_word(record, place, kept):
    back = truncate(record, place)
    assert {name: back[name] for name in ("calls", "last_word", "answers", "exchanges", "play") if name in back} == kept


def test_an_exchange_is_removed_answer_by_answer():
    entry = {
        "seat": 0,
        "discard": [*HANDS[0], "Ts"],
        "draw": ["Qs", "7s", "8h", "Ah", "Kc"],
        "show": [],
        "drop": ["8h"],
    }
    record, kinds = ANSWERED | {"exchanges": [entry]}, []
    while "exchanges" in record:
        record = truncate(record, place_of_last_answer(record, walk(record).scenes[-1].step.at))
        kinds.append(walk(record).question.kind)
    assert kinds == ["drop", "show", "draw", "exchange"]
    assert place_of_last_answer(record, "answers[1]") == "answers[1]"
    assert place_of_last_answer({"game": "chratze"}, "exchanges[0]") == "exchanges[0]"
    muss = FULL_MUSS | {"play": []}
    assert "exchanges" not in truncate(muss, place_of_last_answer(muss, "exchanges[0]"))


@pytest.mark.parametrize(
    "place", ["calls[1]", "new_trump[0]", "last_word", "answers[1]", "exchanges[0].draw", "play", "play[1][2]"]
)
def test_truncate_at_a_later_place_removes_nothing(place):
    assert truncate(DEALT, place) == DEALT


def test_truncate_after_the_last_card_removes_nothing():
    record = READY | {"play": FULL["play"][:1]}
    assert truncate(record, "play[1][2]") == record


def test_hands_after_an_unfinished_cut_are_removed_in_the_order_of_dealing():
    # The ace passes the pack to seat 1, so seat 2 is dealt first and seat 1 last.
    record = changed(FULL, cuts=[["Ah"]])
    assert truncate(record, "deal.hands[0]")["deal"] == {"hands": [[], [], HANDS[2]], "turned": []}
    assert truncate(record | {"claimed": [0, 0, 0]}, "deal.hands[2]") == begin(START) | {"cuts": [["Ah"]]}


def test_a_later_exchange_is_removed_like_the_first():
    record = changed(FULL, play=...)
    assert place_of_last_answer(record, "exchanges[1]") == "exchanges[1].draw"
    back = truncate(record, "exchanges[1].draw")
    assert back["exchanges"] == [FULL["exchanges"][0], {"seat": 1, "discard": ["8c"]}]
    assert truncate(record, "exchanges[1].drop")["exchanges"] == FULL["exchanges"][:1]
    assert "answers" not in truncate(FULL_MUSS | {"last_word": 1, "answers": [[1, "mit"]]}, "last_word")
