"""How often somebody declares, joins and makes it, by seat, pot, number of joiners and blind: pure sums over counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..standings.intervals import Share
from .selectors import DEALER, NO_SEAT, POTS, Count

Test = Callable[[Count], bool]

LAST = 99
"""The value of the dealer in a table by seat."""


@dataclass(frozen=True)
class Row:
    """A share for a value of what is compared: that of everybody, and that of the chosen player (None: nobody is
    chosen)."""

    value: int
    share: Share
    own: Share | None


def share_of(counts: Iterable[Count], tried: Test, succeeded: Test) -> Share:
    """Return the share of hands that `succeeded` among those that `tried`."""
    made = of = 0
    for count in counts:
        if tried(count):
            of += count.hands
            made += count.hands if succeeded(count) else 0
    return Share(made, of)


def by(
    counts: Sequence[Count], value_of: Callable[[Count], int | None], tried: Test, succeeded: Test, *, chosen: bool
) -> list[Row]:
    """Return a row for each value that occurs among the tries, in order."""
    tries = [(value, count) for count in counts if tried(count) and (value := value_of(count)) is not None]
    found = []
    for value in sorted({value for value, _count in tries}):
        some = [count for one, count in tries if one == value]
        own = share_of([count for count in some if count.own], tried, succeeded) if chosen else None
        found.append(Row(value, share_of(some, tried, succeeded), own))
    return found


def declares(count: Count) -> bool:
    """Return True for those who declared."""
    return count.role == "declarer"


def declares_contested(count: Count) -> bool:
    """Return True for those who declared and were joined: only there a goal is played for."""
    return count.role == "declarer" and count.made is not None


def joins(count: Count) -> bool:
    """Return True for those who joined."""
    return count.role == "joiner"


def makes_it(count: Count) -> bool:
    """Return True for those who reached their goal."""
    return count.made is True


def any_hand(_count: Count) -> bool:
    """Return True for every hand of every player."""
    return True


def may_join(count: Count) -> bool:
    """Return True for those who were asked to join: somebody else declared."""
    return count.role == "joiner" or (count.role == "out" and count.declared)


def last_asked(count: Count) -> bool:
    """Return True for those who joined as the last ones to be asked."""
    return count.role == "joiner" and count.last


def seat_of(count: Count) -> int | None:
    """Return the seat after the dealer; the dealer, who is asked last, comes last."""
    if count.seat == NO_SEAT:
        return None
    return LAST if count.seat == DEALER else count.seat


def pot_of(count: Count) -> int:
    """Return the class of the pot."""
    return count.pot


def joiners_of(count: Count) -> int:
    """Return the number of joiners."""
    return count.joiners


def blind_of(count: Count) -> int:
    """Return 1 for a blind declarer."""
    return int(count.blind)


def pot_limits(value: int) -> tuple[int | None, int | None]:
    """Return the least and the first too many antes of a class of pots."""
    return (POTS[value - 1] if value else None, POTS[value] if value < len(POTS) else None)
