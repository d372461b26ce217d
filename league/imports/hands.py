"""The port to the games: the hands of a file are checked, stored and taken back by the rules of their game.

The league has no card rules: the app that stores hands registers itself in `of_games` (`games/apps.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..models import Evening, HouseRules, User

Person = int | str
"""A player's id, or the name of a player whom the import adds."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A row of the file: one seat of a hand. `row` counts from 1; `cells`: the cells of the game's columns, by their
    codes. `deals`: this seat deals. `change_minor` and `pot_after_minor` (Rappen) are amounts given in the file, None
    where it has none. `amount` and `pot` are the codes of their columns."""

    row: int
    person: Person
    name: str
    cells: Mapping[str, str]
    deals: bool = False
    change_minor: int | None = None
    pot_after_minor: int | None = None
    amount: str = "amount"
    pot: str = "pot_after"


@dataclass(frozen=True, slots=True)
class HandRows:
    """The seats of a hand in the order of play. `whole`: no cell of it is wrong so far."""

    number: int
    seats: tuple[SeatRow, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class TableRows:
    """The hands of a table in order; the first one has the number 1."""

    number: int
    hands: tuple[HandRows, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on a cell: its row, the code of its column, a sentence."""

    row: int
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CheckedHand:
    """A hand as it is stored: its players by seat, its record without the data that the earlier hands determine, and
    the gain of each seat (Rappen). `dealer_set`: the file names another dealer than the one whose turn it is."""

    players: tuple[Person, ...]
    record: Mapping[str, Any]
    dealer_set: bool
    deltas: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """A table with the hands that are stored, the dealer of the first one and the dealer of the next one."""

    number: int
    first_dealer: Person
    next_dealer: Person
    hands: tuple[CheckedHand, ...]


@dataclass(frozen=True, slots=True)
class CheckedEvening:
    """The tables of an evening, each person's part of the pots at its end (Rappen), and the remarks on its cells. With
    a fault it cannot be stored."""

    tables: tuple[CheckedTable, ...] = ()
    shares: Mapping[Person, int] = field(default_factory=dict)
    faults: tuple[Remark, ...] = ()
    warnings: tuple[Remark, ...] = ()


Played = Mapping[int, Sequence[tuple[tuple[Person, ...], str]]]
"""The hands of an evening for comparison, by table: the players by seat, and what was said and done as text."""


class ImportedHands(Protocol):
    """The port: the functions of the games for an import of hands."""

    def columns(self, game: str) -> Sequence[Any]:
        """Return the columns that only this game has (`league.imports.columns.Column`)."""

    def needed(self, game: str) -> Sequence[Sequence[str]]:
        """Return the required columns: of each group at least one."""

    def sample(self, game: str) -> Sequence[Sequence[str]]:
        """Return a file of an evening without its date: a heading, and the rows of some hands."""

    def check(self, rules: HouseRules, tables: Sequence[TableRows], *, points_only: bool) -> CheckedEvening:
        """Replay the hands of an evening under these house rules. Nothing is stored, nothing is read."""

    def played(self, evenings: Sequence[Evening]) -> Mapping[int, Played]:
        """Return the valid hands of these evenings by the evening's id. Four queries."""

    def as_played(self, checked: CheckedEvening) -> Played:
        """Return the hands of a checked evening in the same form."""

    def store(
        self, evening: Evening, checked: CheckedEvening, players: Mapping[str, int], *, author: User | None
    ) -> None:
        """Store the tables and hands of a new evening, share its pots and mark its payments as paid. `players`: the ids
        of those whom the import added, by name. The caller holds the transaction."""

    def lock(self, evenings: Sequence[int]) -> None:
        """Lock these evenings and their tables, before the club's row."""

    def take_back(self, evening: Evening, *, author: User | None) -> None:
        """Void all hands of an evening, with its payments and its shared pots. The caller holds the transaction."""


_registered: list[ImportedHands] = []


def register(hands: ImportedHands) -> None:
    """Make the games known. Called once, when they are loaded."""
    _registered[:] = [hands]


def of_games() -> ImportedHands:
    """Return the port that the games registered."""
    return _registered[0]
