"""Requires signing in on every page that is not listed as public, so that a new page is never public by mistake."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseBase

PUBLIC_ROUTES = frozenset(
    {
        # The service itself.
        *("healthz", "readyz", "metrics", "language", "home", "calculator", "hand-worth", "outbox", "privacy"),
        # The app on a phone.
        *("worker", "manifest", "offline"),
        # Signing in and out.
        *("login", "login-link", "logout", "join", "join-opened"),
        *("account_request_login_code", "account_reset_password"),
        # Pages with a signed link.
        *("receipt", "table-card", "coming-link", "coming-calendar"),
        *("coming-messages", "messages-confirm", "messages-off", "push-renew"),
        # Pages of public clubs; `league.access` decides who may read each.
        *("tournament", "tournament-seat", "tournament-seat-find", "tournament-screen"),
        "tournament-own-entry",
        "tournament-clock",
        *("club", "club-pages", "club-standings"),
        *("club-privacy", "player", "season", "season-standings", "season-sum", "season-team"),
        *("standings-csv", "results-csv", "evenings-csv"),
        *("season-records", "season-statistics", "season-luck", "luck-csv", "club-records"),
        *("season-chances", "season-chances-live", "season-champions", "club-champions"),
        *("club-year", "player-year", "club-year-picture", "player-year-picture"),
        *("evening", "evening-live", "evening-corrections", "hands-csv", "hand-through", "hand-history"),
        "tournaments",
        *("cups", "cup", "cup-csv", "cup-atom"),
        *("club-screen", "screen-link"),
        # The pictures of public pages.
        *("site-picture", "club-picture", "season-picture", "champions-picture", "evening-picture", "hand-picture"),
        *("club-logo-picture", "tournament-picture"),
        *("player-picture", "club-records-picture", "season-records-picture", "statistics-picture", "chances-picture"),
        *("season-report", "player-statement", "evening-report"),
        *("club-feeds", "club-calendar", "club-results-atom", "standings-embed", "standings-json"),
        # The description of the API.
        *("api-openapi", "api-docs"),
    }
)
"""The routes that a visitor may open without signing in. Each view has its own gate as well."""


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Redirects a visitor to the sign-in page, except for `PUBLIC_ROUTES` and views with a check of their own.

    These are the views of the API, which refuse visitors by default, of the admin, of allauth, and views with
    `login_required` or `signed_in`, which return to the page after the sign-in.
    """

    def process_view(
        self, request: HttpRequest, view_func: Any, view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is None or match.view_name in PUBLIC_ROUTES or "admin" in match.app_names:
            return None
        if hasattr(view_func, "login_url"):
            return None
        answer: HttpResponseBase | None = super().process_view(request, view_func, view_args, view_kwargs)
        return answer
