"""What can be done to the list of a table's hands. An edit is data: what it is asked for, and the list that it makes.

Numbers count from 1, as on the page. Where an edit is to `keep` the dealers, the hands after it were dealt by whom
they were written down with; else the deal moves along with what has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Correction
from .program import Entry, in_place


class Edit(Protocol):
    """One edit; `kind` says which, `number` the hand it begins with, `details` what else was asked."""

    kind: ClassVar[Correction.Kind]

    @property
    def number(self) -> int: ...

    def details(self) -> dict[str, Any]:
        """What the kind and the number do not say, as plain data."""
        ...

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        """The new list. Raises `Refused` (404) for a hand that is not there."""
        ...


@dataclass(frozen=True)
class Change:
    """Another record (`sent`, without what the chain says) in the place of hand `number`, with these players by seat.

    `dealer_id` names who dealt; None leaves that as it was. The hand counts as new: a fault in it is told as its own.
    """

    kind: ClassVar = Correction.Kind.CHANGED
    number: int
    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    dealer_id: int | None = None
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "record": dict(self.sent),
            "dealer": self.dealer_id,
            "keep": self.keep,
        }

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        old = _there(entries, self.number)
        named = self.dealer_id if self.dealer_id is not None else old.dealer_id
        new = replace(
            old,
            players=self.players,
            sent=dict(self.sent),
            dealer_id=named if named in self.players else None,
            number=0,
        )
        return _held([*entries[: self.number - 1], new, *entries[self.number :]], self.keep)


@dataclass(frozen=True)
class TakeOut:
    """Hand `number` away; those after it move up. Coins that came into the pot before it stay there."""

    kind: ClassVar = Correction.Kind.VOIDED
    number: int
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return {"keep": self.keep}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        gone, rest = _there(entries, self.number), list(entries[self.number :])
        if rest:
            named = rest[0].dealer_id if rest[0].dealer_id is not None else gone.dealer_id
            rest[0] = replace(
                rest[0],
                moved_minor=rest[0].moved_minor + gone.moved_minor,
                dealer_id=named if named in rest[0].players else None,
            )
        return _held([*entries[: self.number - 1], *rest], self.keep)


@dataclass(frozen=True)
class PutIn:
    """A forgotten hand, as hand `number`; those from there on move down. `recorder_id`: who writes it down now."""

    kind: ClassVar = Correction.Kind.INSERTED
    number: int
    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    recorder_id: int | None = None
    dealer_id: int | None = None
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "record": dict(self.sent),
            "dealer": self.dealer_id,
            "keep": self.keep,
        }

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        if not 1 <= self.number <= len(entries) + 1:
            raise _no_hand(self.number)
        new = Entry(self.players, dict(self.sent), self.dealer_id, 0, self.recorder_id)
        rest = list(entries[self.number - 1 :])
        if rest:
            # What came into the pot lay there before the forgotten hand, and who was named dealt it.
            named = self.dealer_id if self.dealer_id is not None else rest[0].dealer_id
            new = replace(new, moved_minor=rest[0].moved_minor, dealer_id=named if named in self.players else None)
            rest[0] = replace(rest[0], moved_minor=0, dealer_id=None)
        return _held([*entries[: self.number - 1], new, *rest], self.keep)


@dataclass(frozen=True)
class Move:
    """Hand `number` taken out and put in again as hand `to`."""

    kind: ClassVar = Correction.Kind.MOVED
    number: int
    to: int
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return {"to": self.to, "keep": self.keep}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        hand = _there(entries, self.number)
        _there(entries, self.to)
        rest = [entry for place, entry in enumerate(entries, start=1) if place != self.number]
        return _held(in_place(entries, [*rest[: self.to - 1], hand, *rest[self.to - 1 :]]), self.keep)


@dataclass(frozen=True)
class Reseat:
    """Other people in hands `number` to `last`: who was written down, and who sat there, in pairs.

    What is written in a row stays in it, the deal too.
    """

    kind: ClassVar = Correction.Kind.SEATS
    number: int
    last: int
    who: tuple[tuple[int, int], ...]

    def details(self) -> dict[str, Any]:
        return {"last": self.last, "who": [list(pair) for pair in self.who]}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        _there(entries, self.number)
        _there(entries, self.last)
        return [self._entry(entry, place) for place, entry in enumerate(entries, start=1)]

    def seated(self, players: Sequence[int]) -> tuple[int, ...]:
        """Who sat where `players` are written down, by seat."""
        sat = dict(self.who)
        return tuple(sat.get(player, player) for player in players)

    def _entry(self, entry: Entry, place: int) -> Entry:
        # Where the range begins and after it has ended, the deal would go to whoever is in the row now.
        held = replace(entry, holds=place in (self.number, self.last + 1))
        if not self.number <= place <= self.last:
            return held
        sat = dict(self.who)
        return replace(
            held,
            players=self.seated(entry.players),
            dealer_id=None if entry.dealer_id is None else sat.get(entry.dealer_id, entry.dealer_id),
            dealt_id=None if entry.dealt_id is None else sat.get(entry.dealt_id, entry.dealt_id),
        )


def _held(entries: list[Entry], keep: bool) -> list[Entry]:
    return [replace(entry, holds=keep and entry.number > 0) for entry in entries]


def _there(entries: Sequence[Entry], number: int) -> Entry:
    if not 1 <= number <= len(entries):
        raise _no_hand(number)
    return entries[number - 1]


def _no_hand(number: int) -> Refused:
    return Refused(
        status=404, code="number", sentence=_("There is no hand %(number)d.") % {"number": number}, at="number"
    )
