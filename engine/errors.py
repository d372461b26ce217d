"""What is wrong with a record, in one place: the clause, where it stands, and a sentence for people."""

from collections.abc import Iterable
from typing import Any, Final

_LONGEST_SHOWN: Final = 40
_LARGEST_SHOWN: Final = 10**15


class Fault(ValueError):
    """A record breaks a clause.

    ``clause`` is the rulebook's identifier or one of R1…R6, ``at`` the place in the record
    (``"play[1][2]"``, empty for the record as a whole), ``message`` one English sentence.
    """

    def __init__(self, clause: str, at: str, message: str) -> None:
        super().__init__(f"{clause} at {at}: {message}" if at else f"{clause}: {message}")
        self.clause = clause
        self.at = at
        self.message = message

    def as_result(self) -> dict[str, Any]:
        """The error object that stands where the result would."""
        return {"ok": False, "error": {"clause": self.clause, "at": self.at, "message": self.message}}


def shown(value: object) -> str:
    """Any value of a record, short and printable, for a message.

    What a record holds is a stranger's: no control characters or lone surrogates may get out (databases
    refuse them), and Python refuses to print very long numbers.
    """
    if isinstance(value, str):
        return f'"{value}"' if _is_plain(value) else ascii(value[:_LONGEST_SHOWN])
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) <= _LARGEST_SHOWN else "a huge number"
    words = {
        type(None): "null",
        bool: "true or false",
        float: "a number with a fraction",
        list: "a list",
        dict: "an object",
    }
    return words.get(type(value), "something else")


def field(name: object) -> str:
    """A field's name as part of a place; odd names are shown escaped and shortened."""
    return name if isinstance(name, str) and _is_plain(name) else shown(name)


def listed(seats: Iterable[int]) -> str:
    """Seats for a message: ``"seats 0, 2"``, ``"seat 2"``."""
    numbers = sorted(seats)
    return ("seat " if len(numbers) == 1 else "seats ") + ", ".join(map(str, numbers))


def _is_plain(text: str) -> bool:
    return len(text) <= _LONGEST_SHOWN and text.isprintable()
