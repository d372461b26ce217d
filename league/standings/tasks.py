"""Tasks that count seasons. Each may run twice, late, or be killed anywhere: the marks show the remaining work.

A failed count is tried again by the sweep, and not by Celery's `autoretry_for`: its pause is stored, survives an empty
broker, and is named by `manage.py queue` (`tests/league/test_sweep.py`)."""

from __future__ import annotations

from celery import shared_task

from ..ledger import season_mark
from ..models import CountFailure
from . import counting, seasons_to_count
from .count_tries import tried


@shared_task
def season_count(season_id: int) -> bool:
    """Count one season, if it has something new. Returns True if it was counted.

    Another task counts later postings, so that other seasons do not wait for a busy one.
    """
    season_mark.forget_wake_up(season_id)
    counted = tried(CountFailure.Part.STANDINGS, season_id, counting.count_season)
    if counted and seasons_to_count.waiting_seasons().filter(pk=season_id).exists():
        season_mark.wake(season_id)
    return counted
