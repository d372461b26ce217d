"""How the records of a game are read, written and corrected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engine_bridge import Record
from .card_words import CardWords
from .file_cells import FileCells
from .hand_words import Given, HandWords
from .mistakes import Mistakes
from .paper_line import PaperLine
from .splitter import Splitter

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def _no_columns(_record: Given, _result: Given, _seat: int) -> dict[str, Any]:
    return {}


def _no_fields(_tally: Given) -> dict[str, str]:
    return {}


def _no_call(_record: Given, _result: Given) -> str | None:
    return None


def _no_seven(_record: Given, _result: Given) -> bool:
    return False


def declared_roles(tally: Given, seats: int) -> list[str]:
    """The role of each seat in a game with a declarer."""
    declarer = tally["declarer"]
    joiners = [] if declarer is None else tally.get("joiners", [])
    return ["declarer" if seat == declarer else "joiner" if seat in joiners else "out" for seat in range(seats)]


@dataclass(frozen=True)
class Records:
    """How the records of a game are read, written and corrected.

    - `clauses` are sentences for the clauses of its rulebook that a hand can break.
    - `words` are for a hand in words, `cards` for one card by card, `paper` for one as a typed line, `cells` for one in
      a file, `splitter` for the pot splitter, `mistakes` for the difference finder.
    - `tally_of` returns the tally of a record with cards, from this and its result.
    - `roles_of` returns the role of each seat (declarer, joiner, out) from a tally and the number of seats;
      `entry_fields` returns the fields of the entry that only this game has, from a tally.
    - `keeps_dealers`: a corrected hand leaves the later hands their dealers, as these have paid for the deal.
    - `has_forced_hands`: after some results everybody has to play the next hand.
    - `wrong_number` refuses a number of players.
    - `columns` are those of a seat in the file of an evening's hands that not every game has: `muss`, `game_type`,
      `siebenermuss`, `cuts`. `game_type_of` is the call, `is_siebenermuss` is true if a seven decided the trump.
    """

    clauses: Mapping[str, str | _StrPromise]
    words: HandWords
    cards: CardWords
    paper: PaperLine
    cells: FileCells
    splitter: Splitter
    mistakes: Mistakes
    tally_of: Callable[[Given, Given], Record]
    roles_of: Callable[[Given, int], list[str]]
    keeps_dealers: bool
    has_forced_hands: bool
    wrong_number: Callable[[int], str]
    entry_fields: Callable[[Given], dict[str, str]] = _no_fields
    columns: Callable[[Given, Given, int], dict[str, Any]] = _no_columns
    game_type_of: Callable[[Given, Given], str | None] = _no_call
    is_siebenermuss: Callable[[Given, Given], bool] = _no_seven
