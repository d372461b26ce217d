"""The task that stores and sends messages to players, in a thread beside the worker's other tasks.

A task names no message: only the database says which ones are due.
"""

from __future__ import annotations

import threading

import structlog
from celery import shared_task
from django.db import connection

from ..config import celery
from ..request_ids import with_ids
from . import queue

log = structlog.get_logger(__name__)
TASK = "league.player_messages.tasks.send"

_place = threading.BoundedSemaphore(1)


@shared_task
def send() -> bool:
    """Store what is due, and start a sender unless this process has one. Return True if it was started.

    The sender is a thread: a mail server that hangs must not delay the counting of a season. When it dies with its
    process, the sweep finds its messages.
    """
    queue.store_due()
    if not _place.acquire(blocking=False):
        return False
    threading.Thread(target=with_ids(_run), name="player-message-sender", daemon=True).start()
    return True


def _run() -> None:
    try:
        if queue.send_due() and queue.is_due():
            # More than one turn takes.
            celery.wake(TASK)
    except Exception as error:
        # Its claim runs out, then another sender tries.
        log.error("player_message_sender_failed", error=type(error).__name__)
    finally:
        connection.close()
        _place.release()
