"""What goes by itself, for the worker."""

from __future__ import annotations

from celery import shared_task

from . import keeping


@shared_task(name="league.api.tidy")
def tidy() -> int:
    """Drop the kept answers that nobody asks for any more; how many. Safe to run twice."""
    return keeping.forget_old()
