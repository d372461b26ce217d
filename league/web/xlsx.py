"""XLSX files: cells with numbers and dates, a header that stays, filters, sums at the foot.

Rows are written while they are read (xlsxwriter's `constant_memory`), so that a long file needs no more memory than a
short one. No text becomes a formula or a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ..money import shows_chips
from .report_table import Column, Kind

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS = 1_048_000
"""A little less than a sheet of Excel takes; further rows go into the next sheet."""
A4 = 9
WIDEST = 48
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}
NUMBERS = {
    (Kind.AMOUNT, False): "#,##0.00;-#,##0.00",
    (Kind.AMOUNT, True): "+#,##0.00;-#,##0.00;0.00",
    (Kind.COUNT, False): "#,##0",
    (Kind.COUNT, True): "+#,##0;-#,##0;0",
    (Kind.POINTS, False): "#,##0",
    (Kind.POINTS, True): "+#,##0;-#,##0;0",
}


@dataclass(frozen=True)
class Sheet:
    """A sheet: its name, its columns and its rows. With `sums` the columns that are `summed` are added up below.
    `notes` are sentences below all of it."""

    name: str
    columns: Sequence[Column]
    rows: Iterable[Mapping[str, Any]]
    sums: bool = False
    notes: Sequence[str] = ()


@dataclass
class _Formats:
    """The formats of a file, each made once."""

    book: Workbook
    known: dict[tuple[Any, ...], Format] = field(default_factory=dict)

    def get(self, **values: Any) -> Format:
        key = tuple(sorted(values.items()))
        if key not in self.known:
            self.known[key] = self.book.add_format(values)
        return self.known[key]

    def of(self, column: Column, **more: Any) -> Format:
        """Return the format of a column's numbers."""
        kind = Kind.COUNT if column.kind is Kind.AMOUNT and shows_chips() else column.kind
        return self.get(num_format=NUMBERS.get((kind, column.signed), "0"), **more)


def write(file: IO[bytes], sheets: Iterable[Sheet], *, title: str, author: str, currency: str) -> None:
    """Write the sheets into an open file."""
    from xlsxwriter import Workbook

    with Workbook(file, OPTIONS) as book:
        book.set_properties({"title": title, "author": author})
        formats = _Formats(book)
        for sheet in sheets:
            _write_sheet(book, formats, sheet, currency)


def _write_sheet(book: Workbook, formats: _Formats, sheet: Sheet, currency: str) -> None:
    worksheet, last = _begin(book, formats, sheet, currency, 1), 0
    numbers = 1
    cells = [_writer(formats, column) for column in sheet.columns]
    sums = dict.fromkeys((column.name for column in sheet.columns if sheet.sums and column.summed), 0)
    for row in sheet.rows:
        if last == MOST_ROWS:
            _finish(worksheet, sheet, last)
            numbers += 1
            worksheet, last = _begin(book, formats, sheet, currency, numbers), 0
        last += 1
        for place, (column, write_cell) in enumerate(zip(sheet.columns, cells, strict=True)):
            value = row.get(column.name)
            if value is not None and value != "":
                write_cell(worksheet, last, place, value)
                if column.name in sums and isinstance(value, int):
                    sums[column.name] += value
    if sums and last and numbers == 1:
        _write_sums(worksheet, formats, sheet, sums, last)
    for line, note in enumerate(sheet.notes, last + 3):
        worksheet.write_string(line, 0, note)
    _finish(worksheet, sheet, last)


def _begin(book: Workbook, formats: _Formats, sheet: Sheet, currency: str, number: int) -> Worksheet:
    """Add a sheet with its header."""
    worksheet = book.add_worksheet(sheet_name(sheet.name, number))
    worksheet.set_paper(A4)
    worksheet.fit_to_pages(1, 0)
    worksheet.repeat_rows(0)
    worksheet.set_footer("&L&F&R&P / &N")
    if len(sheet.columns) > 8:
        worksheet.set_landscape()
    for place, column in enumerate(sheet.columns):
        heading = column.headed(currency)
        align = "right" if column.is_number else "left"
        worksheet.write_string(
            0, place, heading, formats.get(bold=True, bottom=2, align=align, valign="top", text_wrap=True)
        )
        worksheet.set_column(place, place, _width(column, heading))
    return worksheet


def _finish(worksheet: Worksheet, sheet: Sheet, last: int) -> None:
    worksheet.freeze_panes(1, 0)
    worksheet.autofilter(0, 0, last, len(sheet.columns) - 1)


def _width(column: Column, heading: str) -> float:
    """Return a width in letters. The rows are not known yet."""
    least = {Kind.TEXT: 16.0, Kind.DATE: 12.0, Kind.AMOUNT: 12.0}.get(column.kind, 8.0)
    longest = max((len(word) for word in heading.split()), default=0)
    return min(max(least, longest + 4.0), WIDEST)


def _writer(formats: _Formats, column: Column) -> Any:
    """Return a function that writes a cell of this column."""
    number = formats.of(column)
    average = formats.get(num_format="#,##0.000;-#,##0.000")
    # To the left, as their headings: a date is a number for Excel, which it would write to the right.
    day, moment = (formats.get(num_format=form, align="left") for form in ("dd.mm.yyyy", "dd.mm.yyyy hh:mm:ss"))
    francs = column.kind is Kind.AMOUNT and not shows_chips()

    def write_cell(worksheet: Worksheet, row: int, place: int, value: Any) -> None:
        if isinstance(value, bool):
            worksheet.write_number(row, place, int(value))
        elif isinstance(value, int):
            # A cell has no whole Rappen: here, at the edge, the amount becomes francs.
            worksheet.write_number(row, place, value / 100 if francs else value, number)
        elif isinstance(value, Decimal):
            worksheet.write_number(row, place, value, average)
        elif isinstance(value, datetime):
            worksheet.write_datetime(row, place, timezone.localtime(value).replace(tzinfo=None), moment)
        elif isinstance(value, date):
            worksheet.write_datetime(row, place, value, day)
        else:
            worksheet.write_string(row, place, str(value))

    return write_cell


def _write_sums(worksheet: Worksheet, formats: _Formats, sheet: Sheet, sums: Mapping[str, int], last: int) -> None:
    """Write the row of sums. Each is a formula over the rows that a filter shows, with its value."""
    named = next((place for place, column in enumerate(sheet.columns) if column.kind is Kind.TEXT), None)
    for place, column in enumerate(sheet.columns):
        style = formats.of(column, bold=True, top=1)
        if column.name in sums:
            francs = column.kind is Kind.AMOUNT and not shows_chips()
            value = sums[column.name] / 100 if francs else sums[column.name]
            letter = _letter(place)
            worksheet.write_formula(last + 1, place, f"=SUBTOTAL(109,{letter}2:{letter}{last + 1})", style, value)
        elif place == named:
            worksheet.write_string(last + 1, place, _("Sum"), style)
        else:
            worksheet.write_blank(last + 1, place, None, style)


def _letter(place: int) -> str:
    """Return the letters of a column, counted from 0."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def sheet_name(name: str, number: int = 1) -> str:
    """Return a name that Excel takes for a sheet: at most 31 letters, none of `[]:*?/\\`, no ' at its ends."""
    tail = "" if number == 1 else f" {number}"
    clean = "".join(" " if letter in "[]:*?/\\" else letter for letter in name).strip("' ")
    return (clean[: 31 - len(tail)].strip("' ") or "1") + tail
