"""House rules: the kinds of values, and the check of each rule of a game (R4)."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.errors import Fault, printable, printable_name

HIGHEST_AMOUNT: Final = 10**12
"""The largest amount allowed in a record or a house rule, so that every sum fits in 64 bits."""

Value = tuple[Callable[[object], bool], str]
"""A function that accepts the values of a house rule, and their description for a message."""

Values = Mapping[str, Value]
"""The values of each house rule of a game."""


def is_amount(value: object) -> bool:
    """Return True for an amount in Rappen above 0."""
    return type(value) is int and 0 < value <= HIGHEST_AMOUNT


def _is_amount_or_none(value: object) -> bool:
    return value is None or is_amount(value)


def _is_bool(value: object) -> bool:
    return value is True or value is False


def one_of(*words: str) -> Value:
    """Return the values of a house rule that is one of some words."""
    return (lambda value: value in words), f"one of {', '.join(words)}"


AMOUNT: Final[Value] = (is_amount, f"a whole number of Rappen from 1 to {HIGHEST_AMOUNT}")
BOOL: Final[Value] = (_is_bool, "true or false")


def limit_of_pot(least: str) -> Value:
    """Return the values of a limit of the pot: an amount or none; ``least`` completes the description."""
    return _is_amount_or_none, f"null or {AMOUNT[1]}, {least}"


def check_each(given: Mapping[str, object], values: Values, title: str) -> None:
    """Raise R4 for the first rule that the game does not have, or whose value is not allowed."""
    for name, value in given.items():
        allowed = values.get(name)
        if allowed is None:
            raise Fault("R4", f"rules.{printable_name(name)}", f"There is no house rule {printable(name)} in {title}.")
        is_allowed, description = allowed
        if not is_allowed(value):
            raise Fault("R4", f"rules.{name}", f"The house rule {name} is {description}, not {printable(value)}.")
