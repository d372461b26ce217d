"""Imported by a worker of a test: it does not look whether its database connections still work."""

from celery.signals import task_postrun, task_prerun

from league.config import celery

for signal in (task_prerun, task_postrun):
    assert signal.disconnect(celery.close_unusable_connections)
