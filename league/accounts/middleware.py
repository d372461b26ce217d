"""When a session was last used, for the list of one's own sessions."""

from __future__ import annotations

import time
from collections.abc import Callable

from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

SEEN = "seen"
SEEN_EVERY_SECONDS = 15 * 60
"""To the quarter of an hour is enough; each request would else write."""


class SeenMiddleware:
    """Writes at most every quarter of an hour that a session is in use. What it needs is in the session already."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Looked at only where somebody else has looked: a page without a person needs no session.
        response = self.get_response(request)
        session = request.session
        if not session.accessed or session.session_key is None:
            return response
        seen = session.get(SEEN)
        if isinstance(seen, (int, float)) and time.time() - seen > SEEN_EVERY_SECONDS:
            session[SEEN] = time.time()
            UserSession.objects.filter(session_key=session.session_key).update(last_seen_at=timezone.now())
        return response
