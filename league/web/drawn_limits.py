"""Limits for what is drawn for each request again: PDFs and pictures. They take up to a second of a web process each.

A person (or the network address of a visitor) and a club have a limit a minute. The visitors of a club are counted
apart from people who are signed in, whom they could else keep from printing. A picture that is kept for all visitors is
not drawn, and does not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ..counters import count
from ..drawing_process import NotDrawn
from .client_networks import counted_address
from .error_pages import API_PREFIX, answer, too_many

SECONDS = 60
DRAWN = frozenset(
    {
        *("site-picture", "club-picture", "player-picture", "season-picture", "club-records-picture"),
        *("season-records-picture", "statistics-picture", "chances-picture", "champions-picture"),
        *("evening-picture", "hand-picture", "tournament-picture", "club-year-picture", "player-year-picture"),
        *("statements-pdf", "bill-mine-pdf", "evening-sheet", "tournament-paper"),
        *("api-statements-pdf", "api-evening-sheet"),
    }
)
"""The names of the addresses that draw, beside each page with `?for=pdf`."""


class DrawnLimits:
    """Middleware that answers 429 where one person, one network address or one club lets too much be drawn."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a PDF that reached a limit."""
        if not isinstance(exception, NotDrawn):
            return None
        if exception.status == HTTPStatus.TOO_MANY_REQUESTS:
            return too_many(request, sentence=exception.sentence, seconds=SECONDS)
        return answer(request, HTTPStatus(exception.status), exception.code, exception.sentence)

    def process_view(self, request: HttpRequest, view: Any, args: Any, names: dict[str, Any]) -> HttpResponse | None:
        """Count a request that draws before its view reads anything."""
        match = request.resolver_match
        if match is None or not (match.url_name in DRAWN or request.GET.get("for") == "pdf"):
            return None
        reader, place = _counted(request, str(names.get("club", "")))
        # What a reader is refused does not use up the limit of the club.
        if _within(reader) and _within(place):
            return None
        sentence = _("So many pictures and PDF files at once are too many. Try again in a minute.")
        return too_many(request, sentence=sentence, seconds=SECONDS)


def _within(names: Sequence[tuple[str, int]]) -> bool:
    """Count a request under these names, each with its limit. Return True within all limits."""
    used = count([f"drawn:{name}" for name, _most in names], SECONDS)
    return all(number <= most for number, (_name, most) in zip(used, names, strict=True))


def _counted(request: HttpRequest, club: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return the counters of the reader and those of the club, each with its limit."""
    most = settings.DRAWN_LIMITS
    sent = request.META.get("HTTP_AUTHORIZATION")
    if sent and request.path.startswith(API_PREFIX):
        # The key is read later: one that does not exist gets nothing drawn, and uses up nothing of a club.
        return [(f"key:{hashlib.sha256(sent.encode()).hexdigest()[:32]}", most["person"])], []
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        reader, people = (f"user:{request.user.pk}", most["person"]), "people"
    else:
        address = counted_address(BaseThrottle().get_ident(Request(request)) or "")
        reader, people = (f"address:{address}", most["address"]), "visitors"
    return [reader], [(f"club:{people}:{club}", most["club"])] if club else []
