"""Compress answers with gzip, without showing their secrets to an attacker.

The length of a compressed answer depends on its content. An attacker who makes a browser send requests with its
cookies, puts guesses into them and reads the lengths on the network could guess a secret in the answer (BREACH).

- A request that another site may have caused with a cookie gets an answer of its plain length.
- Answers that show a secret are never compressed (`SECRET_ROUTES`).
- CSRF tokens get another mask in each answer, and the length of each compressed answer varies at random (Django).

A proxy must not compress the answers of this service again: it would break these rules.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

SECRET_ROUTES = frozenset(
    {
        # Keys, codes and links that are shown once, or that let their reader in.
        *("account-keys", "api-keys", "webhooks", "webhook", "api-webhooks", "api-webhook", "api-webhook-secret"),
        *("mfa_activate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_download_recovery_codes"),
        *("club-people", "api-invitations", "join", "join-opened", "account_reset_password_from_key"),
        *("receipts", "receipt", "api-receipts", "api-receipt"),
    }
)
"""The routes whose answers show a secret."""

COMPRESSED = ("text/", "application/json", "application/problem+json")
"""The beginnings of the content types that are compressed: images and PDF are compressed already."""


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
        secret = match is not None and match.view_name in SECRET_ROUTES
        text = response.headers.get("Content-Type", "").startswith(COMPRESSED)
        if secret or not text or not caused_by_this_site(request):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer
