"""Steps of Zwicken: walking through a hand step by step agrees with replaying the whole hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.rewind import place_of_last_answer, truncate, valid_part
from engine.sample import Temper, play_hand, random_hand
from engine.steps import Question, add, begin, only_answer, walk
from engine.steps.decisions import decisions
from tests.engine.hands import changed
from tests.engine.test_steps import remove_step_by_step, walk_a_damaged_record, wrong_answers_raise_their_fault
from tests.engine.zwicken_hands import FULL, FULL_FORCED, HANDS, NOBODY, WALKOVER

SEEDS = range(40)
CARDS = 32
START: dict[str, Any] = {"game": "zwicken", "seats": 3, "dealer": 0, "pot_before": 100}
DEALT = changed(FULL, answers=..., exchanges=..., play=...)
ANSWERED = changed(FULL, exchanges=..., play=...)
READY = changed(FULL, play=...)


def hand(seed: int) -> dict[str, Any]:
    """Return a complete legal hand: a random one for an odd seed, one of simple players for an even seed."""
    rng = random.Random(seed)
    if seed % 2:
        return random_hand(rng, game="zwicken")
    seats = rng.randint(3, 6)
    tempers = [Temper(rng.random(), rng.random()) for _ in range(seats)]
    where = {"seats": seats, "dealer": rng.randrange(seats), "pot_before": 100 * (seed % 4)}
    return play_hand(rng, game="zwicken", rules={"seven": bool(seed % 3)}, players=tempers, **where)


def start_of(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name in (*START, "rules")}


def normalized(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record without empty fields and empty exchanges, which a record may have or not."""
    kept = {name: value for name, value in record.items() if value not in ([], {}, None) or name == "pot_before"}
    entries = [{name: value for name, value in entry.items() if value != []} for entry in kept.get("exchanges", [])]
    return changed(kept, exchanges=[entry for entry in entries if len(entry) > 1])


def answer_of(record: dict[str, Any], so_far: dict[str, Any], question: Question) -> list[str]:
    """Return the answer of a complete record to a question about its first part."""
    if question.kind == "cut":
        return [record["cuts"][len(so_far["cuts"])]]
    if question.kind == "deal":
        return record["deal"]["hands"][question.seat]
    if question.kind == "turn":
        return [record["deal"]["turned"]]
    if question.kind == "answer":
        return [record["answers"][len(so_far.get("answers", []))][1]]
    if question.kind == "card":
        played = [card for trick in so_far.get("play", []) for card in trick]
        return [[card for trick in record["play"] for card in trick][len(played)]]
    entry = next((entry for entry in record.get("exchanges", []) if entry["seat"] == question.seat), {})
    return entry.get({"exchange": "discard"}.get(question.kind, question.kind), [])


