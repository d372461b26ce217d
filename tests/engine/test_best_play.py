"""Could the declarer be stopped: the exact search against a plain one that shares no code with it, and its cards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.best_play import BestPlay
from engine.cards import BIT, DECK
from engine.kratzen.players import DECKS, WELI, trumps
from engine.sample import Temper, play_hand
from engine.steps import walk
from engine.steps.decisions import Decision, decisions
from engine.tricks import ALWAYS, NEVER, TRUMPS
from tests.engine.hands import FULL, put
from tests.engine.kratzen_hands import FULL as KRATZEN_FULL
from tests.engine.kratzen_hands import SEVEN
from tests.sizes import sized

DUTIES = {"chratze": [NEVER], "kratzen": [NEVER, TRUMPS, ALWAYS]}


class PlainSearch:
    """Every card of every hand is tried, with rules written down again: cards are pairs of suit and rank."""

    def __init__(self, trump: str, must_beat: str) -> None:
        self.trump = trump
        self.must_beat = must_beat

    def legal(self, hand: list[tuple[str, int]], table: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return the cards that follow, else trump, else all; above those on the table where that is a duty."""
        if not table:
            return hand
        led = table[0][0]
        cards = [card for card in hand if card[0] == led] or [card for card in hand if card[0] == self.trump]
        if not cards:
            return hand
        plays_trump = cards[0][0] == self.trump
        trumped = any(suit == self.trump for suit, _ in table)
        if plays_trump:
            beats = self.must_beat != "never"
        else:
            beats = self.must_beat == "always" and not trumped
        best = max((rank for suit, rank in table if suit == cards[0][0]), default=-1)
        return [card for card in cards if card[1] > best] or cards if beats else cards

    def reaches(self, hands: list[list[tuple[str, int]]], leader: int, table: list[tuple[str, int]], goal: int) -> bool:
        count = len(hands)
        if len(table) == count:
            taker = max(range(count), key=lambda place: self.strength(table[place], table[0][0]))
            leader = (leader + taker) % count
            return self.reaches(hands, leader, [], goal - (leader == 0))
        place = (leader + len(table)) % count
        if not hands[place]:
            return goal <= 0
        values = [
            self.reaches(
                [[c for c in hand if seat != place or c != card] for seat, hand in enumerate(hands)],
                leader,
                [*table, card],
                goal,
            )
            for card in self.legal(hands[place], table)
        ]
        return any(values) if place == 0 else all(values)

    def strength(self, card: tuple[str, int], led: str) -> tuple[bool, bool, int]:
        return card[0] == self.trump, card[0] == led, card[1]


def plain_cards(game: str, trump: str) -> dict[str, tuple[str, int]]:
    """Return suit and rank of each card by its name; the Weli is the second highest trump (K1.3)."""
    ranks = {rank: number * 2 for number, rank in enumerate("6789TJQKA")}
    cards = {name: (name[1], ranks[name[0]]) for name in BIT if game == "chratze" or name[0] != "6"}
    return cards if game == "chratze" else cards | {WELI: (trump, ranks["A"] - 1)}


@pytest.mark.sized
@pytest.mark.parametrize("game", DUTIES)
def test_endings_have_the_values_of_a_plain_search(game: str) -> None:
    rng = random.Random(f"endings of {game}")
    values = set()
    for _ in range(sized(200, 2000)):
        must_beat, trump = rng.choice(DUTIES[game]), rng.choice("shdc")
        deck = (
            DECK if game == "chratze" else next(each for each in DECKS.values() if trumps(each) & each.bit["A" + trump])
        )
        plain = plain_cards(game, trump)
        count = rng.choice((2, 3, 3, 4))
        each = 2 if count == 4 else rng.choice((2, 3))
        # Half of them of trumps alone: only there the duty to beat changes a value now and then.
        pool = [name for name, card in sorted(plain.items()) if card[0] == trump]
        names = rng.sample(rng.choice((pool, sorted(plain))), count * each)
        hands = [names[place * each : (place + 1) * each] for place in range(count)]
        leader, goal = rng.randrange(count), rng.randint(1, each)
        search = BestPlay(deck.suit_of[deck.bit["A" + trump]], deck.suit_of, must_beat)
        reached = search.reaches(tuple(sum(deck.bit[name] for name in hand) for hand in hands), leader, goal)
        wanted = PlainSearch(trump, must_beat).reaches([[plain[c] for c in hand] for hand in hands], leader, [], goal)
        assert reached == wanted, (game, must_beat, trump, hands, leader, goal)
        values.add(reached)
    assert values == {True, False}


