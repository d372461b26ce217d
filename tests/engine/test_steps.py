"""Steps of Chratze: walking through a hand step by step agrees with replaying the whole hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.rewind import truncate, valid_part
from engine.sample import Temper, play_hand
from engine.steps import add, begin, walk
from tests.engine.hands import FULL, TALLY, changed
from tests.engine.kratzen_hands import PASSED_OUT_TALLY as KRATZEN_TALLY

RULES: list[dict[str, Any]] = [{}, {"no_taker": "redeal"}, {"susi": "forced"}, {"max_turns": 2, "rob": False}]
SEEDS = range(30)

DEALT: dict[str, Any] = {
    "game": "chratze",
    "seats": 3,
    "dealer": 2,
    "pot_before": 0,
    "deal": {
        "hands": [["Ah", "Kh", "7s", "6c"], ["Qh", "9d", "8c", "6s"], ["As", "Jd", "Td", "7c"]],
        "turned": ["9s"],
    },
}
CALLED = DEALT | {"calls": [[0, "chratze"], [1, "metcho"], [2, "metcho"]]}
READY = CALLED | {"exchanges": [{"seat": 0}, {"seat": 1}, {"seat": 2}]}


def random_hand(seed: int) -> dict[str, Any]:
    """Return a complete legal hand of simple players."""
    rng = random.Random(seed)
    seats = rng.randint(2, 7)
    players = [Temper(rng.random(), rng.random()) for _ in range(seats)]
    start = {"rules": rng.choice(RULES), "seats": seats, "dealer": rng.randrange(seats)}
    hand = play_hand(rng, pot_before=0, deal_number=1, players=players, **start)
    return {"game": "chratze", "pot_before": 0, "deal_number": 1, **start, **hand}


def answer(rng: random.Random, question: Any) -> list[str]:
    if question.robber is not None and rng.random() < 0.7:
        return ["rob"]
    if question.kind == "exchange":
        return rng.sample(question.choices, rng.choice(question.counts))
    if question.kind in ("deal", "draw"):
        return rng.sample(question.choices, rng.randint(1, question.wanted))
    if question.kind == "call" and "weg" in question.choices and rng.random() < 0.5:
        return ["weg"]
    return [rng.choice(question.choices)]


def wrong_answers_raise_their_fault(rng: random.Random, record: dict[str, Any], question: Any) -> None:
    """Give two answers that a question refuses: each raises the fault that the question names."""
    for bad in rng.sample(list(question.refused), min(2, len(question.refused))):
        with pytest.raises(Fault) as refused:
            add(record, question, [bad])
        expected = question.refused[bad]
        assert (refused.value.clause, refused.value.message) == (expected.clause, expected.message)


def remove_step_by_step(record: dict[str, Any]) -> dict[str, Any]:
    """Remove the last step until none is left; check the steps that remain, and return the empty record."""
    scenes = walk(record).scenes
    for left in range(len(scenes) - 1, -1, -1):
        record = truncate(record, walk(record).scenes[-1].step.at)
        progress = walk(record)
        assert progress.scenes == scenes[:left]
        assert progress.question is not None
    return record


@pytest.mark.parametrize("seed", SEEDS)
def test_choices_give_a_legal_hand_and_refused_answers_break_their_clause(seed):
    rng = random.Random(seed)
    seats = rng.randint(2, 7)
    blind = rng.choice([None, "blind", "double"])
    start = {"game": "chratze", "rules": rng.choice(RULES), "seats": seats, "dealer": rng.randrange(seats)}
    record = begin({**start, "pot_before": 0, "deal_number": 1, "blind": blind})
    while (question := walk(record).question) is not None:
        wrong_answers_raise_their_fault(rng, record, question)
        record = add(record, question, answer(rng, question))
    assert replay(record)["ok"]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_steps_of_a_hand_can_be_removed_one_by_one(seed):
    remove_step_by_step(random_hand(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_scene_has_the_tricks_of_the_result(seed):
    record = random_hand(seed)
    result, last = replay(record), walk(record).scenes[-1]
    assert list(last.taken) == result["tricks"]
    if result["outcome"] == "played":
        assert sum(map(len, last.hands)) == (record["seats"] - 1 - len(result["joiners"])) * 4


@pytest.mark.parametrize("seed", SEEDS)
def test_every_scene_has_each_card_at_most_once(seed):
    for scene in walk(random_hand(seed)).scenes:
        held = [card for hand in scene.hands for card in hand]
        assert len(held) == len(set(held))
        assert len(held) + scene.stock <= 36


# --- Questions ---------------------------------------------------------------------------------------------


def test_c2_2_the_seat_after_the_dealer_is_dealt_first_and_the_dealer_last():
    record, questions = begin({"game": "chratze", "seats": 3, "dealer": 1, "pot_before": 0}), []
    for _ in range(4):
        question = walk(record).question
        questions.append((question.kind, question.seat, question.wanted))
        record = add(record, question, question.choices[: question.wanted])
    assert questions == [("deal", 2, 4), ("deal", 0, 4), ("deal", 1, 4), ("turn", None, 1)]


def test_c3_1_the_seat_after_the_dealer_speaks_first_and_may_not_join():
    question = walk(DEALT).question
    assert (question.kind, question.seat, question.choices) == ("call", 0, ("chratze", "weg"))
    assert question.refused["metcho"].clause == "C3.1"


def test_c3_6_a_forced_susi_must_join():
    record = DEALT | {"rules": {"susi": "forced"}, "calls": [[0, "chratze"], [1, "weg"]]}
    question = walk(record).question
    assert (question.seat, question.choices, question.refused["weg"].clause) == (2, ("metcho",), "C3.6")


def test_c2_4_the_next_card_is_turned_after_a_round_of_weg():
    question = walk(DEALT | {"calls": [[0, "weg"], [1, "weg"], [2, "weg"]]}).question
    assert (question.kind, question.refused["9s"].clause) == ("turn", "R2")


def test_c4_5_the_holder_of_the_six_of_trumps_may_take_the_turned_card():
    question = walk(CALLED | {"exchanges": [{"seat": 0}]}).question
    assert (question.kind, question.seat, question.robber, question.counts) == ("exchange", 1, 1, (0, 1, 2, 3, 4))
    robbed = add(CALLED | {"exchanges": [{"seat": 0}]}, question, ["rob"])
    assert "9s" in walk(robbed).question.choices
    assert walk(robbed).question.robber is None
    late = walk(READY).question
    assert (late.kind, late.robber) == ("card", 1)
    assert add(READY, late, ["rob"])["rob"] == {"seat": 1, "when": "after"}


def test_the_steps_of_a_hand_with_all_their_fields():
    scenes = walk(FULL).scenes
    nothing: tuple[Any, ...] = ("", (), (), ())
    assert [tuple(scene.step) for scene in scenes[:12]] == [
        ("deal", "deal.hands[0]", 0, ("As", "Ks", "9h", "7d"), *nothing),
        ("deal", "deal.hands[1]", 1, ("Qs", "8h", "Td", "6c"), *nothing),
        ("deal", "deal.hands[2]", 2, ("Js", "7h", "Kd", "9c"), *nothing),
        ("turn", "deal.turned[0]", None, ("9s",), *nothing),
        ("call", "calls[0]", 0, (), "chratze", (), (), ()),
        ("call", "calls[1]", 1, (), "metcho", (), (), ()),
        ("call", "calls[2]", 2, (), "metcho", (), (), ()),
        ("exchange", "exchanges[0]", 0, ("Ah",), "", ("7d",), (), ()),
        ("exchange", "exchanges[1]", 1, ("8s", "6d"), "", ("6c", "Td"), (), ()),
        ("card", "play[0][0]", 0, ("As",), *nothing),
        ("card", "play[0][1]", 1, ("8s",), *nothing),
        ("card", "play[0][2]", 2, ("Js",), *nothing),
    ]
    assert [scene.stock for scene in scenes[:10]] == [32, 28, 24, 23, 23, 23, 23, 22, 20, 20]
    assert (scenes[11].trick, scenes[11].winner, scenes[11].taken) == (((0, "As"), (1, "8s"), (2, "Js")), 0, (1, 0, 0))


def test_c4_2_a_seat_that_discards_all_four_draws_five_and_drops_one():
    record = add(CALLED, walk(CALLED).question, ["Ah", "Kh", "7s", "6c"])
    draw = walk(record).question
    assert (draw.kind, draw.seat, draw.wanted, draw.refused["Ah"].clause) == ("draw", 0, 5, "C4.4")
    record = add(record, draw, ["Ac", "Kc", "Qc", "Jc", "Tc"])
    drop = walk(record).question
    assert (drop.kind, set(drop.choices)) == ("drop", {"Ac", "Kc", "Qc", "Jc", "Tc"})
    assert walk(add(record, drop, ["Tc"])).scenes[-1].hands[0] == ("Ac", "Kc", "Qc", "Jc")


def test_c5_2_a_card_that_does_not_follow_suit_is_refused_with_the_clause():
    question = walk(READY | {"play": [["Ah"]]}).question
    assert (question.seat, question.choices) == (1, ("Qh",))
    assert {name: fault.clause for name, fault in question.refused.items()} == dict.fromkeys(["9d", "8c", "6s"], "C5.2")
    assert question.refused["9d"].at == "play[0][1]"


def test_c5_3_a_seat_that_cannot_follow_must_trump():
    question = walk(READY | {"play": [["Ah", "Qh"]]}).question
    assert question.choices == ("As",)
    assert question.refused["Td"].clause == "C5.3"


def test_c4_5_the_turned_card_is_taken_once_and_has_a_scene_at_its_position():
    early = CALLED | {"exchanges": [{"seat": 0}, {"seat": 1}, {"seat": 2}], "rob": {"seat": 1, "when": "before"}}
    steps = [scene.step for scene in walk(early).scenes[-4:]]
    assert [(step.kind, step.seat) for step in steps] == [("exchange", 0), ("rob", 1), ("exchange", 1), ("exchange", 2)]
    assert (steps[1].cards, steps[1].away) == (("9s",), ("6s",))
    late = walk(READY | {"rob": {"seat": 1, "when": "after"}})
    assert (late.scenes[-1].step.kind, late.question.robber) == ("rob", None)
    assert walk(READY | {"play": [["Ah"]]}).question.robber is None
    with pytest.raises(Fault) as fault:
        add(CALLED, walk(CALLED).question, ["rob"])
    assert fault.value.clause == "C4.5"


def test_c4_2_the_step_of_an_exchange_has_the_dropped_card():
    entry = {"seat": 0, "discard": ["Ah", "Kh", "7s", "6c"], "draw": ["Ac", "Kc", "Qc", "Jc", "Tc"]}
    question = walk(CALLED | {"exchanges": [entry]}).question
    assert (question.kind, question.seat) == ("drop", 0)
    step = walk(CALLED | {"exchanges": [entry | {"drop": "Tc"}]}).scenes[-1].step
    assert (step.cards, step.away, step.drop) == (tuple(entry["draw"]), tuple(entry["discard"]), ("Tc",))
    draw = walk(CALLED | {"exchanges": [entry | {"draw": ["Ac"]}]}).question
    assert (draw.refused["Ah"].at, draw.wanted) == ("exchanges[0].draw[1]", 4)


def test_c4_4_the_counts_of_an_exchange_fit_the_stock():
    pack = [rank + suit for suit in "shdc" for rank in "AKQJT9876"]
    hands = [pack[4 * seat : 4 * seat + 4] for seat in range(7)]
    record: dict[str, Any] = {"game": "chratze", "seats": 7, "dealer": 6, "pot_before": 0}
    record |= {"deal": {"hands": hands, "turned": [pack[28]]}}
    record |= {"calls": [[0, "chratze"], *([seat, "metcho"] for seat in range(1, 7))]}
    assert walk(record).question.counts == (0, 1, 2, 3, 4)
    record |= {"exchanges": [{"seat": 0, "discard": hands[0][:3], "draw": pack[29:32]}]}
    assert walk(record).question.counts == (0, 1, 2, 3, 4)
    # The stock has only four cards for the whole hand, so there is no fifth card to drop.
    record["exchanges"].append({"seat": 1, "discard": hands[1], "draw": pack[32:]})
    question = walk(record).question
    assert (question.kind, question.seat, question.counts) == ("exchange", 2, (0,))


def test_c4_3_a_blind_dealer_discards_at_least_one_card():
    calls = [[0, "metcho"], [1, "weg"]]
    question = walk(DEALT | {"blind": "blind", "calls": calls}).question
    assert (question.seat, question.wanted, question.counts) == (2, 1, (1, 2, 3, 4, 5))


# --- Going back --------------------------------------------------------------------------------------------

PLAYED = READY | {"rob": {"seat": 1, "when": "before"}, "play": [["Ah", "Qh", "7c"], ["Kh", "9d"]]}
HANDS = DEALT["deal"]["hands"]
TURNED_TWICE = DEALT["deal"] | {"turned": ["9s", "8s"]}
LATE = DEALT | {
    "deal": TURNED_TWICE,
    "calls": [[0, "weg"], [1, "weg"], [2, "weg"], [0, "weg"], [1, "chratze"], [2, "metcho"], [0, "metcho"]],
    "exchanges": [{"seat": 1}, {"seat": 2}, {"seat": 0}],
    "rob": {"seat": 0, "when": "before"},
}
"""The declarer is not the first seat, and a second card is turned."""


@pytest.mark.parametrize(
    ("record", "place", "kept"),
    [
        (PLAYED, "play[1][1]", {"play": [["Ah", "Qh", "7c"], ["Kh"]]}),
        (PLAYED, "play[1][0]", {"play": [["Ah", "Qh", "7c"]]}),
        (PLAYED, "play[1]", {"play": [["Ah", "Qh", "7c"]]}),
        (PLAYED, "play[0]", {"play": ...}),
        (PLAYED, "play", {}),
        (READY, "play", {}),
        (PLAYED, "rob", {"rob": ..., "play": ...}),
        (PLAYED, "exchanges[2]", {"exchanges": [{"seat": 0}, {"seat": 1}], "play": ...}),
        (PLAYED, "exchanges[1].draw[0]", {"exchanges": [{"seat": 0}], "play": ...}),
        (PLAYED, "exchanges[0]", {"exchanges": ..., "rob": ..., "play": ...}),
        (PLAYED, "exchanges", {"exchanges": ..., "rob": ..., "play": ...}),
        (
            PLAYED | {"rob": {"seat": 1, "when": "after"}},
            "exchanges[2]",
            {"exchanges": [{"seat": 0}, {"seat": 1}], "rob": ..., "play": ...},
        ),
        (CALLED, "exchanges[0]", {}),
        (LATE, "exchanges[2]", {"exchanges": [{"seat": 1}, {"seat": 2}]}),
        (LATE, "exchanges[1]", {"exchanges": [{"seat": 1}], "rob": ...}),
        (LATE, "exchanges[0]", {"exchanges": ..., "rob": ...}),
        (PLAYED, "calls[1][1]", {"calls": [[0, "chratze"]]}),
        (PLAYED, "calls[0]", {"calls": ...}),
        (PLAYED, "calls", {}),
        (LATE, "calls[4]", {"calls": LATE["calls"][:4]}),
        (LATE | {"calls": CALLED["calls"]}, "calls", {"calls": CALLED["calls"], "deal": DEALT["deal"]}),
        (LATE, "deal.turned", {}),
        (LATE, "deal.turned[1]", {"deal": DEALT["deal"], "calls": LATE["calls"][:3]}),
        (LATE, "deal.turned[0]", {"deal": DEALT["deal"] | {"turned": []}, "calls": ...}),
        (DEALT | {"deal": TURNED_TWICE, "blind": "blind"}, "deal.turned", {"deal": DEALT["deal"]}),
        (PLAYED, "deal.hands[1][3]", {"deal": {"hands": [HANDS[0], [], []], "turned": []}, "calls": ...}),
        (PLAYED | {"dealer": 0}, "deal.hands[2]", {"deal": {"hands": [[], HANDS[1], []], "turned": []}, "calls": ...}),
        (PLAYED, "deal.hands[3]", {"deal": {"hands": [[], [], []], "turned": []}, "calls": ...}),
    ],
)
def test_truncate_removes_a_step_and_all_later_ones(record, place, kept):
    if place.startswith(("calls", "deal")):
        kept = {"exchanges": ..., "rob": ..., "play": ...} | kept
    assert truncate(record | {"claimed": [0, 0, 0]}, place) == changed(record, **kept)


# --- Faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "clause", "location", "kept"),
    [
        (READY | {"play": [["Ah", "9d"]]}, "C5.2", "play[0][1]", "play[0][0]"),
        (READY | {"play": [["Ah"], ["Kh"]]}, "C5.1", "play[0]", "exchanges[2]"),
        (READY | {"play": [["Ah", "Qh", "As", "7s"]]}, "C5.1", "play[0]", "exchanges[2]"),
        (CALLED | {"exchanges": [{"seat": 1}, {"seat": 0}]}, "C4.1", "exchanges[1].seat", "exchanges[0]"),
        (CALLED | {"rob": {"seat": 0}}, "C4.5", "rob.seat", "calls[2]"),
        (DEALT | {"calls": [[0, "metcho"]]}, "C3.1", "calls[0][1]", "deal.turned[0]"),
        (DEALT | {"calls": [[0, "chratze"]], "play": [["Ah"]]}, "C3.3", "calls", "calls[0]"),
        (DEALT | {"deal": DEALT["deal"] | {"turned": ["Ah"]}}, "R2", "deal.turned[0]", "deal.hands[2]"),
        (
            DEALT | {"deal": DEALT["deal"] | {"turned": ["9s", "8s"]}, "calls": [[0, "chratze"]]},
            "C2.4",
            "deal.turned",
            "calls[0]",
        ),
    ],
)
def test_walk_raises_the_first_fault_and_valid_part_keeps_the_steps_before_it(record, clause, location, kept):
    with pytest.raises(Fault) as fault:
        walk(record)
    assert (fault.value.clause, fault.value.at) == (clause, location)
    assert walk(valid_part(record)).scenes[-1].step.at == kept


@pytest.mark.parametrize(
    "later", [{"calls": [[0, "chratze"]]}, {"exchanges": [{"seat": 0}]}, {"rob": {"seat": 1}}, {"play": [["Ah"]]}]
)
@pytest.mark.parametrize(
    "so_far",
    [
        DEALT | {"deal": {"hands": [DEALT["deal"]["hands"][0], [], []], "turned": []}},
        DEALT | {"deal": DEALT["deal"] | {"turned": []}},
        DEALT | {"calls": [[0, "weg"]]},
        DEALT | {"calls": [[0, "weg"], [1, "weg"], [2, "weg"]]},
    ],
)
def test_steps_after_a_missing_one_give_the_fault_of_replay(so_far, later):
    if "calls" in so_far and "calls" in later:
        later = {"exchanges": [{"seat": 0}], "rob": {"seat": 1}}
    with pytest.raises(Fault) as fault:
        walk(so_far | later)
    assert fault.value.as_result() == replay(so_far | later)


@pytest.mark.parametrize(
    "record", [None, [], {}, {"game": "chess"}, {"game": "chratze"}, DEALT | {"seats": 9}, DEALT | {"calls": 1}]
)
def test_an_invalid_record_has_no_valid_part(record):
    with pytest.raises(Fault):
        walk(record)
    if isinstance(record, dict):
        assert valid_part(record) is None


def test_c2_2_every_seat_has_a_hand():
    with pytest.raises(Fault) as fault:
        walk(DEALT | {"deal": {"hands": [[], []], "turned": []}})
    assert (fault.value.clause, fault.value.at) == ("C2.2", "deal.hands")


def test_c2_2_a_hand_of_36_cards_has_a_wrong_number_of_cards():
    pack = [rank + suit for rank in "AKQJT9876" for suit in "shdc"]
    with pytest.raises(Fault) as fault:
        walk(DEALT | {"deal": {"hands": [pack, [], []], "turned": []}})
    assert (fault.value.clause, fault.value.at) == ("C2.2", "deal.hands[0]")


def test_an_empty_trick_before_another_has_a_wrong_number_of_cards():
    with pytest.raises(Fault) as fault:
        walk(READY | {"play": [[], ["Ah"]]})
    assert (fault.value.clause, fault.value.at) == ("C5.1", "play[0]")


@pytest.mark.parametrize(
    ("record", "location", "message"),
    [
        (None, "", "A record is a JSON object."),
        (TALLY, "deal", "The record has no cards: the field deal is missing."),
        (KRATZEN_TALLY, "deal", "The record has no cards: the field deal is missing."),
    ],
)
def test_a_record_without_cards_has_no_steps(record, location, message):
    with pytest.raises(Fault) as fault:
        walk(record)
    assert fault.value.as_result() == {"ok": False, "error": {"clause": "R1", "at": location, "message": message}}


def test_a_question_has_only_one_answer():
    with pytest.raises(Fault, match="one answer"):
        add(DEALT, walk(DEALT).question, ["weg", "weg"])


def damage(rng: random.Random, value: Any) -> None:
    """Change a random value of a record."""
    words = [0, 1, 3, -1, 9, None, "x", "Ah", "weg", "metcho", "chratze", [], {}, "6d", "after", "before"]
    places = list(value) if isinstance(value, dict) else range(len(value))
    if not places:
        return
    place = rng.choice(list(places))
    if isinstance(value[place], dict | list) and rng.random() < 0.85:
        damage(rng, value[place])
    elif rng.random() < 0.2:
        value.pop(place)
    else:
        value[place] = rng.choice(words)


def walk_a_damaged_record(rng: random.Random, record: dict[str, Any]) -> None:
    """Damage a record and walk through it: only a record with a fault may raise one."""
    for _ in range(rng.randint(1, 3)):
        damage(rng, record)
    result = replay(record)
    try:
        walk(record)
    except Fault:
        assert not result["ok"]
    kept = valid_part(record)
    if kept is not None:
        walk(kept)


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_record_gives_a_fault_or_a_question_but_no_other_exception(seed):
    walk_a_damaged_record(random.Random(seed), random_hand(seed))
