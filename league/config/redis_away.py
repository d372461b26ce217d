"""The state of Redis in each process, available or away: the cache and the wake-ups of workers share it.

Each use of a Redis that hangs waits for a time-out. So after a failure it is not used for a while; then one caller
tries a write, as a Redis whose memory is full still answers reads.
"""

from __future__ import annotations

import threading
import time

import redis
import structlog
from django.conf import settings

log = structlog.get_logger(__name__)

PAUSE_SECONDS = 5.0
"""The pause after a failure; the sweep runs every 10 s."""

_lock = threading.Lock()
_until = 0.0


def failed(error: Exception) -> None:
    """Begin a pause."""
    global _until
    if not _until:
        log.warning("redis_away", error=type(error).__name__)
    _until = time.monotonic() + PAUSE_SECONDS


def is_away() -> bool:
    """Return True after a failure, until a write succeeds. After each pause one caller tries it."""
    global _until
    if not _until:
        return False
    with _lock:
        if time.monotonic() < _until:
            return True
        # The others do not wait for the try.
        _until = time.monotonic() + PAUSE_SECONDS
    try:
        _try()
    except (redis.RedisError, OSError):
        return True
    log.warning("redis_back")
    _until = 0.0
    return False


def forget() -> None:
    """Use Redis again at once, also after a failure."""
    global _until
    _until = 0.0


def _try() -> None:
    if not settings.REDIS_URL:
        return
    limit = settings.BROKER_TIMEOUT_SECONDS
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=limit, socket_connect_timeout=limit) as client:
        client.set(f"{settings.REDIS_PREFIX}tried", 1, ex=60)
