"""API views of tables: the state of a table, its timeline, and seating changes between two hands."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.paging import ListPagination

from ..hands import chain as chains
from ..hands.selectors import chain_of
from ..models import Happening, Table
from ..seating import services
from ..seating.changes import EveningTables, TableState
from ..seating.loading import evening_tables
from ..seating.preview import seating_preview, start_of
from ..seating.selectors import TimelineEntry, sums_of, timeline_entries, timelines
from . import answers, bodies, representations, selectors
from .base import GamesMixin, GamesViewSet
from .body_readers import seating_change_of
from .visibility import Visibility


class TableViewSet(GamesViewSet):
    """The tables of a club."""

    rights = {"retrieve": Right.READ}
    serializer_class = answers.TableState
    lookup_url_kwarg = "table"

    @extend_schema(
        operation_id="tableDetail_read",
        summary=gettext_lazy("A table: seats, pot, dealer, and the start of the next hand"),
    )
    def retrieve(self, request: Request, club: str, table: int) -> Response:
        return self.answer(state_of(self.table(table), self))


def state_of(table: Table, view: GamesMixin) -> dict[str, Any]:
    """Return a table as the client may see it. Three queries."""
    chain, names = chain_of(table)
    won = sums_of(table.evening)
    seats = [(player, names[player], won.get(player, 0)) for player in chain.players]
    return representations.table_state(table, table.evening, seats, chain.start, view.visibility_at(table))


def tables_of(tables: Sequence[Table], view: GamesMixin) -> list[dict[str, Any]]:
    """Return tables of one evening; two queries, for any number of tables."""
    if not tables:
        return []
    evening = tables[0].evening
    won = sums_of(evening)
    seated = selectors.seated(tables)
    shown = []
    for table in tables:
        players = seated[table.pk]
        chain = chains.read(table, tuple(player for player, _name in players))
        seats = [(player, name, won.get(player, 0)) for player, name in players]
        shown.append(representations.table_state(table, evening, seats, chain.start, view.visibility_at(table)))
    return shown


class SeatingChangeViewSet(GamesViewSet):
    """The seating changes of a table."""

    rights = {"list": Right.READ, "create": Right.RECORD, "preview": Right.RECORD}
    bodies = {"create": bodies.SeatingChangeBody, "preview": bodies.SeatingChangeBody}
    unkept = ("preview",)
    refusals = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
    serializer_class = answers.HappeningLine
    pagination_class = ListPagination
    newest_first = True

    @extend_schema(
        operation_id="seatingChanges_list",
        summary=gettext_lazy("The timeline of a table: seating changes, named dealers, moved pots"),
    )
    def list(self, request: Request, club: str, table: int) -> Response:
        card_table = self.table(table)
        visibility = self.visibility_at(card_table)
        currency = visibility.access.club.currency
        entries = timelines([card_table], amounts=visibility.all_money, currency=currency, names=self.access.names)[
            card_table.pk
        ]
        return self.get_paginated_response(self.get_serializer(self.paginate_queryset(entries), many=True).data)

    @extend_schema(
        operation_id="seatingChanges_post",
        summary=gettext_lazy("Change the seating: arrive, leave, order, dealer, pause, resume, split, merge"),
        responses=answers.StoredSeatingChange,
    )
    def create(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        change, guest = seating_change_of(body, _evening_tables(card_table))
        done = services.carry_out(table=card_table, change=change, author=self.author, key=self.key, guest=guest)
        stored = {"happening": self._done(done), "tables": self._touched(card_table)}
        return self.created(stored, answers.StoredSeatingChange)

    @extend_schema(
        operation_id="seatingChangePreview_post",
        summary=gettext_lazy("The pot and the dealer after a seating change; nothing is stored"),
        responses={200: answers.SeatingChangePreview},
    )
    @action(detail=False, methods=["post"])
    def preview(self, request: Request, club: str, table: int) -> Response:
        card_table, body = self.table(table), self.sent()
        tables = _evening_tables(card_table)
        change, guest = seating_change_of(body, tables)
        plan = services.plan(table=card_table, change=change, guest=guest)
        visibility = self.visibility_at(card_table)
        preview = seating_preview(plan, sums_of(card_table.evening), visibility.access.club.currency)
        shown = {
            "sentence": preview.title,
            "tables": [
                _after(plan.before, state, plan.names, [line.sentence for line in shown.lines], visibility)
                for state, shown in zip(plan.after, preview.tables, strict=True)
            ],
        }
        return self.answer(shown, answers.SeatingChangePreview)

    def _done(self, happening: Happening) -> TimelineEntry:
        visibility = self.visibility_at(happening.table)
        [(_table, entry)] = timeline_entries(
            [happening], amounts=visibility.all_money, currency=visibility.access.club.currency
        )
        return entry

    def _touched(self, table: Table) -> Sequence[dict[str, Any]]:
        """Return all tables of the evening: a split or merge changes two of them."""
        evening = self.table(table.pk).evening
        return tables_of(list(evening.tables.order_by("number")), self)


def _after(
    tables: EveningTables, state: TableState, names: Any, lines: list[str], visibility: Visibility
) -> dict[str, Any]:
    return {
        "id": state.pk or None,
        "number": state.number,
        "merged": state.dissolved,
        "paused": state.paused,
        "seats": representations.named(state.players, names),
        "dealer": state.dealer_id,
        "pot_before_minor": state.pot_minor,
        "sentences": lines,
        "next": None if state.dissolved else representations.next_hand(start_of(tables, state), visibility),
    }


def _evening_tables(table: Table) -> EveningTables:
    rows = list(Table.objects.filter(evening=table.evening_id).order_by("pk"))
    return evening_tables(table.evening, rows, table.pk)
