"""Edits of the list of a table's hands. An edit is plain data, and makes a new list from the old one.

Numbers count from 1, as on the page. With `keep` the later hands keep their dealers; without it the deal moves along
with the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Correction
from .replay import Entry, in_place


class Edit(Protocol):
    """One edit: its `kind`, the `number` of the first hand that it changes, and `details` with everything else."""

    kind: ClassVar[Correction.Kind]

    @property
    def number(self) -> int: ...

    def details(self) -> dict[str, Any]:
        """The other values of the edit, as plain data."""
        ...

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        """The new list. Raises `Refused` (404) for a hand that is not there."""
        ...


@dataclass(frozen=True)
class Change:
    """Replace the record of hand `number` by `sent` (without the fields of the chain), with these players by seat.

    `dealer_id` names the dealer; None leaves it as it was. The hand gets number 0, like a new one: the page then shows
    an error in it as an error of this hand, and not of a later one.
    """

    kind: ClassVar = Correction.Kind.CHANGED
    number: int
    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    dealer_id: int | None = None
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return _hand_details(self)

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        old = _entry_at(entries, self.number)
        named = self.dealer_id if self.dealer_id is not None else old.dealer_id
        new = replace(
            old,
            players=self.players,
            sent=dict(self.sent),
            dealer_id=named if named in self.players else None,
            number=0,
        )
        return _keep_dealers([*entries[: self.number - 1], new, *entries[self.number :]], self.keep)


@dataclass(frozen=True)
class NewHand:
    """Another record for hand `number`, with these players by seat.

    `dealt_id` is its dealer: out of turn that dealer counts as named. None leaves a dealer who was
    named before it.
    """

    number: int
    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    dealt_id: int | None = None

    def details(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "players": list(self.players),
            "record": dict(self.sent),
            "dealer": self.dealt_id,
        }

    def entry(self, old: Entry) -> Entry:
        """The entry in place of `old`. It gets number 0, as in `Change`."""
        new = replace(old, players=self.players, sent=dict(self.sent), number=0)
        if self.dealt_id is not None:
            return replace(new, dealer_id=None, dealt_id=self.dealt_id, keeps_dealer=True)
        return replace(new, dealer_id=old.dealer_id if old.dealer_id in self.players else None)


@dataclass(frozen=True)
class ChangeSeveral:
    """Replace the records of several hands, in the order of their numbers, as one correction.

    After some of them alone a later hand could be impossible.
    """

    kind: ClassVar = Correction.Kind.CHANGED
    hands: tuple[NewHand, ...]
    keep: bool = False

    @property
    def number(self) -> int:
        return self.hands[0].number

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the hands that are replaced."""
        return tuple(hand.number for hand in self.hands)

    def details(self) -> dict[str, Any]:
        return {"hands": [hand.details() for hand in self.hands], "keep": self.keep}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        becomes = {hand.number: hand.entry(_entry_at(entries, hand.number)) for hand in self.hands}
        kept = _keep_dealers(list(entries), self.keep)
        return [becomes.get(place, entry) for place, entry in enumerate(kept, start=1)]


@dataclass(frozen=True)
class TakeOut:
    """Remove hand `number`; the later hands move up. Coins that came into the pot before it stay there."""

    kind: ClassVar = Correction.Kind.VOIDED
    number: int
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return {"keep": self.keep}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        gone, rest = _entry_at(entries, self.number), list(entries[self.number :])
        if rest:
            named = rest[0].dealer_id if rest[0].dealer_id is not None else gone.dealer_id
            rest[0] = replace(
                rest[0],
                moved_minor=rest[0].moved_minor + gone.moved_minor,
                dealer_id=named if named in rest[0].players else None,
            )
        return _keep_dealers([*entries[: self.number - 1], *rest], self.keep)


