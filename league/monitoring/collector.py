"""The metrics that are read at each scrape: the same in every process, whichever answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from celery import Celery
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..models import Heartbeat
from ..standings.seasons_to_count import SWEEP
from . import queues, state, task_counts
from .marks import BACKUP, CLOCK, VERIFY

PREFIX = "chratzete_"


class StateCollector(Collector):
    """Reads the state from the database, the broker and the shared cache. What cannot be read is left out."""

    def __init__(self, app: Celery) -> None:
        self.app = app

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics of the state."""
        info = GaugeMetricFamily(f"{PREFIX}info", "The version of the program", labels=["version"])
        info.add_metric([settings.PRODUCT_VERSION], 1)
        yield info
        try:
            metrics = list(_of_the_database())
        except (DatabaseError, InterfaceError):
            metrics = []
        yield _gauge("database_up", "1 if the database answers", bool(metrics))
        yield from metrics
        yield from self._of_the_broker()

    def _of_the_broker(self) -> Iterator[Metric]:
        waiting = queues.waiting(self.app)
        yield _gauge("redis_up", "1 if Redis answers, or is not used", waiting is not None)
        messages = GaugeMetricFamily(f"{PREFIX}queue_messages", "Tasks that wait", labels=["queue"])
        oldest = GaugeMetricFamily(
            f"{PREFIX}queue_oldest_age_seconds", "Age of the oldest task that waits", labels=["queue"]
        )
        for name, queue in (waiting or {}).items():
            messages.add_metric([name], queue.messages)
            oldest.add_metric([name], queue.oldest_seconds)
        yield messages
        yield oldest
        tasks = CounterMetricFamily(f"{PREFIX}tasks", "Tasks that ended", labels=["queue", "outcome"])
        # Without Redis these would be the few that this process counted since: as if all had begun again.
        for pair, number in task_counts.task_counts(self.app).items() if waiting is not None else ():
            tasks.add_metric(list(pair), number)
        yield tasks
        mails = CounterMetricFamily(f"{PREFIX}mails", "Mails, by outcome", labels=["outcome"])
        for outcome, number in task_counts.mail_counts().items() if waiting is not None else ():
            mails.add_metric([outcome], number)
        yield mails


def _of_the_database() -> Iterator[Metric]:
    marks = state.heartbeats()
    yield _time(marks, SWEEP, "worker_seen", "The last sign of life of a worker: the end of its last sweep")
    yield _time(marks, CLOCK, "clock_seen", "The last sign of life of the clock: its last task sent")
    yield _time(marks, VERIFY, "verify", "The end of the last `verify`")
    yield _gauge("verify_differences", "Differences that the last `verify` found", _value(marks, VERIFY))
    yield _time(marks, BACKUP, "backup", "The last backup")
    yield _gauge("backup_bytes", "The size of the last backup", _value(marks, BACKUP))
    counting = state.counting()
    yield _gauge("seasons_waiting", "Seasons that wait to be counted", counting.waiting)
    yield _gauge("counts_failing", "Counts that fail", counting.failing)
    yield _gauge(
        "oldest_mark_age_seconds",
        "Age of the first posting that waits to be counted, without seasons whose count fails",
        _age(counting.oldest),
    )
    webhooks = state.webhooks()
    yield _gauge("webhook_messages_waiting", "Messages that wait to be sent to webhooks", webhooks.waiting)
    yield _gauge(
        "webhook_overdue_seconds",
        "Time since the first message to a webhook should have been tried",
        _age(webhooks.overdue_since),
    )
    yield _gauge("webhooks_failing", "Webhooks whose receiver does not take messages", webhooks.failing)
    yield _gauge("webhooks_switched_off", "Webhooks that were switched off for it", webhooks.switched_off)
    player_messages = state.player_messages()
    yield _gauge(
        "player_messages_waiting", "Messages to players that wait to be sent by mail or push", player_messages.waiting
    )
    yield _gauge(
        "player_messages_overdue_seconds",
        "Time since the first message to a player should have been sent",
        _age(player_messages.overdue_since),
    )
    yield _gauge(
        "player_messages_failed", "Messages to players of the last week that were given up", player_messages.failed
    )
    yield _gauge("bills_perhaps_sent", "Bills whose mail was begun and has no outcome", state.bills_perhaps_sent())


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"{PREFIX}{name}", meaning, value=value)


def _time(marks: Mapping[str, Heartbeat], mark: str, name: str, meaning: str) -> Metric:
    """Return the time of a mark in seconds; 0 for never."""
    moment = marks[mark].at if mark in marks else None
    return _gauge(f"{name}_timestamp_seconds", meaning, moment.timestamp() if moment else 0)


def _value(marks: Mapping[str, Heartbeat], mark: str) -> int:
    return (marks[mark].value or 0) if mark in marks else 0


def _age(since: datetime | None) -> float:
    return max(0.0, (timezone.now() - since).total_seconds()) if since else 0.0
