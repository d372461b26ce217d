"""The pages on which messages are chosen, with an account or by a personal link, and the address in each mail that ends
them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from ..access import Right, club_for
from ..access.suspended import check_not_suspended
from ..attendance.link import player_of_token
from ..attendance.selectors import own_players
from ..errors import Refused, form_outdated
from ..features.gate import check_on
from ..models import Club, MessageChoice, Player
from ..web.requests import actor_of, see
from . import confirmation, push_views
from .choices import all_off, choice_of, choice_of_token, choice_set, confirmed_address, has_account
from .push_devices import Owner


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_messages(request: HttpRequest, club: str) -> HttpResponse:
    """Show which messages the own players get from a club, and store another choice."""
    access = club_for(request.user, club, Right.SEE_RULES)
    own, user = own_players(access), actor_of(request)
    assert user is not None
    problem, owner = None, Owner(user, None)
    if request.method == "POST":
        try:
            return _own_choice(request, own, owner, access.club)
        except Refused as refused:
            if not request.accepts("text/html"):
                return push_views.refusal(refused)
            problem = refused
    known = {choice.player_id: choice for choice in MessageChoice.objects.filter(player__in=own)}
    context: dict[str, Any] = {
        "club": access.club,
        "rows": [(player, _of(known.get(player.pk), user.pk)) for player in own],
        "address": confirmed_address(user),
        "problem": problem,
        **push_views.context_of(owner),
    }
    status = problem.status if problem else 200
    return render(request, "league/player_messages/own.html", context, status=status)


def _own_choice(request: HttpRequest, own: list[Player], owner: Owner, club: Club) -> HttpResponse:
    sent = request.POST
    if sent.get("do") in push_views.DOES:
        return push_views.devices_do(request, owner, club)
    player, way = _sent_player(request, own), _way(sent)
    choice_set(player=player, user=owner.user, **_ticked(sent), way=way)
    messages.success(request, _("Saved."))
    return see(request.path)


class Ticked(TypedDict):
    """What is ticked on the page."""

    results: bool
    reminders: bool
    amounts: bool
    fees: bool


def _ticked(sent: Mapping[str, str]) -> Ticked:
    return {
        "results": "results" in sent,
        "reminders": "reminders" in sent,
        "amounts": "amounts" in sent,
        "fees": "fees" in sent,
    }


def _way(sent: Mapping[str, str]) -> str:
    """Return the way that was sent; that of a page without devices is the mail."""
    way = sent.get("way", MessageChoice.Way.MAIL)
    if way not in MessageChoice.Way.values:
        raise form_outdated()
    return way


def _of(choice: MessageChoice | None, user: int) -> MessageChoice | None:
    """Return the choice if this account made it."""
    return choice if choice is not None and choice.user_id == user else None


def _sent_player(request: HttpRequest, own: list[Player]) -> Player:
    player = next((player for player in own if str(player.pk) == request.POST.get("player", "")), None)
    if player is None:
        raise form_outdated()
    return player


class AddressForm(forms.Form):
    """The address of a player without an account, and what goes there."""

    email = forms.EmailField(max_length=254)
    results = forms.BooleanField(required=False)
    reminders = forms.BooleanField(required=False)
    fees = forms.BooleanField(required=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def linked_messages(request: HttpRequest, club: str, token: str) -> HttpResponse:
    """Let a player without an account give an address by the own link; a mail confirms it. Whoever has the link may end
    the messages, and reads of the address only its first letter."""
    player = player_of_token(club, token)
    if player is None:
        raise Http404("no such link")
    check_on(player.club)
    check_not_suspended(player.club)
    choice, form, problem, asked = choice_of(player), AddressForm(), "", ""
    status, owner = 200, Owner(None, player)
    if request.method == "POST" and "do" in request.POST:
        try:
            return _private(_linked_choice(request, player, choice))
        except Refused as refused:
            if not request.accepts("text/html"):
                return _private(push_views.refusal(refused))
            problem, status = refused.sentence, refused.status
    elif request.method == "POST":
        form = AddressForm(request.POST)
        try:
            if form.is_valid():
                confirmation.confirmation_send(player=player, **form.cleaned_data)
                asked = form.cleaned_data["email"]
            else:
                problem, status = _("This is no email address."), 422
        except Refused as refused:
            problem, status = refused.sentence, refused.status
    context = {
        "club": player.club,
        "player": player,
        "token": token,
        "account": has_account(player),
        "choice": choice,
        "known": confirmation.masked(choice.email) if choice is not None and choice.email else "",
        "form": form,
        "problem": problem,
        "asked": asked,
        **push_views.context_of(owner),
    }
    return _private(render(request, "league/player_messages/linked.html", context, status=status))


def _linked_choice(request: HttpRequest, player: Player, choice: MessageChoice | None) -> HttpResponse:
    """Do what a button of the page of a link asks for, other than to send the mail that confirms an address."""
    sent, own = request.POST, choice if choice is not None and choice.user_id is None else None
    if sent["do"] == "end":
        if own is not None:
            all_off(own)
        return see(request.path)
    if has_account(player):
        sentence = _("%(name)s has an account, and chooses there.") % {"name": player.nickname}
        raise Refused(status=409, code="account", sentence=sentence)
    if sent["do"] != "push":
        return push_views.devices_do(request, Owner(None, player), player.club)
    email = own.email if own is not None else ""
    choice_set(player=player, user=None, email=email, **_ticked(sent), way=MessageChoice.Way.PUSH)
    messages.success(request, _("Saved."))
    return see(request.path)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, club: str, token: str) -> HttpResponse:
    """The page of the link in the mail that confirms an address, with one button: a program that looks at the links of
    a mail confirms nothing."""
    wish_and_player = confirmation.wish_of(club, token)
    if wish_and_player is None:
        raise Http404("no such link")
    wish, player = wish_and_player
    check_on(player.club)
    check_not_suspended(player.club)
    problem, done = None, request.method == "POST"
    if done:
        try:
            confirmation.wish_store(wish, player)
        except Refused as refused:
            problem = refused
    context = {"club": player.club, "player": player, "wish": wish, "done": done, "problem": problem}
    status = problem.status if problem else 200
    return _private(render(request, "league/player_messages/confirm.html", context, status=status))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def messages_off(request: HttpRequest, club: str, token: str) -> HttpResponse:
    """End all messages of a player. A mail program sends a POST without cookies (RFC 8058), a person taps the button of
    the page. It works in every club: also suspended, or without the feature."""
    choice = choice_of_token(club, token)
    if choice is None:
        raise Http404("no such address")
    done = request.method == "POST"
    if done:
        all_off(choice)
    context = {"club": choice.player.club, "player": choice.player, "done": done, "account": choice.user_id}
    return _private(render(request, "league/player_messages/off.html", context))


def _private(response: HttpResponse) -> HttpResponse:
    """Keep the page of a signed address out of caches and search engines."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    patch_cache_control(response, private=True, no_store=True)
    return response
