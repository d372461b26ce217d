"""Template context of the pencil, for the recorder, and of the whole table, for viewers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from league.access import ClubAccess
from league.models import Evening, User
from league.web.page_versions import state_of
from league.web.polling import etag_of, poll_headers

from ..hands import selectors
from ..hands.coin_lines import CoinLine, coin_lines
from ..models import Table
from ..seating.selectors import interleave, other_tables, timelines
from . import draft_reseating, pencil
from .device import device_of
from .pencil import Hold
from .snapshot import snapshot
from .versions import table_state

HAND_PAGES = ("hand-type", "hand-cards", "hand-paste")
"""The routes of the pages beside the table screen that store hands: whoever opens one takes a free pencil."""
LINE_PAGES = (*HAND_PAGES, "table-seating")
"""The routes of the pages with a line about the pencil."""


def hold_for(request: HttpRequest, table: Table) -> Hold:
    """The pencil as the requesting person sees it; one query."""
    return pencil.hold_of(table, user_of(request), device_of(request))


def user_of(request: HttpRequest) -> User:
    """The signed-in user of the request. The gate has already refused anonymous requests."""
    if isinstance(request.user, AnonymousUser):
        raise TypeError("nobody is signed in")
    return request.user


def recorder_context(
    request: HttpRequest,
    access: ClubAccess,
    table: Table,
    hold: Hold,
    etag: str = "",
    *,
    players: Sequence[int] | None = None,
) -> dict[str, Any]:
    """The context of the part that the recorder's screen polls: the pencil, the number of the next hand and, with the
    `players` by seat, the basis of an entry."""
    return {
        "club": access.club,
        "table": table,
        "hold": hold,
        "device": device_of(request),
        "next_number": table.hands + 1,
        "basis": "" if players is None else draft_reseating.entry_basis(table, players),
        "open": table.evening.state == Evening.State.OPEN and not table.dissolved,
        "poll_headers": poll_headers(request, etag or table_etag(request, access, table, hold)),
    }


def line_context(
    request: HttpRequest, access: ClubAccess, table: Table, hold: Hold, page: str, problem: str = ""
) -> dict[str, Any]:
    """The context of the line about the pencil on a page beside the table screen; `page` is the route of the page."""
    return {
        "club": access.club,
        "table": table,
        "hold": hold,
        "page": page,
        "writes": page in HAND_PAGES,
        "asked": hold.mine and hold.asked and not hold.asking,
        "open": table.evening.state == Evening.State.OPEN and not table.dissolved,
        "problem": problem,
        "poll_headers": poll_headers(request, line_etag(request, access, table, hold)),
    }


def viewer_context(
    request: HttpRequest, access: ClubAccess, table: Table, hold: Hold, etag: str = ""
) -> dict[str, Any]:
    """The context of the table for viewers, with the state from which their phone can go on without a network. Twelve
    queries at most, for any number of hands."""
    view = selectors.table_view(table)
    lines = coin_lines(view.hands)
    hands = hands_context(table, lines)
    return {
        **recorder_context(request, access, table, hold, etag),
        **hands,
        "night_snapshot": snapshot(access, view, others=len(hands["other_tables"])),
        "view": view,
        "round": view.round,
        "dealer": view.seats[view.dealer_seat],
        "forehand": view.seats[view.forehand_seat],
        "last_line": next((line for line in lines if not line.view.voided), None),
    }


def hands_context(table: Table, lines: Sequence[CoinLine]) -> dict[str, Any]:
    """The hands with the happenings between them, and the evening's other tables. Three queries at most."""
    happenings = timelines([table], amounts=True, currency=table.evening.club.currency)[table.pk]
    return {
        "stretches": interleave(lines, happenings, lambda line: line.view.number),
        "other_tables": other_tables(table),
    }


def line_etag(request: HttpRequest, access: ClubAccess, table: Table, hold: Hold) -> str:
    """The ETag of the line about the pencil as this person sees it now; no query."""
    return etag_of(access, table.pk, table.evening.state, table.dissolved, hold, request.META.get("CSRF_COOKIE"))


def table_etag(request: HttpRequest, access: ClubAccess, table: Table, hold: Hold) -> str:
    """The ETag of the table as this person sees it now; no query, one after a write."""
    state = state_of(request, table_state, club=access.club.slug, table=table.pk)
    # The fragment has forms with a CSRF token, which is not valid after another sign-in.
    return etag_of(access, state and state.numbers, hold, request.META.get("CSRF_COOKIE"))
