"""A hand step by step: from a finished or unfinished record to the table after each step and the next question.

The package contains no rules of its own. It tries each possible answer: the functions that replay a whole hand get the
record with that answer and with fillers for everything still open, and the answer is refused if they report a fault at
its place.

>>> record = begin({"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 0})
>>> question = walk(record).question
>>> question.kind, question.seat, len(question.choices)
('cut', 2, 33)
>>> walk(add(record, question, ["9c"])).question.kind
'deal'
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from engine.errors import Fault
from engine.games import BY_NAME, game_of
from engine.replay import replay
from engine.scenes import CARD_KINDS, Progress, Question, Record, Scene, Step

__all__ = ["Progress", "Question", "Record", "Scene", "Step", "add", "begin", "only_answer", "walk"]


def begin(start: Mapping[str, Any]) -> Record:
    """Return an empty full record, from the fields that a full record and a tally share."""
    return {**start, **BY_NAME[start["game"]].steps.begin(start["seats"])}


def walk(record: object) -> Progress:
    """Return all steps of a full record, finished or not, and the next question.

    Raises:
        Fault: the first step that breaks a clause, as `replay` reports it. A record that only lacks later steps breaks
            none. The field ``claimed`` is ignored.
    """
    if type(record) is not dict:
        raise Fault("R1", "", "A record is a JSON object.")
    progress, has_later_steps = game_of(record.get("game")).steps.walk(record)
    if progress.question is None or has_later_steps:
        # The hand is complete; or the record has steps after a missing one, which is a fault of the whole record.
        result = replay({name: value for name, value in record.items() if name != "claimed"})
        if not result["ok"]:
            raise Fault(**result["error"])
    return progress


def add(record: Record, question: Question, answer: Sequence[str]) -> Record:
    """Return the record with the answer to a question added.

    The answer is cards by name, or one word: a call, an answer, or ``"rob"`` or ``"last word"`` if the question allows
    it. Cards that are dealt, drawn or dropped may be added a few at a time.

    Raises:
        Fault: the clause that the answer breaks.
    """
    new = deepcopy(record)
    BY_NAME[record["game"]].steps.put_answer(new, question, answer)
    walk(new)
    return new


def only_answer(question: Question | None) -> tuple[str, ...]:
    """Return the cards if the question has only one answer: the last card of a hand, or all cards left in the stock."""
    if question is None or question.kind not in CARD_KINDS or question.robber is not None:
        return ()
    only_card = question.kind == "card" and len(question.choices) + len(question.refused) == 1
    return (
        question.choices if only_card or (question.kind != "card" and len(question.choices) == question.wanted) else ()
    )
