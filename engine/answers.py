"""Write answers into a record, for the kinds of questions that several games have; nothing is checked here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.errors import Fault
from engine.scenes import Question, Record


def single_answer(answer: Sequence[str]) -> str:
    """Return the only card or word of an answer; raise R1 if it has none or several."""
    if len(answer) != 1:
        raise Fault("R1", "", f"The question has one answer, not {len(answer)}.")
    return answer[0]


def put_hand(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Add cards to the hand that is being dealt."""
    record["deal"]["hands"][question.seat].extend(answer)


def put_turned(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Add a turned card."""
    record["deal"]["turned"].append(single_answer(answer))


def put_call(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Add a call or an answer."""
    record.setdefault(f"{question.kind}s", []).append([question.seat, single_answer(answer)])


def put_exchange(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Start the exchange of a seat with its discards."""
    record.setdefault("exchanges", []).append({"seat": question.seat, "discard": [*answer]})


def put_draw(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Add cards drawn to the last exchange."""
    record["exchanges"][-1].setdefault("draw", []).extend(answer)


def put_card(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Add a card to the last trick of a record, or start the next trick."""
    name = single_answer(answer)
    tricks = record.setdefault("play", [])
    if question.leads and tricks[-1:] != [[]]:
        tricks.append([])
    tricks[-1].append(name)


Put = Callable[[Record, Question, Sequence[str]], None]
"""Writes the answer to a question into a record, without any check."""

PUT: Final[Mapping[str, Put]] = {
    "deal": put_hand,
    "turn": put_turned,
    "call": put_call,
    "exchange": put_exchange,
    "draw": put_draw,
    "card": put_card,
}
"""The function for each kind of question that several games have."""
