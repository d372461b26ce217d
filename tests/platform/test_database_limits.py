"""PostgreSQL ends what takes a process of the web or a worker too long; commands have no limits; nothing of it stays on
a connection that pgbouncer shares out."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from celery.signals import celeryd_init
from django.conf import settings
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext

from league.config import database_limits, embedded, queues
from league.config.database_limits import WEB, WORKER, Limits
from tests import servers
from tests.processes import Process, database_url

pytestmark = [pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]

STUCK = "tests.platform.stuck_statement.StuckStatement"
SETTINGS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
NONE = ["0", "0", "0"]
SHOW = f"""
from django.db import connection
for name in {SETTINGS}:
    with connection.cursor() as cursor:
        cursor.execute("SHOW " + name)
        print("limit", cursor.fetchone()[0])
"""


@pytest.fixture(autouse=True)
def as_a_command() -> Iterator[None]:
    """Give the connections of this process no limits before and after the test, as in a command: the tests that import
    `league.config.wsgi` leave it with those of the web."""
    no_limits()
    yield
    no_limits()


def no_limits() -> None:
    database_limits.use(None)
    connection.close()


def limits_here() -> list[int]:
    """Open a new connection; return its limits in seconds."""
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setting::int / 1000 FROM pg_settings WHERE name = ANY(%s) ORDER BY name", [list(SETTINGS)]
        )
        idle, lock, statement = (row[0] for row in cursor.fetchall())
    return [statement, lock, idle]


def test_a_worker_has_longer_limits_than_the_web_and_shorter_ones_than_its_tasks() -> None:
    assert all(web <= worker for web, worker in zip(*map(dataclasses.astuple, (WEB, WORKER)), strict=True))
    assert WORKER.statement < min(work.soft for work in queues.WORK if work.queue in (queues.COUNTING, queues.BULK))


def test_each_connection_has_the_limits_of_the_process() -> None:
    for limits in (WEB, WORKER):
        database_limits.use(limits)
        assert limits_here() == list(dataclasses.astuple(limits))


def test_a_worker_takes_the_limits_of_workers() -> None:
    conf = type("Conf", (), {"broker_transport_options": {}})()
    celeryd_init.send(sender="test", conf=conf)
    assert limits_here() == list(dataclasses.astuple(WORKER))


def test_a_web_process_with_the_worker_inside_takes_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    database_limits.use(WEB)
    monkeypatch.setattr(embedded.EmbeddedWorker, "start", lambda self: None)
    monkeypatch.setattr(embedded, "_running", None)
    embedded.start()
    assert limits_here() == list(dataclasses.astuple(WORKER))


def test_a_command_such_as_a_migration_has_none(start_process: Callable[..., Process]) -> None:
    assert limits_here() == [0, 0, 0]
    process = start_process("manage.py", "shell", "--no-imports", "-c", SHOW)
    assert process.process.wait(60) == 0, process.output()
    assert [line.split()[1] for line in process.output().splitlines() if line.startswith("limit")] == NONE


def get(server: Process, path: str, **headers: str) -> tuple[int, Any, str]:
    """Return status, headers and body."""
    request = urllib.request.Request(f"{server.url}{path}", headers={"Accept-Language": "en", **headers})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


@pytest.mark.rest
@pytest.mark.needs_redis
def test_a_statement_beyond_the_limit_is_ended_and_answered_503(web_server: Callable[..., Process]) -> None:
    server = web_server(TEST_MIDDLEWARE=STUCK, WEB_PROCESSES="1")
    assert json.loads(get(server, "/limits/")[2]) == dataclasses.asdict(WEB)
    status, headers, page = get(server, "/stuck/")
    assert (status, headers["Retry-After"]) == (503, "2"), server.output()[-2000:]
    # This middleware stands before the one that chooses the language.
    sentence = "This took the database too long. Try again in a minute: what you send twice is stored once."
    with translation.override(settings.LANGUAGE_CODE):
        assert gettext(sentence) in page
    # The connection goes on.
    assert get(server, "/readyz")[0] == 200


@pytest.fixture
def bouncer() -> Iterator[str]:
    """The address of this test's database through pgbouncer."""
    try:
        with servers.pgbouncer(database_url()) as pool:
            yield pool.url
    except servers.NoServer as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


def limits_of_others(url: str, opened: Callable[[Any], None]) -> set[str]:
    """Let a client open a connection; return the limits that another one finds afterwards."""
    with contextlib.closing(psycopg.connect(url, autocommit=True, prepare_threshold=None)) as client:
        opened(client)
    with contextlib.closing(psycopg.connect(url, autocommit=True, prepare_threshold=None)) as other:
        return {str(other.execute(f"SHOW {name}").fetchone()[0]) for name in SETTINGS}  # type: ignore[index]


class _Opened:
    """A connection as Django gives it to the receivers of `connection_created`."""

    vendor = "postgresql"

    def __init__(self, client: Any) -> None:
        self.connection, self.cursor = client, client.cursor


@pytest.mark.rest
def test_connections_of_pgbouncer_stay_as_they_are(bouncer: str) -> None:
    database_limits.use(Limits(7, 7, 7))
    assert limits_of_others(bouncer, lambda client: database_limits._limit(_Opened(client))) == {"0"}
    # The twin: the same without the question whose connection it is.
    always = database_limits._SET.replace("pg_backend_pid() = %s", "%s > 0")
    limits = limits_of_others(bouncer, lambda client: client.execute(always, ["7s", "7s", "7s", 1]))
    assert limits == {"7s"}
    assert limits_of_others(database_url(), lambda client: database_limits._limit(_Opened(client))) == {"0"}
