"""The queues of the workers: which tasks each one has, and for how long a task may run.

A worker takes from all queues unless `-Q` names some. So one worker is enough for a small server, and on a large one a
worker for each queue lets the counting of seasons wait for nothing else (docs/deploy.md). The embedded worker has
neither processes nor signals: there the limits do not apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kombu import Queue


@dataclass(frozen=True)
class Work:
    """A queue. After `soft` seconds `SoftTimeLimitExceeded` is raised within a task, which is then a failure as any
    other one: logged, and tried again later. After `hard` seconds the process of a task that goes on is killed."""

    queue: str
    tasks: tuple[str, ...]
    soft: int
    hard: int


COUNTING, FILES, MESSAGES, BULK = "counting", "files", "messages", "bulk"
WORK = (
    # A season of a million hands is counted from scratch in about a minute.
    Work(COUNTING, ("league.standings.tasks.season_count", "league.jobs.tasks.sweep"), 240, 300),
    # Files and messages are made in threads, which have limits of their own: the tasks only start them.
    Work(FILES, ("league.large_files.tasks.make", "league.large_files.tasks.tidy"), 60, 90),
    Work(
        MESSAGES,
        ("league.webhooks.tasks.send", "league.webhooks.tasks.tidy", "league.player_messages.tasks.send"),
        60,
        90,
    ),
    # Simulations, and what is removed every hour.
    Work(
        BULK,
        (
            "league.chances.tasks.chances_compute",
            "league.luck.tasks.count",
            "league.club_admin.tasks.tidy",
            "league.privacy.tasks.tidy",
            "league.api.tasks.tidy",
        ),
        240,
        300,
    ),
)
LONGEST_SECONDS = max(work.hard for work in WORK)


def declared() -> list[Queue]:
    """Return the queues that a worker without `-Q` takes from."""
    return [Queue(work.queue) for work in WORK]


def routes() -> dict[str, dict[str, str]]:
    """Return the queue of each task."""
    return {task: {"queue": work.queue} for work in WORK for task in work.tasks}


def limits() -> dict[str, dict[str, Any]]:
    """Return the limits of each task, as annotations of Celery."""
    return {task: {"soft_time_limit": work.soft, "time_limit": work.hard} for work in WORK for task in work.tasks}
