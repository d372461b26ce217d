"""Carry every row of a SQLite file into a new database of PostgreSQL, by COPY.

Indexes and constraints are made after the rows. Foreign keys are not checked again: the rows come from a database that
checked them. Triggers are off, as the rows are already stored.
"""

import sqlite3
from collections.abc import Iterator

import psycopg
from django.core.management import call_command
from psycopg.sql import SQL, Identifier

from bench.databases import Database

AT_ONCE = 20_000
CONSTRAINTS = """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), contype FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
    ORDER BY CASE contype WHEN 'f' THEN 0 ELSE 1 END"""
INDEXES = """SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace"""
# With its schema, as the function may be called for the tables of other schemas before these are left out.
SEQUENCES = """SELECT table_name, column_name, sequence FROM information_schema.columns,
    pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name) AS sequence
    WHERE table_schema = 'public' AND sequence IS NOT NULL"""


def carry(source: Database, target: Database) -> None:
    """Create the target, migrate it, and copy all rows of the source into it."""
    target.create()
    target.use()
    call_command("migrate", interactive=False, verbosity=0)
    with psycopg.connect(target.url) as there, sqlite3.connect(source.file) as here:
        there.execute("SET session_replication_role = replica")
        there.execute("SET timezone = 'UTC'")
        there.execute("SET maintenance_work_mem = '512MB'")
        tables = [name for (name,) in there.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        there.execute(SQL("TRUNCATE {}").format(SQL(", ").join(map(Identifier, tables))))
        again = list(without_indexes(there))
        for table in tables:
            _copy(here, there, table)
        for statement in again:
            there.execute(statement)
        for table, column, sequence in there.execute(SEQUENCES).fetchall():
            sql = SQL("SELECT setval(%s, COALESCE(MAX({}), 0) + 1, false) FROM {}")
            there.execute(sql.format(Identifier(column), Identifier(table)), [sequence])
        there.commit()
        there.autocommit = True
        there.execute("VACUUM ANALYZE")


def without_indexes(there: psycopg.Connection) -> Iterator[str]:
    """Drop foreign keys, unique constraints and indexes; yield the statements that make them again."""
    foreign, unique = [], []
    for table, name, definition, kind in there.execute(CONSTRAINTS).fetchall():
        there.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        also = " NOT VALID" if kind == "f" else ""
        (foreign if kind == "f" else unique).append(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}{also}')
    others = there.execute(INDEXES).fetchall()
    for name, _definition in others:
        there.execute(f"DROP INDEX {name}")
    yield from unique
    yield from (definition for _name, definition in others)
    yield from foreign


def _copy(here: sqlite3.Connection, there: psycopg.Connection, table: str) -> None:
    columns = [column[1] for column in here.execute(f'PRAGMA table_info("{table}")')]
    # SQLite writes the lines of COPY, as that is much faster than Python.
    cells = (f"COALESCE({_escaped(column)}, '\\N')" for column in columns)
    lines = here.execute(f'SELECT {" || char(9) || ".join(cells)} FROM "{table}"')
    names = SQL(", ").join(map(Identifier, columns))
    with there.cursor().copy(SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), names)) as copy:
        while batch := lines.fetchmany(AT_ONCE):
            copy.write("".join(f"{line}\n" for (line,) in batch))


def _escaped(column: str) -> str:
    replaced = f'"{column}"'
    for plain, escaped in (("'\\'", "'\\\\'"), ("char(10)", "'\\n'"), ("char(13)", "'\\r'"), ("char(9)", "'\\t'")):
        replaced = f"replace({replaced}, {plain}, {escaped})"
    return f"""CASE typeof("{column}") WHEN 'text' THEN {replaced} WHEN 'blob' THEN '\\\\x' || hex("{column}")
        ELSE "{column}" END"""
