"""Tell a database that is away, full or locked from a fault of the program: a client may send the request again."""

from __future__ import annotations

import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError

RETRY_SECONDS = 2

SQLITE_CODES = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
POSTGRES_STATES = (
    *("08", "53", "57P", "58"),  # connection, resources (a full disk, too many connections), shutdown, input or output
    *("25006", "40001", "40P01"),  # read-only, serialization, deadlock
)
NO_LOCK = "55P03"
TOO_LONG_STATES = ("57014", NO_LOCK, "25P03")
"""A statement, a wait for a lock and a silent transaction that reached a limit (`config.database_limits`)."""


def is_away(error: BaseException | None) -> bool:
    """Return True if the same request may succeed later."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The code has further bits above its first byte.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_CODES
    state = getattr(cause, "sqlstate", None)
    if state:
        return str(state).startswith((*POSTGRES_STATES, *TOO_LONG_STATES))
    return isinstance(error, OperationalError | InterfaceError)


def took_too_long(error: BaseException | None) -> bool:
    """Return True if the database ended the request, as it reached a limit of time."""
    return getattr(getattr(error, "__cause__", None), "sqlstate", None) in TOO_LONG_STATES


def waited_for_a_lock(error: BaseException | None) -> bool:
    """Return True if the limit for waiting for a lock was reached."""
    return getattr(getattr(error, "__cause__", None), "sqlstate", None) == NO_LOCK
