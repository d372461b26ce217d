"""The page of a season's penalties and bonuses."""

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

from ..access import ClubAccess
from ..errors import Refused
from ..models import Season, SeasonAdjustment
from ..standings.formula import services
from ..standings.formula.input_previews import preview_undo
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .formula_forms import AdjustmentForm
from .formula_views import season_to_manage
from .input_previews import InputPreview, adjustment_change, input_preview

LOOK = ("add", "look")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_adjustments(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """List penalties and bonuses of a season; add or undo one, after a preview of the ranks that it would change."""
    access, chosen_season = season_to_manage(request, club, season)
    if request.POST.get("do") == "undo":
        return _undo(request, chosen_season)
    if request.POST.get("do") not in LOOK:
        return _adjustments_page(request, access, chosen_season, InputPreview(AdjustmentForm(season=chosen_season)))
    previewed = input_preview(
        request, chosen_season, AdjustmentForm(request.POST, season=chosen_season), adjustment_change, store="add"
    )
    if previewed.confirmed:
        try:
            services.adjustment_add(season=chosen_season, actor=actor_of(request), **previewed.form.cleaned_data)
        except Refused as refused:
            show_refusal(previewed.form, refused)
        else:
            messages.success(request, _("Saved."))
            return see(_address(chosen_season))
    return _adjustments_page(request, access, chosen_season, previewed)


def _adjustments_page(
    request: HttpRequest, access: ClubAccess, season: Season, previewed: InputPreview
) -> HttpResponse:
    """Answer with the page, or a request of a script with the preview."""
    context: dict[str, Any] = {"club": access.club, "season": season, "form": previewed.form, "previewed": previewed}
    context |= {"store": "add", "store_text": _("Add"), "change": previewed.change}
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "league/club_admin/_input_preview.html", context)
    given = SeasonAdjustment.objects.filter(season=season).select_related("player", "author").order_by("-day", "-pk")
    context |= club_admin_context(access) | {"given": given}
    if season.closed_at is None and request.GET.get("undo"):
        undone = _known(season, request.GET["undo"])
        context |= {"undone": undone, "undoing": None if undone.undone_at else preview_undo(undone)}
    refused = bool(previewed.form.errors) or previewed.differs
    return render(request, "league/club_admin/adjustments.html", context, status=422 if refused else 200)


def _undo(request: HttpRequest, season: Season) -> HttpResponse:
    known = _known(season, request.POST.get("adjustment", ""))
    try:
        services.adjustment_undo(adjustment=known, actor=actor_of(request))
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        messages.success(request, _("Saved."))
    return see(_address(season))


def _known(season: Season, number: str) -> SeasonAdjustment:
    pk = int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else 0
    adjustment = SeasonAdjustment.objects.filter(season=season, pk=pk).select_related("season", "player").first()
    if adjustment is None:
        raise Http404("no such adjustment")
    return adjustment


def _address(season: Season) -> str:
    return reverse("season-adjustments", kwargs={"club": season.club.slug, "season": season.slug})
