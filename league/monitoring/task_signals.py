"""What follows each task: the id of its request, the clock's sign of life, counters."""

from __future__ import annotations

from celery.signals import beat_embedded_init, beat_init, before_task_publish, task_postrun, task_prerun

from .. import request_ids
from . import clock, queues, task_counts


def connect() -> None:
    """Connect the signals of Celery, once the models are loaded."""
    beat_init.connect(clock.begin)
    beat_embedded_init.connect(clock.begin)
    for note in (request_ids.add_to_message, queues.add_time, clock.note):
        before_task_publish.connect(note)
    task_prerun.connect(request_ids.begin_task)
    task_postrun.connect(task_counts.count_task)
    task_postrun.connect(request_ids.end_task)
