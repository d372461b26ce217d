"""The files of a report: PDF, XLSX, and each table as CSV in two dialects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.cache import patch_cache_control

from ..access import ClubAccess
from ..drawing_process import drawn
from ..logo.services import logo_file
from ..money import plain_francs
from ..web import xlsx
from ..web.csv_download import BOM, cell, line, workbook
from ..web.report_table import Column, Kind, Table, Value
from .report import Report


def pdf(access: ClubAccess, report: Report) -> HttpResponse:
    """Return the report as PDF, which the browser shows."""
    from .pdf_pages import pdf_of

    club = access.club
    body = drawn(partial(pdf_of, club, report, logo=logo_file(club)), club=club.pk)
    response = HttpResponse(body, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{report.file}.pdf"'
    return response


def spreadsheet(access: ClubAccess, report: Report) -> StreamingHttpResponse:
    """Return the report as XLSX, a sheet for each table."""
    club = access.club
    title = f"{report.kind}: {report.title}"
    return workbook(report.file, sheets_of(report), title=title, author=club.name, currency=club.currency)


def sheets_of(report: Report) -> list[xlsx.Sheet]:
    """Return the sheets of the report as XLSX, one for each table."""
    return [xlsx.Sheet(table.title, table.columns, table.rows, sums=True) for table in report.tables]


def csv(access: ClubAccess, report: Report, table: Table, *, excel: bool) -> StreamingHttpResponse:
    """Return a table as CSV: for programs, or as Excel reads it by a double click."""
    text = excel_lines(table, access.club.currency) if excel else program_lines(table)
    response = StreamingHttpResponse(text, content_type="text/csv; charset=utf-8; header=present")
    response["Content-Disposition"] = f'attachment; filename="{report.file}-{table.name}.csv"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def file_column(column: Column) -> str:
    """Return the heading of a column in a file for programs: that of an amount ends with `_minor`."""
    return f"{column.name}_minor" if column.kind is Kind.AMOUNT else column.name


def program_lines(table: Table) -> Iterator[str]:
    """Yield header and rows: amounts in whole Rappen, no row of sums."""
    yield ",".join(file_column(column) for column in table.columns) + "\r\n"
    for row in table.rows:
        yield line(row.get(column.name) for column in table.columns)


def excel_lines(table: Table, currency: str) -> Iterator[str]:
    """Yield header, rows and sums: headings in the reader's language, amounts in francs."""
    yield BOM + line((column.headed(currency) for column in table.columns), ";")
    for row in table.rows:
        yield ";".join(excel_cell(column, row.get(column.name)) for column in table.columns) + "\r\n"
    sums = table.sums()
    if sums:
        cells = zip(table.columns, table.sum_cells(), strict=True)
        yield (
            ";".join(
                excel_cell(column, sums[column.name]) if column.name in sums else cell(text) for column, text in cells
            )
            + "\r\n"
        )


def excel_cell(column: Column, value: Value) -> str:
    """Return a cell as Excel reads it: an amount in francs with a point."""
    if column.kind is Kind.AMOUNT and isinstance(value, int):
        return plain_francs(value)
    return cell(value)
