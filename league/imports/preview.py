"""What an import of totals would store: each evening with its totals, and each cell that is wrong, with a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..models import Evening, ImportedTotal, Player, Season, Upload
from ..money import format_money
from . import values
from .columns import Chosen
from .matching import Meant

MAX_AMOUNT_MINOR = 100_000_000
MAX_POINTS = 100_000
MAX_HANDS = 1_000

Person = int | str
"""A player's id, or the name of a player whom the import adds."""


@dataclass(frozen=True)
class Problem:
    """A cell that cannot be imported: its row in the file (from 1), the heading of its column, what it has, and why."""

    row: int
    column: str
    value: str
    sentence: str


@dataclass(frozen=True)
class Total:
    """What a row of the file says of a person's evening; amounts in Rappen. `row` counts from 1."""

    row: int
    person: Person
    name: str
    hands: int
    points: int
    change_minor: int


@dataclass(frozen=True)
class PlannedEvening:
    """An evening of the file. `known`: it was imported before, with the same totals, and is not stored again.
    `recorded`: the club has another evening of this day."""

    held_on: date
    totals: tuple[Total, ...]
    known: bool = False
    recorded: bool = False


@dataclass(frozen=True)
class Preview:
    """The evenings of a file in the order of their days, and what is wrong with it. Nothing is stored while there are
    problems."""

    evenings: tuple[PlannedEvening, ...]
    problems: tuple[Problem, ...]

    @property
    def fresh(self) -> list[PlannedEvening]:
        """The evenings that the import stores."""
        return [one for one in self.evenings if not one.known]

    @property
    def rows(self) -> int:
        """The number of rows that the import stores."""
        return sum(len(one.totals) for one in self.fresh)

    @property
    def new_names(self) -> list[str]:
        """The names of the players whom the import adds, in the order of the file."""
        found = (total.person for one in self.fresh for total in one.totals)
        return list(dict.fromkeys(person for person in found if isinstance(person, str)))


@dataclass
class _Row:
    """A row of the file with its cells by the codes of their columns; it collects its problems."""

    number: int
    cells: Mapping[str, str]
    headings: Mapping[str, str]
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, code: str, sentence: str) -> None:
        self.problems.append(Problem(self.number, self.headings[code], self.cells[code], sentence))


def preview(upload: Upload, meant: Meant | None = None) -> Preview:
    """Return what the rows of an upload would become. Its columns and names are chosen. Four queries.

    `meant` replaces the names of the upload.
    """
    named = {name.casefold(): player for name, player in (upload.meant if meant is None else meant).items()}
    mains = _mains(upload)
    problems: list[Problem] = []
    by_day: dict[date, list[Total]] = {}
    last_row: dict[date, _Row] = {}
    for row in _rows(upload, upload.chosen):
        day = _day(row, upload.season)
        total = _total(row, named, mains)
        if day is not None and total is not None and not row.problems:
            _check_once(row, total, by_day.get(day, ()))
        problems += row.problems
        if day is not None:
            last_row[day] = row
            by_day.setdefault(day, []).extend([total] if total is not None and not row.problems else [])
    if not problems:
        problems = [one for day, totals in sorted(by_day.items()) for one in _sum(last_row[day], totals)]
    stored = _stored(upload.season, by_day)
    recorded = _recorded(upload.season, by_day)
    evenings = [_planned(day, totals, stored.get(day, []), recorded) for day, totals in sorted(by_day.items())]
    if not problems:
        problems = [one for each in evenings for one in _other_values(each, stored.get(each.held_on, []), last_row)]
    return Preview(tuple(evenings), tuple(sorted(problems, key=lambda one: one.row)))


def _rows(upload: Upload, chosen: Chosen) -> Iterator[_Row]:
    heading, *rows = upload.rows
    headings = {code: heading[place] or _("Column %(n)d") % {"n": place + 1} for code, place in chosen.items()}
    for number, cells in enumerate(rows, 2):
        if cells:
            yield _Row(number, {code: cells[place] for code, place in chosen.items()}, headings)


def _mains(upload: Upload) -> dict[int, int]:
    """The main player of each player of the club."""
    players = Player.objects.filter(club=upload.club_id).values_list("pk", "main_id")
    return {player: main or player for player, main in players}


# --- Cells -------------------------------------------------------------------------------------------------


def _day(row: _Row, season: Season) -> date | None:
    found = values.day(row.cells["date"])
    if found is None:
        row.wrong("date", _("This is no date: write it like 20.11.2026 or 2026-11-20."))
    elif found > timezone.localdate():
        row.wrong("date", _("This day is still to come."))
    elif found < season.starts_on or (season.ends_on is not None and found > season.ends_on):
        row.wrong("date", _("This day is not in %(season)s.") % {"season": season})
    else:
        return found
    return None


