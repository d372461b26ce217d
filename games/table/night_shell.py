"""The table screen of an evening that was begun on a phone, and that is not stored on the server yet.

The page has no table: its scripts take seats, dealer and pot from the write that waits on the phone (docs/night.md).
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from league.access import ClubAccess, Right, club_for
from league.models import Club, Evening, HouseRules, Season
from league.web.kept_pages import keep_on_phone

from .. import engine_bridge
from ..evening.night_club import MAX_ROSTER, night_club
from ..evening.services import carried_amounts
from ..hands import selectors
from ..hands.gate import signed_in
from ..hands.selectors import SeatView, TableView
from ..models import Table
from . import screens
from .forms import SeatEntry


@signed_in
@never_cache
@require_GET
def night_table(request: HttpRequest, club: str, game: str) -> HttpResponse:
    """The screen for an evening of this game that waits on the phone; the fragment of the address has the
    key of that write."""
    access = club_for(request.user, club, Right.RECORD)
    if game not in engine_bridge.GAMES:
        raise Http404("no such game")
    known = _night_club(access.club)
    view = _empty_table(access, game, known["games"][game]["rules"])
    cutting = screens.cutting_of(view, None)
    context = {
        "access": access,
        "club": access.club,
        "night_club": known,
        "game": game,
        "view": view,
        "here": reverse("night-table", kwargs={"club": club, "game": game}),
        "rows": screens.rows(view, [SeatEntry() for _seat in view.seats], (), cutting),
        "row_pattern": screens.ROW_PATTERN,
        "cutting": cutting,
        "dealer": view.seats[0],
        "forehand": view.seats[view.forehand_seat],
    }
    page = render(request, "games/table/night_table.html", context)
    # Without a name: it opens from an evening that waits, not from the list of kept pages.
    return keep_on_phone(page, "")


def _night_club(club: Club) -> dict[str, Any]:
    versions = list(HouseRules.objects.filter(club=club))
    box = carried_amounts(club, versions)
    seasons = Season.objects.filter(club=club).order_by("-starts_on", "-pk")
    return night_club(club, versions, selectors.roster(club.pk)[:MAX_ROSTER], seasons, box)


def _empty_table(access: ClubAccess, game: str, rules: dict[str, Any]) -> TableView:
    """A table before its first hand, with as few seats as the game allows, all without a name."""
    seats = engine_bridge.SEATS[game][0]
    start = engine_bridge.Start(number=1, game=game, rules=rules, seats=seats, dealer=0, deal_number=1, pot_before=0)
    due = engine_bridge.due(start)
    evening = Evening(club=access.club, game=game)
    return TableView(
        table=Table(evening=evening, number=1),
        evening=evening,
        game=game,
        number=1,
        seats=tuple(SeatView(seat, 0, "", 0, seat == 0, due.antes[seat]) for seat in range(seats)),
        pot_before_minor=0,
        pot_minor=due.pot,
        muss=due.muss is True,
        deal_number=1,
        dealer_seat=0,
        rules=rules,
        hands=(),
        start=start,
    )