def random_answer(rng: random.Random, question: Question) -> list[str]:
    if question.kind == "exchange":
        return rng.sample(question.choices, rng.choice((question.counts[-1], *question.counts)))
    if question.kind in ("deal", "draw"):
        return rng.sample(question.choices, rng.randint(1, question.wanted))
    if question.kind == "cut" and rng.random() < 0.3:
        return [rng.choice([card for card in question.choices if card[0] in "7A"])]
    return [rng.choice(question.choices)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_recorded_answer_by_answer_equals_the_original(seed):
    whole = hand(seed)
    record = begin(start_of(whole))
    while (question := walk(record).question) is not None:
        record = add(record, question, answer_of(whole, record, question))
    assert normalized(record) == normalized(whole)
    assert replay(record) == replay(whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_choices_give_a_legal_hand_and_refused_answers_break_their_clause(seed):
    rng = random.Random(seed)
    record = begin(start_of(hand(seed * 2 + 1)))
    while (question := walk(record).question) is not None:
        assert not set(question.choices) & set(question.refused)
        wrong_answers_raise_their_fault(rng, record, question)
        record = add(record, question, random_answer(rng, question))
    assert replay(record)["ok"]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_steps_of_a_hand_can_be_removed_one_by_one(seed):
    record = remove_step_by_step(hand(seed))
    assert normalized(record) == normalized(begin(start_of(record)))


@pytest.mark.parametrize("seed", SEEDS)
def test_all_answers_of_a_hand_can_be_taken_back_one_by_one(seed):
    record = hand(seed)
    while scenes := walk(record).scenes:
        shorter = truncate(record, place_of_last_answer(record, scenes[-1].step.at))
        question = walk(shorter).question
        assert question is not None
        record = shorter
    assert normalized(record) == normalized(begin(start_of(record)))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_scene_has_the_tricks_of_the_result(seed):
    record = hand(seed)
    result, progress = replay(record), walk(record)
    assert (progress.question, progress.goal) == (None, None)
    assert sorted(progress.active) == result["joiners"]
    assert list(progress.scenes[-1].taken) == result["tricks"]
    if result["outcome"] == "played":
        assert all(len(progress.scenes[-1].hands[seat]) == 0 for seat in result["joiners"])
    assert decisions(progress) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_every_scene_has_each_card_at_most_once(seed):
    away = 0
    for scene in walk(hand(seed)).scenes:
        held = [card for cards in scene.hands for card in cards]
        assert len(held) == len(set(held))
        step = scene.step
        away += len(step.away) + (1 if step.kind in ("turn", "card") else 0)
        assert len(held) + scene.stock + away == CARDS


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_has_its_own_place(seed):
    places = [scene.step.at for scene in walk(hand(seed)).scenes]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("seed", range(150))
def test_a_damaged_record_gives_a_fault_or_a_question_but_no_other_exception(seed):
    walk_a_damaged_record(random.Random(seed), hand(seed))


def test_the_steps_of_a_hand_with_all_their_fields():
    scenes = walk(FULL).scenes
    nothing: tuple[Any, ...] = ("", (), (), ())
    assert [tuple(scene.step) for scene in scenes[:12]] == [
        ("cut", "cuts[0]", 0, ("9c",), *nothing),
        ("deal", "deal.hands[1]", 1, ("Ks", "7d", "8c"), *nothing),
        ("deal", "deal.hands[2]", 2, ("Js", "9h", "Ac"), *nothing),
        ("deal", "deal.hands[0]", 0, ("As", "Kh", "9d"), *nothing),
        ("turn", "deal.turned", None, ("Ts",), *nothing),
        ("answer", "answers[0]", 1, (), "mit", (), (), ()),
        ("answer", "answers[1]", 2, (), "mit", (), (), ()),
        ("answer", "answers[2]", 0, (), "mit", (), (), ()),
        ("exchange", "exchanges[0]", 1, ("Ah",), "", ("8c",), (), ()),
        ("card", "play[0][0]", 1, ("Ah",), *nothing),
        ("card", "play[0][1]", 2, ("9h",), *nothing),
        ("card", "play[0][2]", 0, ("Kh",), *nothing),
    ]
    assert [scene.stock for scene in scenes[:10]] == [32, 29, 26, 23, 22, 22, 22, 22, 21, 21]
    assert (scenes[11].trick, scenes[11].winner, scenes[11].taken) == (((1, "Ah"), (2, "9h"), (0, "Kh")), 1, (0, 1, 0))
    assert [scene.winner for scene in scenes[9:]] == [None, None, 1, None, None, 0, None, None, 1]


# --- Questions ---------------------------------------------------------------------------------------------


def next_question(record: dict[str, Any]) -> tuple[Any, ...]:
    question = walk(record).question
    return (question.kind, question.seat, question.wanted)


def clauses(question: Question) -> dict[str, str]:
    return {name: fault.clause for name, fault in question.refused.items()}


def test_z2_3_the_rearhand_of_the_one_who_has_the_pack_cuts():
    record = begin(START)
    assert next_question(record) == ("cut", 2, 1)
    record = add(record, walk(record).question, ["7d"])
    assert walk(record).scenes[-1].step[:4] == ("cut", "cuts[0]", 2, ("7d",))
    assert next_question(record) == ("cut", 1, 1)
    assert len(walk(record).question.choices) == CARDS
    record = add(record, walk(record).question, ["9c"])
    assert next_question(record) == ("deal", 0, 3)
    assert next_question(begin(START | {"rules": {"cut_moves": False}})) == ("deal", 1, 3)


def test_z3_1_a_card_is_dealt_once_and_then_one_is_turned():
    question = walk(DEALT | {"deal": {"hands": [[], ["Ks", "7d"], []], "turned": None}}).question
    assert (question.kind, question.seat, question.wanted, clauses(question)) == (
        "deal",
        1,
        1,
        {"Ks": "R2", "7d": "R2"},
    )
    turn = walk(DEALT | {"deal": {"hands": HANDS, "turned": None}}).question
    assert (turn.kind, turn.seat, len(turn.choices), len(turn.refused)) == ("turn", None, 23, 9)
    assert add(DEALT | {"deal": {"hands": HANDS, "turned": None}}, turn, ["Ts"]) == DEALT


def test_z1_3_after_the_turn_the_seven_lies_among_the_trumps():
    hands = [["As", "7d", "9h"], ["Ks", "8c", "Kh"], ["Js", "9d", "Ac"]]
    scenes = walk(DEALT | {"deal": {"hands": hands, "turned": "Ts"}}).scenes
    assert (scenes[-2].hands[0], scenes[-1].hands[0]) == (("7d", "9h", "As"), ("9h", "As", "7d"))


def test_z4_2_the_answers_from_the_dealers_left():
    question = walk(DEALT).question
    assert (question.kind, question.seat, question.choices, question.refused) == ("answer", 1, ("mit", "weg"), {})
    assert next_question(DEALT | {"answers": [[1, "weg"], [2, "weg"]]}) == ("answer", 0, 1)
    assert add(DEALT, question, ["weg"])["answers"] == [[1, "weg"]]
    with pytest.raises(Fault) as refused:
        add(DEALT, question, ["ohne"])
    assert (refused.value.clause, refused.value.at) == ("Z4.2", "answers[0][1]")


def test_z4_1_nobody_speaks_in_a_forced_hand():
    assert next_question(DEALT | {"pot_before": 0}) == ("exchange", 1, 0)
    assert walk(DEALT | {"pot_before": 0}).active == (1, 2, 0)
    assert replay(FULL_FORCED)["ok"]


@pytest.mark.parametrize(("record", "active"), [(NOBODY, ()), (WALKOVER, (2,)), (FULL, (1, 2, 0))])
def test_z4_3_there_is_no_question_at_the_end(record, active):
    progress = walk(record)
    assert (progress.question, progress.active) == (None, active)


def test_z5_1_the_seats_exchange_in_order():
    question = walk(ANSWERED).question
    assert (question.kind, question.seat, question.counts, set(question.choices)) == (
        "exchange",
        1,
        (0, 1, 2, 3),
        set(HANDS[1]),
    )
    record = add(ANSWERED, question, ["8c", "7d"])
    draw = walk(record).question
    assert (draw.kind, draw.seat, draw.wanted, len(draw.choices), clauses(draw)["8c"]) == ("draw", 1, 2, 22, "Z5.1")
    record = add(record, draw, ["Ah"])
    assert (next_question(record), clauses(walk(record).question)["Ah"]) == (("draw", 1, 1), "Z5.1")
    record = add(record, walk(record).question, ["Qh"])
    assert record["exchanges"] == [{"seat": 1, "discard": ["8c", "7d"], "draw": ["Ah", "Qh"]}]
    assert next_question(record) == ("exchange", 2, 0)
    record = add(add(record, walk(record).question, []), walk(add(record, walk(record).question, [])).question, [])
    assert (record["exchanges"][1:], next_question(record)) == (
        [{"seat": 2, "discard": []}, {"seat": 0, "discard": []}],
        ("card", 1, 1),
    )
    assert next_question(changed(ANSWERED, rules={"exchange": False})) == ("card", 1, 1)


def test_z5_1_the_stock_bounds_the_discards():
    pack = [rank + suit for suit in "sdhc" for rank in "AKQJT987"]
    deal = {"hands": [pack[3 * seat : 3 * seat + 3] for seat in range(6)], "turned": pack[18]}
    entries = [
        {"seat": seat, "discard": pack[3 * seat : 3 * seat + 3], "draw": pack[16 + 3 * seat : 19 + 3 * seat]}
        for seat in range(1, 5)
    ]
    record = changed(FULL_FORCED, seats=6, deal=deal, exchanges=entries, play=...)
    assert walk(record).question.counts == (0, 1)
    last = add(record, walk(record).question, pack[15:16])
    assert only_answer(walk(last).question) == ("7c",)


def test_z6_4_a_card_that_does_not_beat_is_refused_with_the_clause():
    record = READY | {"exchanges": [*FULL["exchanges"], {"seat": 2}, {"seat": 0, "discard": ["9d"], "draw": ["8s"]}]}
    question = walk(record | {"play": [["Ks", "Js"]]}).question
    assert (question.seat, question.choices, clauses(question)) == (0, ("As",), {"8s": "Z6.4", "Kh": "Z6.2"})
    free = walk(record | {"rules": {"must_beat": "off"}, "play": [["Ks", "Js"]]}).question
    assert set(free.choices) == {"As", "8s"}


def test_z6_3_by_house_rule_any_card_is_a_choice():
    record = READY | {"play": [["Ks", "Js", "As"], ["9d"]], "exchanges": [*FULL["exchanges"], {"seat": 2}, {"seat": 0}]}
    assert walk(record).question.choices == ("7d",)
    assert set(walk(record | {"rules": {"must_trump": False}}).question.choices) == {"7d", "Ah"}


def test_z6_1_a_hand_has_three_tricks():
    with pytest.raises(Fault, match="A hand has 3 tricks, not 4") as fault:
        walk(changed(FULL, play=[*FULL["play"], ["As", "Ks", "Js"]]))
    assert (fault.value.clause, fault.value.at) == ("Z6.1", "play")
    assert next_question(changed(FULL, play=FULL["play"][:2])) == ("card", 0, 1)


# --- Faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "clause", "location", "kept"),
    [
        (changed(FULL, cuts=["Ah"]), "Z2.4", "cuts[0]", None),
        (changed(FULL, cuts=[]), "Z2.4", "cuts", None),
        (changed(FULL, cuts=["9c", "9h"]), "Z2.4", "cuts[0]", None),
        (changed(FULL, cuts=["Ah", "zz"]), "R2", "cuts[1]", "cuts[0]"),
        (
            changed(FULL, deal={"hands": [HANDS[0], HANDS[1], ["As", "9h", "Ac"]], "turned": "Ts"}),
            "R2",
            "deal.hands[2][0]",
            "deal.hands[1]",
        ),
        (changed(FULL, deal={"hands": HANDS, "turned": "As"}), "R2", "deal.turned", "deal.hands[0]"),
        (changed(FULL, answers=[[1, "mit"], [2, "ja"], [0, "mit"]]), "Z4.2", "answers[1][1]", "answers[0]"),
        (changed(FULL, answers=[[1, "mit"], [9, "mit"]]), "R3", "answers[1][0]", "answers[0]"),
        (changed(FULL, answers=[[1, "mit"]]), "Z4.2", "answers", "answers[0]"),
        (changed(FULL_FORCED, answers=[[1, "mit"]]), "Z4.1", "answers", "deal.turned"),
        (changed(FULL, exchanges=[{"seat": 0}, {"seat": 1}]), "Z5.1", "exchanges[1].seat", "exchanges[0]"),
        (
            changed(FULL, exchanges=[{"seat": 1, "discard": ["8c", "7d"], "draw": ["Ah"]}]),
            "Z5.1",
            "exchanges[0].draw",
            "exchanges[0]",
        ),
        (changed(FULL, rules={"exchange": False}), "Z5.1", "exchanges", "answers[2]"),
        (changed(FULL, play=[["Ah", "Ac", "Kh"]]), "Z6.2", "play[0][1]", "play[0][0]"),
        (changed(FULL, play=[["Ah"], ["Ks"]]), "Z6.1", "play[0]", "exchanges[0]"),
        (changed(WALKOVER, exchanges=[{"seat": 2}]), "Z4.3", "exchanges", "answers[2]"),
        (changed(NOBODY, play=[["Ks"]]), "Z4.3", "play", "answers[2]"),
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
        {"game": "zwicken"},
        {"game": "zwicken", "seats": 3, "dealer": 0, "pot_before": 0, "cuts": ["x"], "tricks": {"0": 3}},
        DEALT | {"seats": 9},
        DEALT | {"rules": {"stake": 7}},
        DEALT | {"answers": 1},
        DEALT | {"deal": {"hands": [[]], "turned": None}},
    ],
)
def test_an_invalid_record_has_no_valid_part(record):
    with pytest.raises(Fault):
        walk(record)
    assert valid_part(record) is None


@pytest.mark.parametrize("place", ["", "rules.stake", "seats", "claimed", "calls[0]"])
def test_truncate_returns_none_for_a_place_that_is_not_a_step(place):
    assert truncate(FULL, place) is None


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("cuts[0]", {"cuts": [], "deal": {"hands": [[], [], []], "turned": None}}),
        ("deal.hands[2]", {"deal": {"hands": [[], HANDS[1], []], "turned": None}}),
        ("deal.turned", {"deal": {"hands": HANDS, "turned": None}}),
        ("answers[1]", {"answers": FULL["answers"][:1]}),
        ("exchanges[0]", {"answers": FULL["answers"]}),
        ("exchanges[0].draw", {"answers": FULL["answers"], "exchanges": [{"seat": 1, "discard": ["8c"]}]}),
        ("exchanges[0].discard", {"answers": FULL["answers"]}),
        ("play[0][0]", {"answers": FULL["answers"], "exchanges": FULL["exchanges"]}),
        ("play[1]", {"answers": FULL["answers"], "exchanges": FULL["exchanges"], "play": FULL["play"][:1]}),
        (
            "play[1][2]",
            {"answers": FULL["answers"], "exchanges": FULL["exchanges"], "play": [FULL["play"][0], ["7d", "Js"]]},
        ),
    ],
)
def test_truncate_keeps_the_steps_before_a_place(place, fields):
    start = changed(FULL, answers=..., exchanges=..., play=...)
    assert truncate(FULL | {"claimed": [0, 0, 0]}, place) == start | fields


