"""The worker's tasks: make large files, one at a time and in a thread, and delete expired ones.

A task names no file: only the database says which ones are due. A failed file is tried again when its claim runs out,
and not by Celery's `autoretry_for`: the attempts of killed workers count, too (`tests/reports/test_large_files.py`).
"""

from __future__ import annotations

import threading
import time

import structlog
from celery import shared_task
from django.db import connection

from ..request_ids import with_ids
from . import services

log = structlog.get_logger(__name__)


class _Place:
    """The place of the one thread that makes files. A thread that is stuck in a file loses it: its claim runs out, and
    it writes nothing more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holder: object = None
        self._until = 0.0

    def take(self, holder: object) -> bool:
        """Take the place for one file, or keep it for another one. Return False if a working thread has it."""
        now = time.monotonic()
        with self._lock:
            if self._holder not in (None, holder) and now < self._until:
                return False
            self._holder, self._until = holder, now + services.MAKING_SECONDS + services.LEASE.total_seconds()
            return True

    def leave(self, holder: object) -> None:
        """Give the place back, unless it was lost."""
        with self._lock:
            if self._holder is holder:
                self._holder = None


_place = _Place()


@shared_task
def make() -> bool:
    """Start making due files, unless this process already does; return True if it started.

    In a thread: a file takes minutes and must not delay the counting of a season, also in the embedded worker, which
    runs one task at a time. If the thread dies with its process, its claim runs out and the sweep calls this again.
    """
    holder = object()
    if not services.due().exists() or not _place.take(holder):
        return False
    threading.Thread(target=with_ids(_run), args=(holder,), name="large-files", daemon=True).start()
    return True


def _run(holder: object) -> None:
    try:
        while _place.take(holder) and (file := services.claim()):
            services.file_make(file)
    except Exception as error:
        # Its claim runs out, then it is tried again.
        log.error("large_file_failed", error=type(error).__name__)
    finally:
        connection.close()
        _place.leave(holder)


@shared_task
def tidy() -> int:
    """Delete expired files; return their number. Safe to run twice."""
    return services.tidy()
