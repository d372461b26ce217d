"""Counting that goes on: a season whose count fails is left out for a while, and no other one waits for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import structlog
from django.db.models import QuerySet
from django.utils import timezone

from ..models import CountFailure

log = structlog.get_logger(__name__)

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)


def tried(part: str, season_id: int, count: Callable[[int], bool]) -> bool:
    """Call `count` for a season; return True if it counted something. A failure is logged and stored, and its pause
    doubles with each one; a success removes it.

    Raises:
        DatabaseError: the failure cannot be stored, as the database does not answer.
    """
    known = CountFailure.objects.filter(season=season_id, part=part)
    try:
        counted = count(season_id)
    except Exception as error:
        log.exception("season_not_counted", season=season_id, part=part)
        times = (known.values_list("times", flat=True).first() or 0) + 1
        pause = min(FIRST_PAUSE * 2 ** min(times - 1, 10), LONGEST_PAUSE)
        now = {"times": times, "error": type(error).__name__, "retry_at": timezone.now() + pause}
        CountFailure.objects.update_or_create(season_id=season_id, part=part, defaults=now)
        return False
    known.delete()
    return counted


def paused(part: str) -> QuerySet[CountFailure, int]:
    """Return the seasons that the sweep leaves out now."""
    failures = CountFailure.objects.filter(part=part, retry_at__gt=timezone.now())
    return failures.values_list("season_id", flat=True)
