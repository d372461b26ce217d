"""Public pages: the honours of a closed season, and the champions of all seasons of a club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ..access import Right, club_for
from ..standings.versions import club_state, season_state
from ..standings.views import season_for
from ..web.page_versions import versioned
from .all_champions import all_champions
from .podium import honours_of, title_of


@versioned(season_state)
@require_safe
def season_champions(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the champion of a season, its records and its figures; for an open season only a notice."""
    access, chosen_season = season_for(request, club, season)
    context = {"club": access.club, "season": chosen_season, "may_manage": access.may(Right.MANAGE)}
    if chosen_season.closed_at is not None:
        honours = honours_of(access, chosen_season)
        context |= {"honours": honours, "title": title_of(honours.champions)}
    return render(request, "league/champions/season.html", context)


@versioned(club_state)
@require_safe
def club_champions(request: HttpRequest, club: str) -> HttpResponse:
    """Show the seasons of a club that are over, each with its champions."""
    access = club_for(request.user, club)
    context = {"club": access.club, "past": all_champions(access), "may_manage": access.may(Right.MANAGE)}
    return render(request, "league/champions/club.html", context)
