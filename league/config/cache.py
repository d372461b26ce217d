"""The shared cache, which may be unreachable: nothing depends on its content."""

from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache, which acts as an empty cache while Redis is down or hangs."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as error:
            log.warning("cache_unreachable", error=type(error).__name__)
            return default

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        try:
            super().set(key, value, *args, **kwargs)
        except RedisError as error:
            log.warning("cache_unreachable", error=type(error).__name__)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        try:
            return bool(super().add(key, value, *args, **kwargs))
        except RedisError as error:
            log.warning("cache_unreachable", error=type(error).__name__)
            return True

    def delete(self, key: Any, version: int | None = None) -> bool:
        try:
            return bool(super().delete(key, version))
        except RedisError as error:
            log.warning("cache_unreachable", error=type(error).__name__)
            return False
