"""The page of a new evening."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import ClubAccess, Right, club_for
from league.attendance.selectors import coming_today
from league.features import uses
from league.models import HouseRules, Player, Season
from league.standings.selectors import club_seasons, current_of
from league.web.kept_pages import keep_on_phone
from league.web.requests import actor_of
from league.web.requests import see as see

from .. import engine_bridge
from ..errors import FormProblem, Refused
from ..hands import selectors
from ..hands.gate import signed_in
from . import services as evenings
from .forms import EveningForm
from .house_rules import last_game
from .last_time import LastTime, last_time
from .night_club import night_club, pages_of_night
from .rule_sentences import games_offered, order_of_play


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def evening_new(request: HttpRequest, club: str) -> HttpResponse:
    """Choose game, season, players, order of play and first dealer, and begin the evening."""
    access = club_for(request.user, club, Right.RECORD)
    seasons = Season.objects.filter(club=access.club)
    every = club_seasons(access.club)
    known = [season for season in every if season.closed_at is None]
    roster = list(selectors.roster(access.club.pk))
    if request.method != "POST":
        current = current_of(known)
        seasons = seasons.filter(closed_at__isnull=True)
        game = last_game(access.club)
        initial: dict[str, Any] = {
            "season": current,
            "held_on": timezone.localdate(),
            "game": game,
            "settling": access.club.settling,
        }
        last = last_time(access.club)
        coming = _coming(access, current, roster)
        if request.GET.get("like") == "last":
            initial |= last.as_initial()
        elif coming and "like" not in request.GET:
            initial |= {"seating": coming}
        form = EveningForm(None, seasons=seasons, roster=roster, initial=initial)
        page = _evening_page(
            request, access, form, known, all_closed=bool(every) and not known, last=last, coming=coming
        )
        name = _("New evening: %(club)s") % {"club": access.club.name}
        return keep_on_phone(page, name, pages_of_night(access.club.slug))
    form = EveningForm(request.POST, seasons=seasons, roster=roster)
    if not form.is_valid():
        sentence = next(iter(form.errors.values()))[0]
        return _evening_page(request, access, form, known, FormProblem(str(sentence)), status=422)
    try:
        table = evenings.evening_start(
            club=access.club,
            season=form.cleaned_data["season"],
            author=actor_of(request),
            seating=form.seating(),
            first_dealer=form.first_dealer(),
            held_on=form.cleaned_data["held_on"],
            key=form.key(),
            game=form.chosen_game(),
            carry=form.cleaned_data["carry"],
            settling=form.cleaned_data["settling"] or None,
        )
    except Refused as refused:
        problem = FormProblem.of(refused)
        return _evening_page(request, access, form, known, problem, status=refused.status)
    return see(reverse("table", kwargs={"club": club, "table": table.pk}))


def _coming(access: ClubAccess, season: Season | None, roster: Sequence[Player]) -> list[str]:
    """Return the entries of the seating of those who said that they come tonight, in the order of the roster."""
    if season is None or not uses(access.club, "planned-coming"):
        return []
    coming = coming_today(access.club, season.pk)
    return [f"p{player.pk}" for player in roster if player.pk in coming]


def _evening_page(
    request: HttpRequest,
    access: ClubAccess,
    form: EveningForm,
    seasons: Sequence[Season],
    problem: FormProblem | None = None,
    status: int = 200,
    all_closed: bool = False,
    last: LastTime | None = None,
    coming: Sequence[str] = (),
) -> HttpResponse:
    versions = list(HouseRules.objects.filter(club=access.club))
    games = games_offered(versions, form.chosen_game(), access.club.currency)
    carried = evenings.carried_amounts(access.club, versions)
    context = {
        "access": access,
        "club": access.club,
        "form": form,
        "carried": carried if any(carried.values()) else {},
        "carry": "carry" in form.data if form.is_bound else True,
        # A refused request stored nothing under its key, or the key belongs to another evening: send a new key.
        "key": engine_bridge.new_key(),
        "seasons": seasons,
        "all_closed": all_closed,
        "may_manage": access.may(Right.MANAGE),
        "problem": problem,
        "games": games,
        "order_of_play": order_of_play(),
        "orders": range(1, engine_bridge.MAX_SEATS + 1),
        # Those of another day are not ticked on a page that a phone kept.
        "coming": coming if form.initial.get("seating") == coming else (),
        "today": timezone.localdate(),
        "last_time": last or last_time(access.club),
        "night_club": night_club(access.club, versions, form.roster, seasons, carried),
    }
    return render(request, "games/evening/new.html", context, status=status)
