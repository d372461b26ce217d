"""A database that is away is a 503 with the seconds to wait; every program of ours goes on by itself.

`RESTARTS` changes how often a database is restarted, three times in each night.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection
from django.test import Client
from django.utils import timezone

from games.integrity.verify import differences
from games.models import Hand
from league import database_away
from league.models import Delivery, Player, Webhook
from league.standings import seasons_to_count
from tests.api.api_client import is_problem, key_for
from tests.api.test_games_client import client_module, evening_file
from tests.cast import Cast, cast
from tests.factories import create_table
from tests.faulty_line import faulty_line
from tests.league.webhook_receiver import Receiver, receiver, webhook_at
from tests.processes import Process, database_url, wait_until

pytestmark = pytest.mark.rest

HANDS = 24
RESTARTS = (4, 10, 16)
"""After these hands the database is restarted."""
each_night = pytest.mark.parametrize("nth", range(math.ceil(int(os.environ.get("RESTARTS", "3")) / len(RESTARTS))))


@pytest.fixture
def people(transactional_db: None) -> Cast:
    return cast()


# --- Faults of a database that is away ---------------------------------------------------------------------


def fault_of(act: Callable[[sqlite3.Connection], object], file: str = ":memory:") -> DatabaseError:
    """Return the fault of SQLite as Django raises it."""
    try:
        act(sqlite3.connect(file, timeout=0))
    except sqlite3.Error as cause:
        kind = {sqlite3.OperationalError: OperationalError, sqlite3.IntegrityError: IntegrityError}
        fault = kind.get(type(cause), DatabaseError)(*cause.args)
        fault.__cause__ = cause
        return fault
    raise AssertionError("no fault")


def fill_up(base: sqlite3.Connection) -> None:
    base.execute("PRAGMA max_page_count = 2")
    base.execute("CREATE TABLE a (b)")
    base.execute("INSERT INTO a VALUES (zeroblob(100000))")


def write_twice(base: sqlite3.Connection) -> None:
    base.execute("CREATE TABLE a (b UNIQUE)")
    base.execute("INSERT INTO a VALUES (1), (1)")


def test_a_full_database_is_away() -> None:
    assert database_away.is_away(fault_of(fill_up))


def test_a_locked_database_is_away(tmp_path: Any) -> None:
    file = str(tmp_path / "base")
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert database_away.is_away(fault_of(lambda base: base.execute("BEGIN IMMEDIATE"), file))


def test_a_file_that_cannot_be_opened_is_away(tmp_path: Any) -> None:
    assert database_away.is_away(fault_of(lambda base: base.execute("SELECT 1"), str(tmp_path / "no" / "base")))


@pytest.mark.parametrize("act", [write_twice, lambda base: base.execute("SELECT a FROM b")])
def test_a_fault_of_the_program_is_none_of_a_database_that_is_away(act: Callable[[sqlite3.Connection], object]) -> None:
    assert not database_away.is_away(fault_of(act))
    assert not database_away.is_away(ValueError())
    assert not database_away.is_away(None)


class State(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "away"),
    [
        *((None, True), ("08006", True), ("53100", True), ("53300", True), ("57P01", True), ("57P03", True)),
        *(("58030", True), ("25006", True), ("40P01", True), ("55P03", True), ("57014", True), ("25P03", True)),
        *(("23505", False), ("42P01", False), ("22003", False), ("25P02", False)),
    ],
)
def test_states_of_postgresql(state: str | None, away: bool) -> None:
    fault = OperationalError()
    fault.__cause__ = State(state)
    assert database_away.is_away(fault) is away


def test_a_closed_connection_is_away() -> None:
    assert database_away.is_away(InterfaceError("connection already closed"))


# --- The answers --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Let another process hold the database."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20")
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.close()
        connection.close()


def browser() -> Client:
    return Client(raise_request_exception=False, headers={"accept-language": "en"})


def try_to_sign_in() -> Any:
    return browser().post("/login/", {"username": "a@example.org", "password": "b"})


def api_write(key: str, once: str) -> Any:
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": once}
    url, body = "/api/v1/clubs/roessli/players", json.dumps({"nickname": "Anna"})
    return browser().post(url, body, content_type="application/json", headers=headers)


@pytest.mark.needs_sqlite
def test_a_page_of_a_locked_database_is_a_503(people: Cast) -> None:
    with locked():
        answer = try_to_sign_in()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) == database_away.RETRY_SECONDS
    assert "The database is not answering" in answer.content.decode()
    assert try_to_sign_in().status_code == 200


@pytest.mark.needs_sqlite
def test_without_the_distinction_it_is_a_500(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_away, "is_away", lambda error: False)
    with locked():
        assert try_to_sign_in().status_code == 500


@pytest.mark.needs_sqlite
def test_a_write_of_the_api_is_a_503_and_is_stored_once_when_it_is_sent_again(people: Cast) -> None:
    key, once = key_for(people.home.owner), str(uuid.uuid4())
    with locked():
        away = api_write(key, once)
    assert is_problem(away, 503, "unavailable")
    assert away["Retry-After"] == str(database_away.RETRY_SECONDS)
    assert [api_write(key, once).status_code for _ in range(2)] == [201, 201]
    assert Player.objects.filter(nickname="Anna").count() == 1


@pytest.mark.needs_sqlite
def test_an_outbox_keeps_writes_that_it_sent_to_a_locked_database(people: Cast) -> None:
    """Only `Outbox-Stored` or a refusal (4xx) ends an entry."""
    table = create_table(club=people.home.club, season=people.home.season)
    client = browser()
    client.force_login(people.home.recorder)
    with locked():
        answer = client.post(f"/c/roessli/t/{table.pk}/", {"key": str(uuid.uuid4())}, headers={"outbox": "1"})
    assert answer.status_code == 503
    assert "Outbox-Stored" not in answer


# --- Restarts during a night -----------------------------------------------------------------------------------


OPEN = {"WEBHOOKS_PRIVATE": "1", "WEBHOOKS_HTTP": "1", "TEST_API_WRITES": "0"}


def record_night(people: Cast, url: str, restart: Callable[[], None]) -> None:
    """Let the Python client record an evening, and call `restart` after some of its hands."""
    plan = evening_file(people)
    client = client_module().Client(url, key_for(people.home.recorder, "read", "record"), "roessli", patience=60)
    sent: list[int] = []

    def record() -> None:
        evening = client.start(**plan["evening"])
        for number in range(HANDS):
            client.hand(evening["tables"][0], plan["hands"][number % len(plan["hands"])])
            sent.append(number)
        client.close(evening["id"], pot="kitty")

    with ThreadPoolExecutor(1) as pool:
        night = pool.submit(record)
        for number in RESTARTS:
            wait_until(lambda number=number: number in sent or night.done(), 60, f"hand {number} is stored")
            assert not night.done(), night.exception()
            restart()
        night.result(120)


def all_delivered() -> bool:
    """Return True if every message has arrived; end the waits after a fault, which last a minute and longer."""
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.filter(next_at__isnull=False).update(next_at=past)
    Webhook.objects.update(retry_at=None, busy_until=None)
    return not Delivery.objects.filter(delivered_at=None).exists()


def check_night(people: Cast, there: Receiver, output: str) -> None:
    """Every hand is stored once, counted and reported, and no answer was a 500."""
    assert Hand.objects.count() == HANDS
    assert list(differences()) == []
    assert "Internal Server Error" not in output
    wait_until(lambda: not seasons_to_count.waiting_seasons().exists(), 40, "the season is counted")
    wait_until(all_delivered, 60, "every message was delivered")
    got = {message.delivery for message in there.got if message.headers["Chratzete-Event"] == "hand.stored"}
    assert len(got) == HANDS


def close_connections() -> None:
    """End the connections of all others to this database, as a restart of PostgreSQL does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    connection.close()


