"""Tasks of the API."""

from __future__ import annotations

from celery import shared_task

from . import idempotency


@shared_task
def tidy() -> int:
    """Delete old kept answers; returns their number. Safe to run twice."""
    return idempotency.forget_old()
