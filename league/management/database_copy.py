"""Copy the whole database into another one: every row of every table, with its key. `manage.py move_to` uses this.

The target is filled in one transaction and compared with the source row by row before the commit. The triggers that
refuse changes stay in force. Those that compare a new posting with its result rows are off while rows are copied,
because a posting that was reversed later has none any more; `verify` checks all postings afterwards.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import environ
from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import AutoField, BigAutoField, Field, Model

from .. import triggers
from ..config import environment

SOURCE, TARGET = DEFAULT_DB_ALIAS, "target"
MIGRATIONS = "django_migrations"
MADE_BY_MIGRATE = {MIGRATIONS, "django_content_type", "auth_permission"}
"""Tables that have rows as soon as a database is migrated."""
BATCH = 500
SCHEMES = ("postgresql://", "postgres://", "sqlite://")
LOCK_SECONDS = 10

Counted = Callable[[int, str], None]
"""Is called with a number of copied rows and the name of their table."""


class CannotMove(Exception):
    """The database cannot be moved; the message is a sentence with the reason."""


@contextlib.contextmanager
def target(url: str) -> Iterator[None]:
    """Connect to the database at this address, under the alias TARGET.

    Raises:
        CannotMove: it is no address of a database, or nothing answers there.
    """
    if not url.startswith(SCHEMES):
        raise CannotMove(
            "The address of the target is postgresql://user@host:5432/name or sqlite:////folder/file.sqlite3."
        )
    config = environment.database(environ.Env.db_url_config(url))
    known = connections.configure_settings({DEFAULT_DB_ALIAS: config})
    connections.settings[TARGET] = known[DEFAULT_DB_ALIAS]
    try:
        connections[TARGET].ensure_connection()
        yield
    except OperationalError as error:
        raise CannotMove(f"The database cannot be used: {first_line(error)}") from error
    finally:
        connections[TARGET].close()
        del connections[TARGET]
        del connections.settings[TARGET]


def first_line(error: BaseException) -> str:
    """Return the first line of a database's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def run_on(url: str, *command: str) -> bool:
    """Run a command of `manage.py` in a process of its own, on the database at this address; return if it succeeded."""
    arguments = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    return subprocess.run(arguments, env={**os.environ, "DATABASE_URL": url}, check=False).returncode == 0


def prepare_target(url: str) -> None:
    """Migrate the target. Raises CannotMove if it has rows, or tables of another program."""
    if _waits_for_migrations(SOURCE):
        raise CannotMove("This database is not migrated: run `manage.py migrate` first.")
    if _place(SOURCE) == _place(TARGET):
        raise CannotMove("The target is this database itself.")
    tables = _tables(TARGET)
    strange = tables - {model._meta.db_table for model in _known()} - {MIGRATIONS}
    if strange:
        raise CannotMove(f"The target has tables of another program: {', '.join(sorted(strange)[:3])}.")
    for table in sorted(tables - MADE_BY_MIGRATE):
        if _has_rows(table):
            raise CannotMove(f"The target is not empty: its table {table} has rows. Nothing was changed.")
    # In a process of its own: migrations change rows of the default database.
    if _waits_for_migrations(TARGET) and not run_on(url, "migrate", "--no-input", "--verbosity", "0"):
        raise CannotMove("The target cannot be migrated.")


@contextlib.contextmanager
def source_held() -> Iterator[None]:
    """Hold the source in a transaction in which nobody else can write. Raises CannotMove if somebody is writing."""
    connection = connections[SOURCE]
    with contextlib.ExitStack() as stack:
        try:
            # On SQLite the transaction itself holds the file: it begins as IMMEDIATE.
            stack.enter_context(transaction.atomic(using=SOURCE))
            if connection.vendor == "postgresql":
                names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models())
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
                    cursor.execute(f"LOCK TABLE {names} IN SHARE MODE")
        except OperationalError as error:
            raise CannotMove("Somebody is writing into this database: stop the service, then move.") from error
        yield


def models() -> list[type[Model]]:
    """Return the models of all tables whose rows are copied: the target's triggers make versions of their own, and
    files that are kept for a day stay behind."""
    left = ("made_by_triggers", "left_behind")
    known = {model for model in _known() if not any(getattr(model, name, False) for name in left)}
    there = _tables(SOURCE)
    return sorted((m for m in known if m._meta.db_table in there), key=lambda model: model._meta.db_table)


def _known() -> set[type[Model]]:
    """Return the models of all tables, those of many-to-many relations included."""
    everything = apps.get_models(include_auto_created=True)
    return {model for model in everything if model._meta.managed and not model._meta.proxy and not model._meta.swapped}


def count() -> int:
    """Return the number of rows that will be copied."""
    return sum(model._base_manager.using(SOURCE).count() for model in models())


def copy(counted: Counted) -> int:
    """Copy all rows, and return their number. The caller has prepared the target, and holds the source.

    Raises:
        CannotMove: the target refuses a row, or returns it changed.
    """
    connection = connections[TARGET]
    rows = 0
    with transaction.atomic(using=TARGET):
        triggers.drop(connection, (), triggers.LEAGUE_CHECKS)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM auth_permission")
            cursor.execute("DELETE FROM django_content_type")
        for model in models():
            rows += _copy_table(model, counted)
            _carry_sequence(model)
        try:
            connection.check_constraints()
        except DatabaseError as error:
            raise CannotMove(f"The target refuses the rows: {first_line(error)}") from error
        triggers.create(connection, (), triggers.LEAGUE_CHECKS)
    return rows


