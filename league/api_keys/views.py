"""The pages of a user's API keys: create, list, revoke."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ..errors import Refused
from ..features import uses
from ..models import ApiToken, Club, User
from ..web.requests import see
from . import services
from .creation import key_request

DAYS = (30, services.DAYS, services.MAX_DAYS)


@dataclass(frozen=True)
class KeyForm:
    """The values of the form: the defaults, or the values that were sent and refused."""

    name: str = ""
    scopes: tuple[str, ...] = (services.READ,)
    club: str = ""
    days: int = services.DAYS
    clubs: list[Club] = field(default_factory=list)

    @classmethod
    def sent(cls, post: QueryDict, clubs: list[Club]) -> KeyForm:
        """Return the sent values; 0 days if the number of days is invalid."""
        text = post.get("days", "")
        days = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
        return cls(post.get("name", ""), tuple(post.getlist("scopes")), post.get("club", ""), days, clubs)

    @property
    def choices(self) -> list[tuple[str, Any, bool]]:
        """Value, label and tick of each scope except `read`, which every key has."""
        others = [scope for scope in ApiToken.Scope if scope.value != services.READ]
        return [(scope.value, scope.label, scope.value in self.scopes) for scope in others]

    @property
    def times(self) -> list[tuple[int, bool]]:
        """The offered numbers of days, each with True if it is chosen."""
        return [(days, days == self.days) for days in DAYS]

    def chosen_club(self) -> Club | None:
        """Return the club of the key, None for all clubs.

        Raises:
            Refused: 404 for a club without this user.
        """
        if not self.club:
            return None
        chosen = next((club for club in self.clubs if club.slug == self.club), None)
        if chosen is None:
            raise Refused(status=404, code="club", sentence=_("You are not in this club."), at="club")
        return chosen


def _clubs(user: User) -> list[Club]:
    clubs = Club.objects.filter(memberships__user=user).order_by("name", "pk")
    return [club for club in clubs if uses(club, "webhooks")]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def keys(request: HttpRequest) -> HttpResponse:
    """List the user's keys with a form that creates one. Only the answer that creates a key shows its text."""
    user = request.user
    if not isinstance(user, User):
        return redirect("login")
    clubs = _clubs(user)
    if request.method != "POST":
        return _list(request, user, KeyForm(clubs=clubs))
    form = KeyForm.sent(request.POST, clubs)
    try:
        club = form.chosen_club()
        new = key_request(request, user=user, name=form.name, scopes=form.scopes, club=club, days=form.days)
    except Refused as refused:
        return _list(request, user, form, refused)
    return render(request, "league/api_keys/new.html", {"key": new.key, "text": new.text})


@login_required
@never_cache
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Delete a key; a program that uses it is refused from now on."""
    user = request.user
    if not isinstance(user, User):
        return redirect("login")
    try:
        services.key_revoke(user=user, token_key=request.POST.get("key", ""))
    except Refused as refused:
        return _list(request, user, KeyForm(clubs=_clubs(user)), refused)
    messages.success(request, _("The key is revoked; the program that has it no longer gets in."))
    return see(reverse("account-keys"))


def _list(request: HttpRequest, user: User, form: KeyForm, refused: Refused | None = None) -> HttpResponse:
    names = dict(ApiToken.Scope.choices)
    now = timezone.now()
    lines = [
        {
            "key": key,
            "scopes": [names.get(scope, scope) for scope in key.scopes],
            "expired": key.expiry is not None and key.expiry <= now,
        }
        for key in services.keys_of(user)
    ]
    context = {"lines": lines, "form": form, "refused": refused}
    return render(request, "league/api_keys/list.html", context, status=refused.status if refused else 200)
