"""Redis as it fails: refused, hung, or with a full memory, in which it answers reads and refuses writes."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import redis
from django.core.cache.backends.locmem import LocMemCache

from league.config import redis_away
from tests import servers

FAULTS = ("refused", "hung", "full")
WAIT_SECONDS = 0.2
"""The time-out of the cache in tests: shorter than the product's, which a test of the real server waits for."""


@contextlib.contextmanager
def hung() -> Iterator[str]:
    """A Redis that accepts connections and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def refused() -> str:
    """The address of a port on which nothing listens."""
    return f"redis://127.0.0.1:{servers.free_port()}/0"


@contextlib.contextmanager
def full() -> Iterator[str]:
    with servers.redis() as server:
        give_memory(server.url, 1)
        yield server.url


def give_memory(url: str, most: int) -> None:
    """Limit the memory of a Redis to so many bytes; 0 is no limit."""
    with redis.Redis.from_url(url) as client:
        client.config_set("maxmemory", most)


@contextlib.contextmanager
def at(fault: str) -> Iterator[str]:
    """Yield the address of a Redis with this fault."""
    if fault == "refused":
        yield refused()
    else:
        with {"hung": hung, "full": full}[fault]() as url:
            yield url


@contextlib.contextmanager
def cache_at(url: str, settings: Any) -> Iterator[None]:
    """Use a Redis as the cache, and forget afterwards that it was away."""
    limits = {"socket_timeout": WAIT_SECONDS, "socket_connect_timeout": WAIT_SECONDS}
    settings.REDIS_URL, settings.BROKER_TIMEOUT_SECONDS = url, WAIT_SECONDS
    settings.CACHES = {
        "default": {"BACKEND": "league.config.cache.ForgivingRedisCache", "LOCATION": url, "OPTIONS": limits}
    }
    forget()
    yield
    forget()


def forget() -> None:
    redis_away.forget()
    LocMemCache("while-redis-is-away", {}).clear()
