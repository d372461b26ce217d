"""Go back in a hand that is recorded step by step: remove the last steps, or keep the part without a fault."""

from engine.errors import Fault
from engine.games import BY_NAME, find
from engine.steps import Record, walk


def truncate(record: Record, path: str) -> Record | None:
    """Return a full record without the step at a place and all later steps; None if the place is not that of a step.

    ``truncate(record, scenes[-1].step.at)`` removes the last step of `walk`.
    """
    game = find(record.get("game"))
    return None if game is None else game.rewind.truncate(record, path)


def place_of_last_answer(record: Record, path: str) -> str:
    """Return the place to `truncate` at to remove only the last answer, given the place of the last step of `walk`."""
    return BY_NAME[record["game"]].rewind.place_of_last_answer(record, path)


def valid_part(record: Record) -> Record | None:
    """Return the part of a full record before its first fault; None if no part can be kept."""
    try:
        walk(record)
    except Fault as fault:
        # The recursion ends, because each call removes steps; a call that removes none cannot help.
        shorter = truncate(record, fault.at) if _can_be_truncated(record) else None
        return None if shorter is None or shorter == record else valid_part(shorter)
    return record


def _can_be_truncated(record: Record) -> bool:
    """Return True if the types (R1) and the table (R3, C1.1) of a record are valid, so that steps can be removed."""
    game = find(record.get("game"))
    return game is not None and game.rewind.can_be_truncated(record)
