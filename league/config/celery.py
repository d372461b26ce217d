"""The Celery app, and a task class that pauses after a failure of the broker.

The database is the queue: a task is only a wake-up, and the sweep finds the work of a lost wake-up. So a broker that is
down or hangs delays one request by a short time, and the next requests not at all.
"""

import os
from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import celeryd_init, task_postrun, task_prerun
from django.conf import settings
from django.db import close_old_connections
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from . import database_limits, redis_away

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.config.settings")

log = structlog.get_logger(__name__)

CONNECTION_REUSES = 1000
"""The number of tasks after which Celery closes the database connection of a worker, whatever its age."""
NO_ANSWER = (OperationalError, RedisError, OSError)


class BrokerAway(ConnectionError):
    """Redis has just failed and is not called."""


class WakeUpTask(Task[Any, Any]):
    """A task whose sending fails at once after a failure of the broker."""

    abstract = True

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        """Send the task. Raises BrokerAway at once, or an error of the client library after one broker time-out."""
        return _send(self.name, lambda: super(WakeUpTask, self).apply_async(*args, **kwargs))


def _send(task: str, send: Callable[[], Any]) -> Any:
    """Call `send` unless Redis has just failed. Raises BrokerAway, or an error of the client library."""
    if redis_away.is_away():
        raise BrokerAway(task)
    try:
        return send()
    except NO_ANSWER as error:
        redis_away.failed(error)
        raise


def wake(task: str, *args: int) -> bool:
    """Send a task by its name after a commit. Return False when the broker did not take it. Never raise.

    By name: a service that wakes a task does not import it, as the task imports services.
    """
    try:
        _send(task, lambda: app.send_task(task, args=args, retry=False))
    except Exception as error:
        # The commit stays, and its answer must not fail: the sweep finds the work without a wake-up.
        log.warning("wake_up_lost", task=task, error=type(error).__name__)
        return False
    return True


app: "Celery[Task[Any, Any]]" = Celery("chratzete", task_cls=WakeUpTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
# Without it Celery closes the connection before and after each task, and opening one takes longer than most tasks.
app.conf["CELERY_DB_REUSE_MAX"] = CONNECTION_REUSES
ROOMS_WITH_TASKS = (
    *("api", "chances", "club_admin", "jobs", "large_files", "luck", "player_messages"),
    *("privacy", "standings", "webhooks"),
)
app.autodiscover_tasks([f"league.{room}" for room in ROOMS_WITH_TASKS])


@celeryd_init.connect
def give_workers_patience(conf: Any = None, **_: Any) -> None:
    """Let workers wait for work and for a broker that returns; the processes that wake them wait for neither.
    Their statements have the limits of workers."""
    database_limits.use(database_limits.WORKER)
    conf.broker_transport_options = {
        **(conf.broker_transport_options or {}),
        **settings.WORKER_TRANSPORT_OPTIONS,
    }


@task_prerun.connect
@task_postrun.connect
def close_unusable_connections(task: Any = None, **_: Any) -> None:
    """Close database connections that are broken or too old, as Django does around each request; the task opens a new
    one. A task that its caller runs at once has the caller's connection."""
    if not task.request.is_eager:
        close_old_connections()
