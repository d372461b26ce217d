"""The hand of the night of a result. The league has no hands: the games register how it is found (`games/apps.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..access import ClubAccess
from ..models import Evening


@dataclass(frozen=True)
class HandOfTheNight:
    """The hand with the biggest pot: the pot, and the sentence who took it in which hand."""

    pot: str
    note: str


Find = Callable[[ClubAccess, Evening], HandOfTheNight | None]

_registered: list[Find] = []


def register(find: Find) -> None:
    """Let `find` return the hand of the night of an evening."""
    _registered[:] = [find]


def hand_of_the_night(access: ClubAccess, evening: Evening) -> HandOfTheNight | None:
    """Return the hand of the night as this reader sees it; None for an evening without hands."""
    return _registered[0](access, evening) if _registered else None
