"""Limits of requests a minute, counted in the shared cache: by API key, by person, and by address for visitors.

Writes have a lower limit of their own. While Redis is away, each process counts for itself. Each answer has the limits
that counted it, and the remaining requests, in the headers `RateLimit-Policy` and `RateLimit`
(draft-ietf-httpapi-ratelimit-headers).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from league.counters import count
from league.web.client_networks import counted_address

from .authentication import key_of

WINDOW_SECONDS = 60
OVER_LIMIT = "league.api.over_limit"


def minute_of(now: float | None = None) -> int:
    """Return the number of the minute in which requests are counted together."""
    return int((now or time.time()) // WINDOW_SECONDS)


def count_all(names: Sequence[str], now: float | None = None) -> list[int]:
    """Count a request of each of these names in this minute. Returns their numbers."""
    minute = minute_of(now)
    return count([f"rate:{name}:{minute}" for name in names], 2 * WINDOW_SECONDS)


def over_limit(request: HttpRequest) -> bool:
    """Return True if this request was refused because its key has reached a limit: until the minute ends, all of them
    are."""
    return OVER_LIMIT in request.META


@dataclass(frozen=True)
class Quota:
    """A limit that counted a request: the number of requests a minute, and how many of them were made."""

    name: str
    limit: int
    used: int

    @property
    def left(self) -> int:
        """The number of requests that are left until the end of the minute."""
        return max(0, self.limit - self.used)


def quota_headers(quotas: Sequence[Quota], now: float | None = None) -> dict[str, str]:
    """Return the headers that show these limits; none if nothing was counted."""
    if not quotas:
        return {}
    seconds = math.ceil(seconds_left(now))
    return {
        "RateLimit-Policy": ", ".join(f'"{quota.name}";q={quota.limit};w={WINDOW_SECONDS}' for quota in quotas),
        "RateLimit": ", ".join(f'"{quota.name}";r={quota.left};t={seconds}' for quota in quotas),
    }


def seconds_left(now: float | None = None) -> float:
    """Return the number of seconds until the end of the minute."""
    return WINDOW_SECONDS - (time.time() if now is None else now) % WINDOW_SECONDS


@dataclass(frozen=True)
class Client:
    """A client or person whose requests are counted together, with the limits of each kind and their names in the
    headers."""

    name: str
    limits: Mapping[str, int]
    shown: Mapping[str, str]


class MinuteThrottle(BaseThrottle):
    """Limit the requests a minute of one client, and the writes among them; `API_LIMITS` in the settings has the
    limits, 0 for none."""

    def allow_request(self, request: Request, view: Any) -> bool:
        kinds = ("read",) if request.method in SAFE_METHODS else ("read", "write")
        counted = [(client, kind) for client in self.clients(request) for kind in kinds if client.limits[kind]]
        reached: set[str] = set()
        for (client, kind), used in zip(counted, count_all([f"{k}:{c.name}" for c, k in counted]), strict=True):
            # The other limit of this client does not matter until the minute ends.
            if client.name in reached:
                continue
            quota = Quota(client.shown[kind], client.limits[kind], used)
            # A view outside the frame has no headers about limits, but it has limits.
            if hasattr(view, "quotas"):
                view.quotas.append(quota)
            if quota.used > quota.limit:
                reached.add(client.name)
        if reached and key_of(request) is not None:
            request._request.META[OVER_LIMIT] = True
        return not reached

    def clients(self, request: Request) -> list[Client]:
        """Return the limits for which this request counts."""
        shown = {"read": "requests", "write": "writes"}
        key = key_of(request)
        if key is not None:
            return [Client(f"key:{key.digest[:32]}", settings.API_LIMITS["key"], shown)]
        if request.user.is_authenticated:
            return [Client(f"user:{request.user.pk}", settings.API_LIMITS["person"], shown)]
        address = counted_address(self.get_ident(request) or "")
        return [Client(f"address:{address}", settings.API_LIMITS["address"], shown)]

    def wait(self) -> float:
        return seconds_left()


class PersonThrottle(MinuteThrottle):
    """Limit also all of a person's keys together: more keys do not allow more requests."""

    def clients(self, request: Request) -> list[Client]:
        clients = super().clients(request)
        if key_of(request) is not None:
            shown = {"read": "person-requests", "write": "person-writes"}
            clients.append(Client(f"user:{request.user.pk}", settings.API_LIMITS["person"], shown))
        return clients