@pytest.mark.needs_postgres
@pytest.mark.needs_redis
@each_night
def test_a_night_goes_on_over_three_restarts_of_postgresql(
    nth: int,
    people: Cast,
    settings: Any,
    web_server: Callable[..., Process],
    celery_worker: Callable[..., Process],
    record_property: Callable[[str, object], None],
) -> None:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    database = connection.settings_dict
    with receiver() as there, faulty_line(database["HOST"] or "127.0.0.1", int(database["PORT"] or 5432)) as line:
        webhook_at(people.home, there.url)
        through = urlsplit(database_url())
        user = through.netloc.rpartition("@")[0]
        url = through._replace(netloc=f"{user}@127.0.0.1:{line.port}").geturl()
        server = web_server(DATABASE_URL=url, **OPEN)
        celery_worker(beat=True, **OPEN)

        def restart() -> None:
            before = line.refused
            close_connections()
            line.cut()
            wait_until(lambda: line.refused > before, 30, "the server asked for the database")
            line.repair()

        record_night(people, server.url, restart)
        check_night(people, there, server.output())
    record_property("tries", len(RESTARTS))


@pytest.mark.needs_sqlite
@each_night
def test_a_night_goes_on_over_three_restarts_with_sqlite(
    nth: int,
    people: Cast,
    settings: Any,
    web_server: Callable[..., Process],
    start_process: Callable[..., Process],
    record_property: Callable[[str, object], None],
) -> None:
    """The database is in the process of the server: both are killed."""
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    with receiver() as there:
        webhook_at(people.home, there.url)
        servers = [web_server(**OPEN)]
        port = str(urlsplit(servers[0].url).port)

        def restart() -> None:
            servers[-1].kill()
            gunicorn = ("-m", "gunicorn", "-c", "league/config/gunicorn_conf.py", "league.config.wsgi")
            servers.append(start_process(*gunicorn, PORT=port, **OPEN))

        record_night(people, servers[0].url, restart)
        check_night(people, there, "".join(server.output() for server in servers))
    record_property("tries", len(RESTARTS))
