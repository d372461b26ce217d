"""Who is one person in a cup. Pure: no database.

Players of a cup's list are one person where all agreed to it, or nobody loses by it: players whose nickname is public
are matched by the list; all others only by the consent of the account that they are tied to. So nobody reads from a cup
who stands behind a pseudonym or initials.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Listed:
    """A player of a cup's list. `person`: the number in the list; `name`: the public name in the club; `open`: it is
    the nickname; `account`: the account, if it agreed to be one person in cups."""

    person: int
    player: int
    club: int
    name: str
    open: bool
    account: int | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """One person of a cup under one name. `number` is the lowest one of the list; `players` by club."""

    number: int
    name: str
    players: tuple[Listed, ...]

    @property
    def clubs(self) -> list[int]:
        return list(dict.fromkeys(entry.club for entry in self.players))


def people_of(listed: Iterable[Listed]) -> list[Person]:
    """Return the people of a cup's list, by number. A person of whom a club does not show the nickname has the name
    that this club shows."""
    groups: list[list[Listed]] = []
    for entry in sorted(listed, key=lambda each: (each.person, each.player)):
        same = [group for group in groups if any(_same(entry, other) for other in group)]
        groups = [group for group in groups if group not in same]
        groups.append([*(each for group in same for each in group), entry])
    people = [_person(group) for group in groups]
    return sorted(people, key=lambda person: (person.number, person.players[0].player))


def _same(entry: Listed, other: Listed) -> bool:
    by_list = entry.person == other.person and entry.open and other.open
    return by_list or (entry.account is not None and entry.account == other.account)


def _person(group: Sequence[Listed]) -> Person:
    players = tuple(sorted(group, key=lambda entry: (entry.person, entry.player)))
    shown = next((entry for entry in players if not entry.open), players[0])
    return Person(players[0].person, shown.name, players)
