"""Read an uploaded file, CSV or XLSX, as rows of text.

Nothing of a file is trusted: size, rows, columns and cells are limited, an XLSX file also by its unpacked size.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.utils.translation import gettext as _

from ..errors import Refused

MAX_BYTES = 4 * 1024 * 1024
MAX_ROWS = 10_000
"""Rows without the heading."""
MAX_HAND_ROWS = 40_000
"""The same where a row is one person in one hand."""
MAX_COLUMNS = 120
MAX_SHEETS = 30
MAX_SHEET_NAME = 100
MAX_CELL = 200
"""A longer text is no date, name or number, and is cut off."""
MAX_UNPACKED_BYTES = 64 * 1024 * 1024
DELIMITERS = ";\t,|"
ENCODINGS = ("utf-8-sig", "cp1252")

TITLE_ROWS = 10
"""So many rows above the heading may be a title."""

Rows = list[list[str]]


@dataclass(frozen=True)
class Table:
    """A sheet of a file: its name (empty for CSV), its rows with the heading first, and the heading's row in the file
    (from 1). Each row has as many cells as the heading; an empty one has none."""

    name: str
    first_row: int
    rows: Rows


def rows_of(content: bytes, most: int = MAX_ROWS) -> Rows:
    """Return the rows of the first sheet with data. Raises as `tables_of` does."""
    return tables_of(content, most)[0].rows


def tables_of(content: bytes, most: int = MAX_ROWS) -> list[Table]:
    """Return the sheets of a file that have data, at least one. `most` is the number of rows without the heading, of
    all sheets together.

    Raises:
        Refused: 413 for a file that is too large; 422 for one that is no table, or that has no rows.
    """
    if len(content) > MAX_BYTES:
        sentence = _("This file is too large: at most %(most)d MB.") % {"most": MAX_BYTES // 1024 // 1024}
        raise Refused(status=413, code="import", sentence=sentence, at="file")
    if content.startswith(b"PK"):
        found = _xlsx(content, most)
    elif content.startswith((b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise _unreadable(_("Save the table as XLSX or CSV; this file is something else."))
    else:
        found = [("", list(_csv(content)))]
    tables, refused = [], None
    for name, rows in found:
        try:
            tables.append(_rectangle(name, rows, most))
        except Refused as fault:
            refused = refused or fault
    if not tables:
        raise refused or _no_rows()
    if sum(len(table.rows) - 1 for table in tables) > most:
        raise too_many_rows(most)
    return tables


def table_of(rows: Sequence[Sequence[str]], most: int = MAX_ROWS) -> Table:
    """Return rows that are no file as a sheet. Raises as `tables_of` does."""
    return _rectangle("", rows, most)


def too_many_rows(most: int) -> Refused:
    """Return the refusal of a file with more rows than `most`."""
    return _unreadable(_("The file has too many rows: at most %(most)d.") % {"most": most})


def _rectangle(name: str, rows: Sequence[Sequence[str]], most: int) -> Table:
    """Leave out empty rows at both ends, a title above the heading, and cells beyond the heading; refuse a table
    without rows, or one that is too large."""
    stripped = [[cell.strip()[:MAX_CELL] for cell in row] for row in rows]
    filled = [place for place, cells in enumerate(stripped) if any(cells)]
    if len(filled) < 2:
        raise _no_rows()
    first = next((place for place in filled[:TITLE_ROWS] if sum(map(bool, stripped[place])) > 1), filled[0])
    if first == filled[-1]:
        first = filled[0]
    width = max(place for place, cell in enumerate(stripped[first], 1) if cell)
    if width > MAX_COLUMNS:
        raise _unreadable(_("The file has too many columns: at most %(most)d.") % {"most": MAX_COLUMNS})
    # Each row keeps its number in the file, so that a sentence can name it.
    kept = [
        [*cells[:width], *[""] * (width - len(cells))] if any(cells) else []
        for cells in stripped[first : filled[-1] + 1]
    ]
    if len(kept) > most + 1:
        raise too_many_rows(most)
    return Table(name, first + 1, kept)


def _no_rows() -> Refused:
    return _unreadable(_("The file needs a heading and at least one row below it."))


# --- CSV ---------------------------------------------------------------------------------------------------


def _csv(content: bytes) -> Iterable[list[str]]:
    text = _decoded(content)
    if "\0" in text:
        raise _unreadable(_("Save the table as XLSX or CSV; this file is something else."))
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    except csv.Error:
        raise _unreadable(_("The file cannot be read as CSV. Save it once more, or as XLSX.")) from None


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    for encoding in ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _delimiter(text: str) -> str:
    """Return the delimiter that occurs most often in the heading, outside quotes."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    outside = "".join(part for place, part in enumerate(heading.split('"')) if place % 2 == 0)
    return max(DELIMITERS, key=outside.count)


# --- XLSX --------------------------------------------------------------------------------------------------


def _xlsx(content: bytes, most: int) -> list[tuple[str, Rows]]:
    """Return the sheets that are shown, with their names."""
    from openpyxl import load_workbook

    _check_unpacked(content)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"][:MAX_SHEETS]
        found = []
        for sheet in shown:
            # A file may name a wrong size of itself.
            sheet.reset_dimensions()
            rows = sheet.iter_rows(max_col=MAX_COLUMNS + 1, max_row=most + 100, values_only=True)
            found.append((str(sheet.title)[:MAX_SHEET_NAME], [[_text(cell) for cell in row] for row in rows]))
        return found
    except Exception as fault:
        raise _unreadable(_("The file cannot be read as XLSX. Save it once more, or as CSV.")) from fault


def _check_unpacked(content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            size = sum(part.file_size for part in packed.infolist())
            parts = len(packed.infolist())
    except zipfile.BadZipFile:
        raise _unreadable(_("The file cannot be read as XLSX. Save it once more, or as CSV.")) from None
    if size > MAX_UNPACKED_BYTES or parts > 1000:
        sentence = _("This file is too large: at most %(most)d MB.") % {"most": MAX_BYTES // 1024 // 1024}
        raise Refused(status=413, code="import", sentence=sentence, at="file")


def _text(cell: object) -> str:
    """Return a cell of a spreadsheet as the text that a CSV file would have."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "1" if cell else "0"
    if isinstance(cell, float):
        # A spreadsheet shows 0.1 + 0.2 as 0.3.
        return f"{cell:.6f}".rstrip("0").rstrip(".")
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)


def _unreadable(sentence: str) -> Refused:
    return Refused(status=422, code="import", sentence=sentence, at="file")
