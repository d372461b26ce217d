"""What is asked next in a hand of Kratzen, and what is wrong with one that cannot be, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.rewind import cut, last_answer, sound
from engine.steps import Ask, add, begin, left_over, walk
from tests.engine.hands import changed
from tests.engine.kratzen_hands import FULL, FULL_MUSS, HANDS, ODER, PASSED_OUT, SEVEN, WALKOVER

START: dict[str, Any] = {"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 100}
DEALT = changed(FULL, calls=..., answers=..., exchanges=..., play=...)
ANSWERED = changed(FULL, exchanges=..., play=...)
READY = changed(FULL, play=...)
MUSS_EXCHANGE = changed(FULL_MUSS, exchanges=[{"seat": 0, "discard": ["9d"]}])


# --- What is asked ---------------------------------------------------------------------------------------


def asked(record: dict[str, Any]) -> tuple[Any, ...]:
    ask = walk(record).ask
    return (ask.kind, ask.seat, ask.wanted)


def clauses(ask: Ask) -> dict[str, str]:
    return {name: fault.clause for name, fault in ask.refused.items()}


def test_k3_1_rearhand_cuts_and_after_a_card_with_effect_another_one_is_shown():
    record = begin(START)
    assert asked(record) == ("cut", 2, 1)
    record = add(record, walk(record).ask, ["7h"])
    ask = walk(record).ask
    # The seat that cut shows the bottom card of the pack, though the pack has gone to the right.
    assert (ask.kind, ask.seat, clauses(ask)) == ("cut", 2, {"7h": "R2"})
    assert walk(record).scenes[-1].step.seat == 2
    record = add(record, ask, ["Ac"])
    assert (record["cuts"], asked(record)) == ([["7h", "Ac"]], ("cut", 2, 1))
    assert walk(record).scenes[-1].step.seat == 0


def test_k3_4_a_card_without_effect_ends_the_cutting():
    record = add(begin(START), walk(begin(START)).ask, ["9c"])
    assert (record["cuts"], asked(record)) == ([["9c"]], ("deal", 1, 4))
    assert walk(begin(START) | {"cuts": [[]]}).ask == walk(begin(START)).ask


def test_k4_1_the_new_dealers_left_is_dealt_first_and_the_weli_turns_another_card():
    record = begin(START) | {"cuts": [["Ah", "8h"], ["8h"]]}
    kinds = []
    while (ask := walk(record).ask).kind in ("deal", "turn"):
        kinds.append((ask.kind, ask.seat, ask.wanted))
        cards = [card for card in ask.choices if card != "6d"]
        record = add(record, ask, ["6d"] if kinds[-1] == ("turn", None, 1) and len(kinds) == 4 else cards[: ask.wanted])
    assert kinds == [("deal", 2, 4), ("deal", 0, 4), ("deal", 1, 4), ("turn", None, 1), ("turn", None, 1)]
    assert "Weli" in walk(record).scenes[-1].hands[1]
    assert asked(record) == ("call", 1, 1)


def test_k4_1_a_card_is_dealt_once():
    deal = {"hands": [[], ["Ks", "Qh"], []], "turned": []}
    ask = walk(DEALT | {"deal": deal}).ask
    assert (ask.kind, ask.seat, ask.wanted, clauses(ask)) == ("deal", 1, 2, {"Ks": "R2", "Qh": "R2"})
    turn = walk(DEALT | {"deal": DEALT["deal"] | {"turned": []}}).ask
    assert (turn.kind, turn.seat, len(turn.choices), len(turn.refused)) == ("turn", None, 21, 12)


def test_k5_1_nobody_speaks_in_a_muss_and_the_dealer_drops():
    ask = walk(DEALT | {"pot_before": 0}).ask
    assert (ask.kind, ask.seat, ask.wanted) == ("drop", 0, 1)
    assert set(ask.choices) == {*HANDS[0], "Ts"}
    record = add(DEALT | {"pot_before": 0}, ask, ["9d"])
    assert record["exchanges"] == [{"seat": 0, "drop": ["9d"]}]
    assert asked(record) == ("card", 0, 1)
    assert replay(record | {"play": FULL_MUSS["play"]})["ok"]


def test_k4_1_the_dealer_drops_two_after_the_weli():
    record = DEALT | {"pot_before": 0, "deal": DEALT["deal"] | {"turned": ["6d", "Ts"]}}
    assert asked(record) == ("drop", 0, 2)
    record = add(record, walk(record).ask, ["9d"])
    ask = walk(record).ask
    assert (ask.kind, ask.wanted, "9d" in ask.choices) == ("drop", 1, False)
    assert add(record, ask, ["7c"])["exchanges"] == [{"seat": 0, "drop": ["9d", "7c"]}]


def test_k4_2_after_a_seven_nobody_speaks():
    assert asked(changed(SEVEN, exchanges=..., play=...)) == ("drop", 0, 1)
    off = changed(SEVEN, exchanges=..., play=..., rules={"seven_muss": "off"})
    assert asked(off) == ("call", 0, 1)


def test_k5_2_the_dealer_speaks_first_and_schlagen_ends_it():
    ask = walk(DEALT).ask
    assert (ask.kind, ask.seat, ask.choices) == ("call", 0, ("schlagen", "oder", "weiter-oder", "weiter"))
    assert asked(DEALT | {"calls": [[0, "oder"]]}) == ("call", 1, 1)
    assert asked(DEALT | {"calls": [[0, "oder"], [1, "schlagen"]]}) == ("answer", 2, 1)


def test_k5_3_oder_turns_until_another_suit_comes():
    record = changed(ODER, new_trump=..., answers=..., exchanges=..., play=...)
    turns = []
    for card in ("Qs", "6d", "Jh"):
        turns.append(asked(record))
        ask = walk(record).ask
        assert ask.refused["As"].clause == "K5.3"
        record = add(record, ask, [card])
    assert turns == [("trump", 0, 1)] * 3
    assert asked(record) == ("answer", 1, 1)
    # What was turned is out of play, the dealer's hand stays as it is.
    assert [(len(scene.hands[0]), scene.stock) for scene in walk(record).scenes[-4:]] == [
        (5, n) for n in (20, 19, 18, 17)
    ]


def test_k5_3_a_seven_turned_by_oder_makes_a_siebenermuss_where_any_does():
    calls = [[0, "weiter"], [1, "weiter-oder"], [2, "weiter"]]
    record = DEALT | {"calls": calls, "new_trump": ["7h"]}
    assert asked(record) == ("answer", 2, 1)
    assert asked(record | {"rules": {"seven_muss": "any"}}) == ("drop", 0, 1)
    assert walk(record | {"rules": {"seven_muss": "any"}}).active == (1, 2, 0)


def test_k5_6_the_last_word_is_claimed_in_turn_and_obliges():
    record = DEALT | {"calls": [[0, "schlagen"]]}
    ask = walk(record).ask
    assert (ask.kind, ask.seat, ask.choices, ask.last_word) == ("answer", 1, ("mit", "ohne"), True)
    record = add(record, ask, ["last word"])
    assert record["last_word"] == 1
    assert walk(record).scenes[-1].step[:3] == ("last word", "last_word", 1)
    other = walk(record).ask
    assert (other.seat, other.last_word) == (2, False)
    record = add(record, other, ["ohne"])
    last = walk(record).ask
    assert (last.seat, last.choices, clauses(last)) == (1, ("mit",), {"ohne": "K5.6"})
    assert not walk(DEALT | {"calls": [[0, "schlagen"]], "rules": {"last_word": False}}).ask.last_word


def test_k5_6_the_last_word_is_told_where_it_was_claimed():
    record = DEALT | {"calls": [[0, "schlagen"]], "answers": [[1, "mit"]], "last_word": 2}
    assert [scene.step.kind for scene in walk(record).scenes[-2:]] == ["answer", "last word"]
    record = DEALT | {"calls": [[0, "schlagen"]], "answers": [[2, "mit"]], "last_word": 1}
    assert [scene.step.kind for scene in walk(record).scenes[-2:]] == ["last word", "answer"]


@pytest.mark.parametrize(("record", "active"), [(PASSED_OUT, ()), (WALKOVER, (1,)), (FULL, (1, 2, 0))])
def test_k5_4_k8_2_nothing_is_asked_at_the_end(record, active):
    course = walk(record)
    assert (course.ask, course.active) == (None, active)


def test_k6_1_the_dealer_exchanges_first_then_in_order():
    assert asked(ANSWERED) == ("exchange", 0, 0)
    record = ANSWERED | {"exchanges": FULL["exchanges"][:1]}
    assert asked(record) == ("exchange", 1, 0)
    assert asked(record | {"exchanges": FULL["exchanges"]}) == ("exchange", 2, 0)
    assert asked(record | {"exchanges": [*FULL["exchanges"], {"seat": 2}]}) == ("card", 1, 1)
    out = changed(ANSWERED, answers=[[2, "mit"], [0, "ohne"]])
    assert asked(out) == ("exchange", 1, 0)


def test_k6_2_up_to_three_cards_or_the_whole_hand_are_put_away():
    assert walk(ANSWERED).ask.counts == (0, 1, 2, 3, 5)
    assert walk(READY | {"exchanges": FULL["exchanges"]}).ask.counts == (0, 1, 2, 3, 4)
    record = add(ANSWERED, walk(ANSWERED).ask, [])
    assert (record["exchanges"], asked(record)) == ([{"seat": 0, "discard": []}], ("drop", 0, 1))


def test_k6_2_what_is_put_away_is_drawn_again_and_the_surplus_dropped():
    record = add(ANSWERED, walk(ANSWERED).ask, ["9d", "7c"])
    draw = walk(record).ask
    assert (draw.kind, draw.seat, draw.wanted, draw.refused["Ks"].clause, len(draw.choices)) == (
        "draw",
        0,
        2,
        "K6.4",
        20,
    )
    record = add(record, draw, ["Qs"])
    assert (asked(record), clauses(walk(record).ask)["Qs"]) == (("draw", 0, 1), "K6.4")
    record = add(record, walk(record).ask, ["8h"])
    drop = walk(record).ask
    assert (drop.kind, drop.wanted, set(drop.choices)) == ("drop", 1, {"As", "Kh", "Qs", "8h", "Ts"})
    assert add(record, drop, ["8h"])["exchanges"] == FULL["exchanges"][:1]


def opened(**fields: Any) -> dict[str, Any]:
    """The exchange of the dealer's whole hand, as far as it was told."""
    entry = {"seat": 0, "discard": [*HANDS[0], "Ts"], "draw": ["Qs", "7s", "8h", "Ah", "Kc"], **fields}
    return ANSWERED | {"exchanges": [entry]}


