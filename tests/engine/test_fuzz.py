"""Whatever a line holds, the answer is a result or an error object."""

import copy
import json
import math
import random
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import engine
from engine import sample
from tests.engine import kratzen_hands as kratzen
from tests.engine.hands import BLIND, DOUBLE, FULL, PASSED_OUT, TALLY, WALKOVER, Record

CODE = re.compile(r"C[1-6]\.\d|K[1-8]\.\d|R[1-6]")
EACH = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 9)
    | st.sampled_from([10**12, 10**12 + 1, 2**63, 10**400])
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["As", "6s", "9h", "chratze", "metcho", "weg", "blind", "double", "before", "0", "1", "-1"])
    | st.sampled_from(["6d", "W", "x", "A", "7", "schlagen", "oder", "weiter-oder", "weiter", "mit", "ohne"])
)
FIELDS = ["drop", "rob", "made", "claimed", "blind", "rules", "seven", "show", "open", "hidden", "new_trump"]
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def check(result: dict[str, Any]) -> None:
    """The answer has one of its two shapes, and its money is right."""
    if result["ok"]:
        engine.check_balanced(result)
        assert all(type(amount) is int for amount in result["deltas"])
    else:
        assert list(result) == ["ok", "error"]
        assert list(result["error"]) == ["clause", "at", "message"]
        assert CODE.fullmatch(result["error"]["clause"])
        assert result["error"]["message"].isprintable()
        assert len(result["error"]["message"]) < 400
        result["error"]["at"].encode("utf-8")
    json.dumps(result, allow_nan=False)


@EACH
@given(st.binary())
@example(b"\xef\xbb\xbf{}")
def test_any_bytes_are_answered(line: bytes) -> None:
    result = engine.replay_line(line)
    assert not result["ok"]
    check(result)


@EACH
@given(st.text())
@example("\ud800")
@example('{"game": "\\ud800"}')
def test_any_text_is_answered(line: str) -> None:
    check(engine.replay_line(line))


@EACH
@given(VALUES)
@example(math.nan)
def test_any_value_is_answered(value: object) -> None:
    check(engine.replay(value))
    for game in engine.GAMES:
        check(engine.replay({"game": game, "deal": value}))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places of a record, itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = []
    for step, inner in items:
        found.append((*path, step))
        found += places(inner, (*path, step))
    return found


def spoil(draw: Any, record: Record) -> Record:
    """The record with one place replaced, taken out, doubled, swapped with its neighbour, or a field added."""
    record = copy.deepcopy(record)
    path = draw(st.sampled_from(places(record)))
    inside: Any = record
    for step in path[:-1]:
        inside = inside[step]
    last = path[-1]
    deed = draw(st.sampled_from(["replace", "remove", "double", "swap", "add"]))
    if deed == "remove":
        del inside[last]
    elif deed == "double" and isinstance(inside, list):
        inside.insert(last, copy.deepcopy(inside[last]))
    elif deed == "swap" and isinstance(inside, list):
        inside[last], inside[0] = inside[0], inside[last]
    elif deed == "add" and isinstance(inside, dict):
        names = st.sampled_from(
            ["drop", "rob", "made", "claimed", "blind", "rules", "seven", "show", "open", "hidden"]
        ) | st.text(max_size=4)
        inside[draw(names)] = draw(VALUES)
    else:
        inside[last] = draw(VALUES)
    return record


