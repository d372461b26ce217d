"""The pages of a club that takes part: the invitation, its tournaments, evenings and players, leaving."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import Right, club_for
from ..access.names import public_names_of
from ..errors import Refused, form_outdated
from ..models import Club, Player
from ..web.club_navigation import show_refusal
from ..web.requests import actor_of, see
from . import services
from .forms import CodeForm
from .gate import cup_for
from .own_part import OwnPart, own_part
from .selectors import clubs_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_join(request: HttpRequest, club: str) -> HttpResponse:
    """Turn the code of another club into an invitation, and show it."""
    access = club_for(request.user, club, Right.MANAGE)
    form = CodeForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                invitation = services.code_use(club=access.club, code=form.cleaned_data["code"])
            except Refused as refused:
                show_refusal(form, refused)
                status = refused.status
            else:
                where = {"club": club, "cup": invitation.cup.slug}
                return see(reverse("cup-invitation", kwargs=where))
    return render(request, "league/cups/join.html", {"club": access.club, "form": form}, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_invitation(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Show an invitation: what the cup would show of the club, and to whom; accept or decline it."""
    access = club_for(request.user, club, Right.MANAGE)
    invitation = services.invitation_of(access.club, cup)
    if invitation is None:
        raise Http404("no such invitation")
    problem = None
    if request.method == "POST":
        actor = actor_of(request)
        try:
            if request.POST.get("do") == "decline":
                services.invitation_decline(invitation=invitation, club=access.club, actor=actor)
                messages.success(request, _("Declined. The other club sees that, and nothing else."))
                return see(reverse("club-pages", kwargs={"club": club}))
            public = request.POST.get("public") == "1"
            services.invitation_accept(invitation=invitation, club=access.club, actor=actor, public=public)
        except Refused as refused:
            problem = refused
            invitation.cup.refresh_from_db()
        else:
            return see(reverse("cup-ours", kwargs={"club": club, "cup": cup}))
    examples = _examples(access.club)
    context = {
        "club": access.club,
        "cup": invitation.cup,
        "clubs": clubs_of(invitation.cup),
        "examples": examples,
        "example": examples[0][1] if examples else "A.",
        "first": (*invitation.cup.place_points, 10)[0],
        "problem": problem,
    }
    return render(request, "league/cups/invitation.html", context, status=problem.status if problem else 200)


def _examples(club: Club) -> list[tuple[str, str]]:
    """Return up to three players of the roster with the name that a cup would show, one of each kind. Two queries."""
    players = Player.objects.filter(club=club, active=True, main=None, anonymised_at=None).order_by("pk")
    kinds: dict[str, Player] = {}
    for player in players:
        kinds.setdefault(player.publicity, player)
    names = public_names_of([club]).get(club.pk, {})
    return [(example.nickname, names[example.pk]) for example in kinds.values()][:3]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_ours(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Show and store which tournaments and evenings of the club count, and which of its players are on the list, as
    whom. `?evenings=all` offers older evenings, too."""
    access = cup_for(request.user, club, cup, Right.MANAGE)
    everything = request.GET.get("evenings") == "all"
    problem = None
    if request.method == "POST":
        try:
            part = own_part(access.cup, access.club, all_evenings=everything)
            _store(request, part, access.cup, access.club)
        except Refused as refused:
            problem = refused
        else:
            messages.success(request, _("Saved."))
            return see(request.path)
    context: dict[str, Any] = {
        "club": access.club,
        "cup": access.cup,
        "owns": access.owns,
        "part": own_part(access.cup, access.club, all_evenings=everything),
        "everything": everything,
        "problem": problem,
    }
    return render(request, "league/cups/ours.html", context, status=problem.status if problem else 200)


def _store(request: HttpRequest, part: OwnPart, cup: Any, club: Club) -> None:
    sent, actor = request.POST, actor_of(request)
    do = sent.get("do", "")
    if do == "tournaments":
        services.tournaments_set(cup=cup, club=club, actor=actor, slugs=sent.getlist("tournament"))
        return
    if do in ("evenings", "all-evenings"):
        wanted = [_whole(text) for text in sent.getlist("evening")]
        if do == "all-evenings":
            wanted = [evening.pk for evening in part.evenings.shown]
        services.evenings_set(cup=cup, club=club, actor=actor, evenings=wanted)
        return
    places: Mapping[int, int | None]
    if do == "all":
        places = {player.pk: 0 for player in part.players if player.listed is None}
    elif do == "players":
        ticked = set(sent.getlist("player"))
        places = {player.pk: 0 for player in part.players if player.listed is None and str(player.pk) in ticked}
        places |= {
            player.pk: None for player in part.players if player.listed is not None and str(player.pk) not in ticked
        }
    elif do == "match":
        places = {_whole(sent.get("player")): _whole(sent.get("person"))}
    elif do == "part":
        places = {_whole(sent.get("player")): 0}
    else:
        raise form_outdated()
    services.players_set(cup=cup, club=club, actor=actor, places=places)


def _whole(text: str | None) -> int:
    if not text or not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise form_outdated()
    return int(text)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cup_leave(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Ask whether the club leaves a cup, and store that."""
    access = cup_for(request.user, club, cup, Right.MANAGE)
    problem = None
    if request.method == "POST":
        try:
            services.cup_leave(cup=access.cup, club=access.club, actor=actor_of(request))
        except Refused as refused:
            problem = refused
        else:
            messages.success(request, _("Your club is no longer in the cup."))
            return see(reverse("club-pages", kwargs={"club": club}))
    context = {"club": access.club, "cup": access.cup, "owns": access.owns, "problem": problem}
    return render(request, "league/cups/leave.html", context, status=problem.status if problem else 200)
