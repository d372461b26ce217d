"""Public pages with the records of a season, and with those of a club and its table of all seasons."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ..access import club_for
from ..standings.versions import club_facts_state, season_facts_state
from ..standings.views import season_for
from ..standings.years import newest_year
from ..web.page_versions import versioned
from .all_time import all_time
from .lines import records_of
from .shown import Scope


@versioned(season_facts_state)
@require_safe
def season_records(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the records of a season, each with a link to its hand or evening."""
    access, chosen_season = season_for(request, club, season)
    context = {"club": access.club, "season": chosen_season, "records": records_of(Scope(access, [chosen_season]))}
    return render(request, "league/records/season.html", context)


@versioned(club_facts_state)
@require_safe
def club_records(request: HttpRequest, club: str) -> HttpResponse:
    """Show the records of all seasons of a club, and its players over all seasons."""
    access = club_for(request.user, club)
    seasons = list(access.club.seasons.order_by("starts_on", "pk"))
    context = {
        "club": access.club,
        "seasons": seasons[::-1],
        "records": records_of(Scope(access, seasons)),
        "table": all_time(access, seasons),
        "reviewed_year": newest_year() if seasons and seasons[0].starts_on.year <= newest_year() else None,
    }
    return render(request, "league/records/club.html", context)
