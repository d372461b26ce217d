"""Read a table, CSV or XLSX, as rows of text. Nothing of a file is trusted: its bytes, parts, rows, columns and cells
have limits, which hold for all its sheets together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from . import csv_file, xlsx_file
from .budget import Budget
from .faults import Unreadable

MAX_COLUMNS = 120
MAX_CELL = 200
"""A longer text is no date, name or number, and is cut off."""
TITLE_ROWS = 10
"""So many rows above the heading may be a title."""
MORE_ROWS = 100
"""So many rows beyond the most are read before the file is refused: titles, headings."""

Rows = list[list[str]]
Numbered = tuple[int, Sequence[str]]
"""A row with its number in the file, from 1. Empty rows are left out."""


def read(content: bytes, most: int) -> list[dict[str, Any]]:
    """Return the sheets that have data, at least one: `name`, `first_row` (that of the heading) and `rows`.

    `most` is the number of rows without the heading, of all sheets together.

    Raises:
        Unreadable: `no_table`, `no_csv`, `no_xlsx`, `no_rows`, `too_many_rows`, `too_many_columns`, `too_complicated`.
    """
    budget = Budget(rows=most + MORE_ROWS)
    sheets: Iterable[tuple[str, Iterator[Numbered]]]
    if content.startswith(b"PK"):
        sheets = xlsx_file.sheets(content, budget, MAX_COLUMNS, MAX_CELL)
    elif content.startswith((b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise Unreadable("no_table")
    else:
        sheets = [("", _numbered(csv_file.rows(content, budget, most)))]
    tables, refused = [], None
    for name, rows in sheets:
        try:
            # The rows of a sheet are read here; what all sheets may have ends the reading, a fault of one does not.
            kept = _within(rows, budget, most)
            tables.append({"name": name, **rectangle(kept, most)})
        except Unreadable as fault:
            if fault.code not in ("no_rows", "too_many_columns"):
                raise
            refused = refused or fault
    if not tables:
        raise refused or Unreadable("no_rows")
    if sum(len(table["rows"]) - 1 for table in tables) > most:
        raise Unreadable("too_many_rows", most=most)
    return tables


def rectangle(rows: Sequence[Numbered], most: int) -> dict[str, Any]:
    """Leave out a title above the heading, and cells beyond the heading. Each row keeps its number in the file, so that
    a sentence can name it; an empty one between two others has no cells.

    Raises:
        Unreadable: `no_rows`, `too_many_rows`, `too_many_columns`.
    """
    if len(rows) < 2:
        raise Unreadable("no_rows")
    titled = next((place for place, row in enumerate(rows[:TITLE_ROWS]) if sum(map(bool, row[1])) > 1), 0)
    top = titled if titled < len(rows) - 1 else 0
    first, heading = rows[top]
    width = max(place for place, cell in enumerate(heading, 1) if cell)
    if width > MAX_COLUMNS:
        raise Unreadable("too_many_columns", most=MAX_COLUMNS)
    if rows[-1][0] - first > most:
        raise Unreadable("too_many_rows", most=most)
    kept: Rows = [[] for _ in range(rows[-1][0] - first + 1)]
    for number, cells in rows[top:]:
        kept[number - first] = [*cells[:width], *[""] * (width - len(cells))]
    return {"first_row": first, "rows": kept}


def plain(rows: Iterable[Sequence[str]]) -> list[Numbered]:
    """Return rows that are no file with their numbers, without the empty ones."""
    return list(_numbered(rows))


def _numbered(rows: Iterable[Sequence[str]]) -> Iterator[Numbered]:
    for number, row in enumerate(rows, 1):
        cells = [cell.strip()[:MAX_CELL] for cell in row]
        if any(cells):
            yield number, cells


def _within(rows: Iterator[Numbered], budget: Budget, most: int) -> list[Numbered]:
    """Return the rows, as long as the budget lasts. Empty rows between two others count, those above the first do
    not."""
    kept: list[Numbered] = []
    for number, cells in rows:
        budget.rows -= number - kept[-1][0] if kept else 1
        if budget.rows < 0:
            raise Unreadable("too_many_rows", most=most)
        budget.take("signs", sum(map(len, cells)))
        kept.append((number, cells))
    return kept
