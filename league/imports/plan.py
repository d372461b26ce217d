"""The plan of an import, and the rows of a file by column: both kinds of import use these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..models import Player, Season, Upload
from . import values
from .hands import CheckedEvening, Person

MAX_AMOUNT_MINOR = 100_000_000


@dataclass(frozen=True)
class CellProblem:
    """A cell that cannot be imported, or should be looked at: its row in the file (from 1), the heading of its column,
    its value, and the reason. `code`: the meaning of the column, `cell`: the address of the cell in a spreadsheet
    (`C7`), `fault`: the kind of the problem for programs."""

    row: int
    column: str
    value: str
    sentence: str
    code: str = ""
    cell: str = ""
    fault: str = "value"

    @property
    def shown(self) -> str:
        """The value in the form for people."""
        return shown_cell(self.value)

    @property
    def column_shown(self) -> str:
        """The heading in the form for people; in a turned sheet it is a day."""
        return shown_cell(self.column)


@dataclass(frozen=True)
class Total:
    """A person's total of an evening, from the file or from the hands; amounts in Rappen. `row` counts from 1, `cell`
    is the cell with the total."""

    row: int
    person: Person
    name: str
    hands: int
    points: int
    change_minor: int
    cell: str = ""

    @property
    def player_id(self) -> int | None:
        """The player; None for a person whom the import adds."""
        return self.person if isinstance(self.person, int) else None


@dataclass(frozen=True)
class FileEvening:
    """An evening of the file. `known`: it was imported before, with the same rows, and is not stored again.
    `recorded`: the club has another evening of this day. `rows` is the number of its rows, `hands` that of its hands;
    `checked` has these hands."""

    held_on: date
    totals: tuple[Total, ...]
    known: bool = False
    recorded: bool = False
    rows: int = 0
    hands: int = 0
    checked: CheckedEvening | None = None


@dataclass(frozen=True)
class Sum:
    """A person's sum over all evenings of an import; the amount in Rappen."""

    name: str
    evenings: int
    points: int
    change_minor: int


@dataclass(frozen=True)
class Preview:
    """The evenings of a file in the order of their days, and the problems of the file. Nothing is stored while there
    are problems; warnings do not prevent the import."""

    evenings: tuple[FileEvening, ...]
    problems: tuple[CellProblem, ...]
    warnings: tuple[CellProblem, ...] = ()

    @property
    def fresh(self) -> list[FileEvening]:
        """The evenings that the import stores."""
        return [evening for evening in self.evenings if not evening.known]

    @property
    def rows(self) -> int:
        """The number of rows that the import stores."""
        return sum(evening.rows for evening in self.fresh)

    @property
    def hands(self) -> int:
        """The number of hands that the import stores."""
        return sum(evening.hands for evening in self.fresh)

    @property
    def sums(self) -> list[Sum]:
        """The sums of the import by person, in the order of the file."""
        by_person: dict[Person, Sum] = {}
        for evening in self.fresh:
            for total in evening.totals:
                known = by_person.get(total.person, Sum(total.name, 0, 0, 0))
                points, change = known.points + total.points, known.change_minor + total.change_minor
                by_person[total.person] = Sum(known.name, known.evenings + 1, points, change)
        return list(by_person.values())

    @property
    def new_names(self) -> list[str]:
        """The names of the players whom the import adds, in the order of the file."""
        people = (total.person for evening in self.fresh for total in evening.totals)
        return list(dict.fromkeys(person for person in people if isinstance(person, str)))


@dataclass
class FileRow:
    """A row of the file, or one result of a sheet, with its cells by the codes of their columns; it collects its
    problems. `places` has the row (from 1) and the column (from 0) of each cell in the file."""

    number: int
    cells: Mapping[str, str]
    headings: Mapping[str, str]
    places: Mapping[str, tuple[int, int]]
    problems: list[CellProblem] = field(default_factory=list)

    def wrong(self, code: str, sentence: str, fault: str = "value") -> None:
        """Add a problem at the cell of this column."""
        self.problems.append(self.remark(code, sentence, fault))

    def remark(self, code: str, sentence: str, fault: str = "value") -> CellProblem:
        """Return a problem at the cell of this column; at the name where the file has no such column."""
        known = code if code in self.cells else "name"
        row = self.places[known][0]
        return CellProblem(row, self.headings[known], self.cells[known], sentence, known, self.address(known), fault)

    def address(self, code: str) -> str:
        """Return the address of a cell in a spreadsheet: `C7`."""
        return cell_address(*self.places[code])


