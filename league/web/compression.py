"""Compress answers with gzip, without showing their secrets to an attacker.

The length of a compressed answer depends on its content. An attacker who makes a browser send requests with its
cookies, puts guesses into them and reads the lengths on the network could guess a secret in the answer (BREACH).

- A request that another site may have caused with a cookie gets an answer of its plain length.
- Answers of a view that shows a secret are never compressed: keys, codes and links that are shown once, or that let
  their reader in. `shows_secret` declares such a view; a viewset names its `secret_actions`.
- CSRF tokens get another mask in each answer, and the length of each compressed answer varies at random (Django).

A proxy must not compress the answers of this service again: it would break these rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = ("text/", "application/json", "application/problem+json")
"""The beginnings of the content types that are compressed: images and PDF are compressed already."""


View = Callable[..., HttpResponseBase]


def shows_secret(view: View) -> View:
    """Declare that the answers of a view show a secret."""

    @wraps(view)
    def declared(*args: object, **kwargs: object) -> HttpResponseBase:
        return view(*args, **kwargs)

    declared.shows_secret = True  # type: ignore[attr-defined]
    return declared


def is_secret(view: object) -> bool:
    """Return True for a view, or an address of a viewset, whose answers show a secret."""
    secret = getattr(getattr(view, "cls", None), "secret_actions", ())
    actions: Mapping[str, str] = getattr(view, "actions", None) or {}
    return getattr(view, "shows_secret", False) or any(action in secret for action in actions.values())


def caused_by_this_site(request: HttpRequest) -> bool:
    """Return True if no other site can have caused the request with a cookie.

    Browsers name the site that did. Older ones (Safari before 16.4) and those without TLS name the page with the link:
    another site can leave that out, but it cannot put an address of this site there.
    """
    if not request.META.get("HTTP_COOKIE"):
        return True
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ("same-origin", "none")
    return request.headers.get("Referer", "").startswith(f"{request.scheme}://{request.get_host()}/")


class CompressionMiddleware(GZipMiddleware):
    """Compress the answers that show no secret."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        secret = match is not None and is_secret(match.func)
        text = response.headers.get("Content-Type", "").startswith(COMPRESSED)
        if secret or not text or not caused_by_this_site(request):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer
