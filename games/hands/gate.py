"""The gate of the pages of a table: it asks for a sign-in and finds the table in the club."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from league.access import ClubAccess, table_cards
from league.models import Evening, TableCard
from league.tournaments import card_page
from league.web.requests import see as see

from ..models import Table
from . import selectors
from .rounds import check_shown

CARD_PAGES = frozenset(
    {
        *("table", "table-preview", "table-live", "table-pencil", "hand-void", "hand-paid", "table-difference"),
        *("table-night", "table-stories"),
        *("hand-cards", "hand-paste", "hand-type", "hand-type-preview", "hand-history"),
        *("hand-edit", "hand-insert", "hand-out", "hand-move"),
    }
)
"""The pages that a table card opens: to record hands and to correct them. Who sits where is for the desk."""

shown_table: ContextVar[tuple[ClubAccess, Table] | None] = ContextVar("shown_table", default=None)
"""The table that the answer to this request shows, and its reader. `signed_in` reads it when the answer is ready, so
that no page of a table can forget whether its amounts may be shown."""


def signed_in(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Send a visitor to the sign-in. After a POST to a table the next page is its screen, which has the draft."""

    @wraps(view)
    def gate(request: HttpRequest, club: str, **names: int) -> HttpResponseBase:
        by_card = _by_card(request, view, club, names)
        if by_card is not None:
            return by_card
        if request.user.is_authenticated:
            shown_table.set(None)
            return _without_hidden_amounts(request, view(request, club, **names))
        posted = request.method == "POST" and "table" in names
        here = reverse("table", kwargs={"club": club, "table": names["table"]}) if posted else request.get_full_path()
        return redirect_to_login(here)

    # Tells Django's LoginRequiredMiddleware that this view checks the sign-in itself.
    gate.login_url = None  # type: ignore[attr-defined]
    return gate


def also_by_card(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let the holder of a table card read a page of its table as a recorder does; for others the view checks the
    rights."""

    @wraps(view)
    def gate(request: HttpRequest, club: str, **names: int) -> HttpResponseBase:
        card = table_cards.card_of(request)
        if card is None or not table_cards.needs_card(request, card) or not opens(card, request, club, names["table"]):
            return view(request, club, **names)
        with table_cards.acting_as(request, card):
            return view(request, club, **names)

    return gate


def _by_card(
    request: HttpRequest, view: Callable[..., HttpResponseBase], club: str, names: dict[str, int]
) -> HttpResponseBase | None:
    """The answer to the holder of a table card; None where the card changes nothing."""
    card = table_cards.card_of(request) if "table" in names else None
    if card is None or card.tournament.club.slug != club or not table_cards.needs_card(request, card):
        return None
    if opens(card, request, club, names["table"]):
        shown_table.set(None)
        with table_cards.acting_as(request, card):
            return _without_hidden_amounts(request, view(request, club, **names))
    if request.user.is_authenticated:
        return None
    # The page of the card shows the reason of the refusal. A redirect after a POST would mean that it was stored.
    if request.method == "POST":
        return card_page.refused(request, card)
    return see(reverse("table-card", kwargs={"code": card.code}))


def opens(card: TableCard, request: HttpRequest, club: str, table: int) -> bool:
    """Return True if a table card opens this page: one of its table, in the round that is drawn or played."""
    match = request.resolver_match
    if match is None or match.url_name not in CARD_PAGES or card.tournament.club.slug != club:
        return False
    current = table_cards.open_round(card)
    if current is None:
        return False
    tables = Table.objects.filter(pk=table, evening=current.evening_id, number=card.table_number, dissolved=False)
    return tables.exists()


def table_for(access: ClubAccess, pk: int) -> Table:
    """Return the table of this club. Raises Http404."""
    table = selectors.table_of(club=access.club, table_id=pk)
    if table is None:
        raise Http404("no such table")
    access.drop_currency_if_points_only(table.evening.season)
    check_shown(access, table.evening)
    shows(access, table)
    return table


def shows(access: ClubAccess, table: Table) -> None:
    """Note that the answer to this request shows a table to this reader."""
    shown_table.set((access, table))


def _without_hidden_amounts(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Replace a page of a table whose amounts the reader may not see. A redirect after a stored write is kept.

    The page is replaced after the view, because a write that was stored before must get its answer again. The status of
    a refused write stays, so that its writer reads that the evening is closed.
    """
    shown = shown_table.get()
    shown_table.set(None)
    page = response.headers.get("Content-Type", "").startswith("text/html")
    if shown is None or not page or response.status_code in (204, 302, 303, 304):
        return response
    access, table = shown
    if selectors.sees_table_amounts(access, table.evening):
        return response
    page_or_part = "_evening_closed.html" if request.headers.get("HX-Request") else "evening_closed.html"
    final = table.evening.stage() == Evening.Stage.FINAL
    context = {"club": access.club, "table": table, "evening": table.evening, "final": final}
    return render(request, f"games/hands/{page_or_part}", context, status=response.status_code)
