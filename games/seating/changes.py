"""Seating changes of a table between two hands, as plain data: the request, and the tables after it.

A seating change leaves stored hands as they are. Coins move between pots only, never to or from a player's account.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from django.utils.translation import gettext as _

from .. import engine_bridge
from ..errors import Refused
from ..hands import chain as chains
from ..models import Happening

NEWCOMER = 0
"""The player id of a guest who is not in the roster yet."""


@dataclass(frozen=True)
class TableState:
    """A table between two hands: the players in the order of play, the next dealer, and the pot (Rappen).

    `pk` is 0 for a table that is not stored yet. `dealer_set`: the dealer was named and does not follow from the hands.
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
class EveningTables:
    """The tables of an evening between two hands: the one that a change is about (`here`), and the others that play.

    `rules` are the evening's house rules as stored, `numbers` is the highest table number of the evening.
    """

    game: str
    rules: Mapping[str, Any]
    here: TableState
    others: tuple[TableState, ...] = ()
    numbers: int = 1

    def other(self, pk: int) -> TableState:
        """Another table of the evening. Raises `Refused` (409) if it does not play any more."""
        state = next((other for other in self.others if other.pk == pk), None)
        if state is None:
            raise refused(409, "table", _("That table is no longer playing. Reload the page."))
        return state


Data = dict[str, Any]


class SeatingChange(Protocol):
    """One seating change; `kind` is the kind of its happening."""

    kind: ClassVar[Happening.Kind]

    def requested(self) -> Data:
        """The request as plain data."""
        ...

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        """The tables that change, in their new state; first the one that the change is about. Raises `Refused`."""
        ...

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        """The data of the happening, for each of the tables `after`."""
        ...


def refused(status: int, code: str, sentence: str, path: str = "") -> Refused:
    """Return a refusal."""
    return Refused(status=status, code=code, sentence=sentence, at=path)


def sit(state: TableState, players: Sequence[int]) -> TableState:
    """The table with these players. If the dealer is not among them, the next player deals, with a first deal."""
    dealer = chains.next_dealer(state.dealer_id, state.players, players)
    if dealer == state.dealer_id:
        return replace(state, players=tuple(players))
    return replace(state, players=tuple(players), dealer_id=dealer, deal_number=1, dealer_set=True)


def check_seats(tables: EveningTables, number: int, count: int) -> None:
    """Raises `Refused` (422) if `count` players are too many or too few for a table."""
    least, most = engine_bridge.SEATS[tables.game]
    values = {"count": count, "number": number, "game": tables.game.title(), "least": least, "most": most}
    if count > most:
        sentence = _(
            "There would be %(count)d at table %(number)d; %(game)s is for %(least)d to %(most)d. Divide the table"
            " first, or let somebody leave."
        )
        raise refused(422, "seats", sentence % values, "players")
    if count < least:
        sentence = _(
            "There would be %(count)d at table %(number)d; %(game)s is for %(least)d to %(most)d. Let somebody else"
            " come first, join the tables, or end the evening."
        )
        raise refused(422, "seats", sentence % values, "players")


def check_here(state: TableState, player: int) -> None:
    """Raises `Refused` (409) if the player does not sit at the table."""
    if player not in state.players:
        raise refused(409, "seating", _("This player does not sit at this table. Reload the page."), "player")


def new_dealer(before: TableState, after: TableState) -> Data:
    """The new dealer for the data of a happening; empty if the dealer stays."""
    return {} if before.dealer_id == after.dealer_id else {"deals": after.dealer_id}


@dataclass(frozen=True)
class _OfPlayer:
    """A seating change that names one player."""

    player_id: int

    def requested(self) -> Data:
        return {"player": self.player_id}


class _WithoutData:
    """A seating change that needs no data."""

    def requested(self) -> Data:
        return {}

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        return [{}]


@dataclass(frozen=True)
class Arrive:
    """A player of the roster or a guest sits down after another player."""

    kind: ClassVar = Happening.Kind.ARRIVED
    player_id: int
    after_id: int

    def requested(self) -> Data:
        return {"player": self.player_id, "after": self.after_id}

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        here = tables.here
        check_here(here, self.after_id)
        if self.player_id in here.players:
            raise refused(409, "seating", _("This player already sits here."), "player")
        there = next((state.number for state in tables.others if self.player_id in state.players), None)
        if there is not None:
            sentence = _("This player sits at table %(number)d and has to leave there first.") % {"number": there}
            raise refused(409, "seating", sentence, "player")
        check_seats(tables, here.number, len(here.players) + 1)
        place = here.players.index(self.after_id) + 1
        return (sit(here, (*here.players[:place], self.player_id, *here.players[place:])),)

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        return [{"player": self.player_id, "after": self.after_id}]


