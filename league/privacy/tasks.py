"""The worker's task that removes data that is no longer needed."""

from __future__ import annotations

from celery import shared_task

from . import retention


@shared_task
def tidy() -> int:
    """Forget idle players and delete expired rows; return their number. Safe to run twice."""
    return retention.forget_players() + sum(retention.tidy().values())
