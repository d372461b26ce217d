"""A broker that does not answer delays a request by one short wait at most, and loses nothing."""

import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from league.config import celery
from tests import redis_faults
from tests.processes import PROJECT, Process, database_url, wait_until

WAIT_SECONDS = 1.5
APPLICATION = "test-worker"
WAKE = """
import time, django
django.setup()
from league.config import celery, redis_away
for _ in range({times}):
    began = time.monotonic()
    print(celery.wake("league.jobs.tasks.sweep"), time.monotonic() - began)
    {between}
"""


@pytest.fixture
def hung() -> Iterator[str]:
    with redis_faults.hung() as url:
        yield url


@pytest.fixture
def refused() -> str:
    return redis_faults.refused()


def wake_ups(url: str, data: Path, *, times: int = 3, between: str = "") -> list[tuple[bool, float]]:
    """Send wake-ups in a new process; return for each if it was accepted, and its seconds."""
    env = {**os.environ, "REDIS_URL": url, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "league.config.settings"}
    code = WAKE.format(times=times, between=between)
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(taken == "True", float(seconds)) for taken, seconds in rows]


@pytest.mark.rest
@pytest.mark.parametrize("broker", ["hung", "refused"])
def test_a_wake_up_never_waits_long_and_never_raises(
    broker: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    attempts = wake_ups(request.getfixturevalue(broker), tmp_path, between="redis_away.forget()")
    assert [taken for taken, _ in attempts] == [False, False, False]
    # One of them may be slow because the machine is busy.
    assert statistics.median(seconds for _, seconds in attempts) <= WAIT_SECONDS


def test_after_a_failure_the_broker_gets_no_wake_ups_for_a_while(hung: str, tmp_path: Path) -> None:
    _, *later = wake_ups(hung, tmp_path, times=20)
    assert statistics.median(seconds for _, seconds in later) <= 0.3


@pytest.mark.rest
def test_without_the_pause_every_wake_up_waits(hung: str, tmp_path: Path) -> None:
    attempts = wake_ups(hung, tmp_path, times=2, between="redis_away.forget()")
    assert min(seconds for _, seconds in attempts) >= 0.9


def test_the_web_app_loads_the_celery_app() -> None:
    # Without the project's own app a task goes to Celery's default broker, and fails.
    code = "import league.config.wsgi, celery; print(celery.current_app.main)"
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "chratzete", done.stderr


def test_a_worker_knows_every_scheduled_task() -> None:
    code = (
        "import django; django.setup(); from league import celery_app as app; app.loader.import_default_modules(); "
        "print([each['task'] for each in app.conf.beat_schedule.values() if each['task'] not in app.tasks])"
    )
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.needs_redis
def test_a_worker_in_another_process_gets_the_wake_up(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker()
    assert celery.wake("league.jobs.tasks.sweep")
    wait_until(lambda: "succeeded" in worker.output(), 10, "the sweep ran")


@pytest.mark.rest
@pytest.mark.needs_redis
def test_the_clock_starts_the_sweep(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(beat=True)
    wait_until(
        lambda: "league.jobs.tasks.sweep" in worker.output() and "succeeded" in worker.output(), 40, "a sweep came"
    )


@pytest.mark.needs_redis
def test_a_worker_ends_cleanly_on_sigterm(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(pool="prefork")
    assert worker.stop() == 0


def backends() -> list[int]:
    """Return the process ids of PostgreSQL that serve the worker."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s",
            [APPLICATION],
        )
        return [pid for (pid,) in cursor.fetchall()]


def swept(worker: Process) -> list[int]:
    """Run a further sweep; return the connections of the worker after it."""
    before = ended(worker)
    assert celery.wake("league.jobs.tasks.sweep")
    wait_until(lambda: ended(worker) > before, 20, "the sweep ended")
    return backends()


def ended(worker: Process) -> int:
    """Return the number of its sweeps that ended: tests before this one may have left other tasks in the queue."""
    return len(re.findall(r"\.sweep\[[^\]]*\] (?:succeeded in|raised unexpected:) ", worker.output()))


def end(pid: int) -> None:
    """End a connection of the worker, as a restart of PostgreSQL does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    wait_until(lambda: pid not in backends(), 10, "the connection ended")


@pytest.mark.needs_postgres
@pytest.mark.needs_redis
def test_a_worker_keeps_its_connection_and_replaces_a_broken_one(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(DATABASE_URL=f"{database_url()}?application_name={APPLICATION}")
    (first,) = swept(worker)
    assert swept(worker) == [first]
    end(first)
    (second,) = swept(worker)
    assert second != first
    assert " raised " not in worker.output()


@pytest.mark.needs_postgres
@pytest.mark.needs_redis
def test_without_the_check_a_task_fails_on_a_broken_connection(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(
        DATABASE_URL=f"{database_url()}?application_name={APPLICATION}", include="tests.unchecked_connections"
    )
    (first,) = swept(worker)
    end(first)
    swept(worker)
    assert worker.output().count(" raised unexpected: OperationalError") == 1
