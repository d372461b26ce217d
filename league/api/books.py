"""API of the treasurer's books with their balances, and of the annual account."""

from __future__ import annotations

import re
from datetime import date
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.treasury import annual, books
from league.treasury.books import Cursor, Filters

from .problems import Problem, wrong_field
from .statements import MAX_PLAYER, PeriodView

DAYS: dict[str, dict[str, Any]] = {
    "since": {"type": "string", "format": "date", "description": gettext_lazy("From this day on.")},
    "until": {"type": "string", "format": "date", "description": gettext_lazy("Up to this day.")},
}
AFTER = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.([1-9][0-9]{0,17})")
BOOK_QUERY: dict[str, dict[str, Any]] = {
    "book": {
        "type": "string",
        "enum": list(books.BOOKS),
        "default": books.KITTY,
        "description": gettext_lazy("Kitty, box, payments that were marked as paid, or what each evening came to."),
    },
    **DAYS,
    "player": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_PLAYER,
        "description": gettext_lazy("A player's id: only the lines of this person."),
    },
    "undone": {
        "type": "string",
        "enum": ["true"],
        "description": gettext_lazy("With entries that were undone, and their reversals."),
    },
    "after": {
        "type": "string",
        "pattern": f"^{AFTER.pattern}$",
        "description": gettext_lazy("Where the page begins; use the address in `next` unchanged."),
    },
}


