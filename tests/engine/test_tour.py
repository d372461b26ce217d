"""A whole hand of Kratzen told step by step ends where its replay ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.sample import random_hand
from engine.tour import CARDS, tour
from tests.engine.kratzen_hands import FULL

SEEDS = range(150)


def hand(seed: int) -> dict[str, Any]:
    return random_hand(random.Random(seed), game="kratzen")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_scene_has_the_tricks_of_the_result(seed):
    record = hand(seed)
    result, course = replay(record), tour(record)
    assert course.ask is None
    # In a walkover all four quarters are the declarer's without play.
    if result["outcome"] == "played":
        assert list(course.scenes[-1].taken) == result["tricks"]
        assert all(len(course.scenes[-1].hands[seat]) == 0 for seat in [result["declarer"], *result["joiners"]])


@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_is_lost_or_doubled_on_the_way(seed):
    away = 0
    for scene in tour(hand(seed)).scenes:
        held = [card for cards in scene.hands for card in cards]
        assert len(held) == len(set(held))
        step = scene.step
        # Cards turned for another trump lie out of play, as what was put away and what was played.
        away += len(step.away) + len(step.drop) + (1 if step.kind in ("trump", "card") else 0)
        waits = 1 if step.kind == "turn" else 0
        assert len(held) + scene.stock + away in (CARDS, CARDS - waits)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_is_named_once(seed):
    places = [scene.step.at for scene in tour(hand(seed)).scenes]
    assert len(places) == len(set(places))


def test_the_weli_is_called_so():
    record = next(record for record in map(hand, SEEDS) if any("6d" in cards for cards in record["deal"]["hands"]))
    dealt = [scene for scene in tour(record).scenes if scene.step.kind == "deal"][-1]
    assert any("Weli" in cards for cards in dealt.hands)
    assert not any("6d" in cards for cards in dealt.hands)


@pytest.mark.parametrize(
    ("record", "clause"),
    [
        (FULL | {"play": []}, "K7.1"),
        ({"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 100, "cuts": [["x"]], "declarer": None}, "R1"),
    ],
)
def test_what_is_no_whole_hand_is_refused(record, clause):
    with pytest.raises(Fault) as fault:
        tour(record)
    assert fault.value.clause == clause
