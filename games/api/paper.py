"""API views of the printed sheet: hands typed in from it, and the table of a sheet code."""

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
from ..paper import sheet_code, typing_back
from ..paper.typing_back import CheckedLine
from . import answers, bodies, representations
from .base import GamesView
from .examples import example
from .tables import state_of

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class TypedLines(GamesView):
    """Store hands that were typed in from a sheet."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Store the hands of a sheet, typed in as lines: all of them or none"),
            answers.StoredLines,
            status=HTTPStatus.CREATED,
            body=bodies.TypedLinesBody,
            refusals=REFUSALS,
            example=example("typed-lines"),
            body_example=example("typed-lines-body"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        text = "\n".join(body["lines"])
        done = typing_back.type_back(
            table=at,
            author=self.author,
            key=self.key,
            number=body["number"],
            players=body["players"],
            text=text,
        )
        if done.fault is not None:
            raise _line_refusal(done.fault, body["number"], done.status)
        return self.answer({"table": at.pk, "stored": list(done.stored)})


class TypedLinesPreview(GamesView):
    """Preview of typed lines."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("The results of the hands in typed lines; nothing is stored"),
            answers.TypedLinesPreview,
            body=bodies.TypedLinesPreviewBody,
            kept=False,
            refusals=REFUSALS,
            example=example("typed-lines-preview"),
            body_example=example("typed-lines-preview-body"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        checked = typing_back.check_lines(
            typing_back.start_of(at, body["number"]), typing_back.lines_of("\n".join(body["lines"]))
        )
        fault = next((line for line in checked if line.problem), None)
        if fault is not None:
            raise _line_refusal(fault, body["number"], HTTPStatus.UNPROCESSABLE_ENTITY)
        return self.answer({"table": at.pk, "lines": [_typed_line(line) for line in checked]})


def _typed_line(line: CheckedLine) -> dict[str, Any]:
    preview = line.preview
    return {
        "number": line.number,
        "line": line.text,
        "sentence": line.sentence,
        "record": line.record,
        "pot_after_minor": preview.pot_after_minor if preview else 0,
        "effects": representations.effects(preview.effects if preview else ()),
    }


def _line_refusal(line: CheckedLine, first: int, status: int) -> Refused:
    """Return the refusal of a line, with the word in it that is wrong."""
    problem = line.problem
    details = {"number": line.number, "line": line.text, "word": line.word}
    return Refused(
        status=status,
        code=problem.code if problem and problem.code != "form" else "line",
        sentence=problem.sentence if problem else "",
        at=f"lines[{max(0, line.number - first)}]",
        details={name: value for name, value in details.items() if value},
    )


class SheetCode(GamesView):
    """The table of a sheet code."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The table of a code on a printed sheet"),
            answers.TableState,
            example=example("table"),
        )
    }

    def get(self, request: Request, club: str, code: str) -> Response:
        number = sheet_code.table_of(code)
        if number is None:
            raise Http404("no such code")
        return self.answer(state_of(self.table(number), self))
