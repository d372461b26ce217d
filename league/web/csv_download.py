"""Downloads of long lists as CSV or XLSX: row by row, and safe for spreadsheets. docs/csv.md describes every column."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from .. import audit
from ..access import ClubAccess
from ..audit import What
from ..models import User
from ..money import plain_francs
from . import xlsx
from .csv_columns import AMOUNT, column_of, heading, texts_of

# Spreadsheets in Chinese or Japanese accept the wide forms too.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
# A file may be opened with another separator than its own: then each separator in a text begins a cell.
# Spaces, quotes and invisible characters before the sign do not help: programs drop some of them.
HIDDEN_START = re.compile(
    r"([,;|\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029])"
    r"([\s\"\x00-\x1f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*)"
    r"([=+\-@\uff1d\uff0b\uff0d\uff20])"
)
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def guarded(text: str) -> str:
    """Return the text with a ' before each sign that could begin a formula, for every separator of the cells."""
    text = HIDDEN_START.sub(r"\1\2'\3", text)
    return "'" + text if text.startswith(FORMULA_STARTS) else text


def cell(value: object) -> str:
    """Return a cell: a number or date as it is, a text in quotes and without a formula."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    return '"' + guarded(str(value)).replace('"', '""') + '"'


def line(values: Iterable[object], separator: str = ",") -> str:
    """Return a line of a file."""
    return separator.join(cell(value) for value in values) + "\r\n"


def excel_cell(column: str, value: object) -> str:
    """Return a value as Excel reads it by a double click: an amount in francs, a time without its time zone."""
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M:%S")
    if column.endswith(AMOUNT) and isinstance(value, int):
        return plain_francs(value)
    return cell(value)


def lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield header and rows as lines; a column that is missing in a row stays empty."""
    yield ",".join(columns) + "\r\n"
    for row in rows:
        yield line(row.get(column) for column in columns)


@dataclass(frozen=True)
class LongList:
    """A list that is downloaded: the name of its file without ending, its name for people, and its columns. `summed`
    are columns of amounts that are added up at the foot of the files for people, `notes` sentences at the end of a
    sheet."""

    file: str
    title: str
    columns: Sequence[str]
    summed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def worded(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows with texts of the reader's language in place of codes."""
    texts = texts_of(columns)
    if not texts:
        yield from rows
        return
    for row in rows:
        yield {**row, **{column: known.get(str(row.get(column)), row.get(column)) for column, known in texts.items()}}


def excel_lines(wanted: LongList, rows: Iterable[Mapping[str, Any]], currency: str) -> Iterator[str]:
    """Yield the same for Excel: headings and codes in the reader's language, amounts in francs, sums at the foot."""
    columns = wanted.columns
    yield BOM + ";".join(cell(heading(column, currency)) for column in columns) + "\r\n"
    sums = dict.fromkeys(wanted.summed, 0)
    some = False
    for row in worded(columns, rows):
        some = True
        for column in sums:
            sums[column] += row.get(column) or 0
        yield ";".join(excel_cell(column, row.get(column)) for column in columns) + "\r\n"
    if sums and some:
        foot: dict[str, Any] = {columns[0]: _("Sum"), **sums}
        yield ";".join(excel_cell(column, foot.get(column)) for column in columns) + "\r\n"


def sheet_of(wanted: LongList, rows: Iterable[Mapping[str, Any]]) -> xlsx.Sheet:
    """Return a list as a sheet of an XLSX file."""
    columns = [column_of(column, summed=column in wanted.summed) for column in wanted.columns]
    return xlsx.Sheet(wanted.title, columns, worded(wanted.columns, rows), bool(wanted.summed), wanted.notes)


def download(
    request: HttpRequest, access: ClubAccess, wanted: LongList, rows: Callable[[], Iterable[Mapping[str, Any]]]
) -> StreamingHttpResponse:
    """Return the list as CSV, streamed while the rows are read; with `?for=excel` as Excel reads it, with `?for=xlsx`
    as XLSX."""
    name = wanted.file
    records: Iterable[Mapping[str, Any]] = () if request.method == "HEAD" else rows()
    if request.GET.get("for") == "xlsx":
        sheet = sheet_of(wanted, records)
        return workbook(name, [sheet], title=wanted.title, author=access.club.name, currency=access.club.currency)
    excel = request.GET.get("for") == "excel"
    text = excel_lines(wanted, records, access.club.currency) if excel else lines(wanted.columns, records)
    response = StreamingHttpResponse(text, content_type="text/csv; charset=utf-8; header=present")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def workbook(
    name: str, sheets: Iterable[xlsx.Sheet], *, title: str, author: str, currency: str
) -> StreamingHttpResponse:
    """Return the file `name`.xlsx. It is made in a temporary file, as its end says where its parts begin."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    xlsx.write(file, sheets, title=title, author=author, currency=currency)
    file.seek(0)
    response = FileResponse(file, as_attachment=True, filename=f"{name}.xlsx", content_type=xlsx.TYPE)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def log_download(request: HttpRequest, access: ClubAccess, file: str, about: str) -> None:
    """Write into the audit log that a member downloaded a file; `about` is its subject, as `kind:id`."""
    if access.role is None or request.method == "HEAD" or not isinstance(request.user, User):
        return
    data: audit.Data = {"file": file}
    audit.write(What.EXPORTED, club=access.club, actor=request.user, about=about, data=data)


def file_name(access: ClubAccess, *parts: object) -> str:
    """Return a file name with the club's short name and these parts."""
    return "-".join(str(part) for part in (access.club.slug, *parts))
