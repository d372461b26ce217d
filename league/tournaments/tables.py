"""The port to the games: making, reading and closing the tables of a round. A game registers itself in `of_games`.

A round is an evening in chips. Everything here runs in the caller's transaction, which holds the tournament's lock.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..models import Evening, HouseRules, User


@dataclass(frozen=True, slots=True)
class Seating:
    """A planned table: its number, and the ids of its players in the order of play. The first one deals first."""

    number: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """A table of a round: `hands` stored, chips in the `pot`, net chips of each player by id (without the pot).

    `address` opens its page. `recorder` is the holder of the pencil, or empty. `last_hand`: the
    last hand was announced.
    """

    number: int
    table_id: int
    players: tuple[int, ...]
    hands: int
    pot: int
    chips: Mapping[int, int]
    address: str
    recorder: str = ""
    last_hand: bool = False


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The result of a sheet: net chips by player id and the pot left; they add up to zero. `source` identifies
    the table's sheets in the ledger, `revision` counts them from 1."""

    source: uuid.UUID
    revision: int
    chips: Mapping[int, int]
    pot: int


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A valid hand: the ids of its players by seat, and its record without game, rules and number of seats.
    `dealer_set`: the dealer was named; `moved`: chips that came into the pot before it other than by a hand."""

    players: tuple[int, ...]
    record: Mapping[str, Any]
    dealer_set: bool = False
    moved: int = 0


@dataclass(frozen=True, slots=True)
class TableRecords:
    """The hands of a table in their order, and its current people and dealer."""

    number: int
    players: tuple[int, ...]
    dealer: int
    dealer_set: bool
    hands: tuple[HandRecord, ...]


class TableBegun(Exception):
    """A hand was stored at a table that should change."""

    def __init__(self, number: int) -> None:
        super().__init__(f"table {number} has begun")
        self.number = number


class RoundTables(Protocol):
    """The port: the functions of the games for a round."""

    def games(self) -> Mapping[str, str]:
        """Return the games that can be played, code → name."""

    def sizes(self, game: str) -> tuple[int, int]:
        """Return the least and the greatest number of players at a table."""

    def house_rules(self, club_id: int, game: str) -> HouseRules:
        """Return the newest house rules of a club for this game, created with the defaults if it has none."""

    def ante(self, rules: HouseRules) -> int:
        """Return the ante in whole chips."""

    def open(self, evening: Evening, seatings: Sequence[Seating]) -> None:
        """Create the tables of a round."""

    def reseat(self, evening: Evening, seatings: Sequence[Seating]) -> None:
        """Make the tables of these seatings; tables that stay the same are not touched.

        Raises:
            TableBegun: a table that changes or goes has a stored hand.
        """

    def substitute(self, evening: Evening, left: int, came: int) -> None:
        """Give the place of a player at a table without hands to another one. Raises `TableBegun`."""

    def states(self, evening: Evening) -> dict[int, TableState]:
        """Return the tables by number. A fixed number of queries."""

    def close(
        self, evening: Evening, *, divide_pots: bool, sheets: Mapping[int, SheetResult], author: User | None
    ) -> None:
        """Close the evening: post the sheets (by table number), and divide each pot among those at its table in whole
        chips, those left over one each in the order of play from the next dealer on; or leave the pots.

        Raises:
            TableBegun: a table with a sheet has a stored hand.
            Refused: 409 where the round is closed.
            LedgerFault: a sheet that does not add up to zero, or not of the players at its table.
        """

    def reopen(self, evening: Evening, *, author: User | None, reason: str) -> None:
        """Reverse the posting of `close`; the evening is open again. Raises Refused (409) where it is open."""

    def records(self, evening: Evening) -> list[TableRecords]:
        """Return the tables with a stored hand, in the order of their numbers. A fixed number of queries."""

    def replay_records(self, evening: Evening, tables: Sequence[TableRecords], *, author: User | None) -> None:
        """Store these hands at the tables of an open round, which have none.

        Raises:
            Refused: 422 for a hand that breaks a clause, or that does not begin where the hand before it ended.
        """

    def house_rules_with(
        self, club_id: int, game: str, values: Mapping[str, Any], *, author: User | None
    ) -> HouseRules:
        """Return a version of the club's house rules with these values; the club's newest rules stay as they are.

        Raises:
            Refused: 422 for an unknown rule or an impossible value.
        """


_registered: list[RoundTables] = []


def register(tables: RoundTables) -> None:
    """Make the games known. Called once, when they are loaded."""
    _registered[:] = [tables]


def of_games() -> RoundTables:
    """Return the port that the games registered."""
    return _registered[0]
