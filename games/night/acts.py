"""What can happen at a table between two hands. An act is data: what is asked for, and the tables that it leaves.

No act changes what a hand brought. Coins move from pot to pot, never to or from a purse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from django.utils.translation import gettext as _

from .. import chain as chains
from .. import recording
from ..errors import Refused
from ..models import Happening

NEWCOMER = 0
"""Stands for a guest who is not in the roster yet."""


@dataclass(frozen=True)
class At:
    """A table between two hands: who sits there in the order of play, who deals next, and the pot (Rappen).

    `pk` is 0 for a table that is only just opened; `dealer_set`: somebody said who deals, the hands did not.
    """

    pk: int
    number: int
    players: tuple[int, ...]
    dealer_id: int
    deal_number: int = 1
    dealer_set: bool = False
    pot_minor: int = 0
    hands: int = 0
    paused: bool = False
    dissolved: bool = False


@dataclass(frozen=True)
class Night:
    """The tables of an evening between two hands: the one that it is about, and the others that still play.

    `rules` are the evening's house rules as stored, `numbers` how many tables the evening has had.
    """

    game: str
    rules: Mapping[str, Any]
    here: At
    others: tuple[At, ...] = ()
    numbers: int = 1

    def other(self, pk: int) -> At:
        """Another table of the evening. Raises `Refused` (409) where it does not play any more."""
        found = next((at for at in self.others if at.pk == pk), None)
        if found is None:
            raise refused(409, "table", _("That table does not play any more. Load the page again."))
        return found


Data = dict[str, Any]


class Act(Protocol):
    """One act; `kind` is what the story of the night calls it."""

    kind: ClassVar[Happening.Kind]

    def asked(self) -> Data:
        """What is asked for, as plain data."""
        ...

    def apply(self, night: Night) -> tuple[At, ...]:
        """The tables that are different then; the one that it is about comes first. Raises `Refused`."""
        ...

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        """What the story keeps of it, for each of these tables."""
        ...


def refused(status: int, code: str, sentence: str, at: str = "") -> Refused:
    """A refusal in one line."""
    return Refused(status=status, code=code, sentence=sentence, at=at)


def sit(at: At, players: Sequence[int]) -> At:
    """The table with these players. Where the dealer is not among them, the next one deals, with a first deal."""
    dealer = chains.next_dealer(at.dealer_id, at.players, players)
    if dealer == at.dealer_id:
        return replace(at, players=tuple(players))
    return replace(at, players=tuple(players), dealer_id=dealer, deal_number=1, dealer_set=True)


def check_seats(night: Night, number: int, count: int) -> None:
    """Raises `Refused` (422) where so many cannot play at a table."""
    least, most = recording.SEATS[night.game]
    words = {"count": count, "number": number, "game": night.game.title(), "least": least, "most": most}
    if count > most:
        sentence = _(
            "There would be %(count)d at table %(number)d; %(game)s is for %(least)d to %(most)d. Divide the table"
            " first, or let somebody leave."
        )
        raise refused(422, "seats", sentence % words, "players")
    if count < least:
        sentence = _(
            "There would be %(count)d at table %(number)d; %(game)s is for %(least)d to %(most)d. Let somebody else"
            " come first, join the tables, or end the evening."
        )
        raise refused(422, "seats", sentence % words, "players")


def check_here(at: At, player: int) -> None:
    """Raises `Refused` (409) for who does not sit at the table."""
    if player not in at.players:
        raise refused(409, "seating", _("This player does not sit at this table. Load the page again."), "player")


def moved_deal(before: At, after: At) -> Data:
    """Who deals now, for the story, where that changed."""
    return {} if before.dealer_id == after.dealer_id else {"deals": after.dealer_id}


@dataclass(frozen=True)
class Arrive:
    """Somebody sits down after another player: somebody of the roster, or a guest whose nickname was typed."""

    kind: ClassVar = Happening.Kind.ARRIVED
    player_id: int
    after_id: int

    def asked(self) -> Data:
        return {"player": self.player_id, "after": self.after_id}

    def apply(self, night: Night) -> tuple[At, ...]:
        here = night.here
        check_here(here, self.after_id)
        if self.player_id in here.players:
            raise refused(409, "seating", _("This player sits here already."), "player")
        there = next((at.number for at in night.others if self.player_id in at.players), None)
        if there is not None:
            sentence = _("This player sits at table %(number)d and has to leave there first.") % {"number": there}
            raise refused(409, "seating", sentence, "player")
        check_seats(night, here.number, len(here.players) + 1)
        place = here.players.index(self.after_id) + 1
        return (sit(here, (*here.players[:place], self.player_id, *here.players[place:])),)

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        return [{"player": self.player_id, "after": self.after_id}]


@dataclass(frozen=True)
class Leave:
    """Somebody goes."""

    kind: ClassVar = Happening.Kind.LEFT
    player_id: int

    def asked(self) -> Data:
        return {"player": self.player_id}

    def apply(self, night: Night) -> tuple[At, ...]:
        here = night.here
        check_here(here, self.player_id)
        check_seats(night, here.number, len(here.players) - 1)
        return (sit(here, tuple(player for player in here.players if player != self.player_id)),)

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        return [{"player": self.player_id} | moved_deal(night.here, after[0])]


@dataclass(frozen=True)
class Order:
    """The same people in another order."""

    kind: ClassVar = Happening.Kind.SWAPPED
    players: tuple[int, ...]

    def asked(self) -> Data:
        return {"players": list(self.players)}

    def apply(self, night: Night) -> tuple[At, ...]:
        here = night.here
        if sorted(self.players) != sorted(here.players):
            raise refused(409, "seating", _("Others sit at this table by now. Load the page again."), "order")
        if self.players == here.players:
            raise refused(409, "same", _("That is how they sit already."), "order")
        return (sit(here, self.players),)

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        moved = [old for old, new in zip(night.here.players, self.players, strict=True) if old != new]
        return [{"players": list(self.players)} | ({"pair": moved} if len(moved) == 2 else {})]


@dataclass(frozen=True)
class NameDealer:
    """Somebody else deals the next hand: the first dealer was wrong, or a turn is skipped."""

    kind: ClassVar = Happening.Kind.DEALER
    player_id: int

    def asked(self) -> Data:
        return {"player": self.player_id}

    def apply(self, night: Night) -> tuple[At, ...]:
        here = night.here
        check_here(here, self.player_id)
        if self.player_id == here.dealer_id:
            raise refused(409, "same", _("This player deals the next hand already."), "player")
        return (replace(here, dealer_id=self.player_id, deal_number=1, dealer_set=True),)

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        return [{"player": self.player_id, "instead": night.here.dealer_id}]


@dataclass(frozen=True)
class Pause:
    """The table rests."""

    kind: ClassVar = Happening.Kind.PAUSED

    def asked(self) -> Data:
        return {}

    def apply(self, night: Night) -> tuple[At, ...]:
        if night.here.paused:
            raise refused(409, "same", _("This table has its pause already."))
        return (replace(night.here, paused=True),)

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        return [{}]


@dataclass(frozen=True)
class Resume:
    """The pause is over."""

    kind: ClassVar = Happening.Kind.RESUMED

    def asked(self) -> Data:
        return {}

    def apply(self, night: Night) -> tuple[At, ...]:
        if not night.here.paused:
            raise refused(409, "same", _("This table has no pause."))
        return (replace(night.here, paused=False),)

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        return [{}]


@dataclass(frozen=True)
class Split:
    """Some go to a new table, in the order in which they sat, with one of them dealing first.

    The pot stays where it is, or goes by heads in whole coins (`by_heads`); what cannot be divided stays.
    """

    kind: ClassVar = Happening.Kind.SPLIT
    players: tuple[int, ...]
    dealer_id: int
    by_heads: bool = False

    def asked(self) -> Data:
        return {"players": sorted(self.players), "dealer": self.dealer_id, "by_heads": self.by_heads}

    def apply(self, night: Night) -> tuple[At, ...]:
        here = night.here
        for player in self.players:
            check_here(here, player)
        go = tuple(player for player in here.players if player in self.players)
        stay = tuple(player for player in here.players if player not in self.players)
        number = night.numbers + 1
        check_seats(night, number, len(go))
        check_seats(night, here.number, len(stay))
        if self.dealer_id not in go:
            raise refused(
                422, "dealer", _("Say who deals first at the new table: one of those who go there."), "dealer"
            )
        coins = by_heads(night, len(go)) if self.by_heads else 0
        new = At(pk=0, number=number, players=go, dealer_id=self.dealer_id, pot_minor=coins)
        return replace(sit(here, stay), pot_minor=here.pot_minor - coins), new

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        here, new = after
        went = {"players": list(new.players), "coins": new.pot_minor}
        return [
            went | {"to": new.number} | moved_deal(night.here, here),
            went | {"from": here.number, "deals": new.dealer_id},
        ]


def by_heads(night: Night, heads: int) -> int:
    """What so many of those who sit here take of the pot, in whole coins; the odd coins stay."""
    coin = int(recording.house_rules(night.game, night.rules)["coin"])
    here = night.here
    return here.pot_minor * heads // (len(here.players) * coin) * coin


@dataclass(frozen=True)
class Merge:
    """Everybody here goes to another table with the pot, and sits down after one of those who sit there."""

    kind: ClassVar = Happening.Kind.MERGED
    into: int
    after_id: int

    def asked(self) -> Data:
        return {"into": self.into, "after": self.after_id}

    def apply(self, night: Night) -> tuple[At, ...]:
        here, there = night.here, night.other(self.into)
        check_here(there, self.after_id)
        check_seats(night, there.number, len(there.players) + len(here.players))
        place = there.players.index(self.after_id) + 1
        players = (*there.players[:place], *here.players, *there.players[place:])
        return (
            replace(here, pot_minor=0, dissolved=True, paused=False),
            replace(sit(there, players), pot_minor=there.pot_minor + here.pot_minor),
        )

    def told(self, night: Night, after: Sequence[At]) -> list[Data]:
        here, there = after
        went = {"players": list(here.players), "coins": night.here.pot_minor}
        return [went | {"to": there.number}, went | {"from": here.number}]
