"""Answer the requests of a key that has reached its limit before anything is read for them, until the minute ends.

A program that floods would else make the server read its key, its owner and their counters for each refused request,
and the requests of others would wait meanwhile.
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from rest_framework.permissions import SAFE_METHODS

from league.web.error_pages import API_PREFIX

from .throttles import minute_of, over_limit, seconds_left

MOST = 10_000
"""The number of answers that a process remembers. One more is made again for each request."""
SECONDS = re.compile(r"\bt=\d+")

Asked = tuple[bytes, bool, str]


class RefusedKeys:
    """Middleware that keeps the 429 of a key, and gives it again for its other requests of this minute.

    A write is refused again after a refused write, a read after a refused read. Only a key that exists is remembered.
    These requests are neither counted nor logged: the limit is reached, and the first refusal is in the log.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.minute = 0
        self.answers: dict[Asked, tuple[bytes, dict[str, str]]] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.META.get("HTTP_AUTHORIZATION")
        if not sent or not request.path_info.startswith(API_PREFIX):
            return self.get_response(request)
        now = time.time()
        self._forget_others(minute_of(now))
        asked = (hashlib.sha256(sent.encode()).digest(), request.method in SAFE_METHODS, get_language() or "")
        if (kept := self.answers.get(asked)) is not None:
            return _again(*kept, now)
        response = self.get_response(request)
        if over_limit(request) and len(self.answers) < MOST:
            self.answers[asked] = (response.content, dict(response.headers))
        return response

    def _forget_others(self, minute: int) -> None:
        if minute != self.minute:
            self.minute, self.answers = minute, {}


def _again(content: bytes, headers: dict[str, str], now: float) -> HttpResponse:
    seconds = math.ceil(seconds_left(now))
    response: Any = HttpResponse(content, status=429, headers=headers)
    response["Retry-After"] = str(seconds)
    if "RateLimit" in response:
        response["RateLimit"] = SECONDS.sub(f"t={seconds}", response["RateLimit"])
    # Django writes a line for each 4xx that it has not logged.
    response._has_been_logged = True
    return response  # type: ignore[no-any-return]
