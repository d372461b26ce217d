"""The access by the code on a table card: one table of a tournament in its round, for the holder of the card.

The code is stored in a signed cookie. It opens the pages of that table only (`games.hands.gate`), while its round is
drawn or played; on every other page the card has no effect. A signed-in recorder of the club keeps the own account.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ..models import Round, TableCard, Tournament
from .gate import access_to, acting_card
from .rights import Right

COOKIE, SALT = "table_card", "league.access.table_cards"
HOURS = 18
"""A browser holds a card for so long: a day of a tournament."""


def remember(response: HttpResponseBase, card: TableCard) -> None:
    """Set the cookie that makes this browser hold the card."""
    response.set_signed_cookie(
        COOKIE,
        card.code,
        salt=SALT,
        max_age=HOURS * 3600,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def card_of(request: HttpRequest) -> TableCard | None:
    """Return the card that this browser holds. No query without the cookie."""
    if COOKIE not in request.COOKIES:
        return None
    code = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=HOURS * 3600)
    return card_with(code) if code else None


def card_with(code: str) -> TableCard | None:
    """Return the card with this code."""
    rows = TableCard.objects.select_related("tournament__club", "user")
    return rows.filter(code=code).first()


def open_round(card: TableCard) -> Round | None:
    """Return the round in which the card opens its table: the first one that is drawn or played and has the table."""
    if card.tournament.state != Tournament.State.RUNNING:
        return None
    rows = Round.objects.filter(tournament=card.tournament).exclude(state=Round.State.FINISHED)
    for drawn_round in rows.select_related("draw", "evening").order_by("number"):
        if any(table["number"] == card.table_number for table in drawn_round.draw.plan["tables"]):
            drawn_round.tournament = card.tournament
            return drawn_round
    return None


def needs_card(request: HttpRequest, card: TableCard) -> bool:
    """Return True unless the person is signed in and records in this club anyway."""
    return not access_to(request.user, card.tournament.club).may(Right.RECORD)


@contextmanager
def acting_as(request: HttpRequest, card: TableCard) -> Iterator[None]:
    """Let the card's user send this request, with the rights of a recorder of its club, inside the block.

    The request keeps the card's user afterwards, so that its answer counts as one for a person.
    """
    request.user = card.user
    request.table_card = card  # type: ignore[attr-defined]
    before = acting_card.set((card.user_id, card.tournament.club_id))
    try:
        yield
    finally:
        acting_card.reset(before)
