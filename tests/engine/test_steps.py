"""A hand told step by step says at every step what the replay of the whole hand would."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import replay
from engine.errors import Fault
from engine.rewind import cut, sound
from engine.sample import Temper, play_hand
from engine.steps import add, begin, walk

RULES: list[dict[str, Any]] = [{}, {"no_taker": "redeal"}, {"susi": "forced"}, {"max_turns": 2, "rob": False}]
SEEDS = range(60)

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
    """A whole legal hand of the simple player."""
    rng = random.Random(seed)
    seats = rng.randint(2, 7)
    players = [Temper(rng.random(), rng.random()) for _ in range(seats)]
    start = {"rules": rng.choice(RULES), "seats": seats, "dealer": rng.randrange(seats)}
    hand = play_hand(rng, pot_before=0, deal_number=1, players=players, **start)
    return {"game": "chratze", "pot_before": 0, "deal_number": 1, **start, **hand}


def answer(rng: random.Random, ask: Any) -> list[str]:
    if ask.robber is not None and rng.random() < 0.7:
        return ["rob"]
    if ask.kind == "exchange":
        return rng.sample(ask.choices, rng.choice(ask.counts))
    if ask.kind in ("deal", "draw"):
        return rng.sample(ask.choices, rng.randint(1, ask.wanted))
    if ask.kind == "call" and "weg" in ask.choices and rng.random() < 0.5:
        return ["weg"]
    return [rng.choice(ask.choices)]


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_offered_leads_to_a_legal_hand_and_whatever_is_refused_breaks_its_clause(seed):
    rng = random.Random(seed)
    seats = rng.randint(2, 7)
    blind = rng.choice([None, "blind", "double"])
    start = {"game": "chratze", "rules": rng.choice(RULES), "seats": seats, "dealer": rng.randrange(seats)}
    record = begin({**start, "pot_before": 0, "deal_number": 1, "blind": blind})
    while (ask := walk(record).ask) is not None:
        for bad in rng.sample(list(ask.refused), min(2, len(ask.refused))):
            with pytest.raises(Fault) as refused:
                add(record, ask, [bad])
            assert (refused.value.clause, refused.value.message) == (ask.refused[bad].clause, ask.refused[bad].message)
        record = add(record, ask, answer(rng, ask))
    assert replay(record)["ok"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_is_taken_back_step_by_step_to_the_empty_table(seed):
    record = random_hand(seed)
    scenes = walk(record).scenes
    for left in range(len(scenes) - 1, -1, -1):
        record = cut(record, walk(record).scenes[-1].step.at)
        course = walk(record)
        assert course.scenes == scenes[:left]
        assert course.ask is not None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_scene_has_the_tricks_of_the_result(seed):
    record = random_hand(seed)
    result, last = replay(record), walk(record).scenes[-1]
    assert list(last.taken) == result["tricks"]
    if result["outcome"] == "played":
        assert sum(map(len, last.hands)) == (record["seats"] - 1 - len(result["joiners"])) * 4


@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_is_lost_or_doubled_on_the_way(seed):
    for scene in walk(random_hand(seed)).scenes:
        held = [card for hand in scene.hands for card in hand]
        assert len(held) == len(set(held))
        assert len(held) + scene.stock <= 36


# --- What is asked ---------------------------------------------------------------------------------------


def test_c2_2_the_seat_after_the_dealer_is_dealt_first_and_the_dealer_last():
    record, asked = begin({"game": "chratze", "seats": 3, "dealer": 1, "pot_before": 0}), []
    for _ in range(4):
        ask = walk(record).ask
        asked.append((ask.kind, ask.seat, ask.wanted))
        record = add(record, ask, ask.choices[: ask.wanted])
    assert asked == [("deal", 2, 4), ("deal", 0, 4), ("deal", 1, 4), ("turn", None, 1)]


def test_c3_1_the_seat_after_the_dealer_speaks_first_and_may_not_join():
    ask = walk(DEALT).ask
    assert (ask.kind, ask.seat, ask.choices) == ("call", 0, ("chratze", "weg"))
    assert ask.refused["metcho"].clause == "C3.1"


def test_c3_6_a_forced_susi_must_join():
    record = DEALT | {"rules": {"susi": "forced"}, "calls": [[0, "chratze"], [1, "weg"]]}
    ask = walk(record).ask
    assert (ask.seat, ask.choices, ask.refused["weg"].clause) == (2, ("metcho",), "C3.6")


def test_c2_4_the_next_card_is_turned_after_a_round_of_weg():
    ask = walk(DEALT | {"calls": [[0, "weg"], [1, "weg"], [2, "weg"]]}).ask
    assert (ask.kind, ask.refused["9s"].clause) == ("turn", "R2")


def test_c4_5_who_holds_the_six_of_trumps_is_offered_the_turned_card():
    ask = walk(CALLED | {"exchanges": [{"seat": 0}]}).ask
    assert (ask.kind, ask.seat, ask.robber, ask.counts) == ("exchange", 1, 1, (0, 1, 2, 3, 4))
    robbed = add(CALLED | {"exchanges": [{"seat": 0}]}, ask, ["rob"])
    assert "9s" in walk(robbed).ask.choices
    assert walk(robbed).ask.robber is None
    late = walk(READY).ask
    assert (late.kind, late.robber) == ("card", 1)
    assert add(READY, late, ["rob"])["rob"] == {"seat": 1, "when": "after"}


def test_c4_2_who_puts_all_four_away_draws_five_and_drops_one():
    record = add(CALLED, walk(CALLED).ask, ["Ah", "Kh", "7s", "6c"])
    draw = walk(record).ask
    assert (draw.kind, draw.seat, draw.wanted, draw.refused["Ah"].clause) == ("draw", 0, 5, "C4.4")
    record = add(record, draw, ["Ac", "Kc", "Qc", "Jc", "Tc"])
    drop = walk(record).ask
    assert (drop.kind, set(drop.choices)) == ("drop", {"Ac", "Kc", "Qc", "Jc", "Tc"})
    assert walk(add(record, drop, ["Tc"])).scenes[-1].hands[0] == ("Ac", "Kc", "Qc", "Jc")


def test_c5_2_a_card_that_does_not_follow_suit_is_refused_with_the_clause():
    ask = walk(READY | {"play": [["Ah"]]}).ask
    assert (ask.seat, ask.choices) == (1, ("Qh",))
    assert {name: fault.clause for name, fault in ask.refused.items()} == dict.fromkeys(["9d", "8c", "6s"], "C5.2")
    assert ask.refused["9d"].at == "play[0][1]"


def test_c5_3_who_cannot_follow_must_trump():
    ask = walk(READY | {"play": [["Ah", "Qh"]]}).ask
    assert ask.choices == ("As",)
    assert ask.refused["Td"].clause == "C5.3"


def test_c4_5_the_turned_card_is_taken_once_and_told_where_it_was():
    early = CALLED | {"exchanges": [{"seat": 0}, {"seat": 1}, {"seat": 2}], "rob": {"seat": 1, "when": "before"}}
    told = [scene.step for scene in walk(early).scenes[-4:]]
    assert [(step.kind, step.seat) for step in told] == [("exchange", 0), ("rob", 1), ("exchange", 1), ("exchange", 2)]
    assert (told[1].cards, told[1].away) == (("9s",), ("6s",))
    late = walk(READY | {"rob": {"seat": 1, "when": "after"}})
    assert (late.scenes[-1].step.kind, late.ask.robber) == ("rob", None)
    assert walk(READY | {"play": [["Ah"]]}).ask.robber is None
    with pytest.raises(Fault) as fault:
        add(CALLED, walk(CALLED).ask, ["rob"])
    assert fault.value.clause == "C4.5"


def test_c4_2_what_is_dropped_is_told():
    entry = {"seat": 0, "discard": ["Ah", "Kh", "7s", "6c"], "draw": ["Ac", "Kc", "Qc", "Jc", "Tc"]}
    ask = walk(CALLED | {"exchanges": [entry]}).ask
    assert (ask.kind, ask.seat) == ("drop", 0)
    step = walk(CALLED | {"exchanges": [entry | {"drop": "Tc"}]}).scenes[-1].step
    assert (step.cards, step.away, step.drop) == (tuple(entry["draw"]), tuple(entry["discard"]), ("Tc",))
    draw = walk(CALLED | {"exchanges": [entry | {"draw": ["Ac"]}]}).ask
    assert (draw.refused["Ah"].at, draw.wanted) == ("exchanges[0].draw[1]", 4)


def test_c4_4_no_more_is_put_away_than_the_stock_replaces():
    pack = [rank + suit for suit in "shdc" for rank in "AKQJT9876"]
    hands = [pack[4 * seat : 4 * seat + 4] for seat in range(7)]
    record: dict[str, Any] = {"game": "chratze", "seats": 7, "dealer": 6, "pot_before": 0}
    record |= {"deal": {"hands": hands, "turned": [pack[28]]}}
    record |= {"calls": [[0, "chratze"], *([seat, "metcho"] for seat in range(1, 7))]}
    assert walk(record).ask.counts == (0, 1, 2, 3, 4)
    record |= {"exchanges": [{"seat": 0, "discard": hands[0][:3], "draw": pack[29:32]}]}
    assert walk(record).ask.counts == (0, 1, 2, 3, 4)
    # For the whole hand there are only four cards: no fifth one to drop.
    record["exchanges"].append({"seat": 1, "discard": hands[1], "draw": pack[32:]})
    ask = walk(record).ask
    assert (ask.kind, ask.seat, ask.counts) == ("exchange", 2, (0,))


def test_c4_3_a_blind_dealer_puts_away_at_least_one():
    calls = [[0, "metcho"], [1, "weg"]]
    ask = walk(DEALT | {"blind": "blind", "calls": calls}).ask
    assert (ask.seat, ask.wanted, ask.counts) == (2, 1, (1, 2, 3, 4, 5))


# --- What is wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "clause", "at", "kept"),
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
def test_the_first_fault_is_named_and_what_stands_before_it_is_kept(record, clause, at, kept):
    with pytest.raises(Fault) as fault:
        walk(record)
    assert (fault.value.clause, fault.value.at) == (clause, at)
    assert walk(sound(record)).scenes[-1].step.at == kept


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
def test_what_stands_after_something_missing_is_the_fault_of_the_whole(so_far, later):
    if "calls" in so_far and "calls" in later:
        later = {"exchanges": [{"seat": 0}], "rob": {"seat": 1}}
    with pytest.raises(Fault) as fault:
        walk(so_far | later)
    assert fault.value.as_result() == replay(so_far | later)


@pytest.mark.parametrize(
    "record", [None, [], {}, {"game": "chess"}, {"game": "chratze"}, DEALT | {"seats": 9}, DEALT | {"calls": 1}]
)
def test_what_is_no_hand_at_all_is_refused_and_nothing_of_it_kept(record):
    with pytest.raises(Fault):
        walk(record)
    if isinstance(record, dict):
        assert sound(record) is None


def test_c2_2_every_seat_has_a_hand():
    with pytest.raises(Fault) as fault:
        walk(DEALT | {"deal": {"hands": [[], []], "turned": []}})
    assert (fault.value.clause, fault.value.at) == ("C2.2", "deal.hands")


def test_c2_2_a_hand_of_all_the_cards_is_a_wrong_count():
    pack = [rank + suit for rank in "AKQJT9876" for suit in "shdc"]
    with pytest.raises(Fault) as fault:
        walk(DEALT | {"deal": {"hands": [pack, [], []], "turned": []}})
    assert (fault.value.clause, fault.value.at) == ("C2.2", "deal.hands[0]")


def test_an_empty_trick_before_another_is_a_wrong_count():
    with pytest.raises(Fault) as fault:
        walk(READY | {"play": [[], ["Ah"]]})
    assert (fault.value.clause, fault.value.at) == ("C5.1", "play[0]")


def test_a_tally_tells_no_cards():
    with pytest.raises(Fault, match="tells no cards"):
        walk({"game": "chratze", "seats": 3, "dealer": 0, "pot_before": 0, "declarer": 0})


def test_one_answer_is_one():
    with pytest.raises(Fault, match="One answer"):
        add(DEALT, walk(DEALT).ask, ["weg", "weg"])


def junk(rng: random.Random, value: Any) -> None:
    """Change something somewhere in a record."""
    words = [0, 1, 3, -1, 9, None, "x", "Ah", "weg", "metcho", "chratze", [], {}, "6d", "after", "before"]
    places = list(value) if isinstance(value, dict) else range(len(value))
    if not places:
        return
    place = rng.choice(list(places))
    if isinstance(value[place], dict | list) and rng.random() < 0.85:
        junk(rng, value[place])
    elif rng.random() < 0.2:
        value.pop(place)
    else:
        value[place] = rng.choice(words)


@pytest.mark.parametrize("seed", range(300))
def test_a_spoilt_record_is_a_fault_as_replay_says_or_goes_on_never_a_traceback(seed):
    rng = random.Random(seed)
    record = random_hand(seed)
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
