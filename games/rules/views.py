"""The pages of the house rules: the contract, its next version, and the replay of a season under other rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, Right, club_for
from league.models import Club, HouseRules, Season
from league.standings.overview import running_evenings
from league.standings.selectors import current_of
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import FormProblem, Refused
from ..evening.house_rules import last_game
from ..evening.rule_sentences import antes_of
from ..game.rule_form import RulesForm
from ..offered import GAMES, game_of
from . import contracts, replay, services
from .forms import FORMS


def _game(request: HttpRequest, club: Club) -> str:
    """The game named by the request, else the game that the club played last. Raises Http404 for an unknown game."""
    sent = request.POST if request.method == "POST" else request.GET
    game = str(sent["game"]) if "game" in sent else last_game(club)
    if game not in GAMES:
        raise Http404("no such game")
    return game


def versions_of(club: Club, game: str) -> Sequence[HouseRules]:
    """All versions, the newest first, each with its number of evenings; a club that never set any has the defaults.

    One query.
    """
    versions = HouseRules.objects.filter(club=club, game=game).select_related("author")
    stored = list(versions.annotate(evenings_held=Count("evenings")).order_by("-version"))
    if stored:
        return stored
    defaults = HouseRules(club=club, game=game, version=1, values={})
    defaults.evenings_held = 0  # type: ignore[attr-defined]
    return [defaults]


def _access(request: HttpRequest, club: str) -> ClubAccess | None:
    """The gate of the contract; None for a visitor who must sign in, as the club does not publish its rules."""
    shown = Club.objects.filter(slug=club, publishes_rules=True).exclude(visibility=Club.Visibility.PRIVATE)
    if not request.user.is_authenticated and not shown.exists():
        return None
    access = club_for(request.user, club)
    if not access.sees_rules():
        raise PermissionDenied
    return access


@require_safe
def contract(request: HttpRequest, club: str) -> HttpResponseBase:
    """The club's house rules as sentences and in worked situations; `?version=` shows an older version. Readers who see
    neither the club's amounts nor are of the club read antes in place of amounts."""
    access = _access(request, club)
    if access is None:
        return redirect_to_login(request.get_full_path())
    game = _game(request, access.club)
    versions = versions_of(access.club, game)
    wanted = request.GET.get("version", str(versions[0].version))
    shown = next((each for each in versions if str(each.version) == wanted), None)
    if shown is None:
        raise Http404("no such version")
    rules = contracts.effective(game, shown.values)
    antes = None if access.may(Right.SEE_RULES) or access.sees_money() else antes_of(rules, game)
    situations = contracts.situations(game, rules)
    if antes:
        situations = [replace(situation, now=contracts.in_antes(situation.now, antes)) for situation in situations]
    context = {
        "antes": antes,
        "club": access.club,
        "contract": game_of(game),
        "contracts": list(GAMES.values()),
        "version": shown,
        "newest": versions[0],
        "versions": versions,
        "lines": contracts.lines(game, rules, antes or access.club.currency),
        "situations": situations,
        "may_see_authors": access.role is not None,
        "may_manage": access.may(Right.MANAGE),
    }
    return render(request, "games/rules/contract.html", context)


# Tells Django's LoginRequiredMiddleware that this view checks the sign-in itself.
contract.login_url = None  # type: ignore[attr-defined]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, club: str) -> HttpResponse:
    """Change the house rules: show the form, then old and new side by side, then store the version."""
    access = club_for(request.user, club, Right.MANAGE)
    game = _game(request, access.club)
    newest = versions_of(access.club, game)[0]
    current = contracts.effective(game, newest.values)
    if request.method != "POST":
        return _form_page(
            request,
            access,
            newest,
            FORMS[game](values=FORMS[game].as_typed(current, newest.values), currency=access.club.currency),
        )
    form = FORMS[game](request.POST, currency=access.club.currency)
    if not form.is_valid():
        return _form_page(request, access, newest, form, status=422)
    try:
        return _next_step(request, access, newest, form)
    except Refused as refused:
        problem = FormProblem.of(refused)
        return _form_page(request, access, newest, form, problem, status=refused.status)


