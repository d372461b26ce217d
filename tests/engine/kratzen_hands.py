"""Hands of Kratzen for tests."""

from typing import Any

from tests.engine.hands import Record, changed

MUSS: Record = {
    "game": "kratzen",
    "seats": 4,
    "dealer": 0,
    "pot_before": 0,
    "cuts": [["x"]],
    "declarer": 0,
    "joiners": [1, 2, 3],
    "tricks": {"0": 2, "1": 1, "2": 1},
}

FREE: Record = {
    "game": "kratzen",
    "seats": 4,
    "dealer": 0,
    "pot_before": 100,
    "cuts": [["x"]],
    "game_type": "oder",
    "declarer": 1,
    "joiners": [3],
    "tricks": {"1": 3, "3": 1},
}

PASSED_OUT_TALLY: Record = {
    "game": "kratzen",
    "seats": 4,
    "dealer": 0,
    "pot_before": 100,
    "cuts": [["x"]],
    "declarer": None,
}

HANDS = [["As", "Kh", "9d", "7c"], ["Ks", "Qh", "8c", "Td"], ["Js", "9h", "Ac", "8d"]]

FULL: Record = {
    "game": "kratzen",
    "seats": 3,
    "dealer": 0,
    "pot_before": 100,
    "cuts": [["9c"]],
    "deal": {"hands": HANDS, "turned": ["Ts"]},
    "calls": [[0, "weiter"], [1, "schlagen"]],
    "answers": [[2, "mit"], [0, "mit"]],
    "exchanges": [
        {"seat": 0, "discard": ["9d", "7c"], "draw": ["Qs", "8h"], "drop": ["8h"]},
        {"seat": 1, "discard": ["8c"], "draw": ["Ah"]},
    ],
    "play": [["Ah", "9h", "Kh"], ["Ks", "Js", "As"], ["Qs", "Qh", "8d"], ["Ts", "Td", "Ac"]],
}
"""Three seats, spades are trump, a free hand; seat 1 declares and takes one trick, the dealer takes three."""

FULL_MUSS: Record = {
    "game": "kratzen",
    "seats": 3,
    "dealer": 0,
    "pot_before": 0,
    "cuts": [["9c"]],
    "deal": FULL["deal"],
    "exchanges": [{"seat": 0, "drop": ["9d"]}],
    "play": [["As", "Ks", "Js"], ["Ts", "Td", "8d"], ["Kh", "Qh", "9h"], ["7c", "8c", "Ac"]],
}
"""The same cards in a Muss; the dealer declares and takes three tricks, seat 2 one."""

SEVEN: Record = FULL_MUSS | {
    "pot_before": 100,
    "deal": {"hands": HANDS, "turned": ["7s"]},
    "play": [["As", "Ks", "Js"], ["7s", "Td", "8d"], ["Kh", "Qh", "9h"], ["7c", "8c", "Ac"]],
}
"""The same cards with a turned seven: a Siebenermuss instead of a free hand."""

PASSED_OUT: Record = {
    "game": "kratzen",
    "seats": 3,
    "dealer": 0,
    "pot_before": 100,
    "cuts": [["9c"]],
    "deal": FULL["deal"],
    "calls": [[0, "weiter"], [1, "weiter"], [2, "weiter"]],
}

WALKOVER: Record = changed(FULL, answers=[[2, "ohne"], [0, "ohne"]], exchanges=..., play=...)

ODER: Record = changed(FULL, calls=[[0, "oder"], [1, "weiter"], [2, "weiter-oder"]], new_trump=["Qs", "6d", "Jh"])
"""Oder by the dealer: spades and the Weli do not decide, hearts are trump. The answers and the play do not fit."""


def muss(**changes: Any) -> Record:
    return changed(MUSS, **changes)


def free(**changes: Any) -> Record:
    return changed(FREE, **changes)


def full(**changes: Any) -> Record:
    return changed(FULL, **changes)


def exchanging(*entries: Record, **changes: Any) -> Record:
    """Return the full hand with other exchanges and without play; legal exchanges give the fault `PLAY_MISSING`."""
    return changed(FULL, exchanges=[*entries], play=..., **changes)


PLAY_MISSING = ("K7.1", "play")
"""The fault of a hand without play that has no earlier fault."""
