"""Queries of the desk: the round with its tables by pending task, the clock, the missing entrants, the next step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ...models import Draw, Round, Sheet, Tournament, TournamentVersion
from .. import rounds
from ..clock import Clock, clock_of
from ..draw_package import present
from ..formats import Format
from ..gate import TournamentAccess
from ..podium import may_be_revealed, podium_places
from ..ranking import Ranking
from ..results import ranking_of
from ..rounds import RoundTable
from .people import Person, people_of

TOP = 5


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table: its entrant, and the net chips as far as they are known."""

    number: int
    name: str
    chips: int | None
    fixed: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of the shown round. `of`: hands that it plays, 0 without a limit; `steps`: one for each of them, True for
    those that are played. `differ`: the names whose values differ between its sheets, with the values."""

    number: int
    progress: str
    seats: tuple[Seat, ...]
    hands: int
    of: int
    pot: int
    address: str
    recorder: str
    sheets: int
    round: int
    differ: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def steps(self) -> Sequence[bool]:
        return [step < self.hands for step in range(self.of)] if 0 < self.of <= MOST_STEPS else ()


MOST_STEPS = 40


@dataclass(frozen=True, slots=True)
class Group:
    """Tables with the same pending task of the desk."""

    code: str
    title: str | Promise
    tables: tuple[TableView, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the short standings."""

    rank: int
    number: int
    name: str
    total: int
    italics: bool = False


@dataclass(frozen=True)
class Mark:
    """A round in the header: finished, the one that is shown, or still to come."""

    number: int
    state: str
    shown: bool
    final: bool


TITLES = {
    "disagree": _("Sheets differ"),
    "one_sheet": _("Second sheet missing"),
    "playing": _("Playing"),
    "waiting": _("Without a hand or a sheet"),
    "drawn": _("Where they sit"),
    "done": _("Done"),
}
ORDER = ("disagree", "one_sheet", "playing", "waiting", "drawn", "done")


@dataclass(frozen=True)
class Desk:
    """Everything on the desk's screen. `current` is the newest round; `shown` the one whose tables are shown."""

    found: TournamentAccess
    format: Format
    people: Sequence[Person]
    rounds: Sequence[Round]
    current: Round | None
    shown: Round | None
    tables: Sequence[TableView]
    proposed: Draw | None

    @property
    def tournament(self) -> Tournament:
        return self.found.tournament

    @cached_property
    def names(self) -> Mapping[int, str]:
        return {person.number: person.name for person in self.people}

    @cached_property
    def here(self) -> Sequence[Person]:
        return [person for person in self.people if person.here and not person.gone]

    @cached_property
    def missing(self) -> Sequence[Person]:
        return [person for person in self.people if person.missing]

    @cached_property
    def gone(self) -> Sequence[Person]:
        return [person for person in self.people if person.gone]

    @property
    def expected(self) -> Sequence[Person]:
        return [person for person in self.people if not person.gone]

    @property
    def seated(self) -> int:
        """The number of people at the shown tables."""
        return sum(len(table.seats) for table in self.tables)

    @property
    def last_table(self) -> int:
        """The greatest number of the shown tables."""
        return max((table.number for table in self.tables), default=0)

    @property
    def signed(self) -> bool:
        """True if totals are gains and losses: those of placings are not."""
        return self.format.result != "placing"

    @property
    def finished(self) -> int:
        """The number of the last finished round, 0 before that."""
        return max(
            (
                tournament_round.number
                for tournament_round in self.rounds
                if tournament_round.state == Round.State.FINISHED
            ),
            default=0,
        )

    @property
    def phase(self) -> str:
        """`draft`, `between` rounds, `drawn`, `playing` or `over`."""
        if self.tournament.state == Tournament.State.DRAFT:
            return "draft"
        if self.tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
            return "over"
        if self.current is None or self.current.state == Round.State.FINISHED:
            return "between"
        return str(self.current.state)

    @property
    def next_number(self) -> int:
        """The number of the round that can be drawn next."""
        return self.current.number + 1 if self.current else 1

    @cached_property
    def clock(self) -> Clock | None:
        """The clock of the newest round while it is not finished."""
        if self.current is None or self.current.state == Round.State.FINISHED:
            return None
        return clock_of(self.current, self.format)

    @cached_property
    def changed(self) -> Sequence[int]:
        """Start numbers of entrants who came or left since the round that waits for its beginning was drawn."""
        if self.phase != "drawn" or self.current is None:
            return ()
        return changed_since(self.found, self.format, self.current.draw)

    @cached_property
    def proposed_changed(self) -> Sequence[int]:
        """The same for the draw that was not published."""
        return changed_since(self.found, self.format, self.proposed) if self.proposed else ()

    @cached_property
    def groups(self) -> Sequence[Group]:
        """The shown tables by pending task; finished ones are folded while others are open."""
        if self.shown is None:
            return ()
        drawn = self.shown.state == Round.State.DRAWN
        by_code: dict[str, list[TableView]] = {}
        for table in self.tables:
            code = "drawn" if drawn and table.progress == "waiting" else table.progress
            by_code.setdefault(code, []).append(table)
        opened = any(code != "done" for code in by_code)
        return [
            Group(code, TITLES[code], tuple(by_code[code]), folded=code == "done" and opened)
            for code in ORDER
            if code in by_code
        ]

    @property
    def open_tables(self) -> Sequence[TableView]:
        return [table for table in self.tables if table.progress != "done"]

    @cached_property
    def marks(self) -> Sequence[Mark]:
        known = {tournament_round.number: tournament_round for tournament_round in self.rounds}
        shown = self.shown.number if self.shown else None
        marks = []
        for number in range(1, max(self.format.all_rounds, len(known)) + 1):
            tournament_round = known.get(number)
            state = (
                "ahead"
                if tournament_round is None
                else "done"
                if tournament_round.state == Round.State.FINISHED
                else "now"
            )
            marks.append(Mark(number, state, number == shown, number > self.format.rounds))
        return marks

    @cached_property
    def _ranking(self) -> Ranking:
        return ranking_of(self.tournament)

    @cached_property
    def podium(self) -> Sequence[int]:
        """The ranks of the podium in the order of the reveal; none before the ranking is final."""
        return podium_places(self._ranking) if may_be_revealed(self.tournament, self.current) else ()

    @cached_property
    def top(self) -> Sequence[Rank]:
        """The first ranks by the finished rounds."""
        if not any(tournament_round.state == Round.State.FINISHED for tournament_round in self.rounds):
            return ()
        lines = self._ranking.lines
        if self.phase != "over":
            lines = lines[:TOP]
        return [Rank(line.rank, line.number, self.names.get(line.number, "?"), line.total) for line in lines[: 2 * TOP]]


