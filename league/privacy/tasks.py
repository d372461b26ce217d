"""The worker's task that removes data that is no longer needed."""

from __future__ import annotations

from celery import shared_task

from ..tournaments import hall
from ..tournaments.own_entries import own_entries_end
from . import forgotten_list, retention


@shared_task
def tidy() -> int:
    """Forget idle players, delete expired rows and own entries, and show no names any more of tournaments that are
    over; return their number. Safe to run twice."""
    changed = retention.forget_players() + sum(retention.tidy().values()) + hall.end_forgotten()
    changed += own_entries_end()
    forgotten_list.complete()
    return changed
