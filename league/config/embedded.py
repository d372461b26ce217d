"""The Celery worker and its clock inside the web process, for a machine without a broker.

The queue is this process's memory and dies with it. That loses nothing: what is left to count stands in the
database, and the sweep finds it.
"""

import threading
from typing import Any

import structlog
from celery import beat
from celery.worker import WorkController, state
from django.conf import settings

from league.config.celery import app

log = structlog.get_logger(__name__)

STOP_SECONDS = 5.0
RESTART_SECONDS = 1.0


class EmbeddedWorker:
    """One worker that runs one task at a time, and the clock that sends the sweep."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        # Daemons: a task that hangs must not keep the process from ending.
        self._thread = threading.Thread(target=self._work, name="embedded-worker", daemon=True)
        # Left to itself the embedded clock would keep a file of its last runs in the working folder.
        self._clock: Any = beat.EmbeddedService(app, thread=True, scheduler_cls=settings.CELERY_BEAT_SCHEDULER)

    def start(self) -> None:
        app.finalize()
        self._thread.start()
        self._clock.start()

    def stop(self) -> bool:
        """End both after the task at hand; False when that took too long and it was left behind."""
        self._stopping.set()
        # What a worker's loop looks at between two messages; setting it is how Celery's own signal
        # handlers, which only a main thread may install, end a worker.
        state.should_stop = 0  # type: ignore[assignment]
        if self._clock.is_alive():
            self._clock.stop()
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
    """Start this process's worker, once."""
    global _running
    if _running is None:
        _running = EmbeddedWorker()
        _running.start()


def stop() -> None:
    """Stop it, if it runs."""
    global _running
    if _running is not None:
        if not _running.stop():
            log.warning("embedded_worker_left_behind")
        _running = None
