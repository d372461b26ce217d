"""The worker's tasks: make large files, one at a time and in a thread, and delete expired ones.

A task names no file: only the database says which ones are due.
"""

from __future__ import annotations

import threading

import structlog
from celery import shared_task
from django.db import connection

from ..request_ids import with_ids
from . import services

log = structlog.get_logger(__name__)

_place = threading.BoundedSemaphore(1)


@shared_task
def make() -> bool:
    """Start making due files, unless this process already does; return True if it started.

    In a thread: a file takes minutes and must not delay the counting of a season. If the thread dies with its process,
    its claim runs out and the sweep calls this again.
    """
    if not services.due().exists() or not _place.acquire(blocking=False):
        return False
    threading.Thread(target=with_ids(_run), name="large-files", daemon=True).start()
    return True


def _run() -> None:
    try:
        while file := services.claim():
            services.file_make(file)
    except Exception as error:
        # Its claim runs out, then it is tried again.
        log.error("large_file_failed", error=type(error).__name__)
    finally:
        connection.close()
        _place.release()


@shared_task
def tidy() -> int:
    """Delete expired files; return their number. Safe to run twice."""
    return services.tidy()
