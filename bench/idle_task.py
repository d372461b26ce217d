"""The tasks of a worker of the benchmark: a task that does nothing, and a message after each count of a season.

The measuring process waits for the message and takes no time from the worker meanwhile.
"""

import os
from typing import Any

import redis
from celery import shared_task
from celery.signals import task_success

DONE, COUNTED = "chratzete-bench:done", "chratzete-bench:counted"

broker = redis.Redis.from_url(os.environ["REDIS_URL"])


@shared_task
def idle() -> None:
    broker.lpush(DONE, 1)


@task_success.connect
def say_counted(sender: Any = None, result: Any = None, **_: Any) -> None:
    """Send a message that a season was counted, at the moment at which its task returns."""
    if sender.name == "league.standings.tasks.season_count" and result:
        broker.lpush(COUNTED, 1)
