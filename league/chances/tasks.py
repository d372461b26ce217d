"""The task that computes the chances of a season. It may run twice, late, or be killed: a page that waits wakes it
again. Celery's `autoretry_for` would compute what nobody reads any more (`tests/league/test_chances.py`)."""

from __future__ import annotations

from celery import shared_task

from . import services


@shared_task
def chances_compute(season_id: int) -> bool:
    """Compute the chances of one season, if something new was counted. Returns True if they were stored. After a
    failure, such as the limit of time, they are put off: no season keeps the workers of all others busy."""
    try:
        stored = services.chances_compute(season_id)
    except Exception:
        services.put_off(season_id)
        raise
    services.forget_wake_up(season_id)
    return stored
