"""API of the kitty's statements: the debt of each member in a period, and the bills as PDF."""

from __future__ import annotations

import re
from datetime import date
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.treasury.statement_files import Statements, bills_pdf, statements_of

from .problems import Problem, wrong_field
from .schema import PDF
from .views import ClubView

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PERIOD: dict[str, dict[str, Any]] = {
    "since": {
        "type": "string",
        "format": "date",
        "description": gettext_lazy("From this day on; by default from the beginning of the current season."),
    },
    "until": {"type": "string", "format": "date", "description": gettext_lazy("Up to this day; by default today.")},
}
MAX_PLAYER = 2**53 - 1
PLAYER: dict[str, dict[str, Any]] = {
    "player": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_PLAYER,
        "description": gettext_lazy("The statement of this player."),
    }
}


class StatementLineAnswer(serializers.Serializer[Any]):
    """A person's debt to the kitty from one evening (below 0: a claim)."""

    day = serializers.DateField()
    title = serializers.CharField()
    amount_minor = serializers.IntegerField()
    imported = serializers.BooleanField(help_text=gettext_lazy("Whether the evening came from a file."))


class StatementAnswer(serializers.Serializer[Any]):
    """A person's debt to the kitty: `carried_minor` from before the period, `period_minor` of it; below 0 the kitty
    owes it. A sum that is not `billed` is carried on. `pdf` is the address of the statement as PDF, null as long as the
    club has no account for bills."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    carried_minor = serializers.IntegerField()
    period_minor = serializers.IntegerField()
    total_minor = serializers.IntegerField()
    billed = serializers.BooleanField()
    lines = StatementLineAnswer(many=True)
    pdf = serializers.CharField(allow_null=True)


class StatementsAnswer(serializers.Serializer[Any]):
    """The statements of a period, by name, with their sums. `least_minor`: smaller sums are carried on. `pdf` has all
    that are billed."""

    currency = serializers.CharField()
    since = serializers.DateField()
    until = serializers.DateField()
    least_minor = serializers.IntegerField()
    items = StatementAnswer(many=True)
    carried_minor = serializers.IntegerField()
    period_minor = serializers.IntegerField()
    total_minor = serializers.IntegerField()
    pdf = serializers.CharField(allow_null=True)


class PeriodView(ClubView):
    """Base of the addresses with a period in their query."""

    def period(self) -> tuple[date | None, date | None]:
        """Return both days of the query. Raises Problem (400)."""
        first, last = self.day("since"), self.day("until")
        if first and last and first > last:
            raise wrong_field("until", "order", _("The period ends before it begins."))
        return first, last

    def statements(self) -> Statements:
        """Return the statements of the period. Raises Problem (400)."""
        return statements_of(self.access.club, *self.period())

    def day(self, name: str) -> date | None:
        """Return a day of the query, None if it is not given. Raises Problem (400)."""
        text = self.request.query_params.get(name)
        if text is None:
            return None
        try:
            # The pattern, as `fromisoformat` takes further forms, such as 2026-W47-5.
            parsed_day = date.fromisoformat(text) if DAY.fullmatch(text) else None
        except ValueError:
            parsed_day = None
        if parsed_day is None:
            raise wrong_field(name, "date", _("“%(name)s” is a day such as 2026-11-20.") % {"name": name})
        return parsed_day


class StatementList(PeriodView):
    """The debts of the members to the kitty in a period."""

    rights = {"get": Right.SEE_LEDGER}
    queries = {"get": PERIOD}
    serializer_class = StatementsAnswer

    @extend_schema(
        operation_id="statementList_read", summary=gettext_lazy("The debts of the members to the kitty in a period")
    )
    def get(self, request: Request, club: str) -> Response:
        of = self.statements()
        items = [
            {
                "player_id": statement.player_id,
                "name": statement.name,
                "carried_minor": statement.carried_minor,
                "period_minor": statement.period_minor,
                "total_minor": statement.total_minor,
                "billed": of.details is not None and statement.is_billed(of.least_minor),
                "lines": statement.lines,
                "pdf": self._pdf(of, statement.player_id),
            }
            for statement in of.found
        ]
        return self.answer(
            {
                "currency": self.access.club.currency,
                "since": of.period.first,
                "until": of.period.last,
                "least_minor": of.least_minor,
                "items": items,
                "carried_minor": sum(statement.carried_minor for statement in of.found),
                "period_minor": sum(statement.period_minor for statement in of.found),
                "total_minor": sum(statement.total_minor for statement in of.found),
                "pdf": self._pdf(of) if of.bills() else None,
            }
        )

    def _pdf(self, of: Statements, player: int | None = None) -> str | None:
        if of.details is None:
            return None
        query: dict[str, object] = {"since": of.period.first, "until": of.period.last}
        query |= {"player": player} if player else {}
        return f"{reverse('api-statements-pdf', kwargs={'club': self.access.club.slug})}?{urlencode(query)}"


class StatementFile(PeriodView):
    """The bills of a period as PDF."""

    rights = {"get": Right.SEE_LEDGER}
    queries = {"get": PERIOD | PLAYER}
    refusals = (409,)

    @extend_schema(
        operation_id="statementFile_read",
        summary=gettext_lazy("The bills of a period as PDF, or the statement of one person"),
        responses=PDF,
    )
    def get(self, request: Request, club: str) -> HttpResponseBase:
        player = self.whole_number("player", most=MAX_PLAYER)
        of = self.statements()
        if of.details is None:
            sentence = _("Enter first to which account bills are paid.")
            raise Problem(HTTPStatus.CONFLICT, "billing", sentence)
        made = bills_pdf(request._request, self.access, of, player)
        if made is None:
            raise Problem(HTTPStatus.NOT_FOUND, "not_found", _("Nobody has a bill for these days."))
        return made
