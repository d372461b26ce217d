"""A hand step by step: from a record that is not finished yet to what lies on the table and what is asked.

No rule stands here a second time. What may come next is found by trying: the record so far, with the answer to be
tried and fillers for what nobody has said yet, goes through the same functions that replay a whole hand, and a fault
counts where it stands at the place of the answer.

>>> record = begin({"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 0})
>>> ask = walk(record).ask
>>> ask.kind, ask.seat, len(ask.choices)
('cut', 2, 33)
>>> walk(add(record, ask, ["9c"])).ask.kind
'deal'
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from engine.errors import Fault
from engine.replay import replay
from engine.rules import check_game
from engine.steps import chratze, kratzen
from engine.steps.scenes import CARD_KINDS, Ask, Course, Record, Scene, Step

__all__ = ["Ask", "Course", "Record", "Scene", "Step", "add", "begin", "left_over", "walk"]


def begin(start: Mapping[str, Any]) -> Record:
    """A full record in which nothing has happened yet, from the fields that full and tally share."""
    cuts: Record = {"cuts": []} if start["game"] == "kratzen" else {}
    return {**start, **cuts, "deal": {"hands": [[] for _ in range(start["seats"])], "turned": []}}


def walk(record: object) -> Course:
    """Everything that happened in a full record, finished or not, and what comes next.

    Raises:
        Fault: the first step that breaks a clause, as `replay` would name it; a record that lacks only what comes
            later breaks none. What was ``claimed`` is not looked at.
    """
    if type(record) is not dict:
        raise Fault("R1", "", "A record is a JSON object.")
    check_game(record.get("game"))
    course, goes_on = kratzen.walk(record) if record["game"] == "kratzen" else chratze.walk(record)
    if course.ask is None or goes_on:
        # The hand is whole; or what stands there can only come after what is missing, and that is a fault of the whole.
        result = replay({name: value for name, value in record.items() if name != "claimed"})
        if not result["ok"]:
            raise Fault(**result["error"])
    return course


def add(record: Record, ask: Ask, answer: Sequence[str]) -> Record:
    """The record with the answer to what is asked: cards by name, or one word: a call, an answer, ``"rob"`` or
    ``"last word"`` where these are open.

    Fewer cards than are dealt, drawn or dropped may come at a time.

    Raises:
        Fault: the clause that the answer breaks.
    """
    new = deepcopy(record)
    put = kratzen.put if record["game"] == "kratzen" else chratze.put
    put(new, ask, [*answer])
    walk(new)
    return new


def left_over(ask: Ask | None) -> tuple[str, ...]:
    """The only answer that is left, where cards are: the last card of a hand, or all that the stock still has."""
    if ask is None or ask.kind not in CARD_KINDS or ask.robber is not None:
        return ()
    only_card = ask.kind == "card" and len(ask.choices) + len(ask.refused) == 1
    return ask.choices if only_card or (ask.kind != "card" and len(ask.choices) == ask.wanted) else ()