def cell_address(row: int, place: int) -> str:
    """Return the address of a cell in a spreadsheet by its row (from 1) and its column (from 0)."""
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def shown_cell(text: str) -> str:
    """Return a cell as a person reads it: the day of a spreadsheet is stored as `2026-11-20`."""
    day = values.day(text) if values.ISO.fullmatch(text) else None
    return date_format(day, "SHORT_DATE_FORMAT") if day else text


def title_of(heading: Sequence[str], place: int) -> str:
    """Return the title of a column, or its number where it has none."""
    return heading[place] or _("Column %(n)d") % {"n": place + 1}


def file_rows(upload: Upload) -> Iterator[FileRow]:
    """Yield the rows of an upload whose columns are chosen, and that has a row for each person."""
    heading, *rows = upload.rows
    chosen = upload.chosen
    headings = {code: title_of(heading, place) for code, place in chosen.items()}
    for number, cells in enumerate(rows, upload.first_row + 1):
        if cells:
            row_cells = {code: cells[place] for code, place in chosen.items()}
            yield FileRow(number, row_cells, headings, {code: (number, place) for code, place in chosen.items()})


def main_players(club_id: int) -> dict[int, int]:
    """Return the main player of each player of the club. One query."""
    players = Player.objects.filter(club=club_id).values_list("pk", "main_id")
    return {player: main or player for player, main in players}


def imported_otherwise(row: FileRow, day: date) -> CellProblem:
    """Return the problem of a day that was imported before with other values, for at least one of the same people."""
    sentence = _("The evening of %(day)s was imported before with other values. Undo that import first.")
    return row.remark("date", sentence % {"day": date_format(day, "SHORT_DATE_FORMAT")}, "imported_otherwise")


# --- Cells -------------------------------------------------------------------------------------------------


def day_of(row: FileRow, season: Season) -> date | None:
    """Return the day of a row; a problem of the row, and None, where it is none of the season."""
    today = timezone.localdate()
    last = min(season.ends_on or today, today)
    day = values.day(row.cells["date"]) or values.day_without_year(row.cells["date"], season.starts_on, last)
    if day is None:
        row.wrong("date", _("This is no date: write it like 20.11.2026 or 2026-11-20."), "no_date")
    elif day > today:
        row.wrong("date", _("This day is still to come."), "future")
    elif day < season.starts_on or (season.ends_on is not None and day > season.ends_on):
        row.wrong("date", _("This day is not in %(season)s.") % {"season": season}, "outside_season")
    else:
        return day
    return None


def person_of(row: FileRow, named: Mapping[str, int | None], mains: Mapping[int, int]) -> Person:
    """Return the player for the name of a row; a missing name is a problem of the row."""
    name = row.cells["name"]
    if not name:
        row.wrong("name", _("The name is missing."), "missing")
    player = named.get(name.casefold())
    return name.casefold() if player is None else mains.get(player, player)


def amount_of(row: FileRow, francs: str, rappen: str) -> int | None:
    """Return the amount in one of these columns, in Rappen: 0 where the file has neither, None where it is wrong."""
    if francs in row.cells:
        code, amount = francs, values.amount(row.cells[francs])
        sentence = _("This is no amount: write it like 12.50 or -3.20.")
    elif rappen in row.cells:
        code, amount = rappen, values.whole(row.cells[rappen])
        sentence = _("This is no whole number of Rappen.")
    else:
        return 0
    if amount is None:
        row.wrong(code, sentence, "no_number")
    elif abs(amount) > MAX_AMOUNT_MINOR:
        row.wrong(code, _("This amount is too large: at most a million francs."), "out_of_range")
    else:
        return amount
    return None


def number_of(row: FileRow, code: str, least: int, most: int, default: int | None) -> int | None:
    """Return the number in a cell; `default` where the file has no such column or the cell has nothing, None where it
    is wrong. Without a default a number is needed."""
    if code not in row.cells or row.cells[code] in values.NOTHING:
        if default is None:
            row.wrong(code, _("The number is missing."), "missing")
        return default
    number = values.whole(row.cells[code])
    if number is None:
        row.wrong(code, _("This is no whole number."), "no_number")
    elif not least <= number <= most:
        sentence = _("This number must be from %(least)d to %(most)d.") % {"least": least, "most": most}
        row.wrong(code, sentence, "out_of_range")
    else:
        return number
    return None
