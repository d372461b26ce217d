"""The page on which a season is closed: its champion, and the unfinished matters."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..champions.podium import places_of, podium_of, title_of
from ..champions.unfinished import unfinished
from ..errors import Refused
from ..models import Season
from ..standings.formula.explanation import rules_of
from ..standings.formula.inputs import formula_of
from ..standings.seasons import MAX_REASON, season_reopen
from ..standings.seasons import season_close as close
from ..web.club_navigation import club_admin_context
from ..web.requests import actor_of, see


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_close(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the consequences of closing; close the season, or open it again. A page that is outdated closes nothing: the
    champion may have changed."""
    access = club_for(request.user, club, Right.MANAGE)
    chosen_season = Season.objects.select_related("club").filter(club=access.club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    do = request.POST.get("do", "")
    where = {"club": club, "season": season}
    if do == "open":
        try:
            season_reopen(season=chosen_season, actor=actor_of(request), reason=request.POST.get("reason", ""))
        except Refused as refused:
            return _season_end_page(request, access, chosen_season, problem=refused)
        messages.success(request, _("%(season)s is open again.") % {"season": chosen_season.name})
        return see(reverse("season-close", kwargs=where))
    if do == "close" and chosen_season.closed_at is None:
        if request.POST.get("seen") != str(chosen_season.ledger_mark):
            return _season_end_page(request, access, chosen_season, outdated=True)
        try:
            close(season=chosen_season, actor=actor_of(request))
        except Refused as refused:
            messages.error(request, refused.sentence)
            return see(reverse("season-close", kwargs=where))
        messages.success(request, _("%(season)s is closed.") % {"season": chosen_season.name})
    if do == "close":
        return see(reverse("season-champions", kwargs=where))
    return _season_end_page(request, access, chosen_season)


def _season_end_page(
    request: HttpRequest, access: ClubAccess, season: Season, *, outdated: bool = False, problem: Refused | None = None
) -> HttpResponse:
    within = access.within(season)
    places = places_of(within, season)
    podium = podium_of(places)
    still_open = [] if season.closed_at else unfinished(within, season)
    context: dict[str, Any] = club_admin_context(access) | {
        "season": season,
        "podium": podium,
        "title": title_of([place for place in podium if place.rank == 1]),
        "unfinished": still_open,
        "blocked": any(matter.blocks for matter in still_open),
        "rules": rules_of(within, formula_of(season)),
        "outdated": outdated,
        "problem": problem.sentence if problem else "",
        "reason": request.POST.get("reason", ""),
        "most": MAX_REASON,
    }
    status = problem.status if problem else 409 if outdated else 200
    return render(request, "league/club_admin/season_end.html", context, status=status)
