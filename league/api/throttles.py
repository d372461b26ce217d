"""How often somebody may ask: counted a minute in the shared cache, by key, by person, and by address for those who
are not signed in. Writes are counted beside it, against a lower limit.

A help against floods, no guard of anything: while the shared cache is away everybody is let through.
"""

from __future__ import annotations

import time
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from .authentication import key_of

log = structlog.get_logger(__name__)

WINDOW_SECONDS = 60
AWAY_SECONDS = 10.0
"""So long the cache is left alone after it did not answer: each try of a hung one would cost everybody a second."""

_away_until = 0.0


def forget_cache_failure() -> None:
    """Ask the cache again at once."""
    global _away_until
    _away_until = 0.0


def count(name: str, now: float | None = None) -> int:
    """One more of `name` in this minute: how many that makes, 0 where nobody can say."""
    global _away_until
    if time.monotonic() < _away_until:
        return 0
    key = f"rate:{name}:{int((now or time.time()) // WINDOW_SECONDS)}"
    try:
        try:
            return int(cache.incr(key))
        except ValueError:
            # The first of this minute; of several at once one adds, all count.
            cache.add(key, 0, timeout=2 * WINDOW_SECONDS)
            return int(cache.incr(key))
    except (RedisError, ValueError) as error:
        _away_until = time.monotonic() + AWAY_SECONDS
        log.warning("rate_limits_off", error=type(error).__name__, seconds=AWAY_SECONDS)
        return 0


class MinuteThrottle(BaseThrottle):
    """So many requests a minute of one asker; the limits are `API_LIMITS` of the settings, 0 for none."""

    def allow_request(self, request: Request, view: Any) -> bool:
        who, limits = self.asker(request)
        kinds = ["read"] if request.method in SAFE_METHODS else ["read", "write"]
        return all(self._within(f"{kind}:{who}", limits[kind]) for kind in kinds)

    def _within(self, name: str, limit: int) -> bool:
        return not limit or count(name) <= limit

    def asker(self, request: Request) -> tuple[str, dict[str, int]]:
        """Whose requests are counted together, and how many of a kind may be."""
        key = key_of(request)
        if key is not None:
            return f"key:{key.digest[:32]}", settings.API_LIMITS["key"]
        if request.user.is_authenticated:
            return f"user:{request.user.pk}", settings.API_LIMITS["person"]
        return f"address:{self.get_ident(request)}", settings.API_LIMITS["address"]

    def wait(self) -> float:
        return WINDOW_SECONDS - time.time() % WINDOW_SECONDS


class PersonThrottle(MinuteThrottle):
    """All of a person's keys and browsers together: more keys do not multiply what the person may."""

    def asker(self, request: Request) -> tuple[str, dict[str, int]]:
        if key_of(request) is None:
            return "", {"read": 0, "write": 0}
        return f"user:{request.user.pk}", settings.API_LIMITS["person"]
