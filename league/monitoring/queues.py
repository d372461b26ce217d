"""The queues of tasks: how many messages wait in each, and since when the oldest one does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import redis
from celery import Celery
from django.conf import settings
from kombu.transport.memory import Channel

from ..config import redis_away

SENT_AT = "sent_at"
"""The header of a message with the time at which it was sent, in seconds."""


@dataclass(frozen=True)
class Waiting:
    """The messages of a queue, and the seconds since the oldest one was sent."""

    messages: int
    oldest_seconds: float


def queue_names(app: Celery) -> list[str]:
    """Return the names of all queues to which tasks are sent."""
    queues = app.conf.task_queues or [app.conf.task_default_queue]
    return sorted(getattr(queue, "name", queue) for queue in queues)


def add_time(headers: Any = None, **_: Any) -> None:
    """Note in a message when it is sent (`before_task_publish`)."""
    if isinstance(headers, dict):
        headers[SENT_AT] = time.time()


def waiting(app: Celery) -> dict[str, Waiting] | None:
    """Return what waits in each queue; None while Redis is away."""
    names = queue_names(app)
    if not settings.REDIS_URL:
        # The queue of the embedded worker is in this process.
        return {name: _in_memory(name) for name in names}
    if redis_away.is_away():
        return None
    try:
        return dict(zip(names, _in_redis(names), strict=True))
    except redis.RedisError as error:
        redis_away.failed(error)
        return None


def _in_memory(name: str) -> Waiting:
    queue = Channel.queues.get(name)
    messages = list(queue.queue) if queue else []
    return Waiting(len(messages), _age(messages[0]) if messages else 0.0)


def _in_redis(names: Iterable[str]) -> list[Waiting]:
    limit = settings.BROKER_TIMEOUT_SECONDS
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=limit, socket_connect_timeout=limit) as client:
        pipe = client.pipeline(transaction=False)
        for name in names:
            # New messages are put in at the left.
            pipe.llen(f"{settings.REDIS_PREFIX}{name}").lindex(f"{settings.REDIS_PREFIX}{name}", -1)
        replies = pipe.execute()
    return [
        Waiting(number, _age(json.loads(oldest)) if oldest else 0.0)
        for number, oldest in zip(replies[::2], replies[1::2], strict=True)
    ]


def _age(message: dict[str, Any]) -> float:
    """Return the age of a message; 0 for one that has no time, as it is not ours."""
    sent_at = message.get("headers", {}).get(SENT_AT)
    return max(0.0, time.time() - sent_at) if isinstance(sent_at, int | float) else 0.0
