"""The answer of a page whose feature the club has switched off."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from ..features.gate import SwitchedOff, wanted
from ..features.routes import feature_of


class SwitchedOffMiddleware:
    """Middleware that names the feature of each page that is read, and answers for one that is switched off.

    The gate of the club (`league.access.admit`) compares the feature with those of the club, which it has read anyway.
    The answer is 404 for pages, parts of pages and files alike; its body says what the feature is and who may switch
    it on.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before = wanted.set(None)
        try:
            return self.get_response(request)
        finally:
            wanted.reset(before)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Note the feature of a page."""
        match = request.resolver_match
        if match is not None and request.method in ("GET", "HEAD"):
            wanted.set(feature_of(match.view_name))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Say what the feature is that is switched off, and who may switch it on."""
        if not isinstance(exception, SwitchedOff):
            return None
        wanted.set(None)
        context = {"club": exception.club, "feature": exception.feature, "may_switch": exception.may_switch}
        return render(request, "league/features/off.html", context, status=HTTPStatus.NOT_FOUND)