@pytest.mark.parametrize("game", DUTIES)
def test_the_decisions_of_a_hand_lead_to_its_result(game: str) -> None:
    rng = random.Random(f"decisions of {game}")
    decided = 0
    for _ in range(60):
        record = play_hand(
            rng, game=game, rules={}, seats=4, dealer=rng.randrange(4), pot_before=100, players=[Temper(0.8, 0.4)] * 4
        )
        course = walk(record)
        verdict = decisions(course)
        if verdict is None:
            assert len(course.active) < 2
            continue
        value = verdict.could
        for each in verdict.decisions:
            assert each.for_declarer != value
            assert (each.seat == course.active[0]) != each.for_declarer, "nobody decides for the other side"
            assert each.instead, "a card that keeps the value is always there"
            value = each.for_declarer
        assert value == (course.scenes[-1].taken[course.active[0]] >= course.goal)
        decided += bool(verdict.decisions)
    assert decided


def two_hands(first: str, second: str, turned: str, play: str) -> dict[str, Any]:
    """Return a hand of two in which nobody exchanges; seat 0 declares."""
    cards = play.split()
    return {
        "game": "chratze",
        "seats": 2,
        "dealer": 1,
        "pot_before": 0,
        "deal": {"hands": [first.split(), second.split()], "turned": [turned]},
        "calls": [[0, "chratze"], [1, "metcho"]],
        "exchanges": [{"seat": 0}, {"seat": 1}],
        "play": [cards[place : place + 2] for place in range(0, 8, 2)],
    }


def test_a_declarer_who_leads_his_only_trump_gives_the_second_trick_away() -> None:
    """With the ace of spades first, the queen of trumps must take the next spade, and the jack is good for a heart."""
    held = "Jd As 8s 6s", "Qd Ah 9h 9s", "Kd"
    verdict = decisions(walk(two_hands(*held, "Jd Qd Ah 6s 9h 8s 9s As")))
    first_card = 2 + 1 + 2 + 2 + 1
    assert verdict == (True, (Decision(first_card, 0, False, ("As",)),))
    assert decisions(walk(two_hands(*held, "As 9s 8s Qd Ah Jd 6s 9h"))) == (True, ())


def test_a_joiner_who_saves_his_high_cards_gives_the_declarer_his_goal() -> None:
    held = "Jc Ad 9d 7s", "Ac Qc 8c 8d", "6c"
    verdict = decisions(walk(two_hands(*held, "Jc 8c Ad 8d 9d Qc Ac 7s")))
    assert verdict == (False, (Decision(9, 1, True, ("Qc", "Ac")),))


def test_in_a_siebenermuss_the_declarer_needs_one_trick() -> None:
    assert walk(SEVEN).goal == 1
    verdict = decisions(walk(SEVEN))
    assert verdict is not None
    assert verdict.could
    assert walk(KRATZEN_FULL).goal == 2


@pytest.mark.parametrize("record", [FULL, KRATZEN_FULL])
def test_an_unfinished_hand_has_no_decisions(record: dict[str, Any]) -> None:
    assert decisions(walk(record)) is not None
    assert decisions(walk(put(record, ("play",), record["play"][:3]))) is None
