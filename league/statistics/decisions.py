"""Shares of declared, joined and made hands, by seat, pot, number of joiners and blind: pure sums over counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..intervals import Share
from .selectors import DEALER, NO_SEAT, POTS, Count

Test = Callable[[Count], bool]

LAST = 99
"""The value of the dealer in a table by seat."""


@dataclass(frozen=True)
class Row:
    """A share for one compared value: that of everybody, and that of the chosen player (None: nobody is
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
    rows = []
    for value in sorted({value for value, _count in tries}):
        some = [count for other, count in tries if other == value]
        own = share_of([count for count in some if count.own], tried, succeeded) if chosen else None
        rows.append(Row(value, share_of(some, tried, succeeded), own))
    return rows


def declares(count: Count) -> bool:
    """Return True for a declarer."""
    return count.situation.role == "declarer"


def declares_contested(count: Count) -> bool:
    """Return True for a declarer with joiners: only there a goal is played for."""
    return count.situation.role == "declarer" and count.situation.made is not None


def joins(count: Count) -> bool:
    """Return True for a joiner."""
    return count.situation.role == "joiner"


def joins_contested(count: Count) -> bool:
    """Return True for a joiner in a hand that was played: who joins alone, where nobody declares, has no goal."""
    return count.situation.role == "joiner" and count.situation.made is not None


def makes_it(count: Count) -> bool:
    """Return True for a player who reached the goal."""
    return count.situation.made is True


def free_to_declare(count: Count) -> bool:
    """Return True for those who could declare: nobody had declared before their turn."""
    return count.situation.free


def deals(count: Count) -> bool:
    """Return True for the dealers: they alone can declare blind."""
    return count.situation.seat == DEALER


def declares_blind(count: Count) -> bool:
    """Return True for those who declared blind."""
    return count.situation.role == "declarer" and count.situation.blind


def declares_blind_contested(count: Count) -> bool:
    """Return True for a blind declarer with joiners."""
    return count.situation.blind and declares_contested(count)


def any_hand(_count: Count) -> bool:
    """Return True for every hand of every player."""
    return True


def may_join(count: Count) -> bool:
    """Return True for a player who could join: another player declared."""
    return count.situation.role == "joiner" or (count.situation.role == "out" and count.situation.declared)


def last_asked(count: Count) -> bool:
    """Return True for a joiner who was asked last."""
    return count.situation.role == "joiner" and count.situation.last


def seat_of(count: Count) -> int | None:
    """Return the seat after the dealer; the dealer, who is asked last, comes last."""
    if count.situation.seat == NO_SEAT:
        return None
    return LAST if count.situation.seat == DEALER else count.situation.seat


def pot_of(count: Count) -> int:
    """Return the class of the pot."""
    return count.situation.pot


def joiners_of(count: Count) -> int:
    """Return the number of joiners."""
    return count.situation.joiners


def blind_of(count: Count) -> int:
    """Return 1 for a blind declarer."""
    return int(count.situation.blind)


def pot_limits(value: int) -> tuple[int | None, int | None]:
    """Return the least and the first too many antes of a class of pots."""
    return (POTS[value - 1] if value else None, POTS[value] if value < len(POTS) else None)
