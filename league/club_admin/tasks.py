"""The worker's task that deletes practice clubs."""

from __future__ import annotations

from celery import shared_task

from . import practice


@shared_task
def tidy() -> int:
    """Delete the practice clubs whose day has come; return their number. Safe to run twice."""
    return practice.remove_expired()
