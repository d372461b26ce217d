"""The types of the fields of a record (R1), checked before any clause.

Most checks have two stages, so that a valid record is cheap and an invalid one gets an exact message: a fast test of a
whole list first, and only if that fails a search for the first wrong place.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final

from engine.errors import Fault, printable, printable_name
from engine.rules import HIGHEST_AMOUNT

Check = Callable[[Any], None]
"""Raises `_WrongShape` unless a value is of the type that its field requires."""

Fields = Mapping[str, Check]
"""The fields of an object that a record may have, by name."""

INTS: Final = {int}
SEAT_WORDS: Final = set("0123456")
_LISTS: Final = {list}


class _WrongShape(Exception):
    """A value is not of the type that its field requires.

    Each caller adds its part of the place while the exception passes through it, so that a valid record never pays for
    building places.
    """

    def __init__(self, message: Callable[[str], str], *path: int | str) -> None:
        self.message = message
        self.path = [*path]
        """The indexes and field names from the value outwards."""

    def within(self, step: int | str) -> "_WrongShape":
        """Add the index or field name under which the value was found."""
        self.path.append(step)
        return self

    def as_fault(self) -> Fault:
        """Return the fault R1, with a place such as ``"deal.hands[0][1]"``."""
        steps = (f"[{step}]" if type(step) is int else f".{step}" for step in reversed(self.path))
        path = "".join(steps).removeprefix(".")
        return Fault("R1", path, self.message(path))


def _wrong_value(expected: str, value: object) -> _WrongShape:
    return _WrongShape(lambda path: f"The field {path} is {expected}, not {printable(value)}.")


def integer(value: Any) -> None:
    if type(value) is not int:
        raise _wrong_value("a whole number", value)


def integer_from(least: int) -> Check:
    """Return a check for a whole number from ``least`` to `HIGHEST_AMOUNT`."""

    def check(value: Any) -> None:
        if type(value) is not int or not least <= value <= HIGHEST_AMOUNT:
            raise _wrong_value(f"a whole number from {least} to {HIGHEST_AMOUNT}", value)

    return check


def seat_or_null(value: Any) -> None:
    if value is not None and type(value) is not int:
        raise _wrong_value("a seat or null", value)


def one_of(values: tuple[str | None, ...], expected: str) -> Check:
    """Return a check for a field with few values."""

    def check(value: Any) -> None:
        if value not in values:
            raise _wrong_value(expected, value)

    return check


def boolean(value: Any) -> None:
    if type(value) is not bool:
        raise _wrong_value("true or false", value)


def _anything(value: Any) -> None:
    """Accept any value."""


def json_object(value: Any) -> None:
    if type(value) is not dict:
        raise _wrong_value("an object", value)


def _list(value: Any) -> None:
    if type(value) is not list:
        raise _wrong_value("a list", value)


def _each(value: Any, check: Check) -> None:
    _list(value)
    place = 0
    try:
        for item in value:
            check(item)
            place += 1
    except _WrongShape as wrong:
        raise wrong.within(place) from None


def card(value: Any) -> None:
    if type(value) is not str:
        raise _wrong_value("a card's name", value)


def _word(value: Any) -> None:
    if type(value) is not str:
        raise _wrong_value("a word", value)


def _are_words(values: Iterable[Any]) -> bool:
    """Return True if all values are strings. One `join` is much faster than a type check of each value."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def cards(value: Any) -> None:
    if type(value) is not list or not _are_words(value):
        _each(value, card)


def card_lists(value: Any) -> None:
    are_lists = type(value) is list and _LISTS.issuperset(map(type, value))
    if not (are_lists and _are_words(chain.from_iterable(value))):
        _each(value, cards)


def integers(value: Any) -> None:
    if type(value) is not list or not INTS.issuperset(map(type, value)):
        _each(value, integer)


def _call(value: Any) -> None:
    if type(value) is not list or len(value) != 2:
        raise _wrong_value("a list of a seat and a call", value)
    for place, check in enumerate((integer, _word)):
        try:
            check(value[place])
        except _WrongShape as wrong:
            raise wrong.within(place) from None


def calls(value: Any) -> None:
    if type(value) is not list or not all(
        type(call) is list and len(call) == 2 and type(call[0]) is int and type(call[1]) is str for call in value
    ):
        _each(value, _call)


def tricks(value: Any) -> None:
    json_object(value)
    if SEAT_WORDS.issuperset(value) and INTS.issuperset(map(type, value.values())):
        return
    for seat, count in value.items():
        if not _is_seat_word(seat):
            raise _WrongShape(
                lambda path: f'The field {path} must be named after a seat, such as "0".', printable_name(seat)
            )
        if type(count) is not int:
            raise _wrong_value("a whole number", count).within(printable_name(seat))


def _is_seat_word(word: object) -> bool:
    """Return True for a whole number as JSON prints it; R3 is checked later, when the number of seats is known."""
    if type(word) is not str or len(word) > 12:
        return False
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and word == str(int(word))


def object_of(fields: Fields, needed: tuple[str, ...]) -> Check:
    """Return a check for an object with some fields."""
    return lambda value: check_fields(value, fields, needed)


def list_of(check: Check) -> Check:
    """Return a check for a list whose items have the same type."""
    return lambda value: _each(value, check)


DEAL_NEEDED: Final = ("hands", "turned")
SEAT_NEEDED: Final = ("seat",)

COMMON: Final[dict[str, Check]] = {
    "game": _anything,
    "rules": json_object,
    "seats": integer,
    "dealer": integer,
    "pot_before": integer_from(0),
    "claimed": integers,
}
"""The fields of every record. The game was checked first, because it decides which other fields a record has."""
COMMON_NEEDED: Final = ("seats", "dealer", "pot_before")

NO_RULES: Final[Mapping[str, object]] = {}


def check_fields(value: Any, fields: Fields, needed: tuple[str, ...]) -> None:
    """Check the fields of an object: none is unknown, each is of its type, none is missing."""
    json_object(value)
    name = ""
    try:
        for name, item in value.items():
            check = fields.get(name)
            if check is None:
                raise _WrongShape(lambda path: f"There is no field {path} in such a record.")
            check(item)
    except _WrongShape as wrong:
        raise wrong.within(printable_name(name)) from None
    for name in needed:
        if name not in value:
            raise _WrongShape(lambda path: f"The field {path} is missing.", name)


def check_record(record: dict[str, Any], fields: Fields, needed: tuple[str, ...]) -> None:
    """Raise R1 for the first wrong place of a record."""
    try:
        check_fields(record, fields, needed)
    except _WrongShape as wrong:
        raise wrong.as_fault() from None
