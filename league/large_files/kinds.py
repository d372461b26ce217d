"""The kinds of large files. A room registers each of its files with a gate, and a function that writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from django.http import Http404

from ..access import ClubAccess
from ..models import Club, User
from ..web import xlsx
from ..web.csv_download import LongList, sheet_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SPREADSHEET, PDF = "xlsx", "pdf"
TYPES = {SPREADSHEET: xlsx.TYPE, PDF: "application/pdf"}
LARGE = {SPREADSHEET: 20_000, PDF: 600}
"""A file with more rows is large: one below takes about two seconds."""

Counted = Callable[[int], None]
"""Is called with the number of rows that were just written."""


@dataclass(frozen=True)
class Wanted:
    """A request for a file: its kind, its subject (a key), and options."""

    user: User
    club: Club
    subject: int
    options: Mapping[str, str]


@dataclass(frozen=True)
class Opened:
    """A file that its reader may have. `about` is its subject in the audit log, `title` its subject for people. `name`
    returns its name without ending, `rows` the number of its rows, `write` writes it in a form as this reader sees
    it."""

    access: ClubAccess
    about: str
    title: str
    name: Callable[[], str]
    rows: Callable[[], int]
    write: Callable[[IO[bytes], str, Counted], None]


@dataclass(frozen=True)
class Kind:
    """A kind of file: its name for people, the name of its downloads in the audit log, and its gate, which raises
    Http404 or PermissionDenied. `forms`: the forms in which it is made. `page_rows`: a file of drawn pages counts so
    many rows for each, people read pages."""

    label: _StrPromise
    logged: str
    open: Callable[[Wanted], Opened]
    forms: tuple[str, ...] = (SPREADSHEET, PDF)
    page_rows: int = 0


_KINDS: dict[str, Kind] = {}


def register(name: str, kind: Kind) -> None:
    """Add a kind of large files."""
    _KINDS[name] = kind


def kind_of(name: str) -> Kind:
    """Return the kind with this name. Raises Http404 if there is none."""
    if name not in _KINDS:
        raise Http404("no such kind of file")
    return _KINDS[name]


def each(rows: Iterable[Mapping[str, Any]], counted: Counted) -> Iterator[Mapping[str, Any]]:
    """Yield the rows, and count them."""
    for row in rows:
        yield row
        counted(1)


def write_list(
    file: IO[bytes], access: ClubAccess, wanted: LongList, rows: Iterable[Mapping[str, Any]], counted: Counted
) -> None:
    """Write a long list as XLSX, the same as `league.web.csv_download.download` does."""
    sheet = sheet_of(wanted, each(rows, counted))
    xlsx.write(file, [sheet], title=wanted.title, author=access.club.name, currency=access.club.currency)
