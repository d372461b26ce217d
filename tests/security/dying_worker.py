"""Celery workers in processes that are forked from the test: to start a new one takes seconds.

Within a task such a worker is killed, as a power cut does: before the first write by any thread to a table, or before a
statement of this number, after the task if that has fewer.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from celery.signals import task_postrun, task_prerun, worker_ready
from django.db import connection, connections
from django.db.backends.signals import connection_created

from league.config.celery import app
from tests import servers
from tests.processes import START_SECONDS, wait_until

READY = "the worker is ready"


def _writes_to(table: str, statement: str) -> bool:
    writes = statement.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE"))
    return writes and table in statement.replace("(", " ").replace('"', " ").split()[:4]


def _die_in(task_name: str, before: str | int) -> None:
    """Kill this process within the task."""
    begun: list[str] = []
    seen = itertools.count(1)

    def die(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if begun and (_writes_to(before, sql) if isinstance(before, str) else next(seen) == before):
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    def watch(connection: Any, **_more: Any) -> None:
        connection.execute_wrappers.append(die)

    def begin(task: Any = None, **_more: Any) -> None:
        if task.name == task_name:
            begun.append(task.name)

    def end(task: Any = None, **_more: Any) -> None:
        if task.name == task_name and isinstance(before, int):
            os.kill(os.getpid(), signal.SIGKILL)

    task_prerun.connect(begin, weak=False)
    task_postrun.connect(end, weak=False)
    connection_created.connect(watch, weak=False)


def _work(log: Path, dies: tuple[str, str | int] | None) -> None:
    servers.die_with_parent(signal.SIGKILL)()
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = log.open("w", buffering=1)  # type: ignore[misc]
    worker_ready.connect(lambda **_more: print(READY), weak=False)
    connection.execute_wrappers.clear()
    if dies is not None:
        _die_in(*dies)
    app.Worker(pool="solo", concurrency=1, loglevel="INFO", without_gossip=True, without_mingle=True).start()


@contextmanager
def workers_in(folder: Path) -> Iterator[Callable[..., BaseProcess]]:
    """Give a function that starts a worker; `dies`: the task and the table, or the
    number of the statement, of its death. All end with the block."""
    started: list[BaseProcess] = []

    def start(dies: tuple[str, str | int] | None = None) -> BaseProcess:
        # Two processes must not use one connection.
        connections.close_all()
        log = folder / f"worker-{len(started)}.log"
        worker = multiprocessing.get_context("fork").Process(target=_work, args=(log, dies), daemon=True)
        worker.start()
        started.append(worker)

        def is_ready() -> bool:
            if not worker.is_alive():
                pytest.fail(f"the worker ended: {log.read_text()[-2000:]}")
            return log.exists() and READY in log.read_text()

        wait_until(is_ready, START_SECONDS, READY)
        return worker

    try:
        yield start
    finally:
        for worker in started:
            worker.kill()
            worker.join()


def wait_for(holds: Callable[[], bool], seconds: float, what: str, folder: Path) -> None:
    """Wait as `wait_until`; a failure shows what the workers wrote until then."""
    try:
        wait_until(holds, seconds, what)
    except pytest.fail.Exception as failure:
        written = "\n".join(log.read_text()[-1500:] for log in sorted(folder.glob("worker-*.log")))
        pytest.fail(f"{failure}\n{written}")
