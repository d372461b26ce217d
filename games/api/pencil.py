"""API of a table's pencil. The pencil is a courtesy and no lock: without it a hand can be entered, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.authentication import key_of
from league.models import User

from ..models import Table
from ..table import pencil
from ..table.device import device_of
from ..table.live_context import user_of
from . import answers, bodies
from .base import GamesView

ACTIONS: dict[str, Callable[[Table, User, str], object]] = {
    "take": pencil.take,
    "take_over": pencil.take_over,
    "ask": pencil.ask,
    "decline": pencil.decline,
    "put_down": pencil.put_down,
}


class TablePencil(GamesView):
    """The pencil of a table."""

    rights = {"get": Right.RECORD, "post": Right.RECORD}
    bodies = {"post": bodies.PencilBody}
    unkept = ("post",)
    refusals = {"post": (409, 422)}
    serializer_class = answers.PencilState

    @extend_schema(
        operation_id="tablePencil_read", summary=_("The holder of the pencil, and the recorders who may take it")
    )
    def get(self, request: Request, club: str, table: int) -> Response:
        return self.answer(self._state(self.table(table)))

    @extend_schema(
        operation_id="tablePencil_post",
        summary=_("Take the pencil, ask for it, hand it over, put it down"),
        description=_("The pencil is no lock: only the number of a hand decides if it is stored."),
        responses={200: answers.PencilState},
    )
    def post(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        user, device = user_of(request._request), self._device()
        if body["action"] == "hand_over":
            pencil.hand_over(card_table, user, device, body.get("to") or 0)
        else:
            ACTIONS[body["action"]](card_table, user, device)
        return self.answer(self._state(card_table))

    def _device(self) -> str:
        """Return the device: each API key is a device of its own."""
        key = key_of(self.request)
        return f"key-{key.digest[:32]}" if key else device_of(self.request._request)

    def _state(self, table: Table) -> dict[str, Any]:
        hold = pencil.hold_of(table, user_of(self.request._request), self._device())
        return {"table": table.pk, "hold": hold, "recorders": pencil.recorders(table)}
