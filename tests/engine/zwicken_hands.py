"""Hands of Zwicken for tests."""

from typing import Any

from tests.engine.hands import Record, changed

FORCED: Record = {
    "game": "zwicken",
    "seats": 5,
    "dealer": 0,
    "pot_before": 0,
    "cuts": ["x"],
    "tricks": {"1": 2, "3": 1},
}

FREE: Record = {
    "game": "zwicken",
    "seats": 5,
    "dealer": 1,
    "pot_before": 90,
    "cuts": ["x"],
    "players": [2, 4],
    "tricks": {"2": 3},
}

WALKOVER_TALLY: Record = changed(FREE, players=[3], tricks=...)
NOBODY_TALLY: Record = changed(FREE, players=..., tricks=...)

HANDS = [["As", "Kh", "9d"], ["Ks", "7d", "8c"], ["Js", "9h", "Ac"]]

FULL: Record = {
    "game": "zwicken",
    "seats": 3,
    "dealer": 0,
    "pot_before": 100,
    "cuts": ["9c"],
    "deal": {"hands": HANDS, "turned": "Ts"},
    "answers": [[1, "mit"], [2, "mit"], [0, "mit"]],
    "exchanges": [{"seat": 1, "discard": ["8c"], "draw": ["Ah"]}],
    "play": [["Ah", "9h", "Kh"], ["7d", "Js", "As"], ["9d", "Ks", "Ac"]],
}
"""Three seats, spades are trump; seat 1 takes two tricks and loses the seven of Schellen to the trump ace."""

FULL_FORCED: Record = changed(FULL, pot_before=0, answers=...)
WALKOVER: Record = changed(FULL, answers=[[1, "weg"], [2, "mit"], [0, "weg"]], exchanges=..., play=...)
NOBODY: Record = changed(FULL, answers=[[1, "weg"], [2, "weg"], [0, "weg"]], exchanges=..., play=...)


def forced(**changes: Any) -> Record:
    return changed(FORCED, **changes)


def free(**changes: Any) -> Record:
    return changed(FREE, **changes)


def full(**changes: Any) -> Record:
    return changed(FULL, **changes)


def exchanging(*entries: Record, **changes: Any) -> Record:
    """Return the full hand with other exchanges and without play; legal exchanges give the fault `PLAY_MISSING`."""
    return changed(FULL, exchanges=[*entries], play=..., **changes)


PLAY_MISSING = ("Z6.1", "play")
"""The fault of a hand without play that has no earlier fault."""


def table(*hands: str, turned: str, play: list[str], **changes: Any) -> Record:
    """Return a forced hand of three seats without exchange: the cards of seats 0, 1 and 2, and the tricks."""
    deal = {"hands": [cards.split() for cards in hands], "turned": turned}
    return changed(FULL_FORCED, deal=deal, exchanges=..., play=[trick.split() for trick in play], **changes)
