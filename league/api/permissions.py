"""Who may use an operation: a view names a right of the club, or an audience, for each of its operations."""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from league.access import Right, club_for
from league.accounts.admin_second_factor import second_factor_used
from league.models import ApiToken

from .authentication import key_of
from .problems import Problem

if TYPE_CHECKING:
    from .views import ApiView, ClubView


class Audience(StrEnum):
    """The audience of an operation outside any club."""

    ANYONE = "anyone"
    PERSON = "person"
    SERVER = "server"


def is_for_all_clubs(key: ApiToken) -> bool:
    """Return True if the key may be used for objects outside any club."""
    return key.club_id is None and ApiToken.Scope.MANAGE in key.scopes


def right_of(view: Any) -> Right | Audience:
    """Return the right or audience of the operation that was requested. Raises MethodNotAllowed if there is none."""
    if view.operation not in view.rights:
        raise exceptions.MethodNotAllowed(str(view.request.method))
    right: Right | Audience = view.rights[view.operation]
    return right


class OfAudience(BasePermission):
    """The client belongs to the operation's audience.

    Raises:
        NotAuthenticated, PermissionDenied, MethodNotAllowed, Problem (403).
    """

    def has_permission(self, request: Request, view: ApiView) -> bool:  # type: ignore[override]
        audience = right_of(view)
        if audience == Audience.ANYONE:
            return True
        if not request.user.is_authenticated:
            raise exceptions.NotAuthenticated
        return audience == Audience.PERSON or (audience == Audience.SERVER and _runs_server(request))


def _runs_server(request: Request) -> bool:
    """Return True for the person who runs the server. Raises Problem (403) in a browser without a second factor."""
    key = key_of(request)
    if not request.user.is_superuser or (key is not None and not is_for_all_clubs(key)):
        return False
    if key is None and not second_factor_used(request._request):
        sentence = _("This needs a second factor that you showed in this session.")
        raise Problem(HTTPStatus.FORBIDDEN, "second_factor", sentence)
    return True


class HasRight(BasePermission):
    """The client has the operation's right in the club that the address names; sets `view.access`.

    Raises:
        NotAuthenticated, PermissionDenied, MethodNotAllowed, Http404.
    """

    def has_permission(self, request: Request, view: ClubView) -> bool:  # type: ignore[override]
        right = right_of(view)
        if not isinstance(right, Right):
            return False
        try:
            return self.may(request, view, right)
        except PermissionDenied:
            if not request.user.is_authenticated:
                raise exceptions.NotAuthenticated from None
            raise

    def may(self, request: Request, view: ClubView, right: Right) -> bool:
        """Return True if the client has this right. Raises PermissionDenied, Http404."""
        view.access = club_for(request.user, view.kwargs["club"], right, key_of(request))
        return True


class HasRightOrIsPlayer(HasRight):
    """The same, or the client has the right only for their own player, whom the address names."""

    def may(self, request: Request, view: ClubView, right: Right) -> bool:
        view.access = club_for(request.user, view.kwargs["club"], Right.READ, key_of(request))
        return view.access.may_own(right, view.kwargs.get("player"))


class SignedInRecently(BasePermission):
    """A browser signed in, or confirmed its sign-in, a short while ago, as on the pages. Raises Problem (403)."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if key_of(request) is not None:
            return True
        try:
            return bool(_signed_in_recently(request._request))
        except ReauthenticationRequired:
            sentence = _("Your sign-in is too long ago. Confirm it at %(page)s, then send the request again.")
            again = reverse("account_reauthenticate")
            raise Problem(HTTPStatus.FORBIDDEN, "reauthenticate", sentence % {"page": again}) from None


@reauthentication_required
def _signed_in_recently(request: HttpRequest) -> bool:
    return True
