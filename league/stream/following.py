"""Follows the messages of the service in Redis: one subscription of the process, for all its streams."""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import Any

import redis.asyncio
import structlog
from django.conf import settings

from .. import news
from .hub import Hub

log = structlog.get_logger(__name__)

PING_SECONDS, SILENT_SECONDS = 5.0, 15.0
"""A Redis that does not answer the pings is away: messages may be missing."""
AGAIN_SECONDS = 1.0


async def follow(hub: Hub) -> None:
    """Pass on all messages. Without Redis all streams end, and none begins: the phones poll meanwhile."""
    away = False
    while True:
        try:
            await _follow_once(hub)
        except (redis.RedisError, OSError) as error:
            if not away or hub.follows:
                log.warning("stream_without_redis", error=type(error).__name__)
            away = True
        hub.follows = False
        hub.end_all()
        await asyncio.sleep(AGAIN_SECONDS * (0.5 + random.random()))  # noqa: S311 - spreads processes


async def _follow_once(hub: Hub) -> None:
    limit = settings.BROKER_TIMEOUT_SECONDS
    client = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=limit, health_check_interval=0)
    async with client, client.pubsub() as subscribed:
        await subscribed.subscribe(news.channel())
        heard = pinged = time.monotonic()
        while True:
            message = await subscribed.get_message(timeout=PING_SECONDS)
            now = time.monotonic()
            if message is not None:
                heard = now
                take(hub, message)
            if now - heard > SILENT_SECONDS:
                raise redis.ConnectionError("no answer to the pings")
            if now - pinged >= PING_SECONDS:
                pinged = now
                await subscribed.ping()


def take(hub: Hub, message: dict[str, Any]) -> None:
    """Carry out a message of Redis."""
    if message["type"] == "subscribe":
        hub.follows = True
    elif message["type"] == "message":
        content = json.loads(message["data"])
        if content["kind"] == news.NEWS:
            hub.news(content["topics"], content["number"])
        elif content["kind"] == news.END:
            hub.end(content["topics"])
