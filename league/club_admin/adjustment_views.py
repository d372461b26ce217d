"""The page of a season's penalties and bonuses."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..errors import Refused
from ..models import Season, SeasonAdjustment
from ..standings.formula import services
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .formula_forms import AdjustmentForm
from .formula_views import season_to_manage


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_adjustments(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """List penalties and bonuses of a season; add one, or undo one."""
    access, found = season_to_manage(request, club, season)
    form = AdjustmentForm(request.POST if request.POST.get("do") == "add" else None, season=found)
    try:
        if request.POST.get("do") == "undo":
            number = request.POST.get("adjustment", "")
            return _undo(request, found, int(number) if number.isdecimal() and len(number) < 19 else 0)
        if form.is_bound and form.is_valid():
            services.adjustment_add(season=found, actor=actor_of(request), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return see(_address(found))
    except Refused as refused:
        if not form.is_bound:
            messages.error(request, refused.sentence)
            return see(_address(found))
        show_refusal(form, refused)
    given = SeasonAdjustment.objects.filter(season=found).select_related("player", "author").order_by("-day", "-pk")
    context = club_admin_context(access, "club-seasons") | {"season": found, "form": form, "given": given}
    return render(request, "league/club_admin/adjustments.html", context, status=422 if form.errors else 200)


def _undo(request: HttpRequest, season: Season, number: int) -> HttpResponse:
    known = SeasonAdjustment.objects.filter(season=season, pk=number).select_related("season").first()
    if known is None:
        raise Http404("no such adjustment")
    services.adjustment_undo(adjustment=known, actor=actor_of(request))
    messages.success(request, _("Saved."))
    return see(_address(season))


def _address(season: Season) -> str:
    return reverse("season-adjustments", kwargs={"club": season.club.slug, "season": season.slug})
