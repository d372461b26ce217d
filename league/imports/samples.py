"""Small files of each layout, to begin with: three people on two evenings, CSV or XLSX."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal

from django.utils import timezone

from ..models import ImportKind, Season
from ..tournaments.tables import of_games
from . import hands, values

Cells = Sequence[str]

WIDTH = 13
"""The width of a column, in characters."""

PEOPLE = ("Anna", "Beni", "Carla")
AMOUNTS = (("12.50", "-10.00", "-2.50"), ("-4.20", "4.20", ""))
POINTS = (("8", "3", "0"), ("-1", "6", ""))
"""The results of two evenings. An empty cell: was not there."""


def rows(kind: str, season: Season | None, game: str = "") -> list[Cells]:
    """Return the rows of a sample, the heading first, with days and values that fit the season."""
    days = [f"{day:%d.%m.%Y}" for day in _days(season)]
    in_points = season is not None and (season.points_only or season.ranking == Season.Ranking.POINTS)
    results = POINTS if in_points else AMOUNTS
    sheet = [("Datum", *PEOPLE), *((day, *each) for day, each in zip(days, results, strict=True))]
    if kind == ImportKind.SHEET:
        return list(sheet)
    if kind == ImportKind.TURNED:
        turned = [list(line) for line in zip(*sheet, strict=True)]
        turned[0][0] = "Name"
        return [tuple(line) for line in turned]
    if kind == ImportKind.HANDS:
        known = of_games().games()
        wanted = game if game in known else (season.games if season else "") or next(iter(known))
        heading, *seats = hands.of_games().sample(wanted)
        return [("Datum", *heading), *((days[0], *seat) for seat in seats)]
    title = "Punkte" if in_points else "Betrag"
    lines = [
        (day, name, value)
        for day, each in zip(days, results, strict=True)
        for name, value in zip(PEOPLE, each, strict=True)
        if value
    ]
    return [("Datum", "Name", title), *lines]


def _days(season: Season | None) -> tuple[date, date]:
    """Return two days of the season that are over, a week apart if it is long enough."""
    today = timezone.localdate()
    first = min(season.starts_on, today) if season else today - timedelta(days=7)
    last = min(season.ends_on or today, today) if season else today
    return first, max(first, min(first + timedelta(days=7), last))


def as_csv(lines: Sequence[Cells]) -> bytes:
    """Return the rows as a CSV file that spreadsheets open by a double click."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerows(lines)
    return ("\ufeff" + out.getvalue()).encode()


def as_xlsx(lines: Sequence[Cells]) -> bytes:
    """Return the rows as a spreadsheet with days and numbers."""
    from xlsxwriter import Workbook

    out = io.BytesIO()
    with Workbook(out, {"in_memory": True, "strings_to_formulas": False, "default_date_format": "dd.mm.yyyy"}) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 0)
        for number, row in enumerate(lines):
            for place, cell in enumerate(row):
                sheet.write(number, place, cell if number == 0 and not values.is_day(cell) else _typed(cell))
        sheet.set_column(0, len(lines[0]) - 1, WIDTH)
    return out.getvalue()


def _typed(cell: str) -> object:
    day = values.day(cell)
    if day is not None:
        return day
    if not cell or values.amount(cell) is None:
        return cell or None
    return int(cell) if cell.lstrip("-").isdecimal() else Decimal(cell)


FORMS: Mapping[str, Callable[[Sequence[Cells]], bytes]] = {"csv": as_csv, "xlsx": as_xlsx}
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
