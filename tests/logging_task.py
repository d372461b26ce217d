"""A task that writes a line into the log."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from celery import shared_task

from league.request_ids import current

seen: Callable[[str], None] = lambda _id: None  # noqa: E731 - a test in the same process puts another one here


@shared_task
def say() -> None:
    """Log a line, and show the id of the request."""
    structlog.get_logger(__name__).warning("said")
    seen(current())


@shared_task
def fail() -> None:
    """Fail."""
    raise ZeroDivisionError
