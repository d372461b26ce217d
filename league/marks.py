"""The database is the queue: a season whose ledger mark is above its counted mark waits to be counted.

Whoever posts raises the mark in the same transaction and wakes a worker after the commit. A wake-up may be lost
(broker down,
worker killed): the sweep finds the season by its marks.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from .models import Heartbeat, Season

log = structlog.get_logger(__name__)

SWEEP = "sweep"


def raise_mark(season_id: int) -> None:
    """Say that the season has something new to count. To be called inside the transaction that posts, as its
    last write."""
    Season.objects.filter(pk=season_id).update(ledger_mark=F("ledger_mark") + 1)
    _wake_after_commit(season_id)


class _Wake:
    """Wakes a worker for one season; equal by season, so that a transaction with many hands wakes once."""

    def __init__(self, season_id: int) -> None:
        self.season_id = season_id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Wake) and other.season_id == self.season_id

    def __hash__(self) -> int:
        return hash(self.season_id)

    def __call__(self) -> None:
        from .tasks import season_count

        try:
            # One try: the hand is stored, and the sweep counts what nobody was woken for.
            season_count.apply_async(args=(self.season_id,), retry=False)
        except Exception as fault:
            log.warning("wake_up_lost", season=self.season_id, error=type(fault).__name__)


def _wake_after_commit(season_id: int) -> None:
    wake = _Wake(season_id)
    if any(hook[1] == wake for hook in connection.run_on_commit):
        return
    transaction.on_commit(wake, robust=True)


def waiting_seasons() -> QuerySet[Season]:
    """Seasons with something to count, those without a count yet among them."""
    waiting: QuerySet[Season] = Season.objects.filter(ledger_mark__gt=0).exclude(
        count__counted_mark__gte=F("ledger_mark")
    )
    return waiting.order_by("pk")


def beat_heart(now: datetime | None = None) -> None:
    """Note that the sweep ran."""
    Heartbeat.objects.update_or_create(name=SWEEP, defaults={"at": now or timezone.now()})
