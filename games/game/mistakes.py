"""Mistakes in the record of a hand, as the difference finder tries them: other records that a hand may have had, and
hands that are easily forgotten.

Each idea is one small mistake: the row above or below, a forgotten mark, a trick for the wrong player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..engine_bridge import Record

Given = Mapping[str, Any]
"""A record, or the result of one."""
Short = tuple[dict[str, Any], tuple[int, ...], bool | None]
"""A hand without the chain, the seats of its sentence, and True if all of them made it."""


@dataclass(frozen=True)
class Idea:
    """A hand as it may have been: the record without the chain, and the data of its sentence. `near`: it is about a
    neighbour's row. `gone` is the seat of a player who did not sit in this hand."""

    kind: str
    sent: dict[str, Any]
    seats: tuple[int, ...] = ()
    made: bool | None = None
    near: bool = False
    gone: int | None = None


@dataclass(frozen=True)
class Forgotten:
    """A hand that may have been forgotten: the given house rules, the number of seats, and the seats of players whose
    coins were counted. `forced_dealer` is the dealer of a hand that everybody has to play, None in any other."""

    rules: Mapping[str, Any]
    seats: int
    counted_seats: Sequence[int]
    forced_dealer: int | None


@dataclass(frozen=True)
class Mistakes:
    """What the difference finder tries in a game.

    `ideas` yields other records that a settled hand may have had, from its record and result; `short_hands` yields
    hands that are easily forgotten. `tally_of` returns the tally of a settled hand without the fields of the chain.
    `sentences` replaces sentences of the finder: by the kind of a guess, from the number of players that it is about
    and from `made`.
    """

    ideas: Callable[[Given, Given], Iterator[Idea]]
    short_hands: Callable[[Forgotten], Iterator[Short]]
    tally_of: Callable[[Given, Given], Record]
    sentences: Mapping[str, Callable[[int, bool | None], str]] = field(default_factory=dict)


def counted(tricks: Mapping[int, int]) -> dict[str, int]:
    """The tricks of a tally, without the seats that took none."""
    return {str(seat): count for seat, count in sorted(tricks.items()) if count}


def tricks_by_seat(tally: Given) -> dict[int, int]:
    """The tricks of a tally by seat."""
    return {int(seat): count for seat, count in tally["tricks"].items()}


def are_neighbours(seat: int, two: int, seats: int) -> bool:
    """True if two seats are next to each other: their rows are easily confused."""
    return (seat - two) % seats in (1, seats - 1)


def moved_tricks(tally: Mapping[str, Any], active: Sequence[int]) -> Iterator[Idea]:
    """The same roles, but a trick was another player's."""
    tricks = tricks_by_seat(tally)
    for giver in tricks:
        for taker in active:
            if taker != giver:
                moved = tricks | {giver: tricks[giver] - 1, taker: tricks.get(taker, 0) + 1}
                yield Idea("tricks", {**tally, "tricks": counted(moved)}, (giver, taker))
