"""The database is the queue: a season whose ledger mark is above its counted mark waits to be counted.

Whoever posts raises the mark in the same transaction and wakes a worker after the commit. A wake-up may be lost
(broker down, worker killed): the sweep finds the season by its marks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from .models import Heartbeat, Season

if TYPE_CHECKING:
    from .config.celery import WakeUpTask

SWEEP = "sweep"


def raise_mark(season_id: int) -> None:
    """Say that the season has something new to count. To be called inside the transaction that posts, as its
    last write."""
    Season.objects.filter(pk=season_id).update(ledger_mark=F("ledger_mark") + 1)
    _wake_after_commit(season_id)


def wake(season_id: int) -> None:
    """Wake a worker for a season. Where none can be woken the sweep counts it, ten seconds later at most."""
    from .tasks import season_count

    cast("WakeUpTask", season_count).wake(args=(season_id,), retry=False)


@dataclass(frozen=True)
class _Wake:
    """A wake-up after the commit; equal by season, so that a transaction with many hands wakes once."""

    season_id: int

    def __call__(self) -> None:
        wake(self.season_id)


def _wake_after_commit(season_id: int) -> None:
    call = _Wake(season_id)
    if any(hook[1] == call for hook in connection.run_on_commit):
        return
    transaction.on_commit(call, robust=True)


def waiting_seasons() -> QuerySet[Season]:
    """Seasons with something to count, those without a count yet among them."""
    waiting: QuerySet[Season] = Season.objects.filter(ledger_mark__gt=0).exclude(
        count__counted_mark__gte=F("ledger_mark")
    )
    return waiting.order_by("pk")


def beat_heart(now: datetime | None = None) -> None:
    """Note that the sweep ran."""
    Heartbeat.objects.update_or_create(name=SWEEP, defaults={"at": now or timezone.now()})
