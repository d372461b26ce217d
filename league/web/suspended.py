"""The answer of a page that would write in a suspended club."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from ..access.suspended import ALLOWED, Suspended, writes


class SuspendedMiddleware:
    """Middleware that notes if a request would write in a club, and answers for a club that is suspended.

    The gate of the club (`league.access.admit`) looks at the club, which it has read anyway.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before = writes.set(False)
        try:
            return self.get_response(request)
        finally:
            writes.reset(before)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Note if the request would write."""
        match = request.resolver_match
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        writes.set(not reads and match is not None and match.url_name not in ALLOWED)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Say that the club is suspended, and what still works."""
        if not isinstance(exception, Suspended):
            return None
        context = {"club": exception.club, "sentence": exception.sentence}
        return render(request, "league/operator/suspended.html", context, status=HTTPStatus.FORBIDDEN)
