"""A migration that finds its table in use gives way at once: the hands of others never wait behind it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Hand, Table
from league import database_away
from league.config import database_limits
from league.management.commands import migrate
from tests import databases
from tests.factories import create_table, enter_aside
from tests.processes import Process, database_url, wait_until

from .test_upgrade import NEXT

pytestmark = [pytest.mark.rest, pytest.mark.needs_postgres]

SOON = 60.0
"""A generous limit: other tests may use both cores."""
PATIENT = """import os
from league.management.commands import migrate
migrate.LOCK_MS = 0
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "migrate"])
"""
"""`manage.py migrate` that waits for a lock as long as it takes."""
INDEX = "CREATE INDEX CONCURRENTLY%"
TRIES_AGAIN = "a table is in use, trying again"


@pytest.fixture
def table(transactional_db: None) -> Iterator[Table]:
    """A table in a database for this test alone, which gets the tables of the next version."""
    with databases.copied(f"{connection.settings_dict['NAME']}_next"):
        yield create_table()


@contextlib.contextmanager
def long_report() -> Iterator[None]:
    """A transaction that has read the postings and goes on."""
    connection.close()
    with contextlib.closing(psycopg.connect(database_url())) as reader:
        reader.execute("SELECT count(*) FROM league_posting")
        yield


def waits(what: str, milliseconds: int = 0) -> bool:
    """Return True if another connection has waited for a lock for so long with such a statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND query LIKE %s"
            " AND clock_timestamp() - query_start >= %s * interval '1 ms')",
            [what, milliseconds],
        )
        return bool(cursor.fetchone()[0])


@contextlib.contextmanager
def hand_of_another(table: Table) -> Iterator[Future[None]]:
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(enter_aside, table)


def test_a_hand_is_stored_while_a_migration_finds_its_table_in_use(
    table: Table, start_process: Callable[..., Process]
) -> None:
    with long_report():
        migration = start_process("manage.py", "migrate", **NEXT)
        wait_until(lambda: TRIES_AGAIN in migration.output(), SOON, "the migration gives way")
        for number in (1, 2, 3):
            with hand_of_another(table) as hand:
                hand.result(SOON)
            assert Hand.objects.count() == number
        assert migration.process.poll() is None
    assert migration.process.wait(SOON) == 0, migration.output()
    assert "Applying league.next_4_trigger... OK" in migration.output()


def test_a_migration_that_waits_lets_every_hand_wait(table: Table, start_process: Callable[..., Process]) -> None:
    """The twin."""
    with contextlib.ExitStack() as stack:
        with long_report():
            migration = start_process("-c", PATIENT, **NEXT)
            wait_until(lambda: waits("ALTER TABLE%"), SOON, "the migration waits")
            hand = stack.enter_context(hand_of_another(table))
            wait_until(lambda: waits("INSERT INTO%"), SOON, "the hand waits behind it")
            assert not Hand.objects.exists()
        hand.result(SOON)
    assert migration.process.wait(SOON) == 0, migration.output()


def test_an_index_that_is_built_beside_the_service_may_wait(
    table: Table, start_process: Callable[..., Process]
) -> None:
    """It waits for transactions that began before it; if it gave up, half an index would remain."""
    assert start_process("manage.py", "migrate", "league", "next_2_table", **NEXT).process.wait(SOON) == 0
    with contextlib.closing(psycopg.connect(database_url())) as writer:
        enter_aside(table)
        writer.execute("UPDATE league_posting SET reason = reason WHERE false")
        migration = start_process("manage.py", "migrate", **NEXT)
        wait_until(lambda: waits(INDEX, 2 * migrate.LOCK_MS), SOON, "the index waits for longer than a table may")
        with hand_of_another(table) as hand:
            hand.result(SOON)
        assert waits(INDEX)
        assert migration.process.poll() is None
    assert migration.process.wait(SOON) == 0, migration.output()
    assert TRIES_AGAIN not in migration.output()


# --- The command -------------------------------------------------------------------------------------------------


def lock_limit() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        return str(cursor.fetchone()[0])


@pytest.mark.django_db
def test_the_limit_holds_in_the_command_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(migrate.Command, "_migrate", lambda *args, **options: seen.append(lock_limit()))
    before = lock_limit()
    call_command("migrate")
    assert seen == [f"{migrate.LOCK_MS}ms"] != [before]
    assert lock_limit() == before


@pytest.mark.django_db
def test_an_index_built_concurrently_has_no_limit() -> None:
    seen = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "-- CONCURRENTLY" in sql:
            seen.append(lock_limit())
        return execute(sql, params, many, context)

    with database_limits.short_locks(connection, 500), connection.execute_wrapper(look), connection.cursor() as cursor:
        cursor.execute("SELECT 1 -- CONCURRENTLY")
        assert seen == ["0"]
        assert lock_limit() == "500ms"


@pytest.mark.django_db
def test_a_table_that_is_always_in_use_ends_the_command_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "TRIES", 2)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(migrate, "LOCK_MS", 20)
    tries = []

    def in_use(*args: Any, **options: Any) -> None:
        tries.append(1)
        with connection.cursor() as cursor:
            cursor.execute("SAVEPOINT before")
            try:
                cursor.execute("LOCK TABLE league_heartbeat")
            finally:
                cursor.execute("ROLLBACK TO SAVEPOINT before")

    monkeypatch.setattr("django.core.management.commands.migrate.Command.handle", in_use)
    with contextlib.closing(psycopg.connect(database_url())) as other:
        other.execute("SELECT 1 FROM league_heartbeat")
        with pytest.raises(CommandError, match="A table was in use all the time") as ended:
            call_command("migrate", verbosity=0)
    assert len(tries) == 2
    assert database_away.waited_for_a_lock(ended.value.__cause__)
