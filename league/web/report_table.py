"""A table of a report: columns with their kinds, rows, and a row of sums. Page, CSV, XLSX and PDF show the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..money import NONE, format_count, format_decimal, format_money, unit

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Value = str | int | Decimal | date | None
"""A cell. A decimal is an average of points. None is an empty cell: not known, or an amount that the reader may not
see."""


class Kind(StrEnum):
    """The kind of a column: how its cells are written and aligned. An amount is whole Rappen; a number only names
    something (an id, a rank) and has no separators."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    POINTS = "points"
    AMOUNT = "amount"
    DATE = "date"


@dataclass(frozen=True)
class Column:
    """A column. `name` is its heading in files for programs, `heading` the one for people.

    `signed`: a number above 0 has a plus. `summed`: the row of sums adds it up. `aside`: a phone leaves it out.
    """

    name: str
    heading: str | _StrPromise
    kind: Kind = Kind.TEXT
    signed: bool = False
    summed: bool = False
    aside: bool = False

    @property
    def is_number(self) -> bool:
        """Return True for a column of numbers, which is aligned to the right and may be added up."""
        return self.kind in (Kind.NUMBER, Kind.COUNT, Kind.POINTS, Kind.AMOUNT)

    def headed(self, currency: str) -> str:
        """Return the heading; that of an amount names the currency."""
        named = self.kind is Kind.AMOUNT and currency
        return f"{self.heading} ({unit(currency)})" if named else str(self.heading)

    def shown(self, value: Value) -> str:
        """Return a cell as people read it."""
        if value is None:
            return NONE if self.is_number else ""
        if isinstance(value, date):
            return date_format(value, "SHORT_DATE_FORMAT")
        if isinstance(value, Decimal):
            return format_decimal(value)
        if isinstance(value, int):
            if self.kind is Kind.NUMBER:
                return str(value)
            plus = "+" if self.signed else ""
            return format_money(value, plus=plus) if self.kind is Kind.AMOUNT else format_count(value, plus=plus)
        return value


Row = Mapping[str, Value]


@dataclass(frozen=True)
class Table:
    """A table: `name` in addresses and files, `title` for people, a note below it, and a text for the case without
    rows."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""
    empty: str = ""
    links: Sequence[str] = field(default=())
    """The address of each row's first text, for the page; empty for no links."""
    listed: bool = False
    """The rows are sentences: page and PDF show the first column as a list, without a heading."""
    results: Collection[int] = ()
    """The rows that are the result of those above, by their number from 0: page and PDF stress them."""

    def sums(self) -> dict[str, int] | None:
        """Return the sums of the columns that are added up; None if there is none, or nothing to add."""
        totals: dict[str, int] = {}
        for column in self.columns:
            known = [value for row in self.rows if isinstance(value := row.get(column.name), int)]
            if column.summed and known:
                totals[column.name] = sum(known)
        return totals or None

    def sum_cells(self) -> list[str]:
        """Return the row of sums in the form for people, with its name in the first text column, or in the first column
        if a sum is before that; empty without sums."""
        sums = self.sums()
        if sums is None:
            return []
        plain = [column for column in self.columns if column.name not in sums]
        first = next((column.name for column in plain if column.kind is Kind.TEXT), "")
        names = [column.name for column in self.columns]
        if first and any(name in sums for name in names[: names.index(first)]):
            first = plain[0].name
        return [
            _("Sum") if column.name == first else column.shown(sums[column.name]) if column.name in sums else ""
            for column in self.columns
        ]

    def shown_rows(self) -> Iterator[list[str]]:
        """Yield the cells of each row as people read them."""
        for row in self.rows:
            yield [column.shown(row.get(column.name)) for column in self.columns]


def without_empty(columns: Iterable[Column], rows: Sequence[Row], *optional: str) -> list[Column]:
    """Return the columns without those of `optional` that have no value in any row."""
    return [
        column
        for column in columns
        if column.name not in optional or any(row.get(column.name) is not None for row in rows)
    ]
