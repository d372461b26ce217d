"""Queries that many requests run: the state of a page in one row, and the lines of a list.

PostgreSQL would plan their joins again each time, which takes longer than to read the rows. So there each query is a
function, whose plan a connection keeps; `migrate` creates the functions. (A prepared statement does not survive
pgbouncer.) The name of a function has a digest of its SQL, and those of the version before stay: that version runs
beside this one while an upgrade goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connection, connections, transaction

from . import replica

MAX_KEY = 2**63 - 1
QUERIES: list[StateQuery | LinesQuery] = []
_UNUSED = """SELECT made.oid::regprocedure::text FROM pg_proc AS made
WHERE pronamespace = current_schema()::regnamespace AND proname <> %s AND proname ~ %s
ORDER BY made.oid DESC OFFSET 1"""
"""The functions of a query in versions earlier than the one before."""


def _digested(name: str, *parts: str) -> str:
    return f"{name}_{hashlib.sha256(repr(parts).encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class StateQuery:
    """A query with the visibility of a club and the columns `numbers`, from `rest`, which begins with FROM.

    `rest` and `numbers` have a `%s` for each argument; `types` are the types of the arguments on PostgreSQL.
    """

    name: str
    types: tuple[str, ...]
    numbers: str
    rest: str

    def __post_init__(self) -> None:
        QUERIES.append(self)

    @cached_property
    def function_name(self) -> str:
        return _digested(self.name, self.numbers, self.rest, *self.types)

    def read(self, *values: str | int | None) -> Sequence[Any] | None:
        """Return the row: the visibility, then the numbers, on PostgreSQL as one text. None if there is none."""
        if any(isinstance(value, int) and value > MAX_KEY for value in values):
            return None
        # This query also proves that the connection still works.
        connection.health_check_done = True  # type: ignore[attr-defined]
        try:
            return self._row(values)
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            connection.close()
            return self._row(values)

    def _row(self, values: Sequence[Any]) -> Sequence[Any] | None:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(f"SELECT * FROM {self.function_name}({', '.join(['%s'] * len(values))})", values)
            else:
                cursor.execute(f"SELECT club.visibility, {self.numbers} {self.rest}", values)
            row: Sequence[Any] | None = cursor.fetchone()
        return row

    def function(self) -> str:
        """Return SQL that creates the function on PostgreSQL."""
        body = f"SELECT club.visibility::text, ROW({self.numbers})::text {self.rest}"
        for place in range(len(self.types)):
            body = body.replace("%s", f"${place + 1}", 1)
        return (
            f"CREATE OR REPLACE FUNCTION {self.function_name}({', '.join(self.types)}) "
            "RETURNS TABLE (visibility text, numbers text) LANGUAGE plpgsql STABLE AS "
            f"$body$ BEGIN RETURN QUERY {body}; END $body$"
        )


@dataclass(frozen=True)
class LinesQuery:
    """A query of many rows for one id. `columns` are (name, type on PostgreSQL), in the order of the query, `text` has
    one `%s`, for the id."""

    name: str
    columns: tuple[tuple[str, str], ...]
    text: str

    def __post_init__(self) -> None:
        QUERIES.append(self)

    @cached_property
    def function_name(self) -> str:
        return _digested(self.name, self.text, *map(" ".join, self.columns))

    def read(self, pk: int, *, limit: int | None = None) -> list[tuple[Any, ...]]:
        """Return the rows, or the first `limit` of them."""
        text, reads_from = self.text, connections[replica.alias()]
        if reads_from.vendor == "postgresql":
            text = f"SELECT * FROM {self.function_name}(%s)"
        with reads_from.cursor() as cursor:
            if limit is None:
                cursor.execute(text, [pk])
            else:
                cursor.execute(f"{text} LIMIT %s", [pk, limit])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    def function(self) -> str:
        """Return SQL that creates the function on PostgreSQL."""
        columns = ", ".join(f'"{name}" {kind}' for name, kind in self.columns)
        return (
            f"CREATE OR REPLACE FUNCTION {self.function_name}(bigint) "
            f"RETURNS TABLE ({columns}) LANGUAGE plpgsql STABLE AS "
            f"$body$ #variable_conflict use_column\nBEGIN RETURN QUERY {self.text.replace('%s', '$1')}; END $body$"
        )


def create_functions(using: str = DEFAULT_DB_ALIAS, **_signal: object) -> None:
    """Create the functions of all queries, after each `migrate`, and drop those of versions earlier than the one
    before."""
    if connections[using].vendor == "postgresql":
        with transaction.atomic(using=using), connections[using].cursor() as cursor:
            for query in QUERIES:
                cursor.execute(query.function(), None)
                cursor.execute(_UNUSED, [query.function_name, f"^{query.name}(_[0-9a-f]{{8}})?$"])
                for (unused,) in cursor.fetchall():
                    cursor.execute(f"DROP FUNCTION {unused}")
