"""Steps of Kratzen: walking through a hand step by step agrees with replaying the whole hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.sample import Temper, play_hand, random_hand
from engine.steps import Question, add, begin, walk
from tests.engine.hands import changed
from tests.engine.kratzen_hands import FULL, HANDS, ODER
from tests.engine.test_steps import remove_step_by_step, walk_a_damaged_record, wrong_answers_raise_their_fault

SEEDS = range(30)
CARDS = 33
START: dict[str, Any] = {"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 100}


def hand(seed: int) -> dict[str, Any]:
    """Return a complete legal hand: a random one for an odd seed, one of simple players for an even seed."""
    rng = random.Random(seed)
    if seed % 2:
        return random_hand(rng, game="kratzen")
    seats = rng.randint(3, 6)
    tempers = [Temper(rng.random(), rng.random()) for _ in range(seats)]
    where = {"seats": seats, "dealer": rng.randrange(seats), "pot_before": 100}
    return play_hand(rng, game="kratzen", rules={"seven_muss": "any"}, players=tempers, **where)


def normalized(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record without empty fields and empty exchanges, which a record may have or not."""
    kept = {name: value for name, value in record.items() if value not in ([], {}, None) or name == "pot_before"}
    entries = [{name: value for name, value in entry.items() if value != []} for entry in kept.get("exchanges", [])]
    return changed(kept, exchanges=[entry for entry in entries if len(entry) > 1])


def answer_of(record: dict[str, Any], so_far: dict[str, Any], question: Question) -> list[str]:
    """Return the answer of a complete record to a question about its first part."""
    if question.kind == "cut":
        cuts = [card for cards in so_far["cuts"] for card in cards]
        return [[card for cards in record["cuts"] for card in cards][len(cuts)]]
    if question.kind == "deal":
        return record["deal"]["hands"][question.seat]
    if question.kind == "turn":
        return [record["deal"]["turned"][len(so_far["deal"]["turned"])]]
    if question.kind in ("call", "answer"):
        if question.last_word and record.get("last_word") == question.seat:
            return ["last word"]
        field = f"{question.kind}s"
        return [record[field][len(so_far.get(field, []))][1]]
    if question.kind == "trump":
        return [record["new_trump"][len(so_far.get("new_trump", []))]]
    if question.kind == "card":
        played = [card for trick in so_far.get("play", []) for card in trick]
        return [[card for trick in record["play"] for card in trick][len(played)]]
    entry = next((entry for entry in record.get("exchanges", []) if entry["seat"] == question.seat), {})
    if question.kind == "exchange":
        return entry.get("discard", [])
    begun = next((entry for entry in so_far.get("exchanges", []) if entry["seat"] == question.seat), {})
    given = len(begun.get(question.kind, []))
    return entry.get(question.kind, [])[given : given + (question.wanted or CARDS)]


def random_answer(rng: random.Random, question: Question) -> list[str]:
    if question.last_word and rng.random() < 0.2:
        return ["last word"]
    if question.kind in ("exchange", "show"):
        return rng.sample(question.choices, rng.choice((question.counts[-1], *question.counts)))
    if question.kind in ("deal", "draw", "open", "hidden", "drop"):
        return rng.sample(question.choices, rng.randint(1, question.wanted))
    if question.kind == "cut" and rng.random() < 0.3:
        return [rng.choice([card for card in question.choices if card[0] in "7A6"])]
    return [rng.choice(question.choices)]


