"""Fixtures that run the product's real processes against this test's database and broker.

Use them with `transactional_db`: another process sees only committed rows.
"""

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from tests import servers

PROJECT = Path(__file__).resolve().parent.parent
START_SECONDS = 30.0
# What the unit of the worker gives it. A process of Celery's pool waits up to 30 s until its last result is read, if
# the worker is asked to end while a task runs.
STOP_SECONDS = 60.0


def database_url() -> str:
    """Return the address of the database that this test is connected to."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    host, user = database["HOST"] or "127.0.0.1", database["USER"]
    secret = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
    return f"postgresql://{user}{secret}@{host}:{database['PORT'] or 5432}/{database['NAME']}"


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which another process shares this test's database, broker and cache."""
    return {
        **os.environ,
        "TEST_CACHE_PREFIX": settings.CACHES["default"].get("KEY_PREFIX", ""),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": database_url(),
        "PYTHONFAULTHANDLER": "1",
        "PYTHONUNBUFFERED": "1",
        **more,
    }


@dataclass
class Process:
    """One process of the product; its output goes to the file `log`."""

    process: subprocess.Popen[bytes]
    log: Path
    url: str = ""

    def kill(self) -> None:
        """Kill the process at once, as a power cut does."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Kill the process with all its children, for the end of a test: stopping as a supervisor does takes
        seconds."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """End the process with SIGTERM, as a supervisor does; return its exit code. A process that does not end fails
        the test with its output and the stack of each of its threads."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            # The handler of `PYTHONFAULTHANDLER` writes the stacks.
            self.process.send_signal(signal.SIGABRT)
            self.process.wait()
            pytest.fail(f"not ended within {STOP_SECONDS} s of SIGTERM: {self.output()[-3000:]}", pytrace=False)

    def output(self) -> str:
        return self.log.read_text(errors="replace")


def wait_until(holds: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until `holds()` is true; return the seconds that it took. Fails the test after `seconds`."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > seconds:
            pytest.fail(f"not within {seconds} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - began


@contextlib.contextmanager
def processes_in(folder: Path) -> Iterator[Callable[..., Process]]:
    """Give a function that starts `python ARGS...` with the product's environment; end the processes afterwards."""
    started: list[Process] = []

    def start(*args: str, url: str = "", **more: str) -> Process:
        log = folder / f"process-{len(started)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *args],
                cwd=PROJECT,
                env=environment(**more),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=servers.die_with_parent(signal.SIGKILL),
                # Its children are in its group, so that they end with it.
                start_new_session=True,
            )
        started.append(Process(process, log, url))
        return started[-1]

    try:
        yield start
    finally:
        for each in started:
            each.end()


@pytest.fixture
def start_process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start `python ARGS...` with the product's environment; end it after the test."""
    with processes_in(tmp_path) as start:
        yield start


def start_web_server(start_process: Callable[..., Process], **more: str) -> Process:
    """Start gunicorn as in production on a free port; `.url` has no slash at its end.

    Without REDIS_URL the embedded worker runs inside it, as in the product.
    """
    # The test's own connection must hold no lock that the server waits for.
    connection.close()
    port = servers.free_port()
    url = f"http://127.0.0.1:{port}"
    args = ("-m", "gunicorn", "-c", "league/config/gunicorn_conf.py", "league.config.wsgi")
    server = start_process(*args, url=url, PORT=str(port), **more)

    def answers() -> bool:
        if server.process.poll() is not None:
            pytest.fail(f"the web server ended: {server.output()[-2000:]}")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
        return False

    wait_until(answers, START_SECONDS, "the web server answers")
    return server


@pytest.fixture
def web_server(transactional_db: None, start_process: Callable[..., Process]) -> Callable[..., Process]:
    """Start the web server (`start_web_server`); it ends with the test."""
    return functools.partial(start_web_server, start_process)


@pytest.fixture(scope="module")
def kept_web_server(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Process]:
    """One web server for the tests of a file that all use it in the same way: a start takes seconds."""
    with processes_in(tmp_path_factory.mktemp("kept")) as start:
        with django_db_blocker.unblock():
            server = start_web_server(start)
        yield server


@pytest.fixture
def celery_worker(transactional_db: None, start_process: Callable[..., Process]) -> Callable[..., Process]:
    """Start a real Celery worker on the run's Redis; tests that use it are marked `needs_redis`.

    `beat=True` adds the clock that starts the regular sweep; `include` names another module that the worker imports,
    `queues` the only ones from which it takes.
    """

    def start(*, beat: bool = False, pool: str = "solo", include: str = "", queues: str = "", **more: str) -> Process:
        if not settings.REDIS_URL:
            pytest.fail("a test with celery_worker must be marked needs_redis")
        args = ["-m", "celery", "-A", "league", "worker", "--pool", pool, "--concurrency", "2"]
        args += ["--loglevel", "INFO", "--without-gossip", "--without-mingle", *(["--beat"] if beat else [])]
        args += ["--include", include] if include else []
        args += ["--queues", queues, "--hostname", f"{queues}@test"] if queues else []
        worker = start_process(*args, LOG_LEVEL="INFO", **more)

        def is_ready() -> bool:
            if worker.process.poll() is not None:
                pytest.fail(f"the worker ended: {worker.output()[-2000:]}")
            return " ready." in worker.output()

        wait_until(is_ready, START_SECONDS, "the worker is ready")
        return worker

    return start
