"""Cache headers of every answer: no shared cache may store an answer that depends on the reader.

The gate of a club (`league.access.admit`) stores the club of the answer. The middleware reads it when the answer
is sent, so that no view can forget the headers.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers

from league.access import shown_access, shown_club
from league.models import Club

SAME_FOR_EVERYBODY = ("healthz", "readyz")
"""Routes whose answers do not depend on the reader."""


class PrivateByDefault:
    """Middleware that marks every answer as private to its reader. It keeps unlisted clubs out of search engines, and
    private clubs out of every cache, including the browser's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        shown_club.set(None)
        shown_access.set(None)
        response = self.get_response(request)
        club, _cleared = shown_club.get(), shown_club.set(None)
        shown_access.set(None)
        match = request.resolver_match
        if match is not None and match.url_name in SAME_FOR_EVERYBODY:
            return response
        if "no-store" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ("Cookie", "Accept-Language", "Authorization"))
        if club is not None and club.visibility != Club.Visibility.LISTED:
            # Every answer has the referrer policy `same-origin`, so that no other site learns the address.
            response["X-Robots-Tag"] = "noindex, nofollow"
        if club is not None and not club.public:
            patch_cache_control(response, private=True, no_store=True)
        return response
