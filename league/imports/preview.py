"""The preview of an import of totals: each evening with its totals, and each cell that is wrong, with a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from django.utils.translation import gettext as _

from ..models import ImportKind, Upload
from ..money import format_money
from . import hand_preview, sheets, stored
from .matching import Meant
from .plan import (
    CellProblem,
    FileEvening,
    FileRow,
    Preview,
    Total,
    amount_of,
    day_of,
    file_rows,
    imported_otherwise,
    main_players,
    number_of,
    person_of,
)

MAX_POINTS = 100_000
MAX_HANDS = 1_000


def preview(upload: Upload, meant: Meant | None = None) -> Preview:
    """Return the preview of an upload, whose columns and names are chosen. Five queries, ten for hands.

    `meant` replaces the names of the upload.
    """
    named = {name.casefold(): player for name, player in (upload.meant if meant is None else meant).items()}
    mains = main_players(upload.club_id)
    if upload.kind == ImportKind.HANDS:
        return hand_preview.preview(upload, named, mains)
    problems: list[CellProblem] = []
    wrong_days: set[date] = set()
    by_day: dict[date, list[Total]] = {}
    last_row: dict[date, FileRow] = {}
    is_sheet = upload.kind in sheets.KINDS
    for row in sheets.results(upload) if is_sheet else file_rows(upload):
        day = day_of(row, upload.season)
        total = _total(row, named, mains)
        if day is not None and total is not None and not row.problems:
            _check_once(row, total, by_day.get(day, ()), is_sheet=is_sheet)
        problems += row.problems
        if day is not None:
            wrong_days |= {day} if row.problems else set()
            last_row[day] = row
            by_day.setdefault(day, []).extend([total] if total is not None and not row.problems else [])
    # A row without a day may belong to any evening; of a sheet all results of an evening have one date.
    dated = is_sheet or not any(problem.code == "date" for problem in problems)
    whole = [day for day in sorted(by_day) if dated and day not in wrong_days]
    sums = [problem for day in whole for problem in _sum(last_row[day], by_day[day], "date" if is_sheet else "")]
    wrong_days |= {day for day in whole if last_row[day].problems}
    problems += sums
    known = stored.totals(upload.club_id, by_day)
    played = stored.played(upload.club_id, by_day, mains)
    recorded = stored.recorded(upload.club_id, by_day)
    evenings = [_planned(day, totals, known.get(day, []), recorded) for day, totals in sorted(by_day.items())]
    there = {day: [set(people) for people in each] for day, each in known.items()}
    for day, others in played.items():
        there.setdefault(day, []).extend(stored.people(tables) for _evening, tables in others)
    problems += [
        imported_otherwise(last_row[evening.held_on], evening.held_on)
        for evening in evenings
        if not evening.known
        and dated
        and evening.held_on not in wrong_days
        and any({total.person for total in evening.totals} & each for each in there.get(evening.held_on, []))
    ]
    # A wrong date of a sheet is one problem, however many people have a result beside it.
    once = dict.fromkeys(problems)
    warnings = tuple(sheets.left_out(upload)) if is_sheet else ()
    return Preview(tuple(evenings), tuple(sorted(once, key=lambda problem: problem.row)), warnings)


# --- Cells -------------------------------------------------------------------------------------------------


def _total(row: FileRow, named: Mapping[str, int | None], mains: Mapping[int, int]) -> Total | None:
    person = person_of(row, named, mains)
    change = amount_of(row, "amount", "amount_minor")
    points = number_of(row, "points", -MAX_POINTS, MAX_POINTS, 0)
    hands = number_of(row, "hands", 1, MAX_HANDS, 1)
    if row.problems or change is None or points is None or hands is None:
        return None
    return Total(row.number, person, row.cells["name"], hands, points, change, row.address(_result_code(row)))


def _result_code(row: FileRow) -> str:
    """Return the code of the column that has the result of a row."""
    return next((code for code in ("amount", "amount_minor", "points") if code in row.cells), "name")


def _check_once(row: FileRow, total: Total, before: Iterable[Total], *, is_sheet: bool) -> None:
    other = next((earlier for earlier in before if earlier.person == total.person), None)
    if other is not None:
        sentence = _("%(name)s has a result of this day already, in cell %(cell)s.")
        # The name of a sheet is above all its evenings.
        code = _result_code(row) if is_sheet else "name"
        row.wrong(code, sentence % {"name": total.name, "cell": other.cell}, "twice")


# --- Evenings ----------------------------------------------------------------------------------------------


def _sum(row: FileRow, totals: Sequence[Total], column: str) -> Iterator[CellProblem]:
    """The problem of an evening whose amounts do not add up: at its last row, of a sheet at its date."""
    rest = sum(total.change_minor for total in totals)
    if rest:
        sentence = (
            _("The amounts of this evening do not add up: %(amount)s too much was won.")
            if rest > 0
            else _("The amounts of this evening do not add up: %(amount)s too much was lost.")
        )
        code = column or ("amount" if "amount" in row.cells else "amount_minor")
        row.wrong(code, sentence % {"amount": format_money(abs(rest))}, "sum")
        yield row.problems[-1]


def _planned(day: date, totals: Sequence[Total], known: Sequence[stored.Totals], recorded: set[date]) -> FileEvening:
    same = {total.person: (total.hands, total.points, total.change_minor) for total in totals} in known
    return FileEvening(day, tuple(totals), known=same, recorded=day in recorded, rows=len(totals))