class LineAnswer(serializers.Serializer[Any]):
    """A line of a book. The other one of both amounts is null. `state` is `undone` or `undoes` for a line that no
    longer counts, `url` the page of the evening."""

    day = serializers.DateField()
    text = serializers.CharField()
    person = serializers.CharField(allow_blank=True)
    evening = serializers.CharField(source="place", allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    state = serializers.CharField(allow_blank=True)
    in_minor = serializers.IntegerField(allow_null=True)
    out_minor = serializers.IntegerField(allow_null=True)
    imported = serializers.BooleanField(
        source="is_imported", help_text=gettext_lazy("Whether the evening came from a file.")
    )


class BookAnswer(serializers.Serializer[Any]):
    """A book: its sums are of all lines that the filters find, `items` are one page of them, the newest day first.
    `opening_minor` is the balance at the beginning of `since` (0 without it), `closing_minor` at the end of `until`
    (today): of kitty and box without `player`, else null. `evenings_left_out`: the evenings that the book `evenings`
    does not have, because their seasons do not count their game."""

    book = serializers.CharField()
    currency = serializers.CharField()
    count = serializers.IntegerField()
    in_minor = serializers.IntegerField()
    out_minor = serializers.IntegerField()
    difference_minor = serializers.IntegerField()
    opening_minor = serializers.IntegerField(allow_null=True)
    closing_minor = serializers.IntegerField(allow_null=True)
    evenings_left_out = serializers.IntegerField()
    items = LineAnswer(many=True)
    next = serializers.CharField(allow_null=True)


class Book(PeriodView):
    """A book of the treasurer."""

    rights = {"get": Right.SEE_LEDGER}
    queries = {"get": BOOK_QUERY}
    refusals = (404,)
    serializer_class = BookAnswer

    @extend_schema(
        operation_id="book_read", summary=gettext_lazy("A book of the treasurer, with its sums and balances")
    )
    def get(self, request: Request, club: str) -> Response:
        first, last = self.period()
        sent = request.query_params
        player = self.whole_number("player", most=MAX_PLAYER)
        players = books.person(self.access.club, player)
        if player and not players:
            raise Problem(HTTPStatus.NOT_FOUND, "not_found", _("There is no such player in this club."))
        filters = Filters(sent.get("book", books.KITTY), first, last, player, players, "undone" in sent)
        page = books.read(self.access.club, filters, self._after())
        return self.answer(
            {
                "book": filters.book,
                "currency": self.access.club.currency,
                "count": page.sums.count,
                "in_minor": page.sums.in_minor,
                "out_minor": page.sums.out_minor,
                "difference_minor": page.sums.difference_minor,
                "opening_minor": page.ends.opening_minor if page.ends else None,
                "closing_minor": page.ends.closing_minor if page.ends else None,
                "evenings_left_out": books.evenings_left_out(self.access.club, filters),
                "items": page.lines,
                "next": self._next(page.older),
            }
        )

    def _after(self) -> Cursor | None:
        text = self.request.query_params.get("after")
        match = AFTER.fullmatch(text or "")
        try:
            if text is not None and match:
                return date.fromisoformat(match[1]), int(match[2])
        except ValueError:
            match = None
        if text is not None and not match:
            raise wrong_field("after", "after", _("“after” must come from the `next` of the page before."))
        return None

    def _next(self, older: Cursor | None) -> str | None:
        if older is None:
            return None
        query = {**self.request.query_params.dict(), "after": f"{older[0].isoformat()}.{older[1]}"}
        return f"{self.request.path}?{urlencode(query)}"


class AccountAnswer(serializers.Serializer[Any]):
    """Kitty or box in the period. `open_minor` of the balance at the end was not paid in yet (below 0: not paid out);
    `there_minor` is the rest, in coins."""

    opening_minor = serializers.IntegerField(source="ends.opening_minor")
    in_minor = serializers.IntegerField()
    out_minor = serializers.IntegerField()
    closing_minor = serializers.IntegerField(source="ends.closing_minor")
    open_minor = serializers.IntegerField()
    there_minor = serializers.IntegerField()

    class Meta:
        ref_name = "AnnualAccountOfOne"


class GroupAnswer(serializers.Serializer[Any]):
    """Income or expenses of one kind: `moved` (pots of evenings), or entries with the same reason (`brought`,
    `spent`)."""

    kind = serializers.CharField()
    text = serializers.CharField()
    count = serializers.IntegerField()
    amount_minor = serializers.IntegerField()


class AnnualPersonAnswer(serializers.Serializer[Any]):
    """A person's outstanding amount from closed evenings at the last day; below 0: to pay."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    amount_minor = serializers.IntegerField()


class ControlAnswer(serializers.Serializer[Any]):
    """A sum that was computed from the books and from the ledger; the difference is 0 if both agree."""

    code = serializers.CharField()
    books_minor = serializers.IntegerField()
    ledger_minor = serializers.IntegerField()
    difference_minor = serializers.IntegerField()


class AnnualAnswer(serializers.Serializer[Any]):
    """The annual account of a period. `pots_minor`: coins on the tables of evenings that are still open."""

    currency = serializers.CharField()
    since = serializers.DateField(source="year.first")
    until = serializers.DateField(source="year.last")
    kitty = AccountAnswer(source="year.kitty")
    box = AccountAnswer(source="year.box")
    income = GroupAnswer(source="year.income", many=True)
    expenses = GroupAnswer(source="year.expenses", many=True)
    outstanding = AnnualPersonAnswer(source="year.persons", many=True)
    pots_minor = serializers.IntegerField()
    controls = ControlAnswer(source="year.controls", many=True)
    agrees = serializers.BooleanField(source="year.agrees")


class AnnualAccount(PeriodView):
    """The annual account of the treasurer."""

    rights = {"get": Right.SEE_LEDGER}
    queries = {"get": DAYS}
    serializer_class = AnnualAnswer

    @extend_schema(
        operation_id="annualAccount_read",
        summary=gettext_lazy("The annual account: kitty and box, income and expenses, what is outstanding, a control"),
        description=gettext_lazy("Without a period that of the season or calendar year that ended last."),
    )
    def get(self, request: Request, club: str) -> Response:
        first, last = annual.period(self.access.club, *self.period(), timezone.localdate())
        year = annual.annual_account(self.access.club, first, last)
        pots = sum(amount for _evening, amount in year.pots)
        return self.answer({"currency": self.access.club.currency, "year": year, "pots_minor": pots})
