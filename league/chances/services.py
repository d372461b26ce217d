"""Compute and store the chances of a season, and wake a worker for it."""

from __future__ import annotations

import time

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from .. import news
from ..config import celery
from ..models import Season, SeasonChances
from ..standings.selectors import freshness
from .forecast_json import Values, packed
from .selectors import in_plan, inputs_of, is_fresh, running_evening, start_of, stored_chances
from .simulation import LEAST_EVENINGS, forecast

TASK = "league.chances.tasks.chances_compute"
WOKEN_SECONDS = 60
"""The time in which one wake-up is enough. After it a page that still waits wakes a worker again."""
PAUSE_SECONDS = 600
"""The time after a failure in which no page wakes a worker."""


def chances_compute(season_id: int) -> bool:
    """Compute the chances of a season as last counted, and store them. Returns True if they were stored now.

    Safe to run twice and at once: the same mark gives the same numbers, and an older one replaces nothing. The
    simulation runs outside any transaction.
    """
    season = Season.objects.filter(pk=season_id).first()
    if season is None:
        return False
    # Before the evenings are read: a count in between triggers another computation.
    mark = freshness(season).mark
    running, stored = running_evening(season), stored_chances(season)
    if is_fresh(stored, mark, running):
        return False
    started = time.monotonic()
    start = start_of(season, running)
    inputs, seed = inputs_of(start), mark
    values: Values
    if stored is not None and stored.inputs == inputs:
        seed, values = stored.seed, stored.values
    elif start.held < LEAST_EVENINGS:
        values = {"held": start.held, "left": start.left}
    else:
        values = packed(forecast(start, seed), left=start.left, held=start.held)
    values = {**values, "in_plan": in_plan(season, start)}
    made = SeasonChances(
        season=season,
        counted_mark=mark,
        seed=seed,
        running=running,
        inputs=inputs,
        computed_at=timezone.now(),
        took_ms=round((time.monotonic() - started) * 1000),
        values=values,
    )
    return _store(made)


@transaction.atomic
def _store(made: SeasonChances) -> bool:
    # The lock of the season lets one of two workers in at a time.
    Season.objects.select_for_update(of=("self",)).get(pk=made.season_id)
    newest = stored_chances(made.season)
    if newest is not None and newest.counted_mark > made.counted_mark:
        return False
    made.save(force_insert=newest is None, force_update=newest is not None)
    news.tell(f"chances:{made.season_id}")
    return True


def wake(season_id: int) -> None:
    """Wake a worker for the chances of a season, unless one was woken in the last minute and has not finished."""
    if cache.add(_key(season_id), 1, WOKEN_SECONDS) and not celery.wake(TASK, season_id):
        cache.delete(_key(season_id))


def forget_wake_up(season_id: int) -> None:
    """Let the next page that waits wake a worker again. The task calls this when it has finished: until then the pages,
    which poll every two seconds, wake no second worker."""
    cache.delete(_key(season_id))


def put_off(season_id: int) -> None:
    """Let no page wake a worker for a while, as the computation has failed."""
    cache.set(_key(season_id), 1, PAUSE_SECONDS)


def _key(season_id: int) -> str:
    return f"season:{season_id}:chances"
