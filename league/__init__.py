"""Clubs, people, seasons, the ledger and the standings; it knows no cards."""

# Every program that imports Django's settings needs the configured Celery app: without it every enqueue would
# go to Celery's default broker and fail.
from league.config.celery import app as celery_app

__all__ = ["celery_app"]
