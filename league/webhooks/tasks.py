"""Tasks that send due messages, in threads beside the worker's other tasks.

A task does not name a message: only the database says which ones are due. So a forged task in the broker only makes a
worker look. The tries of a message are in its row, and not Celery's `autoretry_for`: they go on for a day and a half,
also with an emptied broker, and the club sees them (`tests/league/test_webhooks.py`).
"""

from __future__ import annotations

import threading
import uuid

import structlog
from celery import shared_task
from django.db import connection

from ..config import celery
from ..request_ids import with_ids
from . import queue

log = structlog.get_logger(__name__)

SENDERS = 4
"""The number of webhooks to which one process sends at a time."""

_places = threading.BoundedSemaphore(SENDERS)


@shared_task
def send() -> int:
    """Start a sender for each due webhook, up to `SENDERS` at a time; returns how many were started.

    Senders are threads: a receiver that takes its ten seconds must not delay the counting of a season
    (`tests/league/test_webhooks_worker.py`). When a thread dies with its process, the sweep finds its messages.
    """
    started = 0
    for webhook_id in queue.due_webhooks():
        if not _places.acquire(blocking=False):
            break
        _begin(webhook_id)
        started += 1
    return started


def _begin(webhook_id: uuid.UUID) -> None:
    threading.Thread(target=with_ids(_run), args=(webhook_id,), name="webhook-sender", daemon=True).start()


def _run(webhook_id: uuid.UUID) -> None:
    try:
        queue.send_due(webhook_id)
        if queue.due_webhooks():
            # Stored meanwhile, or waiting for a free sender.
            celery.wake("league.webhooks.tasks.send")
    except Exception as error:
        # Its claims run out, then another sender tries.
        log.error("webhook_sender_failed", webhook=str(webhook_id), error=type(error).__name__)
    finally:
        connection.close()
        _places.release()


@shared_task
def tidy() -> int:
    """Delete old messages of the log; returns their number."""
    return queue.tidy()
