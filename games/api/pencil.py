"""API view of a table's pencil. The pencil is a courtesy and no lock: without it a hand can be entered, too."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.authentication import key_of
from league.api.base import Op

from ..models import Table
from ..table import pencil
from ..table.device import device_of
from ..table.live_context import user_of
from . import answers, bodies
from .base import GamesView
from .examples import example

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class TablePencil(GamesView):
    """The pencil of a table."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The holder of the pencil, and the recorders who may take it"),
            answers.PencilState,
            example=example("pencil"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Take the pencil, ask for it, hand it over, put it down"),
            answers.PencilState,
            body=bodies.PencilBody,
            kept=False,
            refusals=REFUSALS,
            example=example("pencil"),
            body_example=example("pencil-body"),
            about=gettext_lazy("The pencil is no lock: only the number of a hand decides if it is stored."),
        ),
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        return self.answer(self._state(self.table(table)))

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        user, device = user_of(request._request), self._device()
        match body["action"]:
            case "take":
                pencil.take(at, user, device)
            case "take_over":
                pencil.take_over(at, user, device)
            case "ask":
                pencil.ask(at, user, device)
            case "decline":
                pencil.decline(at, user, device)
            case "put_down":
                pencil.put_down(at, user, device)
            case _:
                pencil.hand_over(at, user, device, body.get("to") or 0)
        return self.answer(self._state(at))

    def _device(self) -> str:
        """Return the device: each API key is a device of its own."""
        key = key_of(self.request)
        return f"key-{key.digest[:32]}" if key else device_of(self.request._request)

    def _state(self, at: Table) -> dict[str, Any]:
        hold = pencil.hold_of(at, user_of(self.request._request), self._device())
        return {
            "table": at.pk,
            "holder": hold.holder or None,
            "mine": hold.mine,
            "since": hold.since,
            "away_since": hold.away_since,
            "requested_by": hold.asked or None,
            "recorders": [{"id": user.pk, "name": str(user)} for user in pencil.recorders(at)],
        }
