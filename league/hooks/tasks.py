"""The workers' part in sending: woken, looking what is due, and sending beside their other tasks.

No task says what to send: that stands in the database alone, so that a message in the broker, whoever put it there, can
do no more than make a worker look.
"""

from __future__ import annotations

import threading
import uuid
from typing import TYPE_CHECKING, cast

import structlog
from celery import shared_task
from django.db import connection

from . import queue

if TYPE_CHECKING:
    from ..config.celery import WakeUpTask

log = structlog.get_logger(__name__)

SENDERS = 4
"""So many webhooks are told at a time by one process."""

_places = threading.BoundedSemaphore(SENDERS)


@shared_task(name="league.hooks.send")
def send() -> int:
    """Start a sender for each webhook that is due, as far as there are places; how many.

    In threads: a receiver that takes its ten seconds must not keep a season from being counted. A thread that dies
    with its process loses nothing, the sweep finds what it left.
    """
    started = 0
    for hook_id in queue.due_hooks():
        if not _places.acquire(blocking=False):
            break
        _begin(hook_id)
        started += 1
    return started


def _begin(hook_id: uuid.UUID) -> None:
    threading.Thread(target=_run, args=(hook_id,), name="hook-sender", daemon=True).start()


def _run(hook_id: uuid.UUID) -> None:
    try:
        queue.send_due(hook_id)
        if queue.due_hooks():
            # Written while we were at it, or waiting for a place.
            cast("WakeUpTask", send).wake(retry=False)
    except Exception as error:
        # It has left its claims; they run out, and somebody tries again.
        log.error("hook_sender_failed", webhook=str(hook_id), error=type(error).__name__)
    finally:
        connection.close()
        _places.release()


@shared_task(name="league.hooks.tidy")
def tidy() -> int:
    """Delete the log's old messages; how many."""
    return queue.tidy()
