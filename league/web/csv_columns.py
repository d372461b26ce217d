"""The columns of CSV files: heading and kind, and the words of codes in the files for people (Excel and XLSX).

The columns of several rooms are below. Those of one room are registered by the module that lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy

from ..models import ResultRow
from ..played_games import GAMES
from .report_table import Column, Kind

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

AMOUNT = "_minor"
"""The end of the name of a column of amounts."""

Labels = Mapping[str, "str | _StrPromise"]

COLUMNS: dict[str, Column] = {}
CODES: dict[str, Labels] = {}
"""Code to text, by the name of the column. Other columns have no codes."""


def register_columns(*columns: Column, codes: Mapping[str, Labels] | None = None) -> None:
    """Add the columns of a room, and the words of their codes by the name of the column. Raises ValueError if a column
    is given twice or registered already: a name has the same heading in all files."""
    _refuse_twice([column.name for column in columns])
    COLUMNS.update((column.name, column) for column in columns)
    CODES.update(codes or {})


def _refuse_twice(names: Sequence[str]) -> None:
    for name in names:
        if name in COLUMNS or names.count(name) > 1:
            raise ValueError(f"column registered twice: {name}; one of several rooms belongs in {__name__}")


def column_of(name: str, *, summed: bool = False) -> Column:
    """Return the column of a list in an XLSX file; `summed`: the row of sums adds it up."""
    return replace(COLUMNS[name], summed=summed)


def heading(name: str, currency: str) -> str:
    """Return the heading in the reader's language; that of an amount names the currency."""
    return COLUMNS[name].headed(currency)


def texts_of(columns: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the texts of the codes in the language of now, by column; only of columns with codes."""
    return {column: {code: str(text) for code, text in CODES[column].items()} for column in columns if column in CODES}


COMMON = (
    Column("rank", pgettext_lazy("column", "Rank"), Kind.NUMBER),
    Column("player_id", pgettext_lazy("column", "Player no."), Kind.NUMBER),
    Column("player", pgettext_lazy("column", "Player")),
    Column("points", pgettext_lazy("column", "Points"), Kind.POINTS),
    Column("balance_minor", pgettext_lazy("column", "Balance"), Kind.AMOUNT),
    Column("evenings", pgettext_lazy("column", "Evenings"), Kind.COUNT),
    Column("hands", pgettext_lazy("column", "Hands"), Kind.COUNT),
    Column("declared", pgettext_lazy("column", "Declared"), Kind.COUNT),
    Column("declared_made", pgettext_lazy("column", "Declared and made"), Kind.COUNT),
    Column("joined", pgettext_lazy("column", "Joined"), Kind.COUNT),
    Column("joined_made", pgettext_lazy("column", "Joined and made"), Kind.COUNT),
    Column("out", pgettext_lazy("column", "Out"), Kind.COUNT),
    Column("blinds", pgettext_lazy("column", "Blind"), Kind.COUNT),
    Column("blinds_made", pgettext_lazy("column", "Blind and made"), Kind.COUNT),
    Column("walkovers", pgettext_lazy("column", "Walkovers"), Kind.COUNT),
    Column("susi", pgettext_lazy("column", "Susi"), Kind.NUMBER),
    Column("musses", pgettext_lazy("column", "Muss hands"), Kind.COUNT),
    Column("musses_made", pgettext_lazy("column", "Muss hands made"), Kind.COUNT),
    Column("evening", pgettext_lazy("column", "Evening"), Kind.NUMBER),
    Column("held_on", pgettext_lazy("column", "Date"), Kind.DATE),
    Column("evening_id", pgettext_lazy("column", "Evening, address"), Kind.NUMBER),
    Column("hand_id", pgettext_lazy("column", "Hand, key")),
    Column("revision", pgettext_lazy("column", "Revision"), Kind.NUMBER),
    Column("seat", pgettext_lazy("column", "Seat"), Kind.NUMBER),
    Column("role", pgettext_lazy("column", "Role")),
    Column("made", pgettext_lazy("column", "Made"), Kind.NUMBER),
    Column("tricks", pgettext_lazy("column", "Tricks"), Kind.COUNT),
    Column("blind", pgettext_lazy("column", "Blind")),
    Column("change_minor", pgettext_lazy("column", "Change"), Kind.AMOUNT),
    Column("muss", pgettext_lazy("column", "Muss"), Kind.NUMBER),
    Column("imported", pgettext_lazy("column", "Imported"), Kind.NUMBER),
    Column("paid_on", pgettext_lazy("column", "Paid on"), Kind.DATE),
    Column("amount_minor", pgettext_lazy("column", "Amount"), Kind.AMOUNT),
    Column("game", pgettext_lazy("column", "Game")),
    Column("payment_id", pgettext_lazy("column", "Payment, key")),
    Column("season", pgettext_lazy("column", "Season")),
    Column("fee", pgettext_lazy("column", "Member fee")),
)
register_columns(
    *COMMON,
    codes={
        "role": dict(ResultRow.Role.choices),
        "blind": {"blind": pgettext_lazy("outcome", "blind"), "double": pgettext_lazy("outcome", "double blind")},
        "game": {game.name: game.title for game in GAMES.values()},
    },
)