def test_k6_3_trumps_among_the_five_drawn_may_be_laid_open():
    ask = walk(opened()).ask
    assert (ask.kind, ask.seat, ask.choices, ask.wanted, ask.counts) == ("show", 0, ("Qs", "7s"), 0, (0, 1, 2))
    assert clauses(ask) == dict.fromkeys(["8h", "Ah", "Kc"], "K6.3")
    record = add(opened(), ask, [])
    assert (record["exchanges"][0]["show"], asked(record)) == ([], ("drop", 0, 1))
    assert asked(opened() | {"rules": {"open_trumps": False}}) == ("drop", 0, 1)
    assert asked(opened(draw=["8h", "Th", "Ah", "Kc", "Qc"])) == ("drop", 0, 1)


def test_k6_3_each_brings_a_card_face_up_and_a_trump_among_these_another():
    record = add(opened(), walk(opened()).ask, ["Qs", "7s"])
    assert asked(record) == ("open", 0, 2)
    record = add(record, walk(record).ask, ["8s", "9c"])
    ask = walk(record).ask
    assert (ask.kind, ask.wanted, ask.refused["8s"].clause) == ("open", 1, "K6.4")
    record = add(record, ask, ["Tc"])
    assert asked(record) == ("drop", 0, 4)
    assert walk(record).scenes[-1].step.shown == ("Qs", "7s")


