"""A Celery task that does nothing but say that it ran."""

import os

import redis
from celery import shared_task

DONE = "chratzete-bench:done"


@shared_task
def idle() -> None:
    redis.Redis.from_url(os.environ["REDIS_URL"]).lpush(DONE, 1)
