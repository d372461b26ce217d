"""The pages of a season's plan: its evenings, one or a series; change, cancel, restore or remove one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
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
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused, form_outdated
from ..features import uses
from ..models import PlannedEvening, Season
from ..standings import plan, plan_services
from ..web.club_navigation import show_refusal
from ..web.requests import actor_of, see
from .plan_forms import PlanForm, PlannedForm


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_plan(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """List the planned evenings of a season, and plan more. A series is shown day by day first, so that single days can
    be left out."""
    access, chosen_season = _season(request, club, season)
    asks = uses(access.club, "planned-coming")
    form = PlanForm(request.POST if request.method == "POST" else None, asks=asks, initial=_initial(chosen_season))
    if request.method != "POST" or not form.is_valid():
        return _plan_page(request, access, chosen_season, form)
    try:
        days = (
            plan_services.series_days(form.series[0], weeks=form.series[1], until=form.series[2]) if form.series else []
        )
        if days and request.POST.get("series") != _mark(form):
            return _plan_page(request, access, chosen_season, form, days=days)
        chosen = _chosen(request, days) if days else [form.cleaned_data["held_on"]]
        made = plan_services.evenings_plan(season=chosen_season, actor=actor_of(request), days=chosen, **_texts(form))
    except Refused as refused:
        show_refusal(form, refused)
        return _plan_page(request, access, chosen_season, form)
    sentence = ngettext("%(n)d evening is planned.", "%(n)d evenings are planned.", len(made))
    messages.success(request, sentence % {"n": len(made)})
    return see(_address("season-plan", chosen_season))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def planned_evening(request: HttpRequest, club: str, season: str, planned: int) -> HttpResponse:
    """Change a planned evening; cancel it, take that back, or remove it."""
    access, chosen_season = _season(request, club, season)
    known = PlannedEvening.objects.filter(season=chosen_season, pk=planned).select_related("season__club").first()
    if known is None:
        raise Http404("no such planned evening")
    initial = {name: getattr(known, name) for name in plan_services.CHANGEABLE}
    changing = request.method == "POST" and "do" not in request.POST
    asks = uses(access.club, "planned-coming")
    form = PlannedForm(request.POST if changing else None, asks=asks, initial=initial)
    if asks:
        form.fields["held_on"].help_text = _("On another day nobody has answered yet.")
    if request.method == "POST":
        try:
            if changing and form.is_valid():
                plan_services.planned_change(planned=known, actor=actor_of(request), changes=form.cleaned_data)
                messages.success(request, _("Saved."))
                return see(_address("season-plan", chosen_season))
            if not changing:
                _do(request, known)
                return see(_address("season-plan", chosen_season))
        except Refused as refused:
            show_refusal(form, refused) if changing else messages.error(request, refused.sentence)
    context = _context(access, chosen_season) | {"form": form, "planned": known}
    return render(request, "league/club_admin/planned.html", context, status=422 if form.errors else 200)


def _do(request: HttpRequest, planned: PlannedEvening) -> None:
    """Cancel a planned evening, take that back, or remove it.

    Raises:
        Refused: as the services do; 422 for anything else.
    """
    do, actor = request.POST["do"], actor_of(request)
    if do == "cancel":
        plan_services.planned_cancel(planned=planned, actor=actor)
        messages.success(request, _("The evening is cancelled. Calendars and pages say so."))
    elif do == "restore":
        plan_services.planned_cancel(planned=planned, actor=actor, cancelled=False)
        messages.success(request, _("The evening takes place again."))
    elif do == "remove":
        plan_services.planned_remove(planned=planned, actor=actor)
        messages.success(request, _("The evening is removed from the plan."))
    else:
        raise form_outdated()


def _season(request: HttpRequest, club: str, season: str) -> tuple[ClubAccess, Season]:
    access = club_for(request.user, club, Right.RECORD)
    chosen_season = Season.objects.filter(club=access.club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    chosen_season.club = access.club
    return access, chosen_season


def _address(name: str, season: Season) -> str:
    return reverse(name, kwargs={"club": season.club.slug, "season": season.slug})


def _initial(season: Season) -> dict[str, Any]:
    """Return time, place and least number of players of the newest planned evening."""
    newest = PlannedEvening.objects.filter(season=season).order_by("-held_on").first()
    last = {"until": season.ends_on}
    if newest is None:
        return last | {"begins_at": "20:00"}
    return last | {name: getattr(newest, name) for name in ("begins_at", "place", "least_players")}


def _texts(form: PlannedForm) -> dict[str, Any]:
    names = ("begins_at", "place", "note", "least_players")
    return {name: form.cleaned_data[name] for name in names if name in form.cleaned_data}


def _mark(form: PlanForm) -> str:
    """Return the key of a series: chosen days belong to their own series."""
    return "/".join(map(str, form.series or ()))


def _chosen(request: HttpRequest, days: Sequence[date]) -> list[date]:
    sent = set(request.POST.getlist("day"))
    return [day for day in days if day.isoformat() in sent]


def _context(access: ClubAccess, season: Season) -> dict[str, Any]:
    return {"club": access.club, "season": season, "writable": season.closed_at is None}


def _plan_page(
    request: HttpRequest, access: ClubAccess, season: Season, form: PlanForm, days: Sequence[date] = ()
) -> HttpResponse:
    rows, today = plan.plan_of(season), timezone.localdate()
    taken = {planned.held_on for planned in rows}
    context = _context(access, season) | {
        "form": form,
        "series": _mark(form) if days else "",
        "days": [(day, day in taken) for day in days],
        "coming": [planned for planned in rows if planned.held_on >= today and planned.evening is None],  # type: ignore[attr-defined]
        "over": [planned for planned in rows if planned.held_on < today or planned.evening is not None],  # type: ignore[attr-defined]
    }
    return render(request, "league/club_admin/plan.html", context, status=422 if form.errors else 200)
