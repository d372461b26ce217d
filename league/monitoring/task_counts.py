"""Counters that workers share with web processes: the outcome of tasks by queue, and of mails. They are in the shared
cache; one that it drops begins again at 0, as counters of Prometheus may."""

from __future__ import annotations

from itertools import product
from typing import Any

from celery import Celery, states
from django.conf import settings
from django.core.cache import cache

from .. import counters
from .queues import queue_names

TASKS, MAILS = "tasks", "mails"
TASK_OUTCOMES = {states.SUCCESS: "success", states.FAILURE: "failure", states.RETRY: "retry"}
MAIL_OUTCOMES = ("sent", "failed")
KEEP_SECONDS = 10 * 365 * 24 * 3600


def count_task(task: Any = None, state: str = "", **_: Any) -> None:
    """Count a task that ended (`task_postrun`)."""
    if not settings.METRICS_TOKEN or task.request.is_eager or state not in TASK_OUTCOMES:
        return
    sent_to = (task.request.delivery_info or {}).get("routing_key") or task.app.conf.task_default_queue
    _count(TASKS, sent_to, TASK_OUTCOMES[state])


def count_mails(outcome: str, number: int = 1) -> None:
    """Count mails that were sent, or failed."""
    for _one in range(number):
        _count(MAILS, outcome)


def _count(*names: str) -> None:
    counters.count([_key(*names)], KEEP_SECONDS)


def _key(*names: str) -> str:
    return ":".join(("metrics", *names))


def task_counts(app: Celery) -> dict[tuple[str, str], int]:
    """Return the number of tasks by queue and outcome."""
    pairs = list(product(queue_names(app), TASK_OUTCOMES.values()))
    counts = cache.get_many([_key(TASKS, *pair) for pair in pairs])
    return {pair: counts.get(_key(TASKS, *pair), 0) for pair in pairs}


def mail_counts() -> dict[str, int]:
    """Return the number of mails by outcome."""
    counts = cache.get_many([_key(MAILS, outcome) for outcome in MAIL_OUTCOMES])
    return {outcome: counts.get(_key(MAILS, outcome), 0) for outcome in MAIL_OUTCOMES}
