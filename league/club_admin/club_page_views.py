"""The page 'Club', which leads to everything that a club has, and the short address of the current standings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from ..access import Right, club_for
from ..standings import selectors
from .club_rows import groups


@require_safe
def club_pages(request: HttpRequest, club: str) -> HttpResponse:
    """List the pages of the club as rows, each with its present value."""
    access = club_for(request.user, club)
    seasons = list(access.club.seasons.order_by("-starts_on", "-pk"))
    context = {
        "club": access.club,
        "groups": groups(access, seasons, selectors.current_of(seasons)),
        "may_record": access.may(Right.RECORD),
    }
    return render(request, "league/club_admin/pages.html", context)


@require_safe
def club_standings(request: HttpRequest, club: str) -> HttpResponse:
    """Redirect to the current season; to the club's page while there is none."""
    access = club_for(request.user, club)
    season = selectors.current_season(access.club)
    return redirect(season if season is not None else access.club)
