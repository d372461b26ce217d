"""Limits of requests a minute, counted in the shared cache: by API key, by person, and by address for visitors.

Writes have a lower limit of their own. While Redis is away, each process counts for itself.
"""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from .authentication import key_of

WINDOW_SECONDS = 60


def count(name: str, now: float | None = None) -> int:
    """Count a request of `name` in this minute. Returns their number."""
    key = f"rate:{name}:{int((now or time.time()) // WINDOW_SECONDS)}"
    try:
        return int(cache.incr(key))
    except ValueError:
        # The first request of this minute. Of several at once one adds the counter, all count.
        cache.add(key, 0, timeout=2 * WINDOW_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:
        # Redis is away since the call before.
        return 1


class MinuteThrottle(BaseThrottle):
    """Limit the requests a minute of one client; `API_LIMITS` in the settings has the limits, 0 for none."""

    def allow_request(self, request: Request, view: Any) -> bool:
        client, limits = self.client(request)
        kinds = ["read"] if request.method in SAFE_METHODS else ["read", "write"]
        return all(self._within(f"{kind}:{client}", limits[kind]) for kind in kinds)

    def _within(self, name: str, limit: int) -> bool:
        return not limit or count(name) <= limit

    def client(self, request: Request) -> tuple[str, dict[str, int]]:
        """Return the name under which the requests are counted, and the limits of each kind."""
        key = key_of(request)
        if key is not None:
            return f"key:{key.digest[:32]}", settings.API_LIMITS["key"]
        if request.user.is_authenticated:
            return f"user:{request.user.pk}", settings.API_LIMITS["person"]
        return f"address:{self.get_ident(request)}", settings.API_LIMITS["address"]

    def wait(self) -> float:
        return WINDOW_SECONDS - time.time() % WINDOW_SECONDS


class PersonThrottle(MinuteThrottle):
    """Limit all of a person's keys together: more keys do not allow more requests."""

    def client(self, request: Request) -> tuple[str, dict[str, int]]:
        if key_of(request) is None:
            return "", {"read": 0, "write": 0}
        return f"user:{request.user.pk}", settings.API_LIMITS["person"]
