"""The workers' tasks. Each may run twice, late, or be killed anywhere: the marks say what is left to do."""

from __future__ import annotations

from celery import shared_task

from . import marks, standings
from .hooks import tasks as hook_tasks


@shared_task(name="league.tasks.season_count")
def season_count(season_id: int) -> bool:
    """Count one season, if it has something new. Returns whether it counted.

    What was posted meanwhile is counted by a next task, so that one busy season keeps no other waiting.
    """
    counted = standings.count_season(season_id)
    if counted and marks.waiting_seasons().filter(pk=season_id).exists():
        marks.wake(season_id)
    return counted


@shared_task(name="league.tasks.sweep")
def sweep() -> int:
    """Count every season whose wake-up got lost, and send every message that is due. Returns how many it counted."""
    marks.beat_heart()
    hook_tasks.send()
    return sum(standings.count_season(season_id) for season_id in marks.waiting_seasons().values_list("pk", flat=True))
