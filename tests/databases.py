"""The test database: migrated once a run, then copied for each test process, and emptied between tests that commit."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import environ
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from tests import live_server_requests

# Rows that a migration or Django itself makes stay: they are the same for every test.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


@contextlib.contextmanager
def copied(test_name: str) -> Iterator[None]:
    """Connect to a copy of the migrated database under this name; remove the copy at the end."""
    configured = connection.settings_dict["NAME"]
    sqlite = connection.vendor == "sqlite"
    with _locked("template.lock"):
        make_copy, remove_copy = _sqlite(test_name) if sqlite else _postgres(test_name)
        make_copy()
    _connect_to(test_name)
    try:
        yield
    finally:
        connection.close()
        remove_copy()
        _connect_to(configured)


@contextlib.contextmanager
def _locked(name: str) -> Iterator[None]:
    """Let one process of the run in at a time."""
    with (Path(os.environ["CHRATZETE_TEST_DIR"]) / name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _connect_to(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


@contextlib.contextmanager
def on_server(url: str) -> Iterator[None]:
    """Connect to the database at this address, of the kind of this run, and migrate it."""
    there = environ.Env.db_url_config(url)
    before = {key: connection.settings_dict[key] for key in ("NAME", "HOST", "PORT", "USER", "PASSWORD")}

    def connect_to(values: dict[str, Any]) -> None:
        connection.close()
        for key in before:
            settings.DATABASES["default"][key] = connection.settings_dict[key] = values.get(key, "")

    connect_to(there)
    try:
        _migrate(str(there["NAME"]))
        yield
    finally:
        connect_to(before)


def _migrate(name: str) -> None:
    _connect_to(name)
    call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    connection.close()


def _sqlite(test_name: str) -> tuple[Callable[[], None], Callable[[], None]]:
    template = Path(os.environ["CHRATZETE_TEST_DIR"]) / "template.sqlite3"

    def make_copy() -> None:
        if not template.exists():
            half = template.with_suffix(".half")
            _migrate(str(half))
            half.rename(template)
        shutil.copyfile(template, test_name)

    return make_copy, lambda: Path(test_name).unlink()


def _postgres(test_name: str) -> tuple[Callable[[], None], Callable[[], None]]:
    # The name tells runs apart that share a server.
    template = f"test_template_{os.environ['CHRATZETE_TEST_RUN']}"

    def make_copy() -> None:
        with _admin() as execute:
            if not execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]):
                execute(f'CREATE DATABASE "{template}"')
                _migrate(template)
            execute(f'DROP DATABASE IF EXISTS "{test_name}" WITH (FORCE)')
            execute(f'CREATE DATABASE "{test_name}" TEMPLATE "{template}"')

    def remove_copy() -> None:
        with _admin() as execute:
            execute(f'DROP DATABASE IF EXISTS "{test_name}" WITH (FORCE)')

    return make_copy, remove_copy


@contextlib.contextmanager
def _admin() -> Iterator[Callable[..., bool]]:
    """Give a function that executes a statement outside the test's database; it returns whether there is a row."""
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]

        def execute(sql: str, parameters: Any = None) -> bool:
            cursor.execute(sql, parameters)
            return cursor.description is not None and cursor.fetchone() is not None

        yield execute


def remove_template() -> None:
    """Remove the migrated database of this run from a server that outlives the run."""
    if connection.vendor == "postgresql":
        with contextlib.suppress(Exception), _admin() as execute:
            execute(f'DROP DATABASE IF EXISTS "test_template_{os.environ["CHRATZETE_TEST_RUN"]}"')


def patch_flush(patch: pytest.MonkeyPatch) -> None:
    """Let a flush empty the tables that have rows, those included that refuse to lose any.

    The product has no such way: the guards are taken down here, for the length of the flush.
    """
    live_server_requests.watch()

    def flush(self: Any, _sql_list: list[str]) -> None:
        # A page may still send requests until its browser is closed; an answer must not meet empty tables.
        live_server_requests.wait_for_requests()
        with transaction.atomic(using=self.connection.alias), self.connection.cursor() as cursor:
            tables = _tables_with_rows(self.connection, cursor)
            if not tables:
                return
            if self.connection.vendor == "postgresql":
                _empty_postgres(cursor, tables)
            else:
                _empty_sqlite(cursor, tables)

    patch.setattr(type(connection.ops), "execute_sql_flush", flush)
    # It makes content types and permissions, and those are kept.
    patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", mock.Mock())


def _tables_with_rows(which: Any, cursor: Any) -> list[str]:
    tables = [table for table in which.introspection.table_names(cursor) if table not in KEPT]
    query = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM \"{table}\")" for table in tables)
    cursor.execute(query)
    return [row[0] for row in cursor.fetchall()]


def _empty_postgres(cursor: Any, tables: list[str]) -> None:
    # A replica runs neither triggers nor foreign keys. Deleting a few rows is faster than truncating.
    statements = ";".join(f'DELETE FROM "{table}"' for table in tables)
    cursor.execute(f"SET session_replication_role = replica; {statements}; SET session_replication_role = DEFAULT")


def _empty_sqlite(cursor: Any, tables: list[str]) -> None:
    cursor.execute("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'")
    triggers = [(name, sql) for table, name, sql in cursor.fetchall() if table in tables]
    for name, _ in triggers:
        cursor.execute(f'DROP TRIGGER "{name}"')
    # Foreign keys are checked when all tables are empty: they are deferred.
    for table in tables:
        cursor.execute(f'DELETE FROM "{table}"')
    for _, sql in triggers:
        # `None` as parameters keeps each % of the SQL as it is.
        cursor.execute(sql, None)
