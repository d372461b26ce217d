"""The pages of a season's formula: its parts with a preview, penalties and bonuses."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Player, Season, SeasonAdjustment, SeasonFormula
from ..standings.formula import services
from ..standings.formula.explanation import Move, effective_formula, preview
from ..standings.formula.presets import BY_KEY, PRESETS
from ..standings.formula.words import described
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .formula_forms import AdjustmentForm, FormulaForm, initial_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_formula(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the formula of a season; preview another one on the season's own evenings, then store it."""
    access, found = _season(request, club, season)
    do = request.POST.get("do", "")
    if do == "remove":
        return _remove(request, found)
    if request.method == "POST":
        return _looked_at(request, access, found, store=do == "store")
    preset = BY_KEY.get(request.GET.get("preset", ""))
    formula = preset.formula if preset else effective_formula(found)
    form = FormulaForm(initial=initial_of(formula), players=_players(found))
    return _page(request, access, found, form, chosen=preset.key if preset else "")


def _looked_at(request: HttpRequest, access: ClubAccess, season: Season, *, store: bool) -> HttpResponse:
    """Show what the formula of the form would change, or store it."""
    form = FormulaForm(request.POST, players=_players(season))
    moves: list[Move] | None = None
    rules: list[str] = []
    if form.is_valid():
        try:
            formula = services.formula_read(form.values())
            services.check_fits(season, formula)
            if store:
                follows = request.POST.get("follows", "")
                version = int(follows) if follows.isdecimal() and len(follows) < 10 else None
                services.formula_set(season=season, actor=actor_of(request), values=form.values(), follows=version)
                messages.success(request, _("Saved."))
                return see(_address(season))
            moves, rules = preview(season, formula), described(formula)
        except Refused as refused:
            form.add_refusal(refused.at, refused.sentence)
    return _page(request, access, season, form, moves=moves, rules=rules)


def _remove(request: HttpRequest, season: Season) -> HttpResponse:
    try:
        services.formula_set(season=season, actor=actor_of(request), values=None)
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        messages.success(request, _("Saved."))
    return see(_address(season))


def _page(
    request: HttpRequest,
    access: ClubAccess,
    season: Season,
    form: FormulaForm,
    *,
    moves: list[Move] | None = None,
    rules: list[str] | None = None,
    chosen: str = "",
) -> HttpResponse:
    stored = SeasonFormula.objects.filter(season=season, version=season.formula_version or 0).select_related("author")
    context = club_admin_context(access, "club-seasons") | {
        "season": season,
        "form": form,
        "moves": moves,
        "rules": rules,
        "stored": stored.first() if season.formula_version else None,
        "now": described(effective_formula(season)),
        "presets": PRESETS,
        "chosen": chosen,
    }
    return render(request, "league/club_admin/formula.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_adjustments(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """List penalties and bonuses of a season; add one, or undo one."""
    access, found = _season(request, club, season)
    form = AdjustmentForm(request.POST if request.POST.get("do") == "add" else None)
    form.fields["player"].queryset = Player.objects.filter(club=access.club, main=None).order_by("nickname")  # type: ignore[attr-defined]
    try:
        if request.POST.get("do") == "undo":
            number = request.POST.get("adjustment", "")
            return _undo(request, found, int(number) if number.isdecimal() and len(number) < 19 else 0)
        if form.is_bound and form.is_valid():
            services.adjustment_add(season=found, actor=actor_of(request), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return see(_address(found, "season-adjustments"))
    except Refused as refused:
        if not form.is_bound:
            messages.error(request, refused.sentence)
            return see(_address(found, "season-adjustments"))
        show_refusal(form, refused)
    given = SeasonAdjustment.objects.filter(season=found).select_related("player", "author").order_by("-at", "-pk")
    context = club_admin_context(access, "club-seasons") | {"season": found, "form": form, "given": given}
    return render(request, "league/club_admin/adjustments.html", context, status=422 if form.errors else 200)


def _undo(request: HttpRequest, season: Season, number: int) -> HttpResponse:
    known = SeasonAdjustment.objects.filter(season=season, pk=number).select_related("season").first()
    if known is None:
        raise Http404("no such adjustment")
    services.adjustment_undo(adjustment=known, actor=actor_of(request))
    messages.success(request, _("Saved."))
    return see(_address(season, "season-adjustments"))


def _season(request: HttpRequest, club: str, season: str) -> tuple[ClubAccess, Season]:
    """The gate of these pages, for owners. Raises as `club_for` does, and Http404."""
    access = club_for(request.user, club, Right.MANAGE)
    found = Season.objects.select_related("club").filter(club=access.club, slug=season).first()
    if found is None:
        raise Http404("no such season")
    return access, found


def _players(season: Season) -> list[Player]:
    return list(Player.objects.filter(standings__season=season).order_by("nickname"))


def _address(season: Season, name: str = "season-formula") -> str:
    return reverse(name, kwargs={"club": season.club.slug, "season": season.slug})
