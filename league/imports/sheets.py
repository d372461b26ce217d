"""Sheets with a row for each evening and a column for each person, or the other way round (*turned*).

A cell is the result of a person on an evening: an empty one, or a dash, means that the person was not there, 0 that the
person was there. `lines` are the columns of a sheet, and the rows of a turned one, that may be people.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Club, ImportColumns, ImportKind, Player, Season, Upload
from . import values
from .layout import is_total, looks_like_total, plain
from .plan import CellProblem, FileRow, cell_address, title_of

KINDS = (ImportKind.SHEET, ImportKind.TURNED)
VALUES = ("amount", "amount_minor", "points")
MAX_RESULTS = 20_000
EXAMPLES = 4


@dataclass(frozen=True)
class SheetColumns:
    """The choices for a sheet: the place of the column of dates (of names, if it is turned), those of the lines of
    people, and the meaning of the cells (`VALUES`)."""

    first: int
    people: tuple[int, ...]
    values: str

    @classmethod
    def of(cls, upload: Upload) -> SheetColumns | None:
        """Return the choices for an upload; None without choices."""
        columns: Any = upload.columns
        return None if columns is None else cls(columns["first"], tuple(columns["people"]), columns["values"])

    def stored(self) -> dict[str, Any]:
        """Return the same for a JSON field."""
        return {"first": self.first, "people": list(self.people), "values": self.values}


@dataclass(frozen=True)
class SheetLine:
    """A column of a sheet, or a row of a turned one, that may be a person: its place, title and first values. `reason`:
    the reason why it is probably not a person; empty for a person."""

    place: int
    title: str
    examples: tuple[str, ...]
    reason: str = ""


def lines(upload: Upload, first: int) -> list[SheetLine]:
    """Return the lines that may be people, with a proposal for each: the earlier choice of the club, else by title and
    cells. Two queries."""
    row = _row(upload.club, upload.kind)
    titles = row.columns.get("titles", {}) if row else {}
    before = {mark: _("left out before") if what else "" for mark, what in titles.items()}
    return [replace(line, reason=before.get(_mark(line.title), line.reason)) for line in _lines(upload, first)]


def _lines(upload: Upload, first: int) -> list[SheetLine]:
    """Return the lines with a proposal by title and cells."""
    people = set(map(plain, Player.objects.filter(club=upload.club_id).values_list("nickname", flat=True)))
    sheet_lines = []
    for place in _places(upload, first):
        title = _cell(upload, _name_cell(upload, first, place))
        cells = [value for value in _values(upload, first, place) if value]
        if cells or title:
            sheet_lines.append(SheetLine(place, title, tuple(cells[:EXAMPLES]), _reason(title, cells, people)))
    return sheet_lines


def _reason(title: str, cells: Sequence[str], people: set[str]) -> str:
    """Return the reason why a line is probably not a person."""
    if plain(title) in people:
        return ""
    if not title:
        return _("no title")
    if looks_like_total(title):
        return _("looks like a sum or a remark")
    if not any(values.amount(cell) is not None for cell in cells):
        return _("no numbers")
    return ""


def proposed(upload: Upload) -> SheetColumns:
    """Return the probable meaning of the cells: by the earlier choice of the club, by titles and by cells. Two
    queries."""
    first = proposed_first(upload)
    people = tuple(line.place for line in lines(upload, first) if not line.reason)
    row = _row(upload.club, upload.kind)
    kept: str = row.columns.get("values", "") if row else ""
    offered = values_of(upload.season)
    return SheetColumns(first, people, kept if kept in offered else offered[0])


def proposed_first(upload: Upload) -> int:
    """Return the place of the column with the most dates; of a turned sheet that of the first one with names."""
    width = len(upload.rows[0])
    columns = [[row[place] for row in upload.rows[1:] if row] for place in range(width)]
    if upload.kind == ImportKind.TURNED:
        names = [_names_in(upload.rows[0][place], cells) for place, cells in enumerate(columns)]
        return names.index(max(names)) if names else 0
    days = [sum(map(values.is_day, cells)) for cells in columns]
    return days.index(max(days))


def _names_in(title: str, cells: Sequence[str]) -> int:
    if values.is_day(title):
        return 0
    return sum(bool(cell) and values.amount(cell) is None and not values.is_day(cell) for cell in cells)


def values_of(season: Season) -> list[str]:
    """Return the possible meanings of the cells of a sheet in this season, the likeliest first."""
    if season.points_only:
        return ["points"]
    return ["points"] if season.ranking == Season.Ranking.POINTS else ["amount", "amount_minor"]


def check(upload: Upload, chosen: SheetColumns) -> None:
    """Refuse a choice of which no import can be made.

    Raises:
        Refused: 422, `at` is `first`, `people` or `values`.
    """
    if not 0 <= chosen.first < len(upload.rows[0]):
        raise _wrong("first", _("The file has no such column. Choose the columns once more."))
    if set(chosen.people) - set(_places(upload, chosen.first)):
        raise _wrong("people", _("The file has no such column. Choose the columns once more."))
    if not chosen.people:
        raise _wrong("people", _("Choose at least one person."))
    if chosen.values not in values_of(upload.season):
        if upload.season.points_only or upload.season.ranking == Season.Ranking.POINTS:
            sentence = _("%(season)s ranks by points: its sheets have points.")
        else:
            sentence = _("%(season)s ranks by balance: its sheets have amounts.")
        raise _wrong("values", sentence % {"season": upload.season})
    count = sum(_is_there(value) for place in chosen.people for value in _values(upload, chosen.first, place))
    if count > MAX_RESULTS:
        sentence = _("The sheet has %(n)d results: at most %(most)d. Divide it, for example by years.")
        raise _wrong("people", sentence % {"n": count, "most": MAX_RESULTS})


def results(upload: Upload) -> Iterator[FileRow]:
    """Yield the results of a sheet whose columns are chosen, evening by evening."""
    chosen = SheetColumns.of(upload)
    assert chosen is not None
    for evening_index in _evenings(upload, chosen.first):
        dated = _date_cell(upload, chosen.first, evening_index)
        if is_total(_cell(upload, dated)):
            continue
        for place in chosen.people:
            value = _value_cell(upload, evening_index, place)
            if _is_there(_cell(upload, value)):
                yield _result(upload, chosen, dated, value, place)


def _result(
    upload: Upload, chosen: SheetColumns, dated: tuple[int, int], value: tuple[int, int], place: int
) -> FileRow:
    named = _name_cell(upload, chosen.first, place)
    title = title_of(upload.rows[0], value[1])
    positions = {"date": dated, "name": named, chosen.values: value}
    return FileRow(
        number=upload.first_row + value[0],
        cells={code: _cell(upload, position) for code, position in positions.items()},
        headings={code: title_of(upload.rows[0], position[1]) for code, position in positions.items()}
        | {chosen.values: title},
        places={code: (upload.first_row + row, column) for code, (row, column) in positions.items()},
    )


def left_out(upload: Upload) -> Iterator[CellProblem]:
    """Yield a remark for each evening that is none: a row, or a column, of sums."""
    chosen = SheetColumns.of(upload)
    assert chosen is not None
    sentence = _("This looks like a sum and is left out.")
    for evening_index in _evenings(upload, chosen.first):
        row, column = dated = _date_cell(upload, chosen.first, evening_index)
        text = _cell(upload, dated)
        if is_total(text):
            heading = title_of(upload.rows[0], column)
            address = cell_address(upload.first_row + row, column)
            yield CellProblem(upload.first_row + row, heading, text, sentence, "date", address, "left_out")


def name_cells(upload: Upload) -> list[str]:
    """Return the name of each result of a sheet whose columns are chosen."""
    return [row.cells["name"] for row in results(upload)]


def remember(upload: Upload, chosen: SheetColumns, sheet: str) -> None:
    """Store the choice for the next sheet of the club: each title that means something else than it seems to, as a
    hash, because titles are names."""
    row = _row(upload.club, upload.kind)
    titles: dict[str, str] = dict(row.columns.get("titles", {})) if row else {}
    for line in _lines(upload, chosen.first):
        out = line.place not in chosen.people
        titles.pop(_mark(line.title), None)
        if line.title and out != bool(line.reason):
            titles[_mark(line.title)] = "out" if out else ""
    ImportColumns.objects.update_or_create(
        club=upload.club,
        kind=upload.kind,
        heading="",
        defaults={"columns": {"values": chosen.values, "titles": titles}, "sheet": sheet},
    )


def _row(club: Club, kind: str) -> ImportColumns | None:
    return ImportColumns.objects.filter(club=club, kind=kind, heading="").first()


def _mark(title: str) -> str:
    return hashlib.sha256(plain(title).encode()).hexdigest()[:16]


# --- Cells -------------------------------------------------------------------------------------------------

# A place in `rows`: the row and the column, both from 0. Of a sheet an evening is a row and a line is a column; of a
# turned one it is the other way round.


def _places(upload: Upload, first: int) -> list[int]:
    if upload.kind == ImportKind.TURNED:
        return [place for place, row in enumerate(upload.rows) if place and row]
    return [place for place in range(len(upload.rows[0])) if place != first]


def _evenings(upload: Upload, first: int) -> list[int]:
    if upload.kind == ImportKind.TURNED:
        return [place for place in range(len(upload.rows[0])) if place != first]
    return [place for place, row in enumerate(upload.rows) if place and row]


def _date_cell(upload: Upload, first: int, evening_index: int) -> tuple[int, int]:
    return (0, evening_index) if upload.kind == ImportKind.TURNED else (evening_index, first)


def _name_cell(upload: Upload, first: int, place: int) -> tuple[int, int]:
    return (place, first) if upload.kind == ImportKind.TURNED else (0, place)


def _value_cell(upload: Upload, evening_index: int, place: int) -> tuple[int, int]:
    return (place, evening_index) if upload.kind == ImportKind.TURNED else (evening_index, place)


def _cell(upload: Upload, place: tuple[int, int]) -> str:
    row, column = place
    return str(upload.rows[row][column])


def _values(upload: Upload, first: int, place: int) -> Iterator[str]:
    """Yield the cells of a line, evening by evening, without those of sums."""
    for evening_index in _evenings(upload, first):
        if not is_total(_cell(upload, _date_cell(upload, first, evening_index))):
            yield _cell(upload, _value_cell(upload, evening_index, place))


def _is_there(value: str) -> bool:
    return value not in values.NOTHING


def _wrong(path: str, sentence: str) -> Refused:
    return Refused(status=422, code="import", sentence=sentence, at=path)
