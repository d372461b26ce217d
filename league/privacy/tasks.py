"""What goes by itself, for the worker."""

from __future__ import annotations

from celery import shared_task

from . import retention


@shared_task(name="league.privacy.tidy")
def tidy() -> int:
    """Forget players whose time is over, and delete what is long over; how many things. Safe to run twice."""
    return retention.forget_players() + sum(retention.tidy().values())
