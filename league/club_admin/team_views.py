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
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Season, Team, TeamStay
from ..standings.formula import team_services
from ..standings.formula.input_previews import preview_stay_removed, preview_team_removed
from ..standings.formula.preview import Preview
from ..standings.formula.team_table import team_title
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .formula_forms import StayForm, TeamForm
from .input_previews import InputPreview, input_preview, stay_change, team_change

LOOK = "look_"
"""Before the name of a form's action: show its preview."""
STORE_TEXTS = {"add": gettext_lazy("Add"), "put": gettext_lazy("Save")}


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
    """List the teams of a season; add, rename or remove one, put a player into one, or take that back. What changes
    ranks is previewed first."""
    access = club_for(request.user, club, Right.MANAGE)
    chosen_season = Season.objects.select_related("club").filter(club=access.club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    do = request.POST.get("do", "").removeprefix(LOOK)
    previews = _previews(request, chosen_season, do)
    action = ACTIONS.get(do)
    if action is not None and (do not in previews or previews[do].confirmed):
        try:
            action(request, chosen_season, previews.get(do))
        except Refused as refused:
            if do not in previews:
                messages.error(request, refused.sentence)
                return see(_address(chosen_season))
            show_refusal(previews[do].form, refused)
        else:
            messages.success(request, _("Saved."))
            return see(_address(chosen_season))
    return _teams_page(request, access, chosen_season, previews)


def _previews(request: HttpRequest, season: Season, do: str) -> dict[str, InputPreview]:
    """Return the forms of a new team and of a player's team, the one that was sent with its preview. Empty if none of
    them was sent."""
    if do == "add":
        return {do: input_preview(request, season, TeamForm(request.POST, prefix="new"), team_change, store=do)}
    if do == "put":
        return {do: input_preview(request, season, StayForm(request.POST, season=season), stay_change, store=do)}
    return {}


def _address(season: Season) -> str:
    return reverse("season-teams", kwargs={"club": season.club.slug, "season": season.slug})


def _teams_page(
    request: HttpRequest, access: ClubAccess, season: Season, previews: Mapping[str, InputPreview]
) -> HttpResponse:
    """Answer with the page, or a request of a script with the preview of the form that was sent."""
    if request.htmx and previews:  # type: ignore[attr-defined]
        (preview,) = previews.values()
        store = next(iter(previews))
        context = {
            "club": access.club,
            "season": season,
            "previewed": preview,
            "form": preview.form,
            "change": preview.change,
        }
        context |= {"for_teams": True, "store": store, "store_text": STORE_TEXTS[store]}
        return render(request, "league/club_admin/_input_preview.html", context)
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
    context = club_admin_context(access) | {
        "season": season,
        "cards": cards,
        "left": [stay for stay in stays if stay.team_id is None],
        "adding": previews.get("add") or InputPreview(TeamForm(prefix="new")),
        "putting": previews.get("put") or InputPreview(StayForm(season=season)),
        "store_texts": STORE_TEXTS,
        "writable": season.has_formula and season.closed_at is None,
    }
    if context["writable"]:
        context["removing"] = _removing(request, season, access)
    wrong = any(preview.form.errors or preview.differs for preview in previews.values())
    return render(request, "league/club_admin/teams.html", context, status=422 if wrong else 200)


@dataclass(frozen=True)
class Removing:
    """A removal that the page previews before an owner confirms it: `about` says what it is; `name` and `value` are the
    field that names it."""

    about: str
    do: str
    name: str
    value: int
    change: Preview


def _removing(request: HttpRequest, season: Season, access: ClubAccess) -> Removing | None:
    """Return the removal that the address asks for."""
    if request.GET.get("remove"):
        team = _team(season, request.GET["remove"])
        about = _("%(team)s is removed, and its members' days in it.") % {"team": team_title(team, access)}
        return Removing(about, "remove", "team", team.number, preview_team_removed(team))
    if request.GET.get("take_back"):
        stay = _stay(season, request.GET["take_back"])
        values = {"player": stay.player.nickname, "day": date_format(stay.since, "SHORT_DATE_FORMAT")}
        if stay.team is None:
            about = _("%(player)s has not left the team on %(day)s.") % values
        else:
            values["team"] = team_title(stay.team, access)
            about = _("%(player)s is not in %(team)s from %(day)s on.") % values
        return Removing(about, "take_back", "stay", stay.pk, preview_stay_removed(stay))
    return None


# --- The actions of the page -----------------------------------------------------------------------------


def _add(request: HttpRequest, season: Season, previewed: InputPreview | None) -> None:
    if previewed is not None:
        team_services.team_add(season=season, name=previewed.form.cleaned_data["name"], actor=actor_of(request))


def _rename(request: HttpRequest, season: Season, previewed: InputPreview | None) -> None:
    team = _team(season, request.POST.get("team", ""))
    name = request.POST.get(f"team-{team.number}-name", "")
    team_services.team_rename(team=team, name=name, actor=actor_of(request))


def _remove(request: HttpRequest, season: Season, previewed: InputPreview | None) -> None:
    team_services.team_remove(team=_team(season, request.POST.get("team", "")), actor=actor_of(request))


def _put(request: HttpRequest, season: Season, previewed: InputPreview | None) -> None:
    if previewed is not None:
        values: dict[str, Any] = {name: previewed.form.cleaned_data[name] for name in ("player", "team", "since")}
        team_services.stay_set(season=season, actor=actor_of(request), **values)


def _take_back(request: HttpRequest, season: Season, previewed: InputPreview | None) -> None:
    team_services.stay_remove(stay=_stay(season, request.POST.get("stay", "")), actor=actor_of(request))


def _stay(season: Season, text: str) -> TeamStay:
    stay = TeamStay.objects.filter(season=season, pk=_number(text)).select_related("season", "team", "player").first()
    if stay is None:
        raise Http404("no such row")
    return stay


def _team(season: Season, text: str) -> Team:
    team = Team.objects.filter(season=season, number=_number(text)).select_related("season").first()
    if team is None:
        raise Http404("no such team")
    return team


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


ACTIONS: Mapping[str, Callable[[HttpRequest, Season, InputPreview | None], None]] = {
    "add": _add,
    "rename": _rename,
    "remove": _remove,
    "put": _put,
    "take_back": _take_back,
}