def test_k6_3_the_trump_ace_laid_open_brings_five_face_down():
    deal = {"hands": [["Ad", "Kh", "9d", "7c"], *HANDS[1:]], "turned": ["Ts"]}
    entry = {"seat": 0, "discard": ["Ad", "Kh", "9d", "7c", "Ts"], "draw": ["As", "6d", "8h", "Ah", "Kc"]}
    record = ANSWERED | {"deal": deal, "exchanges": [entry | {"show": ["As", "6d"]}]}
    assert asked(record) == ("open", 0, 1)
    record = add(record, walk(record).ask, ["9c"])
    assert asked(record) == ("hidden", 0, 5)
    first = walk(record).ask
    record = add(record, first, first.choices[:2])
    assert asked(record) == ("hidden", 0, 3)
    assert walk(record).ask.choices == first.choices[2:]
    record = add(record, walk(record).ask, first.choices[2:5])
    assert asked(record) == ("drop", 0, 7)
    assert walk(record).scenes[-1].stock == 33 - 13 - 11


def test_k6_3_what_stands_after_it_says_that_nothing_was_laid_open():
    record = opened(drop=["Kc"])
    assert asked(record) == ("exchange", 1, 0)


def test_k6_2_what_is_told_after_the_cards_drawn_says_that_these_are_all():
    assert asked(opened(draw=["Qs"])) == asked(opened(draw=["Qs"], drop=[])) == ("draw", 0, 4)
    for told in ({"show": ["Qs"]}, {"show": []}, {"open": ["9c"]}, {"hidden": ["9c"]}, {"drop": ["Qs"]}):
        with pytest.raises(Fault, match="draws 5 cards, not 1") as fault:
            walk(opened(draw=["Qs"], **told))
        assert (fault.value.clause, fault.value.at) == ("K6.2", "exchanges[0].draw")