def _next_step(request: HttpRequest, access: ClubAccess, newest: HouseRules, form: RulesForm) -> HttpResponse:
    game, key, follows, values = form.game, form.key(), form.follows(), form.values()
    if "confirm" in request.POST and key is not None and follows is not None:
        stored = services.rules_change(
            club=access.club, game=game, values=values, author=actor_of(request), key=key, follows=follows
        )
        sentence = _("Version %(version)d of the house rules holds from the next evening on.")
        messages.success(request, sentence % {"version": stored.version})
        where = reverse("rules", kwargs={"club": access.club.slug})
        return see(f"{where}?game={game}")
    old, new = contracts.effective(game, newest.values), contracts.effective(game, values)
    if old == new:
        raise services.nothing_changes(newest.version)
    if "back" in request.POST:
        return _form_page(request, access, newest, form)
    lines = contracts.lines(game, new, access.club.currency, old)
    situations = contracts.situations(game, new, old)
    context = {
        "club": access.club,
        "contract": game_of(game),
        "newest": newest,
        "next_version": newest.version + 1,
        "form": form,
        "key": engine_bridge.new_key(),
        "changed": [line for line in lines if line.before],
        "unchanged": [line for line in lines if not line.before],
        "other": [each for each in situations if each.differs],
        "same": [each for each in situations if not each.differs],
        "running": running_evenings([access.club.pk]).get(access.club.pk),
        "replay_query": _query(request),
        "seasons": access.club.seasons.exists(),
    }
    return render(request, "games/rules/compare.html", context)


def _query(request: HttpRequest) -> str:
    """The form's values as a query string for the replay of a season."""
    sent = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "key", "follows", "confirm", "back"):
        sent.pop(name, None)
    return str(sent.urlencode())


def _form_page(
    request: HttpRequest,
    access: ClubAccess,
    newest: HouseRules,
    form: RulesForm,
    problem: FormProblem | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "club": access.club,
        "contract": game_of(form.game),
        "newest": newest,
        "form": form,
        "problem": problem,
    }
    return render(request, "games/rules/change.html", context, status=status)


@login_required
@never_cache
@require_safe
def season_replay(request: HttpRequest, club: str) -> HttpResponse:
    """Show a season's balances under other house rules beside the real ones. Nothing is stored."""
    access = club_for(request.user, club, Right.MANAGE)
    game = _game(request, access.club)
    newest = versions_of(access.club, game)[0]
    current = contracts.effective(game, newest.values)
    seasons = list(Season.objects.filter(club=access.club, points_only=False).order_by("-starts_on", "-pk"))
    submitted = "coin" in request.GET
    currency = access.club.currency
    form = FORMS[game](
        request.GET if submitted else None, values=FORMS[game].as_typed(current, newest.values), currency=currency
    )
    wanted = request.GET.get("season", "")
    season = next((each for each in seasons if each.slug == wanted), current_of(seasons))
    context: dict[str, Any] = {
        "club": access.club,
        "contract": game_of(game),
        "contracts": list(GAMES.values()),
        "newest": newest,
        "seasons": seasons,
        "season": season,
        "form": form,
        "problem": None,
    }
    if not submitted or season is None:
        return render(request, "games/rules/replay.html", context)
    if not form.is_valid():
        return render(request, "games/rules/replay.html", context, status=422)
    played = replay.replay_season(season, game, form.values())
    warning = replay.warning(played, currency)
    if warning and "anyway" not in request.GET:
        context |= {"warning": warning, "anyway": f"?{request.GET.urlencode()}&anyway=1#result"}
        return render(request, "games/rules/replay.html", context)
    lines = contracts.lines(game, contracts.effective(game, form.values()), currency, current)
    context |= {
        "replay": played,
        "lines": [line for line in lines if line.before],
        "left_out": [{"entry": each, "places": _places(each)} for each in played.left_out],
    }
    return render(request, "games/rules/replay.html", context)


def _places(left_out: replay.LeftOut) -> list[str]:
    return [
        _("evening %(evening)d, hand %(hand)d") % {"evening": evening, "hand": hand}
        for evening, _table, hand in left_out.places
    ]
