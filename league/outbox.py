"""What the outbox of a browser (`static/js/outbox.js`) needs from the server: to know that a write is stored, and a
token that holds now."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

SENT = "Outbox"
"""The header of a write that an outbox sends."""
STORED = "Outbox-Stored"
"""The header of its answer, where it is stored: what is to be seen then. Nobody else on the way says this word."""


class StoredMiddleware:
    """A 303 is how every form of ours says 'stored, look there'. For an outbox it becomes a 204 that names the place:
    a browser would follow a 303 unseen, use up what the next page wants to tell, and leave the outbox to guess from
    an address whether it was the server that answered."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 303 and SENT in request.headers:
            response.status_code = 204
            response[STORED] = response["Location"]
            del response["Location"]
        return response


@login_required
@never_cache
@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """Who is signed in, and a token for their next write: after another sign-in the one of an open page is void."""
    return JsonResponse({"user": str(request.user.pk), "token": get_token(request)})
