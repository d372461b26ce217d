"""The Celery worker and its scheduler inside the web process, for a machine without a broker.

The queue is in the memory of this process and ends with it. Nothing is lost: the database has the queue of uncounted
postings, and the sweep reads it.
"""

import threading
from typing import Any

import structlog
from celery import beat
from celery.worker import WorkController, state

from league.config import database_limits
from league.config.celery import app

log = structlog.get_logger(__name__)

STOP_SECONDS = 5.0
RESTART_SECONDS = 1.0
SCHEDULER_SECONDS = 1
"""The longest sleep of the scheduler: it looks for the end of the process between two sleeps."""


class EmbeddedWorker:
    """One worker that runs one task at a time, and the scheduler that sends the sweep."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        # Daemon threads: a task that hangs must not keep the process from ending.
        self._thread = threading.Thread(target=self._work, name="embedded-worker", daemon=True)
        # The default scheduler would write a file with its last runs into the working folder. There is no other clock.
        self._scheduler: Any = beat.EmbeddedService(
            app, max_interval=SCHEDULER_SECONDS, thread=True, scheduler_cls=beat.Scheduler
        )

    def start(self) -> None:
        app.finalize()
        self._thread.start()
        self._scheduler.start()

    def stop(self) -> bool:
        """Stop both after the current task. Return False if the task takes too long and keeps running."""
        self._stopping.set()
        # The worker's loop reads this between two messages. Celery's signal handlers, which only a main thread may
        # install, end a worker in the same way.
        state.should_stop = 0  # type: ignore[assignment]
        # A message ends its wait for messages, which takes up to two seconds; after the wait in which it is stopped the
        # worker waits once more. These have expired: they are not run.
        for _ in range(2):
            app.send_task("league.jobs.tasks.sweep", expires=-1)
        if self._scheduler.is_alive():
            self._scheduler.stop()
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive():
            return False
        state.should_stop = None
        return True

    def _work(self) -> None:
        while not self._stopping.is_set():
            worker = WorkController(
                app=app,
                pool="solo",
                concurrency=1,
                hostname="embedded@localhost",
                without_heartbeat=True,
                without_mingle=True,
                without_gossip=True,
            )
            worker.start()
            if not self._stopping.wait(RESTART_SECONDS):
                log.error("embedded_worker_restarted", exitcode=worker.exitcode)


_running: EmbeddedWorker | None = None


def start() -> None:
    """Start the worker of this process, once."""
    global _running
    if _running is None:
        database_limits.use(database_limits.WORKER)
        _running = EmbeddedWorker()
        _running.start()


def stop() -> None:
    """Stop the worker, if it runs."""
    global _running
    if _running is not None:
        if not _running.stop():
            log.warning("embedded_worker_left_behind")
        _running = None
