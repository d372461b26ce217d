"""The rule for the texts of a tournament: what the desk stores, a file holds and an import reads."""

from __future__ import annotations


def fits(text: str, most: int) -> bool:
    """Return True for a text of at most `most` characters without a zero byte, which the database refuses.

    Other signs are allowed, also those that print nothing: the joiners within an emoji, for example. A nickname is no
    text but a name, and has the rule of the roster.
    """
    return len(text) <= most and "\0" not in text
