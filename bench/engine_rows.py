"""The engine against two rules libraries that people know: pokerkit for whole hands, python-chess for moves."""

import json
import random
import statistics
import time
from typing import Any

import chess
from pokerkit import HandHistory

import engine
from bench.measure import Comparison, Row, Side, milliseconds
from engine import sample, steps
from engine.sample import Temper
from engine.steps.decisions import decisions

SEATS = 5
HANDS = 200

# Two hands of no-limit hold'em for five that reach the showdown, as ours all reach the fourth trick.
POKER_HANDS = (
    """variant = "NT"
antes = [0, 0, 0, 0, 0]
blinds_or_straddles = [5, 10, 0, 0, 0]
min_bet = 10
starting_stacks = [1000, 1000, 1000, 1000, 1000]
actions = ["d dh p1 7h6d", "d dh p2 AcKs", "d dh p3 2c9d", "d dh p4 QhQd", "d dh p5 5s4s", "p3 f", "p4 cbr 30",
  "p5 f", "p1 f", "p2 cc", "d db Ah8c3d", "p2 cc", "p4 cbr 50", "p2 cc", "d db 2s", "p2 cc", "p4 cc", "d db Tc",
  "p2 cbr 120", "p4 cc", "p2 sm AcKs", "p4 sm QhQd"]
""",
    """variant = "NT"
antes = [0, 0, 0, 0, 0]
blinds_or_straddles = [5, 10, 0, 0, 0]
min_bet = 10
starting_stacks = [800, 1200, 950, 1000, 640]
actions = ["d dh p1 9h9c", "d dh p2 Ts2d", "d dh p3 AdJd", "d dh p4 6s3c", "d dh p5 KhQh", "p3 cbr 25", "p4 f",
  "p5 cc", "p1 cc", "p2 f", "d db Jc7h4d", "p1 cc", "p3 cbr 45", "p5 cc", "p1 f", "d db 8h", "p3 cbr 90", "p5 cc",
  "d db 5c", "p3 cc", "p5 cbr 210", "p3 cc", "p5 sm KhQh", "p3 sm AdJd"]
""",
)

# Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
CHESS_GAME = [
    *("e2e4", "e7e5", "g1f3", "d7d6", "d2d4", "c8g4", "d4e5", "g4f3", "d1f3", "d6e5", "f1c4", "g8f6", "f3b3", "d8e7"),
    *("b1c3", "c7c6", "c1g5", "b7b5", "c3b5", "c6b5", "c4b5", "b8d7", "e1c1", "a8d8", "d1d7", "d8d7", "h1d1", "e7e6"),
    *("b5d7", "f6d7", "b3b8", "d7b8", "d1d8"),
]


def played_hands() -> list[dict[str, Any]]:
    """Full records of five seats in which all four tricks were played."""
    rng = random.Random(1858)
    hands: list[dict[str, Any]] = []
    while len(hands) < HANDS:
        players = [Temper(rng.random(), rng.random()) for _ in range(SEATS)]
        pot_before = rng.choice((0, 100, 340))
        hand = sample.play_hand(
            rng, rules={}, seats=SEATS, dealer=rng.randrange(SEATS), pot_before=pot_before, players=players
        )
        if "play" in hand:
            hands.append(hand)
    return hands


def best_play() -> Row:
    """Return the seconds that the exact search takes for a hand in which five seats play: a Muss of Kratzen."""
    rng = random.Random(1858)
    took = []
    for _ in range(HANDS):
        players = [Temper(rng.random(), rng.random()) for _ in range(SEATS)]
        hand = sample.play_hand(rng, game="kratzen", rules={}, seats=SEATS, dealer=0, pot_before=0, players=players)
        course = steps.walk(hand)
        begun = time.perf_counter()
        decisions(course)
        took.append(time.perf_counter() - begun)
    what = f"could the declarer be stopped, {SEATS} seats, {HANDS} hands"
    worst = f"{milliseconds(max(took))} (slowest)"
    return Row(what, worst, "", statistics.median(took), 0.2, 0.02, True, "s")


def moves_of(hand: dict[str, Any]) -> int:
    """The actions of the seats that the engine checked: calls, exchanges, a robbery, cards played."""
    return len(hand["calls"]) + len(hand["exchanges"]) + ("rob" in hand) + sum(map(len, hand["play"]))


def poker() -> None:
    for text in POKER_HANDS:
        for _state in HandHistory.loads(text):
            pass


def chess_game() -> None:
    board = chess.Board()
    for move in CHESS_GAME:
        board.push_uci(move)


def comparisons() -> list[Comparison]:
    hands = played_hands()
    full = [json.dumps(hand) for hand in hands]
    tallies = [json.dumps(sample.tally_of(hand, engine.replay(hand))) for hand in hands]

    def full_lines() -> None:
        for line in full:
            engine.replay_line(line)

    def tally_lines() -> None:
        for line in tallies:
            engine.replay_line(line)

    def parsed_hands() -> None:
        for hand in hands:
            engine.replay(hand)

    full_side = Side("full hand, JSON text to settlement", full_lines, HANDS)
    moves_side = Side("calls, exchanges and cards", parsed_hands, sum(map(moves_of, hands)))
    return [
        Comparison("full hand against pokerkit", "hands", full_side, Side("pokerkit", poker, len(POKER_HANDS)), 25, 60),
        Comparison(
            "moves against python-chess", "moves", moves_side, Side("push_uci", chess_game, len(CHESS_GAME)), 4, 10
        ),
        Comparison("tally against full hand", "hands", Side("tally", tally_lines, HANDS), full_side, 3, 6),
    ]
