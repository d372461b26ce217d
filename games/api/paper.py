"""The paper twin for programs: a sheet typed back in lines, and the table that the code of a sheet means."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op

from ..errors import Refused
from ..paper import entry, nights
from ..paper.entry import Read
from . import answers, bodies
from .base import NightView
from .examples import example
from .tables import state_of

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class Lines(NightView):
    """Hands typed back from paper, one line a hand."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Store hands typed in lines as a sheet has them, all of them or none"),
            answers.LinesStored,
            status=HTTPStatus.CREATED,
            body=bodies.LinesSave,
            refusals=REFUSALS,
            example=example("lines"),
            body_example=example("lines-body"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        text = "\n".join(body["lines"])
        done = entry.type_back(
            table=at,
            author=self.author,
            key=self.key,
            number=body["number"],
            players=body["players"],
            text=text,
        )
        if done.fault is not None:
            raise _at_fault(done.fault, body["number"], done.status)
        return self.told({"table": at.pk, "stored": list(done.stored)})


class LinesPreview(NightView):
    """What such lines come to."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("What hands typed in lines would come to; nothing is stored"),
            answers.LinesLooked,
            body=bodies.LinesLook,
            kept=False,
            refusals=REFUSALS,
            example=example("lines-preview"),
            body_example=example("lines-look"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        looked = entry.check(entry.due_at(at, body["number"]), entry.lines_of("\n".join(body["lines"])))
        fault = next((read for read in looked if read.problem), None)
        if fault is not None:
            raise _at_fault(fault, body["number"], HTTPStatus.UNPROCESSABLE_ENTITY)
        return self.told({"table": at.pk, "lines": [_told(read) for read in looked]})


def _told(read: Read) -> dict[str, Any]:
    preview = read.preview
    return {
        "number": read.number,
        "line": read.text,
        "told": read.words,
        "record": read.record,
        "pot_after_minor": preview.pot_after_minor if preview else 0,
    }


def _at_fault(read: Read, first: int, status: int) -> Refused:
    """The line that cannot be stored, with the word in it that is at fault."""
    problem = read.problem
    details = {"number": read.number, "line": read.text, "word": read.word}
    return Refused(
        status=status,
        code=problem.code if problem and problem.code != "form" else "line",
        sentence=problem.sentence if problem else "",
        at=f"lines[{max(0, read.number - first)}]",
        details={name: value for name, value in details.items() if value},
    )


class SheetCode(NightView):
    """The table that the code of a sheet means."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The table that the code on a printed sheet means"),
            answers.TableState,
            example=example("table"),
        )
    }

    def get(self, request: Request, club: str, code: str) -> Response:
        number = nights.table_of(code)
        if number is None:
            raise Http404("no such code")
        return self.told(state_of(self.table(number), self))
