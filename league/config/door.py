"""Closed unless said otherwise: a page that nobody thought about asks for a sign-in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseBase

OPEN = frozenset(
    {
        # The service itself.
        *("healthz", "readyz", "set_language", "home", "calculator", "outbox", "privacy"),
        # Who comes in, or goes.
        *("login", "login-link", "logout", "join", "join-opened"),
        *("account_request_login_code", "account_reset_password"),
        # What has a link of its own.
        "receipt",
        # Clubs that show themselves; each asks `league.access` who may read.
        *("club", "club-privacy", "player", "season", "season-standings", "standings-csv", "results-csv"),
        *("evening", "evening-live", "evening-corrections", "hands-csv", "hand-through", "hand-history"),
        # What the API says of itself.
        *("api-openapi", "api-docs"),
    }
)
"""The routes that a visitor may come to. Each still has its own gate; without a place here it would not be asked."""


class DoorMiddleware(LoginRequiredMiddleware):
    """Sends a visitor to the sign-in, except from `OPEN` routes and from views that ask for themselves.

    These are the views of the API, which lets nobody in by default, of the admin, of allauth, and those that carry
    `login_required` or `signed_in`, which know where to come back to.
    """

    def process_view(
        self, request: HttpRequest, view_func: Any, view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is None or match.view_name in OPEN or "admin" in match.app_names:
            return None
        if hasattr(view_func, "login_url"):
            return None
        answer: HttpResponseBase | None = super().process_view(request, view_func, view_args, view_kwargs)
        return answer
