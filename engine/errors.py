"""The fault of a record: the clause that is broken, the place in the record, and a sentence for people."""

from collections.abc import Iterable
from typing import Any, Final

_LONGEST_SHOWN: Final = 40
_LARGEST_SHOWN: Final = 10**15


class Fault(ValueError):
    """A record breaks a clause.

    ``clause`` is a clause of the rulebook or one of R1 to R6, ``at`` is the place in the record (``"play[1][2]"``, or
    empty for the whole record), ``message`` is one English sentence.
    """

    def __init__(self, clause: str, at: str, message: str) -> None:
        super().__init__(f"{clause} at {at}: {message}" if at else f"{clause}: {message}")
        self.clause = clause
        self.at = at
        self.message = message

    def as_result(self) -> dict[str, Any]:
        """Return the error object that replaces the result of a hand."""
        return {"ok": False, "error": {"clause": self.clause, "at": self.at, "message": self.message}}


def printable(value: object) -> str:
    """Return any value of a record as short, printable text for a message.

    A record is untrusted input. Control characters and lone surrogates are escaped, because databases refuse them, and
    Python refuses to print very long numbers.
    """
    if isinstance(value, str):
        return f'"{value}"' if _is_plain(value) else ascii(value[:_LONGEST_SHOWN])
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) <= _LARGEST_SHOWN else "a huge number"
    descriptions = {
        type(None): "null",
        bool: "true or false",
        float: "a number with a fraction",
        list: "a list",
        dict: "an object",
    }
    return descriptions.get(type(value), "something else")


def printable_name(name: object) -> str:
    """Return a field's name as part of a place; unprintable or long names are escaped and shortened."""
    return name if isinstance(name, str) and _is_plain(name) else printable(name)


def seat_list(seats: Iterable[int]) -> str:
    """Return seats as text for a message: ``"seats 0, 2"``, ``"seat 2"``."""
    numbers = sorted(seats)
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))


def _is_plain(text: str) -> bool:
    return len(text) <= _LONGEST_SHOWN and text.isprintable()
