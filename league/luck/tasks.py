"""The task that counts the luck of final evenings. It may run twice, late, or be killed: only the database says which
clubs wait, and the sweep wakes it while there are any."""

from __future__ import annotations

from celery import shared_task

from ..config import celery
from . import services

TASK = "league.luck.tasks.count"


@shared_task
def count() -> int:
    """Count what is due. Returns the number of evenings. If more is due than one turn takes, another one follows."""
    counted = services.count_waiting()
    if counted and services.waiting().exists():
        celery.wake(TASK)
    return counted
