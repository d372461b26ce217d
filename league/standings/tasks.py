"""Tasks that count seasons. Each may run twice, late, or be killed anywhere: the marks show the remaining work."""

from __future__ import annotations

from celery import shared_task

from ..large_files import tasks as large_file_tasks
from ..ledger import season_mark
from ..webhooks import tasks as webhook_tasks
from . import counting, seasons_to_count
from .facts import counting as facts


@shared_task
def season_count(season_id: int) -> bool:
    """Count one season, if it has something new. Returns True if it was counted.

    Another task counts later postings, so that other seasons do not wait for a busy one.
    """
    season_mark.forget_wake_up(season_id)
    counted = counting.count_season(season_id)
    if counted and seasons_to_count.waiting_seasons().filter(pk=season_id).exists():
        season_mark.wake(season_id)
    return counted


@shared_task
def sweep() -> int:
    """Count seasons whose wake-up was lost, send due messages, make due files. Returns the seasons counted."""
    seasons_to_count.store_heartbeat()
    webhook_tasks.send()
    large_file_tasks.make()
    counted = 0
    for season_id in seasons_to_count.waiting_seasons().values_list("pk", flat=True):
        season_mark.forget_wake_up(season_id)
        counted += counting.count_season(season_id)
    for season_id in facts.waiting_seasons():
        facts.count_facts(season_id)
    return counted
