"""Pages that a phone keeps for a night without a network, with their accounts.

The service worker (`static/js/worker.js`) keeps a page only if its answer says so (`Keep`), for the account that it was
made for (`Account`) and the version that made it (`App-Version`). After a page of another account, or of a visitor, it
removes all pages of the former account.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage, Message
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from . import app_version
from .browser_outbox import user_of

ACCOUNT, VERSION = "Account", "App-Version"
KEEP = "Keep"
"""Of a page that may be kept: the name under which the phone lists it, percent-encoded."""
KEEP_ALSO = "Keep-Also"
"""Addresses of pages that the phone keeps together with this page."""
AGAIN = "Keep-Again"
"""Of a page with a notice that is shown once: the phone requests the page again to keep it."""
TO_KEEP = "To-Keep"
"""The request header of the service worker when it requests a page that nobody sees now."""
NOBODY = "none"
SALT = "league.web.kept_pages"


def account_of(request: HttpRequest) -> str:
    """Return the account whose pages this browser keeps: a digest of the user, `none` for a visitor.

    Empty if the database cannot be read."""
    try:
        user = user_of(request) if hasattr(request, "user") else None
    except DatabaseError:
        # The error page must not fail, too.
        return ""
    if user is None or not user.pk:
        return NOBODY
    return account_digest(user.pk)


def account_digest(user: int) -> str:
    """Return the digest by which a browser knows an account."""
    return salted_hmac(SALT, str(user), algorithm="sha256").hexdigest()[:24]


def keep_on_phone(response: HttpResponse, name: str, also: Sequence[str] = ()) -> HttpResponse:
    """Let a phone keep this page under a name for people, with the pages at the addresses `also`."""
    response[KEEP] = quote(name)
    if also:
        response[KEEP_ALSO] = " ".join(also)
    return response


class KeptPages:
    """Middleware that marks pages with account and version. It comes before the cache of visitors' pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not _is_page(request, response):
            return response
        if account := account_of(request):
            response[ACCOUNT] = account
        response[VERSION] = app_version.version()
        return response


def _is_page(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return True for a whole page and for the token of the outbox, which has the account."""
    match = request.resolver_match
    if 300 <= response.status_code < 400:
        return False
    if match is not None and match.url_name == "outbox":
        return True
    whole = "HX-Request" not in request.headers and "Look" not in request.headers
    return whole and response.headers.get("Content-Type", "").startswith("text/html")


class NoNotices(BaseStorage):
    """The notices of a request without a page: they stay stored for the next page."""

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Message], bool]:
        return [], True

    def update(self, response: HttpResponseBase) -> list[Message]:
        return []


class NoticesMiddleware:
    """Middleware that keeps notices out of kept pages: a notice is shown once. It comes after Django's messages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if TO_KEEP in request.headers:
            request._messages = NoNotices(request)  # type: ignore[attr-defined]
        response = self.get_response(request)
        notices = get_messages(request)
        if KEEP in response and getattr(notices, "used", False) and len(notices):
            response[AGAIN] = "1"
        return response
