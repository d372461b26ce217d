"""API of the printed sheet: hands typed in from it, and the table of a sheet code."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right

from ..errors import Refused
from ..paper import sheet_code, typing_back
from ..paper.typing_back import CheckedLine
from . import answers, bodies, representations
from .base import GamesView, GamesViewSet
from .tables import state_of


class TypedLineViewSet(GamesViewSet):
    """Hands that were typed in from a sheet."""

    rights = {"create": Right.RECORD, "preview": Right.RECORD}
    bodies = {"create": bodies.TypedLinesBody, "preview": bodies.TypedLinesPreviewBody}
    unkept = ("preview",)
    refusals = (409, 422)
    serializer_class = answers.StoredLines

    @extend_schema(
        operation_id="typedLines_post",
        summary=_("Store the hands of a sheet, typed in as lines: all of them or none"),
    )
    def create(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        done = typing_back.type_back(
            table=card_table,
            author=self.author,
            key=self.key,
            number=body["number"],
            players=body["players"],
            text="\n".join(body["lines"]),
        )
        if done.fault is not None:
            raise _line_refusal(done.fault, body["number"], done.status)
        return self.created({"table": card_table.pk, "stored": done.stored})

    @extend_schema(
        operation_id="typedLinesPreview_post",
        summary=_("The results of the hands in typed lines; nothing is stored"),
        responses={200: answers.TypedLinesPreview},
    )
    def preview(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        checked = typing_back.check_lines(
            typing_back.start_of(card_table, body["number"]), typing_back.lines_of("\n".join(body["lines"]))
        )
        fault = next((line for line in checked if line.problem), None)
        if fault is not None:
            raise _line_refusal(fault, body["number"], HTTPStatus.UNPROCESSABLE_ENTITY)
        lines = [_typed_line(line) for line in checked]
        return self.answer({"table": card_table.pk, "lines": lines}, answers.TypedLinesPreview)


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

    rights = {"get": Right.RECORD}
    serializer_class = answers.TableState

    @extend_schema(operation_id="sheetCode_read", summary=_("The table of a code on a printed sheet"))
    def get(self, request: Request, club: str, code: str) -> Response:
        number = sheet_code.table_of(code)
        if number is None:
            raise Http404("no such code")
        return self.answer(state_of(self.table(number), self))
