"""The server's part of the browser outbox (`static/js/outbox.js`): confirm stored writes, and give a valid token."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from ..access import table_cards

SENT = "Outbox"
"""The request header of a write that an outbox sends."""
STORED = "Outbox-Stored"
"""The response header of a stored write, with the address of the result. No proxy sets this header."""


class StoredMiddleware:
    """Convert the 303 after a stored write to a 204 with the address, for an outbox.

    A browser would follow a 303 invisibly and use up the notices of the next page, and the outbox could not be sure
    that this server answered.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 303 and SENT in request.headers:
            response.status_code = 204
            response[STORED] = response["Location"]
            del response["Location"]
        return response


def user_of(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Return the user whose writes this browser sends: in a browser that holds a table card the card's, unless the
    person records in that club anyway."""
    card = table_cards.card_of(request)
    return card.user if card is not None and table_cards.needs_card(request, card) else request.user


def outbox_user(request: HttpRequest) -> dict[str, object]:
    """Context processor: `outbox_user` is the id of that user and `outbox_user_name` the name; empty for a visitor."""

    def sender() -> tuple[str, str]:
        if not hasattr(request, "user"):
            return "", ""
        try:
            user = user_of(request)
            return (str(user.pk), str(user)) if user.is_authenticated else ("", "")
        except DatabaseError:
            # The error page must not fail, too.
            return "", ""

    identity = SimpleLazyObject(lambda: sender())
    return {
        "outbox_user": SimpleLazyObject(lambda: identity[0]),
        "outbox_user_name": SimpleLazyObject(lambda: identity[1]),
    }


@login_not_required
@never_cache
@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """Return the signed-in user and a CSRF token: a new sign-in makes the token of a loaded page invalid."""
    user = user_of(request)
    if not user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return JsonResponse({"user": str(user.pk), "token": get_token(request)})
