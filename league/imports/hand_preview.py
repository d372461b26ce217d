"""Preview of an import of hands: each evening with its tables and hands, replayed by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import gettext as _

from ..models import Evening, HouseRules, Upload
from . import hands, stored
from .hands import CheckedEvening, HandRows, Person, Played, Remark, SeatRow, TableRows
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
    number_of,
    person_of,
)

MAX_HANDS = 5_000
"""So many hands in a file."""
MAX_NUMBER = 500
"""So many hands at a table."""
MAX_TABLES = 20
MAX_SEATS = 20
"""The highest number of a seat; the rules of the game say how many people sit at a table."""
VOIDED = ("voided", "storniert", "annulliert")
"""A row of a hand that was taken back, as in the files of this service: it is left out."""
YES = ("1", "x", "ja", "j", "yes", "y", "true", "wahr", "oui", "si", "sì", "*")
NO = ("0", "", "-", "–", "—", "nein", "n", "no", "false", "falsch", "non")


@dataclass
class _Seat:
    """A row of the file with its parsed cells; `seat` orders the rows of a hand."""

    row: FileRow
    person: Person
    deals: bool = False
    seat: int | None = None
    change: int | None = None
    pot: int | None = None


@dataclass
class _Day:
    """The rows of a day by table and hand. `first` is the first row of the day."""

    first: FileRow
    hands: dict[tuple[int, int], list[_Seat]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(len(seats) for seats in self.hands.values())


def preview(upload: Upload, named: Mapping[str, int | None], mains: Mapping[int, int]) -> Preview:
    """Return the plan of an upload of hands. `named`: name without capitals → player. Six queries at
    most beside those for new names."""
    days: dict[date, _Day] = {}
    rows: dict[int, FileRow] = {}
    for row in file_rows(upload):
        if row.cells.get("state", "").casefold() in VOIDED:
            continue
        rows[row.number] = row
        _read(row, upload, named, mains, days)
    problems = [*_too_many(days)]
    for day in days.values():
        _check_hands(day)
    played = stored.played(upload.club_id, days, mains)
    newest = _newest_rules(upload)
    evenings, warnings = [], []
    totals = stored.totals(upload.club_id, days)
    recorded = stored.recorded(upload.club_id, days)
    for held_on, day in sorted(days.items()):
        before = played.get(held_on, [])
        checked, known = _checked(upload, day, before, newest)
        problems += _remarks(rows, checked.faults)
        warnings += _remarks(rows, checked.warnings)
        there = [
            *(stored.people(tables) for _evening, tables in before),
            *(set(people) for people in totals.get(held_on, [])),
        ]
        if not known and any(_people(day) & each for each in there):
            problems.append(imported_otherwise(day.first, held_on))
        evenings.append(_planned(held_on, day, checked, known=known, recorded=held_on in recorded))
    problems += [problem for row in rows.values() for problem in row.problems]
    # No remark is shown on a hand that is not stored again.
    left_out = {seat.row.number for evening in evenings if evening.known for seat in _seats(days[evening.held_on])}
    warnings = [warning for warning in warnings if warning.row not in left_out]
    in_order = sorted(problems, key=lambda problem: problem.row)
    return Preview(tuple(evenings), tuple(in_order), tuple(sorted(warnings, key=lambda warning: warning.row)))


def _checked(
    upload: Upload, day: _Day, before: Sequence[tuple[Evening, Played]], newest: HouseRules
) -> tuple[CheckedEvening, bool]:
    """Replay the hands of a day. The second value is True where they were imported before: then under the house rules
    of that evening, which may be older ones."""
    games, rows = hands.of_games(), _tables(day)
    for evening, tables in before:
        if evening.game == upload.game:
            checked = games.check(evening.house_rules, rows, points_only=upload.season.points_only)
            if games.as_played(checked) == tables:
                return checked, True
    return games.check(newest, rows, points_only=upload.season.points_only), False


def _newest_rules(upload: Upload) -> HouseRules:
    """Return the house rules of an evening that begins now; the defaults where the club never set any."""
    newest = HouseRules.objects.filter(club=upload.club_id, game=upload.game).order_by("-version").first()
    return newest or HouseRules(club_id=upload.club_id, game=upload.game)


# --- Rows --------------------------------------------------------------------------------------------------


def _read(
    row: FileRow, upload: Upload, named: Mapping[str, int | None], mains: Mapping[int, int], days: dict[date, _Day]
) -> None:
    """Read a row and put it to its day, table and hand."""
    day = day_of(row, upload.season)
    seat = _Seat(row, person_of(row, named, mains))
    table = number_of(row, "table", 1, MAX_TABLES, 1)
    number = number_of(row, "hand", 1, MAX_NUMBER, None)
    if "seat" in row.cells:
        seat.seat = number_of(row, "seat", 0, MAX_SEATS, None)
    if row.cells.get("dealer", "").casefold() in YES:
        seat.deals = True
    elif row.cells.get("dealer", "").casefold() not in NO:
        row.wrong("dealer", _("Write 1 in the row of the dealer, and nothing in the others."))
    if _given(row, "amount", "amount_minor"):
        seat.change = amount_of(row, "amount", "amount_minor")
    if _given(row, "pot_after", "pot_after_minor"):
        seat.pot = amount_of(row, "pot_after", "pot_after_minor")
    if day is not None:
        known = days.setdefault(day, _Day(row))
        if table is not None and number is not None:
            known.hands.setdefault((table, number), []).append(seat)


def _given(row: FileRow, francs: str, rappen: str) -> bool:
    """Return True if one of these cells has a value: an empty one is not compared."""
    return bool(row.cells.get(francs) or row.cells.get(rappen))


def _seats(day: _Day) -> Iterator[_Seat]:
    for seats in day.hands.values():
        yield from seats


def _people(day: _Day) -> set[Person]:
    return {seat.person for seat in _seats(day)}


def _check_hands(day: _Day) -> None:
    """Find hands that are missing, and people and seats that are twice in a hand."""
    for (table, number), seats in sorted(day.hands.items()):
        if number > 1 and (table, number - 1) not in day.hands:
            sentence = _("Hand %(n)d of this evening is missing. The hands of a table are numbered from 1.")
            seats[0].row.wrong("hand", sentence % {"n": number - 1})
        people: dict[Person, int] = {}
        places: dict[int, int] = {}
        dealers = [seat for seat in seats if seat.deals]
        for seat in seats:
            if seat.row.cells["name"] and people.setdefault(seat.person, seat.row.number) != seat.row.number:
                values = {"name": seat.row.cells["name"], "row": people[seat.person]}
                seat.row.wrong("name", _("%(name)s sits in this hand already: row %(row)d.") % values)
            if seat.seat is not None and places.setdefault(seat.seat, seat.row.number) != seat.row.number:
                values = {"row": places[seat.seat]}
                seat.row.wrong("seat", _("Somebody else has this seat in this hand: row %(row)d.") % values)
        for seat in dealers[1:]:
            values = {"row": dealers[0].row.number}
            seat.row.wrong("dealer", _("Somebody else deals this hand: row %(row)d.") % values)


def _too_many(days: Mapping[date, _Day]) -> Iterator[CellProblem]:
    count = sum(len(day.hands) for day in days.values())
    if count > MAX_HANDS:
        first = min(days.values(), key=lambda day: day.first.number).first
        sentence = _("The file has %(n)d hands: at most %(most)d. Divide it, for example by years.")
        yield first.remark("hand", sentence % {"n": count, "most": MAX_HANDS})


def _tables(day: _Day) -> list[TableRows]:
    """Return the tables of a day for the rules of the game."""
    tables: dict[int, list[HandRows]] = {}
    for (table, number), seats in sorted(day.hands.items()):
        ordered = sorted(seats, key=lambda seat: (seat.seat or 0, seat.row.number))
        whole = not any(seat.row.problems for seat in ordered)
        tables.setdefault(table, []).append(HandRows(number, tuple(map(_seat_row, ordered)), whole))
    return [TableRows(number, tuple(each)) for number, each in tables.items()]


def _seat_row(seat: _Seat) -> SeatRow:
    cells = seat.row.cells
    return SeatRow(
        row=seat.row.number,
        person=seat.person,
        name=cells["name"],
        cells=cells,
        deals=seat.deals,
        change_minor=seat.change,
        pot_after_minor=seat.pot,
        amount="amount" if "amount" in cells else "amount_minor",
        pot="pot_after" if "pot_after" in cells else "pot_after_minor",
    )


def _remarks(rows: Mapping[int, FileRow], remarks: Iterable[Remark]) -> list[CellProblem]:
    return [rows[remark.row].remark(remark.code, remark.sentence) for remark in remarks]


# --- Evenings ----------------------------------------------------------------------------------------------


def _planned(held_on: date, day: _Day, checked: CheckedEvening, *, known: bool, recorded: bool) -> FileEvening:
    return FileEvening(
        held_on,
        tuple(_totals(day, checked)),
        known=known,
        recorded=recorded,
        rows=day.rows,
        hands=len(day.hands),
        checked=checked,
    )


def _totals(day: _Day, checked: CheckedEvening) -> Sequence[Total]:
    """Return the totals of an evening's hands and shared pots, for each person in the order of the file."""
    counts: dict[Person, int] = {}
    changes: dict[Person, int] = dict(checked.shares)
    for table in checked.tables:
        for hand in table.hands:
            for person, change in zip(hand.players, hand.deltas, strict=True):
                counts[person] = counts.get(person, 0) + 1
                changes[person] = changes.get(person, 0) + change
    first: dict[Person, FileRow] = {}
    for seat in sorted(_seats(day), key=lambda entry: entry.row.number):
        first.setdefault(seat.person, seat.row)
    return [
        Total(row.number, person, row.cells["name"], counts.get(person, 0), 0, changes.get(person, 0))
        for person, row in first.items()
    ]
