"""Counters in the shared cache, for limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.core.cache import caches
from django.core.cache.backends.base import BaseCache


def count(keys: Sequence[str], seconds: int) -> list[int]:
    """Add 1 to the counter of each key; return the counters. A counter ends `seconds` after its first use."""
    if not keys:
        return []
    cache = caches["default"]
    # A cache that has this method counts all keys in one round trip.
    at_once: Callable[[Sequence[str], int], list[int]] | None = getattr(cache, "count", None)
    if at_once is not None:
        return at_once(keys, seconds)
    return [count_one(cache, key, seconds) for key in keys]


def count_one(cache: BaseCache, key: str, seconds: int) -> int:
    """Add 1 to the counter of one key in this cache, and return it."""
    try:
        return int(cache.incr(key))
    except ValueError:
        # Of several first uses at once one adds the counter, all count.
        cache.add(key, 0, timeout=seconds)
    try:
        return int(cache.incr(key))
    except ValueError:
        # So many other keys came in between that this one was dropped.
        return 1