@dataclass(frozen=True)
class Leave(_OfPlayer):
    """A player leaves."""

    kind: ClassVar = Happening.Kind.LEFT

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        here = tables.here
        check_here(here, self.player_id)
        check_seats(tables, here.number, len(here.players) - 1)
        return (sit(here, tuple(player for player in here.players if player != self.player_id)),)

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        return [{"player": self.player_id} | new_dealer(tables.here, after[0])]


@dataclass(frozen=True)
class Order:
    """The players change the order of play."""

    kind: ClassVar = Happening.Kind.SWAPPED
    players: tuple[int, ...]

    def requested(self) -> Data:
        return {"players": list(self.players)}

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        here = tables.here
        if sorted(self.players) != sorted(here.players):
            raise refused(409, "seating", _("Others sit at this table by now. Reload the page."), "order")
        if self.players == here.players:
            raise refused(409, "same", _("They already sit like that."), "order")
        return (sit(here, self.players),)

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        moved = [old for old, new in zip(tables.here.players, self.players, strict=True) if old != new]
        return [{"players": list(self.players)} | ({"pair": moved} if len(moved) == 2 else {})]


@dataclass(frozen=True)
class NameDealer(_OfPlayer):
    """Another player deals the next hand: the first dealer was wrong, or a turn is skipped."""

    kind: ClassVar = Happening.Kind.DEALER

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        here = tables.here
        check_here(here, self.player_id)
        if self.player_id == here.dealer_id:
            raise refused(409, "same", _("This player already deals the next hand."), "player")
        return (replace(here, dealer_id=self.player_id, deal_number=1, dealer_set=True),)

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        return [{"player": self.player_id, "instead": tables.here.dealer_id}]


@dataclass(frozen=True)
class Pause(_WithoutData):
    """A pause begins."""

    kind: ClassVar = Happening.Kind.PAUSED

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        if tables.here.paused:
            raise refused(409, "same", _("This table already has its pause."))
        return (replace(tables.here, paused=True),)


@dataclass(frozen=True)
class Resume(_WithoutData):
    """A pause ends."""

    kind: ClassVar = Happening.Kind.RESUMED

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        if not tables.here.paused:
            raise refused(409, "same", _("This table has no pause."))
        return (replace(tables.here, paused=False),)


@dataclass(frozen=True)
class Split:
    """Some players go to a new table, in their order of play; one of them deals first.

    The pot stays, or is divided by heads in whole coins (`by_heads`); the rest of the division stays.
    """

    kind: ClassVar = Happening.Kind.SPLIT
    players: tuple[int, ...]
    dealer_id: int
    by_heads: bool = False

    def requested(self) -> Data:
        return {"players": sorted(self.players), "dealer": self.dealer_id, "by_heads": self.by_heads}

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        here = tables.here
        for player in self.players:
            check_here(here, player)
        go = tuple(player for player in here.players if player in self.players)
        stay = tuple(player for player in here.players if player not in self.players)
        number = tables.numbers + 1
        check_seats(tables, number, len(go))
        check_seats(tables, here.number, len(stay))
        if self.dealer_id not in go:
            raise refused(
                422, "dealer", _("Say who deals first at the new table: one of those who go there."), "dealer"
            )
        coins = by_heads(tables, len(go)) if self.by_heads else 0
        new = TableState(pk=0, number=number, players=go, dealer_id=self.dealer_id, pot_minor=coins)
        return replace(sit(here, stay), pot_minor=here.pot_minor - coins), new

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        here, new = after
        went = {"players": list(new.players), "coins": new.pot_minor}
        return [
            went | {"to": new.number} | new_dealer(tables.here, here),
            went | {"from": here.number, "deals": new.dealer_id},
        ]


def by_heads(tables: EveningTables, heads: int) -> int:
    """The part of the pot for `heads` of the players, in whole coins; the odd coins stay."""
    coin = int(engine_bridge.house_rules(tables.game, tables.rules)["coin"])
    here = tables.here
    return here.pot_minor * heads // (len(here.players) * coin) * coin


@dataclass(frozen=True)
class Merge:
    """All players go to another table with the pot, and sit down after one of the players there."""

    kind: ClassVar = Happening.Kind.MERGED
    into: int
    after_id: int

    def requested(self) -> Data:
        return {"into": self.into, "after": self.after_id}

    def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
        here, there = tables.here, tables.other(self.into)
        check_here(there, self.after_id)
        check_seats(tables, there.number, len(there.players) + len(here.players))
        place = there.players.index(self.after_id) + 1
        players = (*there.players[:place], *here.players, *there.players[place:])
        return (
            replace(here, pot_minor=0, dissolved=True, paused=False),
            replace(sit(there, players), pot_minor=there.pot_minor + here.pot_minor),
        )

    def happening_data(self, tables: EveningTables, after: Sequence[TableState]) -> list[Data]:
        here, there = after
        went = {"players": list(here.players), "coins": tables.here.pot_minor}
        return [went | {"to": there.number}, went | {"from": here.number}]