# --- Whole hands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_recorded_answer_by_answer_equals_the_original(seed):
    whole = hand(seed)
    record = begin({name: value for name, value in whole.items() if name in (*START, "rules")})
    while (question := walk(record).question) is not None:
        record = add(record, question, answer_of(whole, record, question))
    assert normalized(record) == normalized(whole)
    assert replay(record) == replay(whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_choices_give_a_legal_hand_and_refused_answers_break_their_clause(seed):
    rng = random.Random(seed)
    start = {name: value for name, value in hand(seed * 2 + 1).items() if name in (*START, "rules")}
    record = begin(start)
    while (question := walk(record).question) is not None:
        assert not set(question.choices) & set(question.refused)
        wrong_answers_raise_their_fault(rng, record, question)
        record = add(record, question, random_answer(rng, question))
    assert replay(record)["ok"]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_steps_of_a_hand_can_be_removed_one_by_one(seed):
    record = remove_step_by_step(hand(seed))
    assert normalized(record) == normalized(begin({name: record[name] for name in (*START, "rules") if name in record}))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_scene_has_the_tricks_of_the_result(seed):
    record = hand(seed)
    result, progress = replay(record), walk(record)
    assert progress.question is None
    # In a walkover the declarer gets all four quarters without play.
    if result["outcome"] == "played":
        assert list(progress.scenes[-1].taken) == result["tricks"]
        assert all(len(progress.scenes[-1].hands[seat]) == 0 for seat in [result["declarer"], *result["joiners"]])
        assert sorted(progress.active) == sorted([result["declarer"], *result["joiners"]])
        assert progress.active[0] == result["declarer"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_scene_has_each_card_at_most_once(seed):
    away = 0
    for scene in walk(hand(seed)).scenes:
        held = [card for cards in scene.hands for card in cards]
        assert len(held) == len(set(held))
        step = scene.step
        # Cards turned for another trump are out of play, like discards and played cards.
        away += len(step.away) + len(step.drop) + (1 if step.kind in ("trump", "card") else 0)
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
    steps = [tuple(scene.step) for scene in scenes]
    nothing: tuple[Any, ...] = ("", (), (), ())
    assert steps[:9] == [
        ("cut", "cuts[0]", 0, ("9c",), *nothing),
        ("deal", "deal.hands[1]", 1, ("Ks", "Qh", "8c", "Td"), *nothing),
        ("deal", "deal.hands[2]", 2, ("Js", "9h", "Ac", "8d"), *nothing),
        ("deal", "deal.hands[0]", 0, ("As", "Kh", "9d", "7c"), *nothing),
        ("turn", "deal.turned[0]", None, ("Ts",), *nothing),
        ("call", "calls[0]", 0, (), "weiter", (), (), ()),
        ("call", "calls[1]", 1, (), "schlagen", (), (), ()),
        ("answer", "answers[0]", 2, (), "mit", (), (), ()),
        ("answer", "answers[1]", 0, (), "mit", (), (), ()),
    ]
    assert steps[9:14] == [
        ("exchange", "exchanges[0]", 0, ("Qs", "8h"), "", ("9d", "7c"), ("8h",), ()),
        ("exchange", "exchanges[1]", 1, ("Ah",), "", ("8c",), (), ()),
        ("card", "play[0][0]", 1, ("Ah",), *nothing),
        ("card", "play[0][1]", 2, ("9h",), *nothing),
        ("card", "play[0][2]", 0, ("Kh",), *nothing),
    ]
    assert [scene.stock for scene in scenes[:12]] == [33, 29, 25, 21, 20, 20, 20, 20, 20, 18, 17, 17]
    assert (scenes[13].trick, scenes[13].winner, scenes[13].taken) == (((1, "Ah"), (2, "9h"), (0, "Kh")), 1, (0, 1, 0))


EMPTY: dict[str, Any] = {"cuts": [], "deal": {"hands": [[], [], []], "turned": []}}
STEPS: list[tuple[dict[str, Any], ...]] = [
    ({"cuts": [["9c"]]},),
    ({"deal": {"hands": HANDS, "turned": []}},),
    ({"deal": FULL["deal"]},),
    ({"calls": ODER["calls"]},),
    ({"new_trump": ODER["new_trump"]},),
    ({"answers": [[0, "mit"], [1, "mit"]]}, {"last_word": 1}),
    ({"exchanges": [{"seat": 0}]},),
    ({"play": [["Kh"]]},),
]
"""The steps of a hand, one after the other, and the fields that may hold each."""


@pytest.mark.parametrize(
    ("missing", "later"),
    [(missing, later) for missing in range(6) for fields in STEPS[missing + 1 :] for later in fields],
    ids=lambda value: str(value) if isinstance(value, int) else next(iter(value)),
)
def test_steps_after_a_missing_one_give_the_fault_of_replay(missing, later):
    so_far = START | EMPTY
    for fields in STEPS[:missing]:
        so_far |= fields[0]
    assert walk(so_far).question is not None
    if missing and "deal" in later:
        later = {"deal": so_far["deal"] | {"turned": ["Ts"]}}
    with pytest.raises(Fault) as fault:
        walk(so_far | later)
    assert fault.value.as_result() == replay(so_far | later)