def test_k7_4_a_card_that_does_not_beat_is_refused_with_the_clause():
    ask = walk(READY | {"exchanges": [*FULL["exchanges"], {"seat": 2}], "play": [["Ks", "Js"]]}).ask
    assert (ask.seat, ask.choices) == (0, ("As",))
    assert clauses(ask) == {"Ts": "K7.4", "Qs": "K7.4", "Kh": "K7.2"}
    assert ask.refused["Kh"].at == "play[0][2]"
    assert ask.refused["Kh"].message == "Seat 0 plays Kh but must follow suit: Ts Qs As."


def test_k7_4_to_beat_may_be_a_duty_in_plain_suits_too():
    play = {"play": [["Qh", "9h"]], "exchanges": [FULL["exchanges"][0], {"seat": 1}]}
    deal = {"hands": [["As", "Kh", "9d", "7c"], HANDS[1], HANDS[2]], "turned": ["Ts"]}
    record = READY | play | {"deal": deal}
    entry = {"seat": 0, "discard": ["9d", "7c"], "draw": ["Th", "8c"], "drop": ["Ts"]}
    deal["hands"][1] = ["Ks", "Qh", "7d", "Td"]
    record["exchanges"] = [entry]
    assert set(walk(record).ask.choices) == {"Kh", "Th"}
    assert walk(record | {"rules": {"must_beat": "always"}}).ask.choices == ("Kh",)


def test_k7_1_the_declarer_leads_and_the_winner_leads_on():
    record = READY | {"exchanges": [*FULL["exchanges"], {"seat": 2}], "play": FULL["play"][:1]}
    ask = walk(record).ask
    assert (ask.seat, ask.leads, set(ask.choices)) == (1, True, {"Ks", "Qh", "Td"})
    assert not walk(add(record, ask, ["Ks"])).ask.leads
    assert add(record | {"play": [*FULL["play"][:1], []]}, ask, ["Ks"])["play"] == [FULL["play"][0], ["Ks"]]
    record["play"] = [*FULL["play"][:2], []]
    assert add(record, walk(record).ask, ["Qs"])["play"] == [*FULL["play"][:2], ["Qs"]]


def test_k7_6_the_scene_that_fills_a_trick_says_who_takes_it():
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
def test_what_is_left_over_is_no_choice(record, left):
    assert left_over(walk(record).ask) == left


def test_all_that_the_stock_still_has_is_left_over():
    ask = Ask("draw", 0, ("As", "Ks"), {}, 2)
    assert left_over(ask) == ("As", "Ks")
    assert left_over(ask._replace(wanted=1)) == ()
    assert left_over(ask._replace(kind="deal")) == ()
    assert left_over(ask._replace(kind="trump", choices=("As",), wanted=1)) == ("As",)
    assert left_over(Ask("card", 0, ("As",), {}, robber=0)) == ()
    why = Fault("K7.2", "play[0][1]", "…")
    assert left_over(Ask("card", 0, ("As",), {"Kh": why})) == ()
    assert left_over(Ask("card", 0, ("As", "Ks"), {"Kh": why})) == ()