def test_hands_after_a_hop_are_removed_in_the_order_of_dealing():
    # The ace passes the deal to seat 1, so seat 2 is dealt first and seat 1 last.
    record = changed(FULL, cuts=["Ah"])
    assert truncate(record, "deal.hands[0]")["deal"] == {"hands": [[], [], HANDS[2]], "turned": None}
    assert truncate(record, "deal.hands[2]") == begin(START) | {"cuts": ["Ah"]}


STEPS: list[dict[str, Any]] = [
    {"cuts": ["9c"]},
    {"deal": {"hands": HANDS, "turned": None}},
    {"deal": FULL["deal"]},
    {"answers": FULL["answers"]},
    {"exchanges": [{"seat": 0}]},
    {"play": [["Kh"]]},
]
"""The steps of a hand, one after the other."""


@pytest.mark.parametrize(
    ("missing", "later"), [(missing, later) for missing in range(5) for later in range(missing + 1, 6)]
)
def test_steps_after_a_missing_one_give_the_fault_of_replay(missing, later):
    so_far = begin(START)
    for fields in STEPS[:missing]:
        so_far |= fields
    assert walk(so_far).question is not None
    if (missing, later) == (4, 5):
        assert walk(so_far | {"play": [["Ks"]]}).question is not None  # nobody must exchange
        return
    fields = {"deal": so_far["deal"] | {"turned": "Ts"}} if missing and later == 2 else STEPS[later]
    with pytest.raises(Fault) as fault:
        walk(so_far | fields)
    assert fault.value.as_result() == replay(so_far | fields)


def test_the_last_answer_of_an_exchange_is_the_cards_drawn() -> None:
    record = {
        "game": "zwicken",
        "exchanges": [{"seat": 1, "discard": []}, {"seat": 2, "discard": ["8s"], "draw": ["9s"]}],
    }
    assert place_of_last_answer(record, "exchanges[0]") == "exchanges[0]"
    assert place_of_last_answer(record, "exchanges[1]") == "exchanges[1].draw"
    assert place_of_last_answer(record, "play[1][2]") == "play[1][2]"
    assert place_of_last_answer(record, "answers[1]") == "answers[1]"
    assert place_of_last_answer(record, "elsewhere") == "elsewhere"
