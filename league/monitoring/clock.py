"""The sign of life of the clock: the thread that sends the tasks of the schedule notes when it did."""

from __future__ import annotations

import threading
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, close_old_connections

from . import marks

log = structlog.get_logger(__name__)

_here = threading.local()


def begin(**_: Any) -> None:
    """Note that the clock is this thread (`beat_init`)."""
    _here.is_clock = True


def note(**_: Any) -> None:
    """Store the time of a task that the clock sends (`before_task_publish`). The task is sent in any case."""
    if not getattr(_here, "is_clock", False):
        return
    close_old_connections()
    try:
        marks.done(marks.CLOCK)
    except (DatabaseError, InterfaceError) as error:
        log.warning("clock_not_noted", error=type(error).__name__)