@st.composite
def spoiled_records(draw: Any) -> Record:
    """A legal record, of a fixed or a random hand, spoiled in up to three places."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    fixed = [TALLY, FULL, BLIND, DOUBLE, PASSED_OUT, WALKOVER]
    fixed += [kratzen.MUSS, kratzen.FREE, kratzen.FULL, kratzen.SEVEN, kratzen.PASSED_OUT, kratzen.WALKOVER]
    record = draw(st.sampled_from([*fixed, *[None] * 4]))
    if record is None:
        record = sample.random_hand(rng, game=draw(st.sampled_from(engine.GAMES)))
        if draw(st.booleans()):
            record = sample.tally_of(record, engine.replay(record))
    for _ in range(draw(st.integers(1, 3))):
        record = spoil(draw, record)
    return record


@settings(parent=EACH, max_examples=1500)
@given(spoiled_records())
def test_any_spoiled_record_is_answered(record: Record) -> None:
    check(engine.replay(record))


@EACH
@given(spoiled_records())
def test_a_line_is_answered_as_the_value_it_holds(record: Record) -> None:
    line = json.dumps(record)
    if "NaN" in line or "Infinity" in line:
        check(engine.replay_line(line))
    else:
        assert engine.replay_line(line) == engine.replay_line(line.encode()) == engine.replay(json.loads(line))


@EACH
@given(st.integers(0, 2**32), st.sampled_from(engine.GAMES))
def test_a_random_legal_hand_is_valid_full_and_as_a_tally(seed: int, game: str) -> None:
    record = sample.random_hand(random.Random(seed), game=game)
    result = engine.replay(record)
    assert result["ok"], (record, result)
    engine.check_balanced(result)
    assert engine.replay(sample.tally_of(record, result)) == result
    claimed = record | {"claimed": result["deltas"]}
    assert engine.replay(claimed) == result


class Referee:
    """The play of four tricks once more, from the rulebooks' words and with cards as words."""

    order = "6789TJQKWA"

    def __init__(self, seats: list[int], trump: str, must_beat: str | None = None) -> None:
        self.seats = seats
        self.trump = trump
        self.must_beat = must_beat
        """None in Chratze, which has no Weli either."""

    def suit(self, card: str) -> str:
        return self.trump if self.is_weli(card) else card[1]

    def rank(self, card: str) -> int:
        return self.order.index("W" if self.is_weli(card) else card[0])

    def is_weli(self, card: str) -> bool:
        return self.must_beat is not None and card == "6d"

    def winner(self, trick: list[str]) -> int:
        trumps = [card for card in trick if self.suit(card) == self.trump]
        best = max(trumps or [card for card in trick if self.suit(card) == self.suit(trick[0])], key=self.rank)
        return trick.index(best)

    def hands(self, play: list[list[str]]) -> dict[int, list[str]]:
        """What each seat held, as it turned out."""
        held: dict[int, list[str]] = {seat: [] for seat in self.seats}
        order = list(self.seats)
        for trick in play:
            for seat, card in zip(order, trick, strict=True):
                held[seat].append(card)
            first = self.winner(trick)
            order = order[first:] + order[:first]
        return held

    def allows(self, play: list[list[str]], held: dict[int, list[str]]) -> bool:
        held = copy.deepcopy(held)
        order = list(self.seats)
        for trick in play:
            for place, (seat, card) in enumerate(zip(order, trick, strict=True)):
                if card not in held[seat]:
                    return False
                suits = {self.suit(mine) for mine in held[seat]}
                led = self.suit(trick[0])
                if led in suits and self.suit(card) != led:
                    return False
                if led not in suits and self.trump in suits and self.suit(card) != self.trump:
                    return False
                if self.must_beat and not self.beats_if_it_can(card, held[seat], trick[:place]):
                    return False
                held[seat].remove(card)
            first = self.winner(trick)
            order = order[first:] + order[:first]
        return True

    def beats_if_it_can(self, card: str, held: list[str], lying: list[str]) -> bool:
        """K7.4 for a card that follows or trumps as it should."""
        suit = self.suit(card)
        if not lying or suit not in (self.trump, self.suit(lying[0])):
            return True
        trumped = any(self.suit(other) == self.trump for other in lying)
        if suit != self.trump and (self.must_beat == "trumps" or trumped):
            return True
        to_beat = max((self.rank(other) for other in lying if self.suit(other) == suit), default=-1)
        could = any(self.suit(mine) == suit and self.rank(mine) > to_beat for mine in held)
        return self.rank(card) > to_beat or not could


def trump_of(record: Record) -> str:
    """The suit that was trump in the end of a hand that was played."""
    turned = record["deal"]["turned"][-1][1]
    on = record.get("new_trump", [])
    if not on or on[-1] == "6d":
        return str(turned)
    return str(on[-1][1])  # where the stock ended on the old trump, it is that suit as well


@pytest.mark.parametrize("game", engine.GAMES)
def test_a_referee_agrees_on_which_plays_are_legal(game: str) -> None:
    rng = random.Random(7)
    verdicts = []
    while len(verdicts) < 5_000:
        record = sample.random_hand(rng, game=game)
        result = engine.replay(record)
        if result["outcome"] != "played":
            continue
        order = [(result["declarer"] + step) % record["seats"] for step in range(record["seats"])]
        active = [seat for seat in order if seat == result["declarer"] or seat in result["joiners"]]
        must_beat = engine.effective_rules(game, record.get("rules", {})).get("must_beat")
        referee = Referee(active, trump_of(record), str(must_beat) if must_beat else None)
        held = referee.hands(record["play"])
        assert referee.allows(record["play"], held)
        for _ in range(4):
            play = copy.deepcopy(record["play"])
            (trick, other), place, other_place = rng.sample(range(4), 2), *rng.choices(range(len(active)), k=2)
            play[trick][place], play[other][other_place] = play[other][other_place], play[trick][place]
            verdict = referee.allows(play, held)
            assert engine.replay(record | {"play": play})["ok"] is verdict, (record, play)
            verdicts.append(verdict)
    assert 300 < sum(verdicts) < 4_700, "both verdicts occur often"
