"""Stores when a session was last used, for the user's list of sessions."""

from __future__ import annotations

import time
from collections.abc import Callable

from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

SEEN = "seen"
SEEN_EVERY_SECONDS = 15 * 60
"""A quarter of an hour is exact enough, and saves a write in each request."""


class SeenMiddleware:
    """Stores the time of use at most every quarter of an hour. It reads the session only."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Only if the view accessed the session: a page for everybody needs none.
        response = self.get_response(request)
        session = request.session
        if not session.accessed or session.session_key is None:
            return response
        seen = session.get(SEEN)
        if isinstance(seen, (int, float)) and time.time() - seen > SEEN_EVERY_SECONDS:
            session[SEEN] = time.time()
            UserSession.objects.filter(session_key=session.session_key).update(last_seen_at=timezone.now())
        return response
