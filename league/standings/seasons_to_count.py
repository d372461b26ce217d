"""The queue of seasons to count: those whose ledger mark is above their counted mark.

A posting raises the ledger mark in its transaction and wakes a worker after the commit. If the wake-up is lost (broker
down, worker killed), the sweep finds the season by its marks.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from .. import locks
from ..models import Heartbeat, Season

SWEEP = "sweep"
BUSY = timedelta(seconds=30)


def waiting_seasons() -> QuerySet[Season]:
    """Return the seasons with something to count, also those that were never counted."""
    waiting: QuerySet[Season] = Season.every.filter(ledger_mark__gt=0).exclude(
        count__counted_mark__gte=F("ledger_mark")
    )
    return waiting.order_by("pk")


def begin_sweep() -> bool:
    """Return True if no other sweep runs. A sweep that was killed counts as running for `BUSY` after its last step."""
    Heartbeat.objects.bulk_create([Heartbeat(name=SWEEP)], ignore_conflicts=True)
    return locks.claim(_sweep().filter(locks.free("busy_until", BUSY)), "busy_until", BUSY) is not None


def go_on_sweeping() -> None:
    """Let no other sweep begin for a while."""
    _sweep().update(busy_until=Now() + BUSY)


def end_sweep() -> None:
    """Store the heartbeat; the next sweep may begin."""
    _sweep().update(at=timezone.now(), busy_until=None)


def _sweep() -> QuerySet[Heartbeat]:
    return Heartbeat.objects.filter(name=SWEEP)