def _total(row: _Row, named: Mapping[str, int | None], mains: Mapping[int, int]) -> Total | None:
    name = row.cells["name"]
    player = named.get(name.casefold())
    if not name:
        row.wrong("name", _("The name is missing."))
    person: Person = name.casefold() if player is None else mains.get(player, player)
    change = _amount(row)
    points = _number(row, "points", -MAX_POINTS, MAX_POINTS, 0)
    hands = _number(row, "hands", 1, MAX_HANDS, 1)
    if row.problems or change is None or points is None or hands is None:
        return None
    return Total(row.number, person, name, hands, points, change)


def _amount(row: _Row) -> int | None:
    if "amount" in row.cells:
        code, found = "amount", values.amount(row.cells["amount"])
        sentence = _("This is no amount: write it like 12.50 or -3.20.")
    elif "amount_minor" in row.cells:
        code, found = "amount_minor", values.whole(row.cells["amount_minor"])
        sentence = _("This is no whole number of Rappen.")
    else:
        return 0
    if found is None:
        row.wrong(code, sentence)
    elif abs(found) > MAX_AMOUNT_MINOR:
        row.wrong(code, _("This amount is too large: at most a million francs."))
    else:
        return found
    return None


def _number(row: _Row, code: str, least: int, most: int, default: int) -> int | None:
    """Return the number in a cell; `default` where the file has no such column or the cell has nothing."""
    if code not in row.cells or row.cells[code] in values.NOTHING:
        return default
    found = values.whole(row.cells[code])
    if found is None:
        row.wrong(code, _("This is no whole number."))
    elif not least <= found <= most:
        row.wrong(code, _("This number must be from %(least)d to %(most)d.") % {"least": least, "most": most})
    else:
        return found
    return None


def _check_once(row: _Row, total: Total, before: Iterable[Total]) -> None:
    other = next((one for one in before if one.person == total.person), None)
    if other is not None:
        sentence = _("%(name)s has a row of this day already: row %(row)d.")
        row.wrong("name", sentence % {"name": total.name, "row": other.row})


# --- Evenings ----------------------------------------------------------------------------------------------


def _sum(row: _Row, totals: Sequence[Total]) -> Iterator[Problem]:
    """The problem of an evening whose amounts do not add up, at its last row."""
    rest = sum(one.change_minor for one in totals)
    if rest:
        sentence = (
            _("The amounts of this evening do not add up: %(amount)s too much was won.")
            if rest > 0
            else _("The amounts of this evening do not add up: %(amount)s too much was lost.")
        )
        code = "amount" if "amount" in row.cells else "amount_minor"
        row.wrong(code, sentence % {"amount": format_money(abs(rest))})
        yield row.problems[-1]


def _stored(season: Season, days: Iterable[date]) -> dict[date, list[dict[Person, tuple[int, int, int]]]]:
    """The totals of the evenings of these days that were imported before, by person."""
    rows = ImportedTotal.objects.filter(evening__club=season.club_id, evening__held_on__in=list(days), undone=False)
    found: dict[date, dict[int, dict[Person, tuple[int, int, int]]]] = {}
    columns = ("evening__held_on", "evening_id", "player_id", "player__main_id", "hands", "points", "change_minor")
    for day, evening, player, main, *total in rows.values_list(*columns):
        hands, points, change = total
        found.setdefault(day, {}).setdefault(evening, {})[main or player] = (hands, points, change)
    return {day: list(evenings.values()) for day, evenings in found.items()}


def _recorded(season: Season, days: Iterable[date]) -> set[date]:
    """The days of these on which the club has an evening that was not imported."""
    others = Evening.nights.filter(club=season.club_id, held_on__in=list(days), imported__isnull=True)
    return set(others.values_list("held_on", flat=True))


def _planned(
    day: date, totals: Sequence[Total], stored: Sequence[Mapping[Person, tuple[int, int, int]]], recorded: set[date]
) -> PlannedEvening:
    same = {one.person: (one.hands, one.points, one.change_minor) for one in totals} in stored
    return PlannedEvening(day, tuple(totals), known=same, recorded=day in recorded)


def _other_values(
    planned: PlannedEvening, stored: Sequence[Mapping[Person, object]], rows: Mapping[date, _Row]
) -> Iterator[Problem]:
    """The problem of a day that was imported before with other values, for at least one of the same people."""
    people = {one.person for one in planned.totals}
    if planned.known or not any(people & evening.keys() for evening in stored):
        return
    sentence = _("The evening of %(day)s was imported before with other values. Undo that import first.")
    row = rows[planned.held_on]
    row.wrong("date", sentence % {"day": date_format(planned.held_on, "SHORT_DATE_FORMAT")})
    yield row.problems[-1]
