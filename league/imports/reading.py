"""Read an uploaded file, CSV or XLSX, as rows of text.

Nothing of a file is trusted: it is read in a process of its own (`readers.tables`), within one budget for all its
sheets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from readers import tables
from readers.faults import Unreadable
from readers.tables import MAX_CELL, MAX_COLUMNS, Rows

from .. import reading_process
from ..errors import Refused
from ..reading_process import Limits

__all__ = ["MAX_CELL", "MAX_COLUMNS"]

MAX_BYTES = 4 * 1024 * 1024
MAX_ROWS = 10_000
"""Rows without the heading."""
MAX_HAND_ROWS = 40_000
"""The same where a row is one person in one hand."""
LIMITS = Limits(seconds=15, memory_mib=320)
"""For the largest file that is allowed, on a busy machine. A file that is made to take much is refused at once."""


@dataclass(frozen=True)
class Table:
    """A sheet of a file: its name (empty for CSV), its rows with the heading first, and the heading's row in the file
    (from 1). Each row has as many cells as the heading; an empty one has none."""

    name: str
    first_row: int
    rows: Rows


def tables_of(content: bytes, most: int = MAX_ROWS, *, club: int | None = None) -> list[Table]:
    """Return the sheets of a file that have data, at least one. `most` is the number of rows without the heading, of
    all sheets together. `club`: the id of the club whose file it is.

    Raises:
        Refused: 413 for a file that is too large or too complicated; 422 for one that is no table, or that has no
            rows; 429 while too many files are being read.
    """
    if len(content) > MAX_BYTES:
        sentence = _("This file is too large: at most %(most)d MB.") % {"most": MAX_BYTES // 1024 // 1024}
        raise Refused(status=413, code="import", sentence=sentence, at="file")
    try:
        raw_tables = reading_process.read_limited("tables", content, LIMITS, club=club, most=most)
    except Unreadable as fault:
        raise _refused(fault) from None
    return [Table(**table) for table in raw_tables]


def table_of(rows: Sequence[Sequence[str]], most: int = MAX_ROWS) -> Table:
    """Return rows that are no file as a sheet. Raises as `tables_of` does."""
    try:
        return Table("", **tables.rectangle(tables.plain(rows), most))
    except Unreadable as fault:
        raise _refused(fault) from None


def too_many_rows(most: int) -> Refused:
    """Return the refusal of a file with more rows than `most`."""
    return _unreadable(_("The file has too many rows: at most %(most)d.") % {"most": most})


def _refused(fault: Unreadable) -> Refused:
    if fault.code == "too_many_rows":
        return too_many_rows(int(fault.values["most"]))
    if fault.code == "too_many_columns":
        return _unreadable(_("The file has too many columns: at most %(most)d.") % fault.values)
    sentences = {
        "no_table": _("Save the table as XLSX or CSV; this file is something else."),
        "no_csv": _("The file cannot be read as CSV. Save it once more, or as XLSX."),
        "no_xlsx": _("The file cannot be read as XLSX. Save it once more, or as CSV."),
        "no_rows": _("The file needs a heading and at least one row below it."),
    }
    sentence = sentences.get(fault.code)
    return _unreadable(sentence) if sentence else reading_process.refused(fault, "import")


def _unreadable(sentence: str) -> Refused:
    return Refused(status=422, code="import", sentence=sentence, at="file")