@dataclass(frozen=True)
class PutIn:
    """Insert a forgotten hand as hand `number`; the hands from there on move down. `recorder_id` enters it now."""

    kind: ClassVar = Correction.Kind.INSERTED
    number: int
    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    recorder_id: int | None = None
    dealer_id: int | None = None
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return _hand_details(self)

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        if not 1 <= self.number <= len(entries) + 1:
            raise _no_hand(self.number)
        new = Entry(self.players, dict(self.sent), self.dealer_id, 0, self.recorder_id)
        rest = list(entries[self.number - 1 :])
        if rest:
            # Coins that came in and a named dealer belong to the place, so the inserted hand gets them.
            named = self.dealer_id if self.dealer_id is not None else rest[0].dealer_id
            new = replace(new, moved_minor=rest[0].moved_minor, dealer_id=named if named in self.players else None)
            rest[0] = replace(rest[0], moved_minor=0, dealer_id=None)
        return _keep_dealers([*entries[: self.number - 1], new, *rest], self.keep)


@dataclass(frozen=True)
class Move:
    """Take hand `number` out and insert it again as hand `to`."""

    kind: ClassVar = Correction.Kind.MOVED
    number: int
    to: int
    keep: bool = False

    def details(self) -> dict[str, Any]:
        return {"to": self.to, "keep": self.keep}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        hand = _entry_at(entries, self.number)
        _entry_at(entries, self.to)
        rest = [entry for place, entry in enumerate(entries, start=1) if place != self.number]
        return _keep_dealers(in_place(entries, [*rest[: self.to - 1], hand, *rest[self.to - 1 :]]), self.keep)


@dataclass(frozen=True)
class Reseat:
    """Put other players into hands `number` to `last`; `who` has pairs of (recorded player, real player).

    The new player takes over everything that was recorded for the seat, the deal too.
    """

    kind: ClassVar = Correction.Kind.SEATS
    number: int
    last: int
    who: tuple[tuple[int, int], ...]

    def details(self) -> dict[str, Any]:
        return {"last": self.last, "who": [list(pair) for pair in self.who]}

    def apply(self, entries: Sequence[Entry]) -> list[Entry]:
        _entry_at(entries, self.number)
        _entry_at(entries, self.last)
        return [self._entry(entry, place) for place, entry in enumerate(entries, start=1)]

    def seated(self, players: Sequence[int]) -> tuple[int, ...]:
        """The players who sat there in place of the recorded `players`, by seat."""
        sat = dict(self.who)
        return tuple(sat.get(player, player) for player in players)

    def _entry(self, entry: Entry, place: int) -> Entry:
        # At the first hand of the range and at the first one after it the deal would otherwise move.
        kept = replace(entry, keeps_dealer=place in (self.number, self.last + 1))
        if not self.number <= place <= self.last:
            return kept
        sat = dict(self.who)
        return replace(
            kept,
            players=self.seated(entry.players),
            dealer_id=None if entry.dealer_id is None else sat.get(entry.dealer_id, entry.dealer_id),
            dealt_id=None if entry.dealt_id is None else sat.get(entry.dealt_id, entry.dealt_id),
        )


def place_of(edit: Edit, player: int) -> str:
    """Return the place of a player's id in an edit, as the API names it: `players[2]` or `who[0]`."""
    for name in ("players", "who"):
        for number, item in enumerate(edit.details().get(name, ())):
            if item == player or (isinstance(item, list) and player in item):
                return f"{name}[{number}]"
    return "players"


def _hand_details(edit: Change | PutIn) -> dict[str, Any]:
    return {
        "players": list(edit.players),
        "record": dict(edit.sent),
        "dealer": edit.dealer_id,
        "keep": edit.keep,
    }


def _keep_dealers(entries: list[Entry], keep: bool) -> list[Entry]:
    return [replace(entry, keeps_dealer=keep and entry.number > 0) for entry in entries]


def _entry_at(entries: Sequence[Entry], number: int) -> Entry:
    if not 1 <= number <= len(entries):
        raise _no_hand(number)
    return entries[number - 1]


def _no_hand(number: int) -> Refused:
    return Refused(
        status=404, code="number", sentence=_("There is no hand %(number)d.") % {"number": number}, at="number"
    )
