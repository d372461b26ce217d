"""The challenge of a sign-in with a passkey, kept by the browser: signed, valid for a few minutes, and for one try."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

COOKIE = "passkey"
SALT = "league.accounts.passkey_challenge"
SECONDS = 5 * 60


def give(request: HttpRequest, response: HttpResponse, state: dict[str, Any]) -> None:
    """Set the cookie with the state of a new challenge."""
    content = {"once": secrets.token_hex(8), "state": state}
    response.set_cookie(
        COOKIE,
        signing.dumps(content, salt=SALT),
        max_age=SECONDS,
        path=request.path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def take(request: HttpRequest) -> dict[str, Any]:
    """Return the state at the first use of a cookie, an empty one without a cookie."""
    try:
        content = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=SECONDS)
    except signing.BadSignature:
        return {}
    state: dict[str, Any] = content["state"]
    return state if cache.add(f"passkey:{content['once']}", 1, SECONDS) else {}
