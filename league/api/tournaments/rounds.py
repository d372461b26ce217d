"""API of the rounds of a tournament: clock, tables, sheets, end."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import Refused
from league.models import Round
from league.tournaments import rounds, sheets
from league.tournaments.formats import Format
from league.tournaments.gate import TournamentAccess

from ..base import Op
from ..paging import page
from . import answers, bodies, representations
from .base import TournamentView, is_hidden, round_of
from .examples import CLOCK, ROUND, SHEET, TABLES


class RoundView(TournamentView):
    """Base of the addresses of one round (`<int:number>`)."""

    def current(self, found: TournamentAccess) -> Round:
        """Return the round that the address names. Raises Http404."""
        return round_of(found.tournament, self.kwargs["number"])

    def desk_of_round(self) -> TournamentAccess:
        """Return the tournament for somebody at its desk, if it has this round. Raises as `desk`, Http404."""
        found = self.desk()
        self.current(found)
        return found

    def shown(self, found: TournamentAccess) -> Response:
        """Return the answer for the round as it is stored now."""
        return self.answer(representations.round_line(self.current(found), Format.read(found.tournament.format)))

    def clock(self, found: TournamentAccess) -> Response:
        """Return the answer with the clock of the round."""
        return self.answer(representations.round_clock(self.current(found), Format.read(found.tournament.format)))


class TournamentRounds(TournamentView):
    """The rounds of a tournament."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The rounds of a tournament"),
            answers.RoundAnswer,
            paged=True,
            example=ROUND,
        )
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        found = self.tournament().tournament
        format = Format.read(found.format)
        items, following = page(request, found.rounds.all(), ["number"])
        return self.answer_items([representations.round_line(one, format) for one in items], following)


class TournamentRound(RoundView):
    """A round."""

    ops = {"GET": Op(Right.READ, gettext_lazy("A round"), answers.RoundAnswer, example=ROUND)}

    def get(self, request: Request, club: str, tournament: str, number: int) -> Response:
        return self.shown(self.tournament())


class RoundTables(RoundView):
    """The tables of a round."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The tables of a round, with their people and progress"),
            answers.RoundTablesAnswer,
            example=TABLES,
        )
    }

    def get(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.tournament()
        current, people = self.current(found), self.people(found)
        hidden = is_hidden(found, number)
        known = rounds.tables_of(current, Format.read(found.tournament.format))
        items = [representations.round_table(one, number, people, hidden=hidden) for one in known]
        return self.answer({"round": number, "hidden": hidden, "items": items})


class RoundClock(RoundView):
    """The clock of a round."""

    ops = {"GET": Op(Right.READ, gettext_lazy("The clock of a round"), answers.RoundClockAnswer, example=CLOCK)}

    def get(self, request: Request, club: str, tournament: str, number: int) -> Response:
        return self.clock(self.tournament())


def _of_clock(summary: Any, **more: Any) -> Op:
    return Op(Right.RECORD, summary, answers.RoundClockAnswer, refusals=(409,), example=CLOCK, **more)


class RoundStart(RoundView):
    """The beginning of a round."""

    ops = {"POST": _of_clock(gettext_lazy("Begin a drawn round: the clock runs"))}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_round()
        rounds.round_start(tournament=found.tournament, author=self.person, number=number, key=self.key)
        return self.clock(found)


class RoundUnstart(RoundView):
    """The beginning of a round, taken back."""

    ops = {"POST": _of_clock(gettext_lazy("Take the beginning back, while no table has a hand or a sheet"))}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_round()
        rounds.start_take_back(tournament=found.tournament, author=self.person, number=number, key=self.key)
        return self.clock(found)


class RoundPause(RoundView):
    """A pause of the clock."""

    ops = {"POST": _of_clock(gettext_lazy("Stop the clock"))}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_round()
        rounds.clock_pause(tournament=found.tournament, author=self.person, number=number)
        return self.clock(found)


class RoundResume(RoundView):
    """The end of a pause."""

    ops = {"POST": _of_clock(gettext_lazy("Let the clock run on"))}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_round()
        rounds.clock_resume(tournament=found.tournament, author=self.person, number=number)
        return self.clock(found)


class RoundMinutes(RoundView):
    """More or less time for a round."""

    ops = {
        "POST": _of_clock(
            gettext_lazy("Add minutes to the time of a round, or take some away"),
            body=bodies.MinutesBody,
            body_example={"minutes": 5},
        )
    }

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_round(), self.sent()
        rounds.minutes_add(
            tournament=found.tournament, author=self.person, number=number, minutes=sent["minutes"], key=self.key
        )
        return self.clock(found)


class RoundFinish(RoundView):
    """The end of a round."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Finish a round: its results count"),
            answers.RoundAnswer,
            body=bodies.RoundFinishBody,
            refusals=(409,),
            example=ROUND,
            body_example={"despite_open": False},
        )
    }

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_round(), self.sent()
        rounds.round_finish(
            tournament=found.tournament,
            author=self.person,
            number=number,
            despite_open=sent["despite_open"],
            key=self.key,
        )
        return self.shown(found)


class RoundReopen(RoundView):
    """The reopening of a round."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Open the last finished round again, while no round was drawn after it"),
            answers.RoundAnswer,
            body=bodies.RoundReopenBody,
            refusals=(409,),
            example=ROUND,
            body_example={"reason": "Table 3 handed in a wrong sheet"},
        )
    }

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_round(), self.sent()
        rounds.round_reopen(
            tournament=found.tournament, author=self.person, number=number, reason=sent["reason"], key=self.key
        )
        return self.shown(found)


class RoundSheets(RoundView):
    """The sheets of a round."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The sheets of a round, by table and in the order in which they came"),
            answers.SheetAnswer,
            paged=True,
            query={"table": {"type": "integer", "minimum": 1, "maximum": bodies.MAX_TABLE}},
            example=SHEET,
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Hand in the sheet of a table"),
            answers.SheetAnswer,
            status=201,
            body=bodies.NewSheetBody,
            refusals=(409,),
            example=SHEET,
            body_example={
                "table": 1,
                "seats": [{"number": 1, "chips": 30}, {"number": 2, "chips": -40}, {"number": 3, "chips": 4}],
                "pot": 6,
            },
            about=gettext_lazy("Every recorder of the club may hand in a sheet; the desk decides which one counts."),
        ),
    }

    def get(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.tournament()
        rows = self.current(found).sheets.all()
        if is_hidden(found, number):
            rows = rows.none()
        table = self.whole_number("table", most=bodies.MAX_TABLE)
        if table is not None:
            rows = rows.filter(table_number=table)
        items, following = page(request, rows, ["table_number", "number"])
        people = self.people(found)
        return self.answer_items([representations.sheet(one, number, people) for one in items], following)

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.tournament(), self.sent()
        self.current(found)
        if sent["decides"] and not found.runs:
            raise PermissionDenied
        chips = {one["number"]: one["chips"] for one in sent["seats"]}
        if len(chips) < len(sent["seats"]):
            sentence = _("A start number is named twice.")
            raise Refused(status=422, code="seats", sentence=sentence, at="seats")
        sheet = sheets.hand_in(
            tournament=found.tournament,
            author=self.person,
            number=number,
            table=sent["table"],
            chips=chips,
            pot=sent["pot"],
            at_table=not found.runs,
            decides=sent["decides"],
            reason=sent["reason"],
            key=self.key,
        )
        return self.answer(representations.sheet(sheet, number, self.people(found)))
