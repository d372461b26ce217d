"""The code of a sheet: the id of a table in a few characters that are hard to misread."""

from __future__ import annotations

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXY"
"""No 0 and O, no 1, I and L, no U that looks like V, no Z that looks like 2. That leaves 29, a prime."""
LEAST = 3


def code(table_id: int) -> str:
    """The code of a table: its id in the digits of `ALPHABET`, and a check digit.

    >>> code(1), code(31), code(27_001)
    ('223-D', '234-J', '3554-H')
    """
    digits = ""
    rest = table_id
    while rest or len(digits) < LEAST:
        rest, digit = divmod(rest, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return f"{digits}-{_check(digits)}"


def table_of(typed: str) -> int | None:
    """The id of the table of a typed code; None where it is no code. Case, spaces and dashes are ignored."""
    plain = "".join(letter for letter in typed.upper() if letter not in " -–")
    if not LEAST < len(plain) <= 12 or not set(plain) <= set(ALPHABET):
        return None
    digits, check = plain[:-1], plain[-1]
    if _check(digits) != check:
        return None
    number = 0
    for letter in digits:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def _check(digits: str) -> str:
    """The weighted sum modulo a prime: it detects one wrong character and two swapped ones."""
    total = sum((place + 2) * (ALPHABET.index(letter) + 1) for place, letter in enumerate(reversed(digits)))
    return ALPHABET[total % len(ALPHABET)]
