"""The pages of the seasons: all seasons, a new season, one season."""

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

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Club, Season
from ..standings import selectors
from ..standings.formula.preview import preview_settings
from ..standings.seasons import (
    CHANGEABLE,
    POINTS,
    counted_digest,
    formula_fields,
    needs_recount,
    season_add,
    season_change,
)
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .forms import SeasonForm
from .season_rows import season_rows


@login_required
@never_cache
@require_safe
def seasons(request: HttpRequest, club: str) -> HttpResponse:
    """List all seasons of the club, newest first."""
    access = club_for(request.user, club, Right.MANAGE)
    all_seasons = selectors.club_seasons(access.club)
    context = club_admin_context(access) | {"seasons": all_seasons, "current": selectors.current_of(all_seasons)}
    return render(request, "league/club_admin/seasons.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, club: str) -> HttpResponse:
    """Add a season; the form begins with the settings of the newest one."""
    access = club_for(request.user, club, Right.MANAGE)
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=_initial_of_newest(access.club))
    if request.method == "POST" and form.is_valid():
        try:
            added = season_add(club=access.club, actor=actor_of(request), values=form.values())
        except Refused as refused:
            show_refusal(form, refused)
        else:
            messages.success(request, _("%(season)s is added.") % {"season": added.name})
            return see(reverse("club-seasons", kwargs={"club": club}))
    return _season_page(request, access, form, None)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Change a season. If played evenings have to be recounted, the page first shows the changed ranks, and stores
    exactly these changes."""
    access = club_for(request.user, club, Right.MANAGE)
    chosen_season = Season.objects.filter(club=access.club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    initial = {name: getattr(chosen_season, name) for name in CHANGEABLE}
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=initial)
    form.leave_to_formula(formula_fields(chosen_season))
    if request.method == "POST" and form.is_valid():
        changes = form.values()
        shown = counted_digest(changes)
        if chosen_season.ledger_mark and needs_recount(chosen_season, changes) and request.POST.get("sure") != shown:
            asked = {
                "warning": _recount_warning(chosen_season),
                "change": preview_settings(chosen_season, changes),
                "shown": shown,
            }
            return _season_page(request, access, form, chosen_season, **asked, differs="sure" in request.POST)
        try:
            season_change(season=chosen_season, actor=actor_of(request), changes=changes)
        except Refused as refused:
            show_refusal(form, refused)
        else:
            messages.success(request, _("Saved."))
            return see(reverse("club-seasons", kwargs={"club": club}))
    return _season_page(request, access, form, chosen_season)


def _initial_of_newest(club: Club) -> dict[str, Any]:
    newest = club.seasons.order_by("-starts_on", "-pk").first() or Season()
    copied = ("ranking", "games", "best_evenings", "points_only", "planned_evenings", *POINTS)
    today = timezone.localdate()
    own = {name: getattr(newest, name) for name in copied} | (newest.own_settings or {})
    return own | {"starts_on": today, "name": str(today.year)}


def _recount_warning(season: Season) -> str:
    held = selectors.evenings_counted(season)
    sentence = ngettext(
        "%(n)d evening was played in %(season)s. Its standings are recounted with what you enter here.",
        "%(n)d evenings were played in %(season)s. The standings are recounted with what you enter here.",
        held,
    )
    return sentence % {"n": held, "season": season.name}


def _season_page(
    request: HttpRequest, access: ClubAccess, form: SeasonForm, season: Season | None, **asked: Any
) -> HttpResponse:
    """Answer with the page. `asked`: what it asks before played evenings are recounted: a warning, the preview with its
    digest, and if it differs from the one before."""
    refused = request.method == "POST" and (bool(form.errors) or bool(asked))
    context = club_admin_context(access) | {"form": form, "season": season, **asked}
    if season is not None:
        context["rows"] = season_rows(access, season)
    return render(request, "league/club_admin/season.html", context, status=422 if refused else 200)
