"""The code of the night: a table in a few characters that nobody misreads, printed on its sheet."""

from __future__ import annotations

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXY"
"""No 0 and O, no 1, I and L, no U that looks like V, no Z that looks like 2. That leaves 29, a prime."""
LEAST = 3


def code(table_id: int) -> str:
    """The code of a table: its number in our digits, and one that checks them.

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
    """The table that a typed code means; None for what is no code. Case, spaces and dashes do not matter."""
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
    """The weighted sum modulo a prime: one wrong character gives another one, and so do two in the wrong order."""
    total = sum((place + 2) * (ALPHABET.index(letter) + 1) for place, letter in enumerate(reversed(digits)))
    return ALPHABET[total % len(ALPHABET)]
