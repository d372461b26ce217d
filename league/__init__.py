"""Clubs, people, seasons, the ledger and the standings; it knows no cards."""

# Whoever imports Django's settings must find the Celery app configured: without it every enqueue would
# go to Celery's default broker and fail.
from league.config.celery import app as celery_app

__all__ = ["celery_app"]
