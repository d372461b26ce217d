"""One's keys for programs: make one, see which there are, revoke."""

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
from ..models import ApiToken, Club, User
from ..posted import see
from . import services
from .making import key_ask

DAYS = (30, services.DAYS, services.MOST_DAYS)


@dataclass(frozen=True)
class Typed:
    """What stands in the form: as it is at first, or as it was sent and refused."""

    name: str = ""
    scopes: tuple[str, ...] = (services.READ,)
    club: str = ""
    days: int = services.DAYS
    clubs: list[Club] = field(default_factory=list)

    @classmethod
    def sent(cls, post: QueryDict, clubs: list[Club]) -> Typed:
        """What a form says; what is no number of days is none."""
        told = post.get("days", "")
        days = int(told) if told.isascii() and told.isdigit() and len(told) < 6 else 0
        return cls(post.get("name", ""), tuple(post.getlist("scopes")), post.get("club", ""), days, clubs)

    @property
    def choices(self) -> list[tuple[str, Any, bool]]:
        """Each scope but `read`, which every key has, with its words and whether it is ticked."""
        others = [scope for scope in ApiToken.Scope if scope.value != services.READ]
        return [(scope.value, scope.label, scope.value in self.scopes) for scope in others]

    @property
    def times(self) -> list[tuple[int, bool]]:
        """How long a key may be valid, in days, and which is chosen."""
        return [(days, days == self.days) for days in DAYS]

    def chosen_club(self) -> Club | None:
        """The club that the key is to be for, None for all.

        Raises:
            Refused: 404 for a club that the person is not of.
        """
        if not self.club:
            return None
        found = next((club for club in self.clubs if club.slug == self.club), None)
        if found is None:
            raise Refused(status=404, code="club", sentence=_("You are not of this club."), at="club")
        return found


def _clubs(user: User) -> list[Club]:
    return list(Club.objects.filter(memberships__user=user).order_by("name", "pk"))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def keys(request: HttpRequest) -> HttpResponse:
    """All keys of the person, and the form for one more. A new one is shown in the answer, once."""
    user = request.user
    if not isinstance(user, User):
        return redirect("login")
    clubs = _clubs(user)
    if request.method != "POST":
        return _list(request, user, Typed(clubs=clubs))
    typed = Typed.sent(request.POST, clubs)
    try:
        club = typed.chosen_club()
        made = key_ask(request, user=user, name=typed.name, scopes=typed.scopes, club=club, days=typed.days)
    except Refused as refused:
        return _list(request, user, typed, refused)
    return render(request, "league/keys/new.html", {"key": made.key, "text": made.text})


@login_required
@never_cache
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """End a key at once."""
    user = request.user
    if not isinstance(user, User):
        return redirect("login")
    try:
        services.key_revoke(user=user, token_key=request.POST.get("key", ""))
    except Refused as refused:
        return _list(request, user, Typed(clubs=_clubs(user)), refused)
    messages.success(request, _("The key is revoked; the program that has it is let in no more."))
    return see(reverse("account-keys"))


def _list(request: HttpRequest, user: User, typed: Typed, refused: Refused | None = None) -> HttpResponse:
    names = dict(ApiToken.Scope.choices)
    now = timezone.now()
    lines = [
        {
            "key": key,
            "scopes": [names.get(scope, scope) for scope in key.scopes],
            "over": key.expiry is not None and key.expiry <= now,
        }
        for key in services.keys_of(user)
    ]
    context = {"lines": lines, "typed": typed, "refused": refused}
    return render(request, "league/keys/list.html", context, status=refused.status if refused else 200)
