"""The limits of time that PostgreSQL has for the statements of a process, by the role of the process.

A page that waits too long gives its thread back to the others; a command of the operator, such as a migration, has no
limits. SQLite has one writer, and a limit for waiting (`environment.sqlite_options`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