# --- What is wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "clause", "at", "kept"),
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
def test_the_first_fault_is_named_and_what_stands_before_it_is_kept(record, clause, at, kept):
    with pytest.raises(Fault) as fault:
        walk(record)
    assert (fault.value.clause, fault.value.at) == (clause, at)
    assert replay(record)["error"]["clause"] == clause
    scenes = walk(sound(record)).scenes
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
def test_what_is_no_hand_at_all_is_refused_and_nothing_of_it_kept(record):
    with pytest.raises(Fault):
        walk(record)
    assert sound(record) is None


def test_what_was_written_down_of_the_money_is_not_looked_at():
    assert walk(FULL | {"claimed": [0, 0, 0]}).ask is None


def test_a_hand_of_all_the_cards_is_a_wrong_count():
    pack = [rank + suit for rank in "AKQJT987" for suit in "shdc"]
    with pytest.raises(Fault) as fault:
        walk(DEALT | {"deal": {"hands": [pack, [], []], "turned": []}})
    assert (fault.value.clause, fault.value.at) == ("K4.1", "deal.hands[0]")


@pytest.mark.parametrize("ask", [Ask("cut", 2, (), {}), Ask("turn", None, (), {}), Ask("call", 0, (), {})])
def test_one_answer_is_one(ask):
    with pytest.raises(Fault, match="One answer") as fault:
        add(DEALT, ask, ["weiter", "weiter"])
    assert (fault.value.clause, fault.value.at) == ("R1", "")


@pytest.mark.parametrize("place", ["", "rules.unit", "seats", "claimed", "rob"])
def test_a_place_that_is_no_step_is_not_cut(place):
    assert cut(FULL, place) is None


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
def test_a_step_back_takes_the_last_word_with_it_where_it_came_later(record, place, kept):
    back = cut(record, place)
    assert {name: back[name] for name in ("calls", "last_word", "answers", "exchanges", "play") if name in back} == kept


def test_an_exchange_is_taken_back_answer_by_answer():
    entry = {
        "seat": 0,
        "discard": [*HANDS[0], "Ts"],
        "draw": ["Qs", "7s", "8h", "Ah", "Kc"],
        "show": [],
        "drop": ["8h"],
    }
    record, asks = ANSWERED | {"exchanges": [entry]}, []
    while "exchanges" in record:
        record = cut(record, last_answer(record, walk(record).scenes[-1].step.at))
        asks.append(walk(record).ask.kind)
    assert asks == ["drop", "show", "draw", "exchange"]
    assert last_answer(record, "answers[1]") == "answers[1]"
    assert last_answer({"game": "chratze"}, "exchanges[0]") == "exchanges[0]"
    muss = FULL_MUSS | {"play": []}
    assert "exchanges" not in cut(muss, last_answer(muss, "exchanges[0]"))


@pytest.mark.parametrize(
    "place", ["calls[1]", "new_trump[0]", "last_word", "answers[1]", "exchanges[0].draw", "play", "play[1][2]"]
)
def test_a_place_that_the_record_has_not_reached_takes_nothing_away(place):
    assert cut(DEALT, place) == DEALT


def test_a_place_after_the_last_card_takes_nothing_away():
    record = READY | {"play": FULL["play"][:1]}
    assert cut(record, "play[1][2]") == record


def test_the_hands_of_an_unfinished_cut_are_taken_away_in_the_order_of_dealing():
    # The ace has passed the pack to seat 1, so seat 2 is dealt first and seat 1 last.
    record = changed(FULL, cuts=[["Ah"]])
    assert cut(record, "deal.hands[0]")["deal"] == {"hands": [[], [], HANDS[2]], "turned": []}
    assert cut(record | {"claimed": [0, 0, 0]}, "deal.hands[2]") == begin(START) | {"cuts": [["Ah"]]}


def test_a_later_exchange_is_taken_back_as_the_first():
    record = changed(FULL, play=...)
    assert last_answer(record, "exchanges[1]") == "exchanges[1].draw"
    back = cut(record, "exchanges[1].draw")
    assert back["exchanges"] == [FULL["exchanges"][0], {"seat": 1, "discard": ["8c"]}]
    assert cut(record, "exchanges[1].drop")["exchanges"] == FULL["exchanges"][:1]
    assert "answers" not in cut(FULL_MUSS | {"last_word": 1, "answers": [[1, "mit"]]}, "last_word")
