"""Read an uploaded file, CSV or XLSX, as rows of text.

Nothing of a file is trusted: size, rows, columns and cells are limited, an XLSX file also by what it unpacks to.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time

from django.utils.translation import gettext as _
from openpyxl import load_workbook

from ..errors import Refused

MAX_BYTES = 4 * 1024 * 1024
MAX_ROWS = 10_000
"""Rows without the heading."""
MAX_COLUMNS = 60
MAX_CELL = 200
"""A longer text is no date, name or number, and is cut off."""
MAX_UNPACKED_BYTES = 64 * 1024 * 1024
DELIMITERS = ";\t,|"
ENCODINGS = ("utf-8-sig", "cp1252")

Rows = list[list[str]]


def rows_of(content: bytes) -> Rows:
    """Return the rows of a file that are not empty, the heading first; each has as many cells as the heading.

    Raises:
        Refused: 413 for a file that is too large; 422 for one that is no table, or that has no rows.
    """
    if len(content) > MAX_BYTES:
        sentence = _("This file is too large: at most %(most)d MB.") % {"most": MAX_BYTES // 1024 // 1024}
        raise Refused(status=413, code="import", sentence=sentence, at="file")
    if content.startswith(b"PK"):
        found = _xlsx(content)
    elif content.startswith((b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise _unreadable(_("Save the table as XLSX or CSV; this file is something else."))
    else:
        found = _csv(content)
    return _rectangle(found)


def _rectangle(rows: Iterable[Sequence[str]]) -> Rows:
    """Leave out empty rows and what is right of the heading; refuse a table without rows, or one that is too large."""
    kept: Rows = []
    width = 0
    for row in rows:
        cells = [cell.strip()[:MAX_CELL] for cell in row]
        if not any(cells):
            # Each row keeps its number in the file, so that a sentence can name it.
            kept.append([]) if kept else None
            continue
        if not kept:
            width = max(place for place, cell in enumerate(cells, 1) if cell)
            if width > MAX_COLUMNS:
                raise _unreadable(_("The file has too many columns: at most %(most)d.") % {"most": MAX_COLUMNS})
        kept.append([*cells[:width], *[""] * (width - len(cells))])
        if len(kept) > MAX_ROWS + 1:
            raise _unreadable(_("The file has too many rows: at most %(most)d.") % {"most": MAX_ROWS})
    while kept and not kept[-1]:
        kept.pop()
    if len(kept) < 2:
        raise _unreadable(_("The file needs a heading and at least one row below it."))
    return kept


# --- CSV ---------------------------------------------------------------------------------------------------


def _csv(content: bytes) -> Iterable[Sequence[str]]:
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


def _xlsx(content: bytes) -> Iterable[Sequence[str]]:
    _check_unpacked(content)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        # A file may name a wrong size of itself.
        sheet.reset_dimensions()
        rows = sheet.iter_rows(max_col=MAX_COLUMNS + 1, max_row=MAX_ROWS + 100, values_only=True)
        return [[_text(cell) for cell in row] for row in rows]
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
