"""The sweep: it finds the work of every wake-up that was lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import structlog
from celery import shared_task

from ..config.celery import wake
from ..large_files import services as large_files
from ..ledger import season_mark
from ..luck import services as luck
from ..models import CountFailure, UncountedEvening
from ..player_messages import queue as player_messages
from ..standings import counting, seasons_to_count
from ..standings.count_tries import paused, tried
from ..standings.facts import counting as facts
from ..webhooks import queue as messages
from .pings import ping_sweep

log = structlog.get_logger(__name__)

PORTION_SECONDS = 5.0
"""After this time a sweep begins no further season, and wakes another sweep: what was asked for meanwhile comes first,
and a worker that is stopped ends soon."""


OTHER_QUEUES: tuple[tuple[str, Callable[[], object]], ...] = (
    ("league.webhooks.tasks.send", lambda: messages.due_webhooks()),
    ("league.large_files.tasks.make", lambda: large_files.due().exists()),
    ("league.player_messages.tasks.send", lambda: player_messages.is_due()),
    ("league.luck.tasks.count", lambda: luck.waiting().exists()),
)
"""Tasks of other queues that the sweep wakes, each if something is due for it."""


@shared_task
def sweep() -> int:
    """Wake the tasks that send due messages and make due files, count seasons whose wake-up was lost. Returns the
    seasons counted.

    One sweep runs at a time. What fails is logged, and the rest goes on; the heartbeat is stored at the end.
    """
    if not seasons_to_count.begin_sweep():
        return 0
    for task, is_due in OTHER_QUEUES:
        try:
            if is_due():
                wake(task)
        except Exception:
            log.exception("part_of_the_sweep_failed", task=task)
    counted, until = 0, time.monotonic() + PORTION_SECONDS
    rest = False
    for done in _counts():
        counted += done
        seasons_to_count.go_on_sweeping()
        rest = time.monotonic() > until
        if rest:
            break
    _forget_old_failures()
    seasons_to_count.end_sweep()
    ping_sweep(failed=CountFailure.objects.exists())
    if rest:
        wake("league.jobs.tasks.sweep")
    return counted


def _forget_old_failures() -> None:
    """Remove the failures of seasons that wait no longer: something else counted them, such as `rebuild`."""
    for part, waiting in (
        (CountFailure.Part.STANDINGS, seasons_to_count.waiting_seasons().order_by().values_list("pk", flat=True)),
        (CountFailure.Part.FACTS, UncountedEvening.objects.values_list("season_id", flat=True)),
    ):
        CountFailure.objects.filter(part=part).exclude(season__in=waiting).delete()


def _counts() -> Iterator[bool]:
    """Count each season that waits and is not paused; yield True for each that was counted."""
    standings, of_hands = CountFailure.Part.STANDINGS, CountFailure.Part.FACTS
    waiting = seasons_to_count.waiting_seasons().exclude(pk__in=paused(standings))
    for season_id in list(waiting.values_list("pk", flat=True)):
        season_mark.forget_wake_up(season_id)
        yield tried(standings, season_id, counting.count_season)
    left_out = set(paused(of_hands))
    for season_id in facts.waiting_seasons():
        if season_id not in left_out:
            tried(of_hands, season_id, facts.count_facts)
            yield False
