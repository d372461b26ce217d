"""Clubs, people, seasons, the ledger and the standings; it knows no cards."""

import gc

# A start makes 400,000 objects that stay. With Python's threshold of 700 the garbage collector looks through them again
# and again, a fifth of the time of a start.
gc.set_threshold(50_000, 20, 50)

# Every program that imports Django's settings needs the configured Celery app: without it every enqueue would
# go to Celery's default broker and fail.
from league.config.celery import app as celery_app  # noqa: E402 - the threshold is for this import, too

__all__ = ["celery_app"]
