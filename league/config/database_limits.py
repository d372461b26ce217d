"""The limits of time that PostgreSQL has for the statements of a process, by the role of the process.

A page that waits too long gives its thread back to the others; a command of the operator has no limits, but `migrate`
never waits long for a lock. SQLite has one writer, and a limit for waiting (`environment.sqlite_options`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import Error
from django.db.backends.signals import connection_created


@dataclass(frozen=True)
class Limits:
    """Seconds: for one statement, for waiting for a lock, and for a transaction that does nothing."""

    statement: int
    lock: int
    idle: int


WEB = Limits(statement=30, lock=20, idle=60)
WORKER = Limits(statement=220, lock=60, idle=220)
"""Also of the web process that has the worker inside. Below the limit of a task: the statement fails first."""

# A process behind pgbouncer shares its connections with others, so it may not change them. It knows that from the id of
# the server's process: pgbouncer invents another one.
_SET = """SELECT set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false),
set_config('idle_in_transaction_session_timeout', %s, false) WHERE pg_backend_pid() = %s"""

_SET_LOCK = "SELECT set_config('lock_timeout', %s, false) WHERE pg_backend_pid() = %s"

_limits: Limits | None = None


def use(limits: Limits | None) -> None:
    """Give each connection that this process opens from now on these limits; None for none."""
    global _limits
    _limits = limits
    connection_created.connect(_limit, dispatch_uid="league.database_limits")


def _limit(connection: Any, **_more: Any) -> None:
    if _limits is None or connection.vendor != "postgresql":
        return
    seconds = (f"{each}s" for each in (_limits.statement, _limits.lock, _limits.idle))
    with connection.cursor() as cursor:
        cursor.execute(_SET, [*seconds, connection.connection.info.backend_pid])


@contextlib.contextmanager
def short_locks(connection: Any, milliseconds: int) -> Iterator[None]:
    """Let a statement that waits longer for a lock of PostgreSQL fail, but not one that builds an index concurrently:
    that holds up nobody, and would leave half an index."""
    if connection.vendor != "postgresql":
        yield
        return

    def limit(value: str) -> None:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute(_SET_LOCK, [value, connection.connection.info.backend_pid])

    def run(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if "CONCURRENTLY" not in str(sql):
            return execute(sql, params, many, context)
        limit("0")
        try:
            return execute(sql, params, many, context)
        finally:
            limit(str(milliseconds))

    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        (before,) = cursor.fetchone()
    limit(str(milliseconds))
    try:
        with connection.execute_wrapper(run):
            yield
    finally:
        # A connection that broke has no limits any more.
        with contextlib.suppress(Error):
            limit(before)
