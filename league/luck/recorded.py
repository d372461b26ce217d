"""The hands of an evening as their records have them.

The league knows no cards: the app that stores the hands registers how they are read and settled (`games/apps.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .evening import Hand

ReadHands = Callable[[int, Mapping[int, int]], list[Hand]]
"""Returns the valid hands of an evening, in the order of tables and numbers. The second argument names the main player
of each merged one."""

_registered: list[ReadHands] = []


def register(read: ReadHands) -> None:
    """Register the reader of hands."""
    _registered[:] = [read]


def hands_of(evening_id: int, mains: Mapping[int, int]) -> list[Hand]:
    """Return the valid hands of an evening."""
    return _registered[0](evening_id, mains)
