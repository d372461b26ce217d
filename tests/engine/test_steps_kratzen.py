"""A hand of Kratzen told step by step says at every step what the replay of the whole hand would."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.rewind import cut, sound
from engine.sample import Temper, play_hand, random_hand
from engine.steps import Ask, add, begin, walk
from tests.engine.hands import changed
from tests.engine.test_steps import junk

SEEDS = range(50)
CARDS = 33
START: dict[str, Any] = {"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 100}


def hand(seed: int) -> dict[str, Any]:
    """A whole legal hand: odd ones by lot, even ones of the simple player."""
    rng = random.Random(seed)
    if seed % 2:
        return random_hand(rng, game="kratzen")
    seats = rng.randint(3, 6)
    tempers = [Temper(rng.random(), rng.random()) for _ in range(seats)]
    where = {"seats": seats, "dealer": rng.randrange(seats), "pot_before": 100}
    return play_hand(rng, game="kratzen", rules={"seven_muss": "any"}, players=tempers, **where)


def told(record: dict[str, Any]) -> dict[str, Any]:
    """The same record whether a step in which nothing happened is written down or not."""
    kept = {name: value for name, value in record.items() if value not in ([], {}, None) or name == "pot_before"}
    entries = [{name: value for name, value in entry.items() if value != []} for entry in kept.get("exchanges", [])]
    return changed(kept, exchanges=[entry for entry in entries if len(entry) > 1])


def answer_of(record: dict[str, Any], so_far: dict[str, Any], ask: Ask) -> list[str]:
    """What a whole record answers to what is asked of it so far."""
    if ask.kind == "cut":
        cuts = [card for cards in so_far["cuts"] for card in cards]
        return [[card for cards in record["cuts"] for card in cards][len(cuts)]]
    if ask.kind == "deal":
        return record["deal"]["hands"][ask.seat]
    if ask.kind == "turn":
        return [record["deal"]["turned"][len(so_far["deal"]["turned"])]]
    if ask.kind in ("call", "answer"):
        if ask.last_word and record.get("last_word") == ask.seat:
            return ["last word"]
        field = f"{ask.kind}s"
        return [record[field][len(so_far.get(field, []))][1]]
    if ask.kind == "trump":
        return [record["new_trump"][len(so_far.get("new_trump", []))]]
    if ask.kind == "card":
        played = [card for trick in so_far.get("play", []) for card in trick]
        return [[card for trick in record["play"] for card in trick][len(played)]]
    entry = next((entry for entry in record.get("exchanges", []) if entry["seat"] == ask.seat), {})
    if ask.kind == "exchange":
        return entry.get("discard", [])
    begun = next((entry for entry in so_far.get("exchanges", []) if entry["seat"] == ask.seat), {})
    given = len(begun.get(ask.kind, []))
    return entry.get(ask.kind, [])[given : given + (ask.wanted or CARDS)]


def answer_by_lot(rng: random.Random, ask: Ask) -> list[str]:
    if ask.last_word and rng.random() < 0.2:
        return ["last word"]
    if ask.kind in ("exchange", "show"):
        return rng.sample(ask.choices, rng.choice((ask.counts[-1], *ask.counts)))
    if ask.kind in ("deal", "draw", "open", "hidden", "drop"):
        return rng.sample(ask.choices, rng.randint(1, ask.wanted))
    if ask.kind == "cut" and rng.random() < 0.3:
        return [rng.choice([card for card in ask.choices if card[0] in "7A6"])]
    return [rng.choice(ask.choices)]


# --- Whole hands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_every_hand_can_be_told_answer_by_answer_and_is_the_same_hand(seed):
    whole = hand(seed)
    record = begin({name: value for name, value in whole.items() if name in (*START, "rules")})
    while (ask := walk(record).ask) is not None:
        record = add(record, ask, answer_of(whole, record, ask))
    assert told(record) == told(whole)
    assert replay(record) == replay(whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_offered_leads_to_a_legal_hand_and_whatever_is_refused_breaks_its_clause(seed):
    rng = random.Random(seed)
    start = {name: value for name, value in hand(seed * 2 + 1).items() if name in (*START, "rules")}
    record = begin(start)
    while (ask := walk(record).ask) is not None:
        assert not set(ask.choices) & set(ask.refused)
        for bad in rng.sample(list(ask.refused), min(2, len(ask.refused))):
            with pytest.raises(Fault) as refused:
                add(record, ask, [bad])
            assert (refused.value.clause, refused.value.message) == (ask.refused[bad].clause, ask.refused[bad].message)
        record = add(record, ask, answer_by_lot(rng, ask))
    assert replay(record)["ok"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_is_taken_back_step_by_step_to_the_empty_table(seed):
    record = hand(seed)
    scenes = walk(record).scenes
    for left in range(len(scenes) - 1, -1, -1):
        record = cut(record, walk(record).scenes[-1].step.at)
        course = walk(record)
        assert course.scenes == scenes[:left]
        assert course.ask is not None
    assert told(record) == told(begin({name: record[name] for name in (*START, "rules") if name in record}))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_scene_has_the_tricks_of_the_result(seed):
    record = hand(seed)
    result, course = replay(record), walk(record)
    assert course.ask is None
    # In a walkover all four quarters are the declarer's without play.
    if result["outcome"] == "played":
        assert list(course.scenes[-1].taken) == result["tricks"]
        assert all(len(course.scenes[-1].hands[seat]) == 0 for seat in [result["declarer"], *result["joiners"]])
        assert sorted(course.active) == sorted([result["declarer"], *result["joiners"]])
        assert course.active[0] == result["declarer"]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_is_lost_or_doubled_on_the_way(seed):
    away = 0
    for scene in walk(hand(seed)).scenes:
        held = [card for cards in scene.hands for card in cards]
        assert len(held) == len(set(held))
        step = scene.step
        # Cards turned for another trump lie out of play, as what was put away and what was played.
        away += len(step.away) + len(step.drop) + (1 if step.kind in ("trump", "card") else 0)
        assert len(held) + scene.stock + away == CARDS


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_is_named_once(seed):
    places = [scene.step.at for scene in walk(hand(seed)).scenes]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("seed", range(150))
def test_a_spoilt_record_is_a_fault_as_replay_says_or_goes_on_never_a_traceback(seed):
    rng = random.Random(seed)
    record = hand(seed)
    for _ in range(rng.randint(1, 3)):
        junk(rng, record)
    result = replay(record)
    try:
        walk(record)
    except Fault:
        assert not result["ok"]
    kept = sound(record)
    if kept is not None:
        walk(kept)
