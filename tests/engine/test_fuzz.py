"""Any input gives a result or an error object."""

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
from tests.engine import zwicken_hands as zwicken
from tests.engine.hands import BLIND, DOUBLE, FULL, PASSED_OUT, TALLY, WALKOVER, Record

CODE = re.compile(r"C[1-6]\.\d|K[1-8]\.\d|Z[1-7]\.\d|R[1-6]")
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
    """Check that a result or an error object has the right fields, and that the amounts balance."""
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
def test_any_bytes_give_a_result_or_an_error(line: bytes) -> None:
    result = engine.replay_line(line)
    assert not result["ok"]
    check(result)


@EACH
@given(st.text())
@example("\ud800")
@example('{"game": "\\ud800"}')
def test_any_text_gives_a_result_or_an_error(line: str) -> None:
    check(engine.replay_line(line))


@EACH
@given(VALUES)
@example(math.nan)
def test_any_value_gives_a_result_or_an_error(value: object) -> None:
    check(engine.replay(value))
    for game in engine.GAMES:
        check(engine.replay({"game": game, "deal": value}))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values inside a record."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    paths = []
    for step, inner in items:
        paths.append((*path, step))
        paths += places(inner, (*path, step))
    return paths


def damage(draw: Any, record: Record) -> Record:
    """Return the record with one value replaced, removed, repeated or moved, or with a field added."""
    record = copy.deepcopy(record)
    path = draw(st.sampled_from(places(record)))
    inside: Any = record
    for step in path[:-1]:
        inside = inside[step]
    last = path[-1]
    action = draw(st.sampled_from(["replace", "remove", "double", "swap", "add"]))
    if action == "remove":
        del inside[last]
    elif action == "double" and isinstance(inside, list):
        inside.insert(last, copy.deepcopy(inside[last]))
    elif action == "swap" and isinstance(inside, list):
        inside[last], inside[0] = inside[0], inside[last]
    elif action == "add" and isinstance(inside, dict):
        names = st.sampled_from(
            ["drop", "rob", "made", "claimed", "blind", "rules", "seven", "show", "open", "hidden"]
        ) | st.text(max_size=4)
        inside[draw(names)] = draw(VALUES)
    else:
        inside[last] = draw(VALUES)
    return record


@st.composite
def damaged_records(draw: Any) -> Record:
    """Return a fixed or random legal record, damaged in up to three places."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    fixed = [TALLY, FULL, BLIND, DOUBLE, PASSED_OUT, WALKOVER]
    fixed += [zwicken.FORCED, zwicken.FREE, zwicken.FULL, zwicken.FULL_FORCED, zwicken.WALKOVER, zwicken.NOBODY]
    fixed += [kratzen.MUSS, kratzen.FREE, kratzen.FULL, kratzen.SEVEN, kratzen.PASSED_OUT, kratzen.WALKOVER]
    record = draw(st.sampled_from([*fixed, *[None] * 4]))
    if record is None:
        record = sample.random_hand(rng, game=draw(st.sampled_from(engine.GAMES)))
        if draw(st.booleans()):
            record = sample.tally_of(record, engine.replay(record))
    for _ in range(draw(st.integers(1, 3))):
        record = damage(draw, record)
    return record


@pytest.mark.rest
@settings(parent=EACH, max_examples=1500)
@given(damaged_records())
def test_any_damaged_record_gives_a_result_or_an_error(record: Record) -> None:
    check(engine.replay(record))


@EACH
@given(damaged_records())
def test_a_line_gives_the_same_result_as_its_value(record: Record) -> None:
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
    """A second implementation of the play of all tricks, written from the rulebooks, with cards as strings."""

    order = "6789TJQKWA"

    def __init__(
        self, seats: list[int], trump: str, must_beat: str | None, weli: str | None, must_trump: bool = True
    ) -> None:
        self.seats = seats
        self.trump = trump
        self.must_beat = must_beat
        """None means that there is no duty to beat."""
        self.weli = weli
        """The card that is the second highest trump, if any."""
        self.must_trump = must_trump

    def suit(self, card: str) -> str:
        return self.trump if self.is_weli(card) else card[1]

    def rank(self, card: str) -> int:
        return self.order.index("W" if self.is_weli(card) else card[0])

    def is_weli(self, card: str) -> bool:
        return card == self.weli

    def winner(self, trick: list[str]) -> int:
        trumps = [card for card in trick if self.suit(card) == self.trump]
        best = max(trumps or [card for card in trick if self.suit(card) == self.suit(trick[0])], key=self.rank)
        return trick.index(best)

    def hands(self, play: list[list[str]]) -> dict[int, list[str]]:
        """Return the cards that each seat played, which is the hand it held."""
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
                trumps = self.trump in suits and self.must_trump
                if led not in suits and trumps and self.suit(card) != self.trump:
                    return False
                discards = led not in suits and not trumps
                if self.must_beat and not discards and not self.beats_if_it_can(card, held[seat], trick[:place]):
                    return False
                held[seat].remove(card)
            first = self.winner(trick)
            order = order[first:] + order[:first]
        return True

    def beats_if_it_can(self, card: str, held: list[str], on_table: list[str]) -> bool:
        """Check the duty to beat (K7.4) of a card that fulfils the other duties."""
        suit = self.suit(card)
        if not on_table or suit not in (self.trump, self.suit(on_table[0])):
            return True
        trumped = any(self.suit(other) == self.trump for other in on_table)
        if suit != self.trump and (self.must_beat == "trumps" or trumped):
            return True
        to_beat = max((self.rank(other) for other in on_table if self.suit(other) == suit), default=-1)
        could = any(self.suit(mine) == suit and self.rank(mine) > to_beat for mine in held)
        return self.rank(card) > to_beat or not could


def trump_of(record: Record) -> str:
    """Return the final trump suit of a played hand."""
    turned = (record["deal"]["turned"] if record["game"] == "zwicken" else record["deal"]["turned"][-1])[1]
    on = record.get("new_trump", [])
    if not on or on[-1] == "6d":
        return str(turned)
    return str(on[-1][1])  # also right if the stock ended with a card of the old trump


@pytest.mark.parametrize("game", engine.GAMES)
def test_the_referee_agrees_on_legal_plays(game: str) -> None:
    rng = random.Random(7)
    verdicts = []
    while len(verdicts) < 5_000:
        record = sample.random_hand(rng, game=game)
        result = engine.replay(record)
        if result["outcome"] != "played":
            continue
        rules: Record = engine.effective_rules(game, record.get("rules", {}))
        must_beat = rules.get("must_beat")
        if game == "zwicken":
            first, weli = result["next"]["dealer"], "7d" if rules["seven"] else None
        else:
            first, weli = result["declarer"], "6d" if game == "kratzen" else None
        order = [(first + step) % record["seats"] for step in range(record["seats"])]
        active = [seat for seat in order if seat == result["declarer"] or seat in result["joiners"]]
        duty = None if must_beat == "off" else must_beat
        referee = Referee(active, trump_of(record), duty, weli, rules.get("must_trump", True))
        held = referee.hands(record["play"])
        assert referee.allows(record["play"], held)
        for _ in range(4):
            play = copy.deepcopy(record["play"])
            (trick, other), place, other_place = rng.sample(range(len(play)), 2), *rng.choices(range(len(active)), k=2)
            play[trick][place], play[other][other_place] = play[other][other_place], play[trick][place]
            verdict = referee.allows(play, held)
            assert engine.replay(record | {"play": play})["ok"] is verdict, (record, play)
            verdicts.append(verdict)
    assert 300 < sum(verdicts) < 4_700, "both verdicts occur often"
