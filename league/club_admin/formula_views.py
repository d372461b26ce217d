"""The page of a season's formula: its parts, a preview, its versions."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Player, Season, SeasonFormula
from ..standings.formula import services
from ..standings.formula.explanation import rules_of
from ..standings.formula.inputs import formula_of
from ..standings.formula.parts import Formula, digest, read
from ..standings.formula.presets import BY_KEY, PRESETS
from ..standings.formula.preview import Preview, preview
from ..standings.formula.sentences import beyond_plan
from ..standings.formula.version_list import formulas_of_others, version_lines
from ..standings.selectors import evenings_counted
from ..web.club_navigation import club_admin_context
from ..web.requests import actor_of, see
from .formula_forms import FormulaForm, initial_of, new_seed


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_formula(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the formula of a season; preview another one on the season's own evenings, then store it."""
    access, chosen_season = season_to_manage(request, club, season)
    if request.POST.get("do") == "remove":
        return _remove(request, chosen_season)
    if request.method == "POST":
        return _input_preview(request, access, chosen_season)
    preset = BY_KEY.get(request.GET.get("preset", ""))
    beginning = _beginning(request, chosen_season)
    form = FormulaForm(initial=initial_of(beginning), players=_players(chosen_season))
    change, removes = None, "without" in request.GET and chosen_season.has_formula
    if chosen_season.closed_at is None and (removes or beginning != formula_of(chosen_season)):
        change = preview(chosen_season, None if removes else beginning)
    return _formula_page(
        request, access, chosen_season, form, change=change, chosen=preset.key if preset else "", removes=removes
    )


def _beginning(request: HttpRequest, season: Season) -> Formula:
    """Return the formula with which the form begins: a preset, that of another season (`of`), a version of the season,
    or the effective formula."""
    preset = BY_KEY.get(request.GET.get("preset", ""))
    if preset:
        return replace(preset.formula, games=season.games)
    other = request.GET.get("of", "")
    taken = (
        next((candidate for candidate in formulas_of_others(season) if candidate.season.slug == other), None)
        if other
        else None
    )
    if taken:
        formula = read(taken.values)
        # Lots that are known from the other season would not be by chance.
        return replace(formula, lot_seed=new_seed()) if formula.lot_seed else formula
    version = _number(request.GET.get("version", ""))
    stored = SeasonFormula.objects.filter(season=season, version=version).first() if version else None
    return read(stored.values) if stored else formula_of(season)


def _input_preview(request: HttpRequest, access: ClubAccess, season: Season) -> HttpResponse:
    """Show the preview of the form's formula, or store it if the page has shown the same preview."""
    form = FormulaForm(request.POST, players=_players(season))
    change: Preview | None = None
    shown = request.POST.get("previewed", "") if request.POST.get("do") == "store" else ""
    if form.is_valid():
        try:
            formula = services.formula_for(season, form.values())
            if shown and shown == digest(formula):
                follows = _number(request.POST.get("follows", ""))
                services.formula_set(season=season, actor=actor_of(request), values=form.values(), follows=follows)
                messages.success(request, _("Saved."))
                return see(_address(season))
            change = preview(season, formula)
        except Refused as refused:
            form.add_refusal(refused.at, refused.sentence)
    return _formula_page(request, access, season, form, change=change, differs=bool(shown))


def _remove(request: HttpRequest, season: Season) -> HttpResponse:
    try:
        follows = _number(request.POST.get("follows", ""))
        services.formula_set(season=season, actor=actor_of(request), values=None, follows=follows)
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        messages.success(request, _("Saved."))
    return see(_address(season))


def _formula_page(
    request: HttpRequest,
    access: ClubAccess,
    season: Season,
    form: FormulaForm,
    *,
    change: Preview | None = None,
    chosen: str = "",
    removes: bool = False,
    differs: bool = False,
) -> HttpResponse:
    """Answer with the page, or a request of a script with the preview. `removes`: of ranking without a formula.
    `differs`: the fields have other values than those of the preview that was to be stored."""
    context = {
        "club": access.club,
        "season": season,
        "form": form,
        "change": change,
        "rules": rules_of(access, change.formula) if change else [],
        "beyond": beyond_plan(change.formula, evenings_counted(season)) if change else "",
        "removes": removes,
        "shown": digest(change.formula) if change and not removes else "",
        "differs": differs and change is not None,
    }
    if request.htmx:  # type: ignore[attr-defined]
        # A script shows no response with an error status.
        return render(request, "league/club_admin/_formula_preview.html", context)
    stored = SeasonFormula.objects.filter(season=season, version=season.formula_version or 0).select_related("author")
    context |= club_admin_context(access) | {
        "stored": stored.first() if season.has_formula else None,
        "now": rules_of(access, formula_of(season)),
        "presets": PRESETS,
        "others": formulas_of_others(season) if season.closed_at is None else [],
        "chosen": chosen,
        "chosen_season": request.GET.get("of", ""),
    }
    refused = bool(form.errors) or context["differs"]
    return render(request, "league/club_admin/formula.html", context, status=422 if refused else 200)


@login_required
@never_cache
@require_safe
def season_formula_versions(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """List the versions of a season's formula, the newest first: time, author, and changes."""
    access, chosen_season = season_to_manage(request, club, season)
    context = club_admin_context(access) | {"season": chosen_season, "versions": version_lines(chosen_season)}
    return render(request, "league/club_admin/formula_versions.html", context)


def season_to_manage(request: HttpRequest, club: str, season: str) -> tuple[ClubAccess, Season]:
    """The gate of these pages, for owners. Raises as `club_for` does, and Http404."""
    access = club_for(request.user, club, Right.MANAGE)
    chosen_season = Season.objects.select_related("club").filter(club=access.club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    return access, chosen_season


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _players(season: Season) -> list[Player]:
    return list(Player.objects.filter(standings__season=season).order_by("nickname"))


def _address(season: Season) -> str:
    return reverse("season-formula", kwargs={"club": season.club.slug, "season": season.slug})
