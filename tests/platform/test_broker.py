"""A broker that is away costs whoever enters a hand at most one short wait, and loses nothing."""

import os
import socket
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes import PROJECT, Process, wait_until

WAIT_SECONDS = 1.5
WAKE = """
import time, django
django.setup()
from league.config import celery
from league.tasks import sweep
for _ in range({times}):
    began = time.monotonic()
    print(sweep.wake(), time.monotonic() - began)
    {between}
"""


@pytest.fixture
def hung() -> Iterator[str]:
    """A Redis that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


@pytest.fixture
def refused() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{probe.getsockname()[1]}/0"


def wakes(url: str, data: Path, *, times: int = 3, between: str = "") -> list[tuple[bool, float]]:
    """What each wake-up in a fresh process came to: taken or not, and the seconds it took."""
    env = {**os.environ, "REDIS_URL": url, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "league.config.settings"}
    code = WAKE.format(times=times, between=between)
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(taken == "True", float(seconds)) for taken, seconds in rows]


@pytest.mark.parametrize("broker", ["hung", "refused"])
def test_a_wake_up_never_waits_long_and_never_raises(
    broker: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    found = wakes(request.getfixturevalue(broker), tmp_path, between="celery.forget_broker_failure()")
    assert [taken for taken, _ in found] == [False, False, False]
    # One of them may have met a machine that was busy with something else.
    assert statistics.median(seconds for _, seconds in found) <= WAIT_SECONDS


def test_after_a_failure_the_broker_is_left_alone(hung: str, tmp_path: Path) -> None:
    _, *later = wakes(hung, tmp_path, times=20)
    assert statistics.median(seconds for _, seconds in later) <= 0.3


def test_without_that_every_wake_up_would_wait(hung: str, tmp_path: Path) -> None:
    found = wakes(hung, tmp_path, times=2, between="celery.forget_broker_failure()")
    assert min(seconds for _, seconds in found) >= 0.9


def test_what_loads_the_web_app_loads_the_celery_app() -> None:
    # Without the project's own app an enqueue goes to Celery's default broker, and fails.
    code = "import league.config.wsgi, celery; print(celery.current_app.main)"
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "chratzete", done.stderr


def test_a_worker_knows_every_task_that_the_clock_sends() -> None:
    code = (
        "import django; django.setup(); from league import celery_app as app; app.loader.import_default_modules(); "
        "print([each['task'] for each in app.conf.beat_schedule.values() if each['task'] not in app.tasks])"
    )
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.needs_redis
def test_a_worker_in_another_process_hears_the_wake_up(celery_worker: Callable[..., Process]) -> None:
    from league.tasks import sweep

    worker = celery_worker()
    assert sweep.wake()  # type: ignore[attr-defined]
    wait_until(lambda: "succeeded" in worker.said(), 10, "the sweep ran")


@pytest.mark.needs_redis
def test_the_clock_sends_the_sweep_by_itself(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(beat=True)
    wait_until(lambda: "league.tasks.sweep" in worker.said() and "succeeded" in worker.said(), 40, "a sweep came")


@pytest.mark.needs_redis
def test_a_worker_ends_cleanly_when_told(celery_worker: Callable[..., Process]) -> None:
    worker = celery_worker(pool="prefork")
    assert worker.stop() == 0
