"""The seasons' pages: all of them, a new one, one changed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from .. import selectors
from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Club, Season
from ..posted import actor_of, see
from ..seasons import CHANGEABLE, POINTS, counts_anew, season_add, season_change
from .forms import SeasonForm
from .nav import desk_context, tell


@login_required
@never_cache
@require_safe
def seasons(request: HttpRequest, club: str) -> HttpResponse:
    """All seasons of the club, newest first."""
    access = club_for(request.user, club, Right.MANAGE)
    found = selectors.club_seasons(access.club)
    context = desk_context(access, "club-seasons") | {"seasons": found, "current": selectors.current_of(found)}
    return render(request, "league/desk/seasons.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, club: str) -> HttpResponse:
    """A new season; it begins as the newest one was set up."""
    access = club_for(request.user, club, Right.MANAGE)
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=_like_the_last(access.club))
    if request.method == "POST" and form.is_valid():
        try:
            added = season_add(club=access.club, actor=actor_of(request), values=form.values())
        except Refused as refused:
            tell(form, refused)
        else:
            messages.success(request, _("%(season)s is added.") % {"season": added.name})
            return see(reverse("club-seasons", kwargs={"club": club}))
    return _page(request, access, form, None)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A season changed. Where that counts hands anew that were played, it is said first and confirmed."""
    access = club_for(request.user, club, Right.MANAGE)
    found = Season.objects.filter(club=access.club, slug=season).first()
    if found is None:
        raise Http404("no such season")
    initial = {name: getattr(found, name) for name in CHANGEABLE}
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        changes = form.values()
        if found.ledger_mark and counts_anew(found, changes) and "sure" not in request.POST:
            return _page(request, access, form, found, asks=_what_changes(found))
        try:
            season_change(season=found, actor=actor_of(request), changes=changes)
        except Refused as refused:
            tell(form, refused)
        else:
            messages.success(request, _("Kept."))
            return see(reverse("club-seasons", kwargs={"club": club}))
    return _page(request, access, form, found)


def _like_the_last(club: Club) -> dict[str, Any]:
    newest = club.seasons.order_by("-starts_on", "-pk").first() or Season()
    kept = ("ranking", "games", "best_evenings", "points_only", "planned_evenings", *POINTS)
    today = timezone.localdate()
    return {name: getattr(newest, name) for name in kept} | {"starts_on": today, "name": str(today.year)}


def _what_changes(season: Season) -> str:
    held = selectors.evenings_counted(season)
    said = ngettext(
        "%(n)d evening was played in %(season)s. Its standings are counted anew by what you say here.",
        "%(n)d evenings were played in %(season)s. The standings are counted anew by what you say here.",
        held,
    )
    return said % {"n": held, "season": season.name}


def _page(
    request: HttpRequest, access: ClubAccess, form: SeasonForm, season: Season | None, asks: str = ""
) -> HttpResponse:
    refused = request.method == "POST" and (bool(form.errors) or bool(asks))
    context = desk_context(access, "club-seasons") | {"form": form, "season": season, "asks": asks}
    return render(request, "league/desk/season.html", context, status=422 if refused else 200)
