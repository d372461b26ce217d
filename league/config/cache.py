"""The shared cache. While Redis is away, each process has a cache of its own: limits are counted there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.commands.core import Script
from redis.exceptions import RedisError

from ..counters import count_one
from . import environment, redis_away

COUNT_ALL = """
local counted = {}
for place, key in ipairs(KEYS) do
  counted[place] = redis.call('INCR', key)
  if counted[place] == 1 then redis.call('EXPIRE', key, ARGV[1]) end
end
return counted
"""
"""Counts each key in Redis itself: one command, whatever the number of keys."""
KEYS_AT_ONCE = 1000
"""The keys that one command deletes."""


class _Client(RedisCacheClient):
    """Django's client makes a new object of redis-py for each command."""

    @cached_property
    def _redis(self) -> Redis:
        client: Redis = super().get_client(write=True)
        return client

    @cached_property
    def counted(self) -> Script:
        """The script `COUNT_ALL`."""
        return self._redis.register_script(COUNT_ALL)

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        return self._redis


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache; while Redis is away, the cache of this process."""

    own_name, own_options = "while-redis-is-away", environment.OWN_CACHE

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
        # Of the same name in all threads, hence the same entries.
        self._own = LocMemCache(self.own_name, {**params, "OPTIONS": self.own_options})

    def _either(self, shared: Callable[..., Any], own: Callable[..., Any], *args: Any, **more: Any) -> Any:
        if not redis_away.is_away():
            try:
                return shared(*args, **more)
            except RedisError as error:
                redis_away.failed(error)
        return own(*args, **more)

    def add(self, *args: Any, **more: Any) -> bool:
        return bool(self._either(super().add, self._own.add, *args, **more))

    def get(self, *args: Any, **more: Any) -> Any:
        return self._either(super().get, self._own.get, *args, **more)

    def set(self, *args: Any, **more: Any) -> None:
        self._either(super().set, self._own.set, *args, **more)

    def touch(self, *args: Any, **more: Any) -> bool:
        return bool(self._either(super().touch, self._own.touch, *args, **more))

    def delete(self, *args: Any, **more: Any) -> bool:
        return bool(self._either(super().delete, self._own.delete, *args, **more))

    def has_key(self, *args: Any, **more: Any) -> bool:
        return bool(self._either(super().has_key, self._own.has_key, *args, **more))

    def incr(self, *args: Any, **more: Any) -> int:
        return int(self._either(super().incr, self._own.incr, *args, **more))

    @property
    def _client(self) -> _Client:
        client: _Client = self._cache  # type: ignore[assignment]
        return client

    def count(self, keys: Sequence[str], seconds: int) -> list[int]:
        """Do what `league.counters.count` does, in one round trip."""
        return list(self._either(self._count_shared, self._count_own, keys, seconds)) if keys else []

    def _count_own(self, keys: Sequence[str], seconds: int) -> list[int]:
        return [count_one(self._own, key, seconds) for key in keys]

    def _count_shared(self, keys: Sequence[str], seconds: int) -> list[int]:
        made = [self.make_and_validate_key(key) for key in keys]
        return [int(counted) for counted in self._client.counted(keys=made, args=[seconds])]

    def publish(self, channel: str, message: str) -> None:
        """Send a message to all who follow the channel; to nobody while Redis is away."""
        self._either(self._publish_shared, lambda *_message: None, channel, message)

    def _publish_shared(self, channel: str, message: str) -> None:
        self._client.get_client(write=True).publish(channel, message)

    def get_many(self, *args: Any, **more: Any) -> dict[str, Any]:
        return dict(self._either(super().get_many, self._own.get_many, *args, **more))

    def set_many(self, *args: Any, **more: Any) -> list[Any]:
        return list(self._either(super().set_many, self._own.set_many, *args, **more))

    def delete_many(self, *args: Any, **more: Any) -> None:
        self._either(super().delete_many, self._own.delete_many, *args, **more)

    def clear(self) -> None:
        """Delete the keys of this cache alone: Django deletes all of Redis, the queue and other programs included."""
        self._own.clear()
        self._either(self._clear_shared, self._own.clear)

    def _clear_shared(self) -> None:
        own_keys = escaped(self.make_key("")) + "*"
        store, cursor = self._client.get_client(write=True), None
        while cursor != 0:
            cursor, keys = store.scan(cursor or 0, match=own_keys, count=KEYS_AT_ONCE)
            if keys:
                store.unlink(*keys)


def escaped(text: str) -> str:
    """Return the pattern of Redis that matches this text alone."""
    return re.sub(r"[*?\[\]\\]", r"\\\g<0>", text)


class ForgivingPageCache(ForgivingRedisCache):
    """The cache of rendered pages: these are large, so a process keeps few of its own."""

    own_name, own_options = "pages-while-redis-is-away", environment.OWN_PAGES