def desk_of(access: TournamentAccess, *, shown: int | None = None) -> Desk:
    """Read the desk; `shown`: the number of the round whose tables are shown, the newest one without it."""
    format = Format.read(access.tournament.format)
    people = people_of(access)
    known = list(access.tournament.rounds.select_related("draw", "evening__club").order_by("number"))
    for tournament_round in known:
        tournament_round.tournament = access.tournament
    current = known[-1] if known else None
    wanted = next((tournament_round for tournament_round in known if tournament_round.number == shown), current)
    proposed = access.tournament.draws.filter(round=_drawn_next(current)).order_by("number").last()
    if proposed is not None and current is not None and proposed.pk == current.draw_id:
        proposed = None
    tables = table_views(wanted, format, people) if wanted else ()
    return Desk(access, format, people, known, current, wanted, tables, proposed)


def _drawn_next(current: Round | None) -> int:
    """The round of which a draw is looked at: the newest one until it begins, then the one after it."""
    if current is None:
        return 1
    return current.number if current.state == Round.State.DRAWN else current.number + 1


def table_views(shown: Round, format: Format, people: Sequence[Person]) -> Sequence[TableView]:
    """Return the tables of a round as the desk shows them."""
    limit = rounds.hands_limit(shown, format)
    known = {person.number: person for person in people}
    return [_view(table, shown, limit, known) for table in rounds.tables_of(shown, format)]


def _view(table: RoundTable, shown: Round, limit: int, known: Mapping[int, Person]) -> TableView:
    def seat(number: int) -> Seat:
        person = known.get(number)
        fixed = person is not None and person.fixed_table == table.number
        return Seat(number, person.name if person else "?", table.chips.get(number), fixed)

    return TableView(
        number=table.number,
        progress=table.progress,
        seats=tuple(seat(number) for number in table.seats),
        hands=table.hands,
        of=limit,
        pot=table.pot,
        address=table.address,
        recorder=table.recorder,
        sheets=len(table.sheets),
        round=shown.number,
        differ=_differ(table, known) if table.progress == "disagree" else (),
    )


def _differ(table: RoundTable, known: Mapping[int, Person]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    last_decided = max((place for place, sheet in enumerate(table.sheets) if sheet.decides), default=0)
    compared = table.sheets[last_decided:]
    differing = []
    for seat in table.seats:
        amounts = tuple(dict.fromkeys(sheet.chips.get(str(seat), 0) for sheet in compared))
        if len(amounts) > 1:
            differing.append((known[seat].name if seat in known else "?", amounts))
    pots = tuple(dict.fromkeys(sheet.pot for sheet in compared))
    return (*differing, (str(_("In the pot")), pots)) if len(pots) > 1 else tuple(differing)


def changed_since(access: TournamentAccess, format: Format, drawn: Draw) -> Sequence[int]:
    """Return the start numbers that are here and not in this draw, or in it and not here."""
    inside = {seat for table in drawn.plan["tables"] for seat in table["seats"]} | set(drawn.plan["out"])
    here = {entrant.number for entrant in present(access.tournament, format, drawn.round)}
    return sorted(inside ^ here)


def desk_state(access: TournamentAccess) -> tuple[object, ...]:
    """Return numbers that change with each change of the desk's data. Two queries."""
    version = TournamentVersion.objects.filter(tournament=access.tournament).values_list("number", flat=True).first()
    current = access.tournament.rounds.exclude(state=Round.State.FINISHED).order_by("number").last()
    over = None
    if current is not None:
        remaining = clock_of(current, Format.read(access.tournament.format)).remaining
        over = remaining is not None and remaining <= 0
    return (access.tournament.pk, version, access.tournament.season.ledger_mark, over)


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A sheet of a table, to be compared with the others. `differs`: the places (start numbers; 0 the pot) in which it
    differs from the first one."""

    sheet: Sheet
    chips: Sequence[tuple[int, int, bool]]
    pot_differs: bool
    counts: bool


def sheet_columns(table: RoundTable) -> Sequence[SheetColumn]:
    """Return the sheets of a table side by side, in the order of the seats."""
    columns = []
    for sheet in table.sheets:
        others = [other for other in table.sheets if other.pk != sheet.pk]
        chips = []
        for seat in table.seats:
            amount = sheet.chips.get(str(seat), 0)
            chips.append((seat, amount, any(other.chips.get(str(seat), 0) != amount for other in others)))
        pot_differs = any(other.pot != sheet.pot for other in others)
        counts = table.sheet is not None and table.sheet.pk == sheet.pk
        columns.append(SheetColumn(sheet, chips, pot_differs, counts))
    return columns
