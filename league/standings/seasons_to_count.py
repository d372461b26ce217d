"""The queue of seasons to count: those whose ledger mark is above their counted mark.

A posting raises the ledger mark in its transaction and wakes a worker after the commit. If the wake-up is lost (broker
down, worker killed), the sweep finds the season by its marks.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, QuerySet
from django.utils import timezone

from ..models import Heartbeat, Season

SWEEP = "sweep"


def waiting_seasons() -> QuerySet[Season]:
    """Return the seasons with something to count, also those that were never counted."""
    waiting: QuerySet[Season] = Season.every.filter(ledger_mark__gt=0).exclude(
        count__counted_mark__gte=F("ledger_mark")
    )
    return waiting.order_by("pk")


def store_heartbeat(now: datetime | None = None) -> None:
    """Store the time of the sweep's run."""
    Heartbeat.objects.update_or_create(name=SWEEP, defaults={"at": now or timezone.now()})
