"""CSV downloads: streamed, and safe for spreadsheets. docs/csv.md describes every column."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control

from .. import audit
from ..access import ClubAccess
from ..audit import What
from ..models import User

# Spreadsheets in Chinese or Japanese accept the wide forms too.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def cell(value: object) -> str:
    """Return a value as text. Numbers stay numbers; a text that looks like a formula gets a ' before it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    text = str(value)
    return "'" + text if text.startswith(FORMULA_STARTS) else text


class _Line:
    """A file for csv that returns each line instead of storing it."""

    def write(self, line: str) -> str:
        return line


def lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, excel: bool = False) -> Iterator[str]:
    """Yield header and rows as lines; a column that is missing in a row stays empty."""
    writer = csv.writer(_Line(), delimiter=";" if excel else ",")
    yield (BOM if excel else "") + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([cell(row.get(column)) for column in columns])


def download(
    request: HttpRequest, name: str, columns: Sequence[str], rows: Callable[[], Iterable[Mapping[str, Any]]]
) -> StreamingHttpResponse:
    """Return the file `name`.csv, streamed while the rows are read."""
    excel = request.GET.get("for") == "excel"
    found: Iterable[Mapping[str, Any]] = () if request.method == "HEAD" else rows()
    response = StreamingHttpResponse(
        lines(columns, found, excel=excel), content_type="text/csv; charset=utf-8; header=present"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
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
