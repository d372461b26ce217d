"""What an answer may be kept for, and by whom: nothing that hangs on who asks lies in a cache that others share.

The gate of a club (`league.access.admit`) notes which club an answer shows; the middleware reads that when the answer
goes out, so that no page can forget it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers

from league.access import shown_club
from league.models import Club

ANYBODYS = ("healthz", "readyz")
"""Answers that are the same for everybody."""


class PrivateByDefault:
    """Marks every answer as this reader's own; keeps unlisted clubs out of indexes, and private ones out of every
    cache, the browser's among them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        shown_club.set(None)
        response = self.get_response(request)
        club, _cleared = shown_club.get(), shown_club.set(None)
        match = request.resolver_match
        if match is not None and match.url_name in ANYBODYS:
            return response
        if "no-store" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ("Cookie", "Accept-Language", "Authorization"))
        if club is not None and club.visibility != Club.Visibility.LISTED:
            # No other site learns the address: `same-origin`, which every answer has, sends it nowhere else.
            response["X-Robots-Tag"] = "noindex, nofollow"
        if club is not None and not club.public:
            patch_cache_control(response, private=True, no_store=True)
        return response
