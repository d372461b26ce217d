"""What the screens of a table show of the pencil, and of the table itself to those who look on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from league.access import ClubAccess
from league.models import Evening, User
from league.views import etag_of, poll_headers

from . import pencil, reseated, screens, selectors
from .device import device_of
from .models import Table
from .night.selectors import beside, stories, woven
from .pencil import Hold


def hold_for(request: HttpRequest, table: Table) -> Hold:
    """The pencil as the person who asks sees it; one query."""
    return pencil.hold_of(table, user_of(request), device_of(request))


def user_of(request: HttpRequest) -> User:
    """Who asks, behind a gate that lets nobody in without an account."""
    if isinstance(request.user, AnonymousUser):
        raise TypeError("nobody is signed in")
    return request.user


def writer_context(
    request: HttpRequest,
    access: ClubAccess,
    table: Table,
    hold: Hold,
    etag: str = "",
    *,
    players: Sequence[int] | None = None,
) -> dict[str, Any]:
    """What the writer's screen polls: is the pencil still here, does somebody ask for it, which hand is next; with the
    `players` by seat also what an entry is begun for."""
    return {
        "club": access.club,
        "table": table,
        "hold": hold,
        "next_number": table.hands + 1,
        "stand": "" if players is None else reseated.stand_of(table, players),
        "open": table.evening.state == Evening.State.OPEN and not table.dissolved,
        "poll_headers": poll_headers(etag or table_etag(request, access, table, hold)),
    }


def look_on_context(
    request: HttpRequest, access: ClubAccess, table: Table, hold: Hold, etag: str = ""
) -> dict[str, Any]:
    """The table for those who do not write. Eight queries at most, however many hands."""
    view = selectors.table_view(table)
    lines = screens.hand_lines(view.hands)
    return {
        **writer_context(request, access, table, hold, etag),
        **night_context(table, lines),
        "view": view,
        "dealer": view.seats[view.dealer_seat],
        "forehand": view.seats[view.forehand_seat],
        "last_line": next((line for line in lines if not line.view.voided), None),
    }


def night_context(table: Table, lines: Sequence[screens.HandLine]) -> dict[str, Any]:
    """The hands with what happened between them, and the evening's other tables. Three queries at most."""
    told = stories([table], amounts=True, currency=table.evening.club.currency)[table.pk]
    return {"stretches": woven(lines, told, lambda line: line.view.number), "beside": beside(table)}


def table_etag(request: HttpRequest, access: ClubAccess, table: Table, hold: Hold) -> str:
    """A mark for the table as this person sees it now; one query."""
    # Hands, corrections and moved pots raise the season's mark; who sits there and who deals may change without it.
    seats = tuple(table.places.order_by("seat").values_list("player_id", "player__nickname"))
    state = (table.hands, table.pot_minor, table.dealer_id, table.deal_number, table.paused_at, table.last_hand)
    evening = (table.evening.state, table.evening.season.ledger_mark, table.dissolved)
    # The piece has forms in it, whose token is of no use after another sign-in.
    return etag_of(access, table.pk, state, evening, seats, hold, request.META.get("CSRF_COOKIE"))
