"""Situations packed into one number each, so that a row of the database counts the hands with the same situation.
Does not use Django."""

from __future__ import annotations

from typing import NamedTuple

POTS = (5, 10, 20)
"""The numbers of antes from which a pot is in the next class."""
DEALER = 0
NO_SEAT = -1
"""The seat of a hand whose dealer follows from the cuts."""
ROLES = ("out", "joiner", "declarer")
GOALS = (None, False, True)
SEATS = 16
"""A number above every seat after the dealer and every number of joiners."""


class Situation(NamedTuple):
    """A player's hand. `role`: out, joiner or declarer. `made` is None where no goal was played for. `seat`: 1 for the
    first one after the dealer, `DEALER` for the dealer. `pot`: the class of the pot (`POTS`). `declared`: somebody
    declared, or nobody need declare, so that the others can join. `last`: the player was the last one asked about
    joining. `free`: the player could declare, as nobody had declared before; not known where there is no seat."""

    role: str
    made: bool | None
    blind: bool
    seat: int
    pot: int
    joiners: int
    declared: bool
    last: bool
    free: bool = False


def packed(situation: Situation) -> int:
    """Return the number of a situation. Raises ValueError for an unknown role or more than 15 seats."""
    if not (-1 <= situation.seat < SEATS - 1 and 0 <= situation.joiners < SEATS):
        raise ValueError(situation)
    number = (situation.free * len(ROLES) + ROLES.index(situation.role)) * len(GOALS) + GOALS.index(situation.made)
    number = (number * SEATS + situation.seat + 1) * SEATS + situation.joiners
    number = number * (len(POTS) + 1) + situation.pot
    return number * 8 + situation.blind * 4 + situation.declared * 2 + situation.last


def unpacked(number: int) -> Situation:
    """Return the situation of a number."""
    number, flags = divmod(number, 8)
    number, pot = divmod(number, len(POTS) + 1)
    number, joiners = divmod(number, SEATS)
    number, seat = divmod(number, SEATS)
    number, goal = divmod(number, len(GOALS))
    free, role = divmod(number, len(ROLES))
    blind, declared, last = (flags & bit > 0 for bit in (4, 2, 1))
    return Situation(ROLES[role], GOALS[goal], blind, seat - 1, pot, joiners, declared, last, free > 0)


def pot_class(pot_minor: int, ante_minor: int) -> int:
    """Return the class of a pot by the number of antes in it."""
    return sum(pot_minor >= limit * ante_minor for limit in POTS)
