"""The page of a season's teams: their names, and their members by day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from ..errors import Refused
from ..models import Season, Team, TeamStay
from ..standings.formula import team_services
from ..standings.formula.team_table import team_title
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .formula_forms import StayForm, TeamForm


@dataclass(frozen=True)
class TeamCard:
    """A team with the form of its name, and its members' rows in the order of their days."""

    team: Team
    title: str
    form: TeamForm
    stays: tuple[TeamStay, ...]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_teams(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """List the teams of a season; add, rename or remove one, put a player into one, or take that back."""
    access = club_for(request.user, club, Right.MANAGE)
    found = Season.objects.select_related("club").filter(club=access.club, slug=season).first()
    if found is None:
        raise Http404("no such season")
    do = ACTIONS.get(request.POST.get("do", ""))
    forms = {
        "add": TeamForm(request.POST if request.POST.get("do") == "add" else None, prefix="new"),
        "put": StayForm(request.POST if request.POST.get("do") == "put" else None, season=found),
    }
    if do is not None:
        try:
            if do(request, found, forms):
                messages.success(request, _("Saved."))
                return see(reverse("season-teams", kwargs={"club": club, "season": season}))
        except Refused as refused:
            form = forms.get(request.POST.get("do", ""))
            if form is None:
                messages.error(request, refused.sentence)
                return see(reverse("season-teams", kwargs={"club": club, "season": season}))
            show_refusal(form, refused)
    return _page(request, access, found, forms)


def _page(request: HttpRequest, access: ClubAccess, season: Season, forms: Mapping[str, Any]) -> HttpResponse:
    rows = TeamStay.objects.filter(season=season).select_related("player").order_by("since", "player__nickname")
    stays = list(rows)
    cards = [
        TeamCard(
            team,
            team_title(team, access),
            TeamForm(initial={"name": team.name}, prefix=f"team-{team.number}"),
            tuple(stay for stay in stays if stay.team_id == team.pk),
        )
        for team in Team.objects.filter(season=season).order_by("number")
    ]
    context = club_admin_context(access, "club-seasons") | {
        "season": season,
        "cards": cards,
        "left": [stay for stay in stays if stay.team_id is None],
        "adding": forms["add"],
        "putting": forms["put"],
        "writable": season.formula_version is not None and season.closed_at is None,
    }
    wrong = any(form.errors for form in forms.values())
    return render(request, "league/club_admin/teams.html", context, status=422 if wrong else 200)


# --- The actions of the page -----------------------------------------------------------------------------


def _add(request: HttpRequest, season: Season, forms: Mapping[str, Any]) -> bool:
    form = forms["add"]
    if form.is_valid():
        team_services.team_add(season=season, name=form.cleaned_data["name"], actor=actor_of(request))
    return bool(form.is_valid())


def _rename(request: HttpRequest, season: Season, forms: Mapping[str, Any]) -> bool:
    team = _team(request, season)
    name = request.POST.get(f"team-{team.number}-name", "")
    team_services.team_rename(team=team, name=name, actor=actor_of(request))
    return True


def _remove(request: HttpRequest, season: Season, forms: Mapping[str, Any]) -> bool:
    team_services.team_remove(team=_team(request, season), actor=actor_of(request))
    return True


def _put(request: HttpRequest, season: Season, forms: Mapping[str, Any]) -> bool:
    form = forms["put"]
    if form.is_valid():
        sent = form.cleaned_data
        values: dict[str, Any] = {name: sent[name] for name in ("player", "team", "since")}
        team_services.stay_set(season=season, actor=actor_of(request), **values)
    return bool(form.is_valid())


def _take_back(request: HttpRequest, season: Season, forms: Mapping[str, Any]) -> bool:
    known = TeamStay.objects.filter(season=season, pk=_number(request, "stay")).select_related("season", "team").first()
    if known is None:
        raise Http404("no such row")
    team_services.stay_remove(stay=known, actor=actor_of(request))
    return True


def _team(request: HttpRequest, season: Season) -> Team:
    found = Team.objects.filter(season=season, number=_number(request, "team")).select_related("season").first()
    if found is None:
        raise Http404("no such team")
    return found


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


ACTIONS: Mapping[str, Callable[[HttpRequest, Season, Mapping[str, Any]], bool]] = {
    "add": _add,
    "rename": _rename,
    "remove": _remove,
    "put": _put,
    "take_back": _take_back,
}
