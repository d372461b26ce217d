"""Tables between two hands: who sits there, who comes and goes, the story of the night, the sheet to print."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op

from .. import chain as chains
from ..models import Happening, Table
from ..night import services
from ..night.acts import At, Night
from ..night.outlook import outlook, start_of
from ..night.reading import night_of
from ..night.selectors import Told, stories, sums_of, tell
from ..selectors import chain_of
from . import answers, bodies, reading, shapes
from .asked import act_of
from .base import NightView
from .examples import example
from .seeing import Eyes

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class TableNow(NightView):
    """A table as it waits for its next hand."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("A table: who sits there, the pot, who deals, and what the next hand starts with"),
            answers.TableState,
            example=example("table"),
        )
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        return self.told(state_of(self.table(table), self))


def state_of(at: Table, view: NightView) -> dict[str, Any]:
    """A table as the asker may see it. Three queries."""
    chain, names = chain_of(at)
    won = sums_of(at.evening)
    seats = [(player, names[player], won.get(player, 0)) for player in chain.players]
    return shapes.table_state(at, at.evening, seats, chain.start, view.at(at))


class Acts(NightView):
    """What happens between two hands."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The story of a table: who came and went, who was named to deal, which coins moved"),
            answers.Story,
            example=example("story"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Somebody comes, leaves, changes seats or deals; a pause; a table divided or joined"),
            answers.ActDone,
            status=HTTPStatus.CREATED,
            body=bodies.NightAct,
            refusals=REFUSALS,
            example=example("act"),
            body_example=example("act-body"),
        ),
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        at = self.table(table)
        eyes = self.at(at)
        currency = eyes.access.club.currency
        told = stories([at], amounts=eyes.all_money, currency=currency, names=self.access.names)[at.pk]
        return self.told({"table": at.pk, "happenings": [_told(one, eyes) for one in told]})

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        act, guest = act_of(body, _night(at))
        done = services.carry_out(table=at, act=act, author=self.author, key=self.key, guest=guest)
        return self.told({"happening": self._done(done), "tables": self._touched(at)})

    def _done(self, happening: Happening) -> dict[str, Any]:
        eyes = self.at(happening.table)
        [(_table, told)] = tell([happening], amounts=eyes.all_money, currency=eyes.access.club.currency)
        return _told(told, eyes)

    def _touched(self, at: Table) -> list[dict[str, Any]]:
        """All tables of the evening, as they are now."""
        evening = self.table(at.pk).evening
        return tables_of(list(evening.tables.order_by("number")), self)


def tables_of(tables: Sequence[Table], view: NightView) -> list[dict[str, Any]]:
    """Tables of one evening; two queries, however many they are."""
    if not tables:
        return []
    evening = tables[0].evening
    won = sums_of(evening)
    seated = reading.seated(tables)
    told = []
    for at in tables:
        players = seated[at.pk]
        chain = chains.read(at, tuple(player for player, _name in players))
        seats = [(player, name, won.get(player, 0)) for player, name in players]
        told.append(shapes.table_state(at, evening, seats, chain.start, view.at(at)))
    return told


class ActPreview(NightView):
    """What an act would do."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("What such an act would do to pot and dealer; nothing is stored"),
            answers.ActPlan,
            body=bodies.NightAct,
            kept=False,
            refusals=REFUSALS,
            example=example("act-preview"),
            body_example=example("act-body"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        night = _night(at)
        act, guest = act_of(body, night)
        plan = services.plan(table=at, act=act, guest=guest)
        eyes = self.at(at)
        said = outlook(plan, sums_of(at.evening), eyes.access.club.currency)
        return self.told(
            {
                "told": said.title,
                "tables": [
                    _after(plan.before, one, plan.names, [line.sentence for line in words.lines], eyes)
                    for one, words in zip(plan.after, said.tables, strict=True)
                ],
            }
        )


def _after(night: Night, at: At, names: Any, lines: list[str], eyes: Eyes) -> dict[str, Any]:
    return {
        "id": at.pk or None,
        "number": at.number,
        "joined": at.dissolved,
        "paused": at.paused,
        "seats": shapes.named(at.players, names),
        "dealer": at.dealer_id,
        "pot_minor": at.pot_minor,
        "told": lines,
        "next": None if at.dissolved else shapes.next_hand(start_of(night, at), eyes),
    }


def _told(one: Told, eyes: Eyes) -> dict[str, Any]:
    return {
        "after": one.after,
        "kind": one.kind,
        "at": one.at,
        "by": eyes.told_by(one.author),
        "told": one.sentence,
    }


def _night(at: Table) -> Night:
    rows = list(Table.objects.filter(evening=at.evening_id).order_by("pk"))
    return night_of(at.evening, rows, at.pk)
