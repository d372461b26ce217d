"""The number of hands of each evening in a list.

The league has no tables: the app that stores the number with them registers how it is read (`games/apps.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_stored: list[Callable[[], Any]] = []


def register(stored: Callable[[], Any]) -> None:
    """Let `stored` make the expression that returns the number of hands, in a query of evenings."""
    _stored[:] = [stored]


def hands_stored() -> Any:
    """For a query of evenings: the number of hands of each one, as the newest hand left it."""
    return _stored[0]()