def _copy_table(model: type[Model], counted: Counted) -> int:
    table, copied = model._meta.db_table, 0
    for batch in _batches(model):
        _insert(model, batch)
        _compare(model, batch)
        copied += len(batch)
        counted(len(batch), table)
    target_count = model._base_manager.using(TARGET).count()
    if target_count != copied:
        raise CannotMove(f"The target has {target_count} rows in {table} instead of {copied}.")
    return copied


def _batches(model: type[Model]) -> Iterator[list[Model]]:
    """Yield the source's rows in the order of their keys, each time those after the last key."""
    rows = model._base_manager.using(SOURCE).order_by("pk")
    batch = list(rows[:BATCH])
    while batch:
        yield batch
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:BATCH])


def _insert(model: type[Model], batch: Sequence[Model]) -> None:
    fields = [field for field in model._meta.local_concrete_fields if not field.generated]
    at_once = max(1, connections[TARGET].ops.bulk_batch_size(fields, batch))
    try:
        with transaction.atomic(using=TARGET):
            for start in range(0, len(batch), at_once):
                _insert_as_stored(model, batch[start : start + at_once], fields)
    except DatabaseError as error:
        _name_refused_row(model, batch, fields)
        raise CannotMove(f"The target refuses rows of {model._meta.db_table}: {first_line(error)}") from error


def _insert_as_stored(model: type[Model], rows: Sequence[Model], fields: Sequence[Field[Any, Any]]) -> None:
    # `raw`, as for fixtures: no column gets the time of now.
    manager: Any = model._base_manager
    manager._insert(rows, fields=fields, raw=True, using=TARGET)


def _name_refused_row(model: type[Model], batch: Sequence[Model], fields: Sequence[Field[Any, Any]]) -> None:
    """Insert the rows one by one; raise CannotMove with the first one that is refused."""
    for row in batch:
        try:
            with transaction.atomic(using=TARGET):
                _insert_as_stored(model, [row], fields)
        except DatabaseError as error:
            message = f"The target refuses row {row.pk} of {model._meta.db_table}: {first_line(error)}"
            raise CannotMove(message) from error


def _compare(model: type[Model], batch: Sequence[Model]) -> None:
    """Read the copied rows from the target. Raises CannotMove for a value that differs, generated ones included."""
    fields = model._meta.local_concrete_fields
    keys = [row.pk for row in batch]
    at_once = min(BATCH, connections[TARGET].features.max_query_params or BATCH)
    copies: dict[Any, Model] = {}
    for start in range(0, len(keys), at_once):
        # Unordered: an order by columns of another table would leave out rows, as that one may not be copied yet.
        copies |= model._base_manager.using(TARGET).order_by().in_bulk(keys[start : start + at_once])
    for row in batch:
        other = copies.get(row.pk)
        for field in fields:
            if other is None or _plain(getattr(row, field.attname)) != _plain(getattr(other, field.attname)):
                raise CannotMove(f"Row {row.pk} of {model._meta.db_table} has another {field.column} in the target.")


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _carry_sequence(model: type[Model]) -> None:
    """Let the target give out keys after the highest that the source ever gave out."""
    key = model._meta.pk
    if not isinstance(key, AutoField | BigAutoField):
        return
    table, column = model._meta.db_table, str(key.column)
    newest = model._base_manager.using(TARGET).order_by("-pk").values_list("pk", flat=True).first() or 0
    highest = max(newest, _given_out(table, column))
    with connections[TARGET].cursor() as cursor:
        if connections[TARGET].vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", [table, column, highest or 1, highest > 0]
            )
        elif highest:
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [highest, table])
            if not cursor.rowcount:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, highest])


def _given_out(table: str, column: str) -> int:
    """Return the highest key that the source's sequence gave out; 0 if none."""
    connection = connections[SOURCE]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, column])
            name = cursor.fetchone()[0]
            cursor.execute(f"SELECT last_value FROM {name} WHERE is_called")  # noqa: S608 - PostgreSQL's own name
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def _place(alias: str) -> tuple[str, ...]:
    """Return the values that distinguish databases."""
    database = connections[alias].settings_dict
    if connections[alias].vendor == "sqlite":
        return (str(Path(database["NAME"]).resolve()),)
    options = database["OPTIONS"]
    return (
        database["HOST"] or str(options.get("host")),
        str(database["PORT"] or options.get("port")),
        database["NAME"],
    )


def _waits_for_migrations(alias: str) -> bool:
    executor = MigrationExecutor(connections[alias])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _tables(alias: str) -> set[str]:
    return set(connections[alias].introspection.table_names())


def _has_rows(table: str) -> bool:
    with connections[TARGET].cursor() as cursor:
        name = connections[TARGET].ops.quote_name(table)
        cursor.execute(f"SELECT 1 FROM {name} LIMIT 1")  # noqa: S608 - a name from the database
        return cursor.fetchone() is not None
