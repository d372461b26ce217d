"""The state of the service as the database has it, for `manage.py queue` and for the page of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min, Q
from django.utils import timezone

from ..models import CountFailure, Delivery, Heartbeat, PlayerMessage, SentBill, UncountedPosting, Webhook
from ..standings import seasons_to_count
from ..webhooks.queue import not_removed

SILENT_AFTER = timedelta(seconds=60)
"""No worker is alive if the sweep ended longer ago: it runs every ten seconds."""


def heartbeats() -> dict[str, Heartbeat]:
    """Return the last time of all regular work, by name. One query."""
    return {heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.all()}


@dataclass(frozen=True)
class Counting:
    """The seasons that wait to be counted. `oldest`: the first posting that waits, of a season whose count does not
    fail."""

    waiting: int
    failing: int
    oldest: datetime | None


def counting() -> Counting:
    """Return what waits to be counted, and what fails. Three queries."""
    failing = CountFailure.objects.values("season")
    waits = UncountedPosting.objects.exclude(season__in=failing)
    return Counting(
        waiting=seasons_to_count.waiting_seasons().order_by().count(),
        failing=CountFailure.objects.count(),
        oldest=waits.aggregate(oldest=Min("posting__created_at"))["oldest"],
    )


@dataclass(frozen=True)
class Webhooks:
    """The messages that wait, the first of those that should have been tried by now, the webhooks whose receiver fails,
    and those that were switched off for it."""

    waiting: int
    overdue_since: datetime | None
    failing: int
    switched_off: int


def webhooks() -> Webhooks:
    """Return the state of all webhooks. Four queries."""
    now = timezone.now()
    free = Q(retry_at=None) | Q(retry_at__lte=now)
    tried = Webhook.objects.filter(free, active=True, removed_at=None)
    overdue = Delivery.objects.filter(next_at__lte=now, webhook__in=tried)
    return Webhooks(
        waiting=Delivery.objects.filter(next_at__isnull=False).count(),
        overdue_since=overdue.aggregate(first=Min("next_at"))["first"],
        failing=not_removed().filter(active=True, failing_since__isnull=False).count(),
        switched_off=not_removed().filter(off_at__isnull=False).count(),
    )


@dataclass(frozen=True)
class PlayerMessages:
    """The messages to players that wait, the first of those that should have been sent by now, and those of the last
    week that were given up."""

    waiting: int
    overdue_since: datetime | None
    failed: int


def player_messages() -> PlayerMessages:
    """Return the state of the messages to players. Three queries."""
    now = timezone.now()
    waiting = PlayerMessage.objects.filter(next_at__isnull=False)
    failed = PlayerMessage.objects.filter(state=PlayerMessage.State.FAILED, created_at__gt=now - timedelta(days=7))
    overdue = waiting.filter(next_at__lte=now).aggregate(first=Min("next_at"))["first"]
    return PlayerMessages(waiting.count(), overdue, failed.count())


def bills_perhaps_sent() -> int:
    """Return the number of bills whose mail was begun, and has no outcome."""
    return SentBill.objects.filter(state=SentBill.State.CLAIMED).count()
