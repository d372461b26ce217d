"""The digest of the ledger: one number over every row that nobody may change, and over the accounts.

A backup carries it with the names of the columns. After a restore the same columns are read again, so the comparison
holds whichever version reads them. The digests of the rows are added up: their order in the table says nothing.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from ..triggers import GAMES_APPEND_ONLY, LEAGUE_APPEND_ONLY

TABLES = ("league_account", *LEAGUE_APPEND_ONLY, *GAMES_APPEND_ONLY)
MODULUS = 2**256
SESSION = (
    # The text of a value depends on these.
    "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL bytea_output = 'hex'; "
    # A large ledger takes longer than a request may.
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"
)

Columns = dict[str, list[str]]
Connection = sqlite3.Connection | psycopg.Connection[Any]


class NoLedger(Exception):
    """A table or a column of the ledger is not there."""


@dataclass(frozen=True)
class Ledger:
    """The columns that were read, the number of their rows and the digest."""

    columns: Columns
    rows: int
    sha256: str


def read(connection: Connection, columns: Columns | None = None) -> Ledger:
    """Return the ledger of a database; on PostgreSQL inside a transaction of the caller.

    Raises:
        NoLedger: one of the wanted columns is not there.
    """
    if isinstance(connection, psycopg.Connection):
        connection.execute(SESSION)
    there = {table: names for table in TABLES if (names := _columns(connection, table))}
    wanted = there if columns is None else columns
    for table, names in wanted.items():
        # The names become a part of the SQL: only those that the database itself gives.
        known = there.get(table) or _columns(connection, table)
        if missing := set(names or "*") - set(known):
            raise NoLedger(f"{table}.{min(missing)}")
    rows, total = 0, 0
    for table in sorted(wanted):
        number, added = _sum(table, _rows(connection, table, wanted[table]))
        rows, total = rows + number, (total + added) % MODULUS
    return Ledger(wanted, rows, f"{total:064x}")


def _sum(table: str, lines: Iterable[bytes]) -> tuple[int, int]:
    rows, total, begin = 0, 0, hashlib.sha256(f"{table}\n".encode())
    for line in lines:
        row = begin.copy()
        row.update(line)
        rows, total = rows + 1, total + int.from_bytes(row.digest())
    return rows, total


def _columns(connection: Connection, table: str) -> list[str]:
    if isinstance(connection, sqlite3.Connection):
        return [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?) ORDER BY name", [table])]
    rows = connection.execute(
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name = %s ORDER BY column_name",
        [table],
    )
    return [name for (name,) in rows]


def _rows(connection: Connection, table: str, names: list[str]) -> Iterator[bytes]:
    if isinstance(connection, sqlite3.Connection):
        listed = ", ".join(f'"{name}"' for name in names)
        for row in connection.execute(f'SELECT {listed} FROM "{table}"'):  # noqa: S608 - names from the database
            yield repr(tuple(row)).encode()
        return
    with connection.cursor() as cursor:
        listed_names = sql.SQL(", ").join(map(sql.Identifier, names))
        query = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT").format(listed_names, sql.Identifier(table))
        with cursor.copy(query) as copied:
            yield from map(bytes, copied)
