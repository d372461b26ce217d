"""Copy a database into a file, and a file into an empty database: by SQLite's own copy, by pg_dump and pg_restore."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import environ
import psycopg
from django.db import connection
from psycopg import conninfo, pq

from ..config import environment
from . import ledger_digest
from .backup_file import private
from .ledger_digest import Ledger

BUSY_SECONDS = 20
PG_DUMP = ["pg_dump", "--format=custom", "--no-password"]
PG_RESTORE = ["pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", "--no-password"]
MIGRATIONS = "SELECT app, name FROM django_migrations ORDER BY app, name"
TABLES = """
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname
"""
SAME_ADDRESS = "DATABASE_URL and BACKUP_DATABASE_URL must name the same database."
BESIDE = ("-journal", "-wal", "-shm")
"""SQLite would play such files of another database into a new one of the same name."""

Config = dict[str, Any]


class Refused(Exception):
    """The copy was not made, or the target takes none; the message is a sentence with the reason."""


class Differs(Exception):
    """The target was filled, and its ledger is not that of the backup; the message is a sentence."""


def config() -> Config:
    """Return the settings of the database: those at BACKUP_DATABASE_URL, else those of the service."""
    url = os.environ.get("BACKUP_DATABASE_URL", "")
    return environment.database(environ.Env.db_url_config(url)) if url else dict(connection.settings_dict)


def kind(config: Config) -> str:
    """Return `sqlite` or `postgresql`."""
    return str(config["ENGINE"]).rpartition(".")[2].removesuffix("3")


# --- Into a file -----------------------------------------------------------------------------------------


def copy(config: Config, file: Path) -> tuple[list[str], Ledger]:
    """Copy the database of one moment into a file; return its migrations and its ledger at this moment."""
    return _copy_sqlite(config, file) if kind(config) == "sqlite" else _dump_postgres(config, file)


def _copy_sqlite(config: Config, file: Path) -> tuple[list[str], Ledger]:
    """Copy the file in one step: a transaction is in the copy or not."""
    # Without `mode` SQLite would create a file that is not there.
    source_address = f"{Path(config['NAME']).absolute().as_uri()}?mode=rw"
    try:
        with (
            contextlib.closing(sqlite3.connect(source_address, uri=True, timeout=BUSY_SECONDS)) as source,
            contextlib.closing(sqlite3.connect(file)) as target,
        ):
            # While another program holds the file SQLite tries again; a call of Python in between lets signals in.
            source.backup(target, progress=lambda *_pages: None)
            # The copy is one file, whatever the journal of the source is.
            target.execute("PRAGMA journal_mode=DELETE")
            return _migrations(target), ledger_digest.read(target)
    except sqlite3.Error as error:
        raise Refused(f"{config['NAME']}: {error}.") from error


def _dump_postgres(config: Config, file: Path) -> tuple[list[str], Ledger]:
    with snapshot(config) as (name, migrations, ledger):
        _run([*PG_DUMP, f"--file={file}", *([f"--snapshot={name}"] if name else [])], config)
    return migrations, ledger


@contextlib.contextmanager
def snapshot(config: Config) -> Iterator[tuple[str, list[str], Ledger]]:
    """Hold the database of this moment for pg_dump; yield the snapshot's name, its migrations and its ledger."""
    address, password = _address(config)
    try:
        with psycopg.connect(address, password=password or None, client_encoding="UTF8") as source:
            source.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            row = source.execute("SELECT pg_export_snapshot()").fetchone()
            yield str(row[0] if row else ""), _migrations(source), ledger_digest.read(source)
    except psycopg.Error as error:
        raise Refused(str(error).strip()) from error


def _migrations(source: ledger_digest.Connection) -> list[str]:
    return [f"{app}.{name}" for app, name in source.execute(MIGRATIONS)]


# --- Into a database -------------------------------------------------------------------------------------


def refuse_unless_empty(config: Config) -> None:
    """Raise Refused if the database has a table."""
    tables = _tables_of_sqlite(config) if kind(config) == "sqlite" else _tables_of_postgres(config)
    if tables:
        raise Refused(
            f"The database has tables ({', '.join(tables[:3])}{' …' if tables[3:] else ''}): a backup is restored into "
            "an empty one only."
        )


def _tables_of_sqlite(config: Config) -> list[str]:
    name, tables = Path(config["NAME"]), []
    if name.exists():
        try:
            with contextlib.closing(sqlite3.connect(f"{name.absolute().as_uri()}?mode=ro", uri=True)) as target:
                tables = [table for (table,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        except sqlite3.Error as error:
            raise Refused(f"{name} is there, and no empty database: {error}.") from error
    left = [beside for end in BESIDE if (beside := name.with_name(name.name + end)).exists()]
    if left and not tables:
        raise Refused(f"{left[0]} belongs to another database: move it away, too.")
    return tables


def _tables_of_postgres(config: Config) -> list[str]:
    address, password = _address(config)
    try:
        with psycopg.connect(address, password=password or None) as target:
            return [table for (table,) in target.execute(TABLES)]
    except psycopg.Error as error:
        raise Refused(str(error).strip()) from error


def restore(config: Config, file: IO[bytes], wanted: Ledger) -> None:
    """Fill the empty database with this copy.

    Raises:
        Refused: nothing was restored.
        Differs: the database that the service uses has another ledger than the wanted one.
    """
    if kind(config) == "sqlite":
        _place_sqlite(config, file, wanted)
    else:
        _run(PG_RESTORE, config, file)
        _compare_service(wanted)
        # A dump has no statistics: without them the check of each evening would read whole tables.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _place_sqlite(config: Config, file: IO[bytes], wanted: Ledger) -> None:
    name = Path(config["NAME"]).absolute()
    name.parent.mkdir(parents=True, exist_ok=True)
    part = private(name.with_name(f"{name.name}.part"))
    try:
        with part.open("wb") as target:
            shutil.copyfileobj(file, target)
            target.flush()
            os.fsync(target.fileno())
        with contextlib.closing(sqlite3.connect(part)) as restored:
            if ledger_digest.read(restored, wanted.columns) != wanted:
                raise Refused("The ledger in the copy is not the one that the manifest names.")
        if name.exists() and name.stat().st_size == 0:
            name.unlink()
        # Unlike a rename, a hard link never takes the place of a file that is there.
        os.link(part, name)
    except (sqlite3.Error, ledger_digest.NoLedger) as error:
        raise Refused(f"The copy cannot be read: {error}.") from error
    finally:
        part.unlink(missing_ok=True)


def _compare_service(wanted: Ledger) -> None:
    """Read the ledger at the address of the service: BACKUP_DATABASE_URL may name another database by mistake."""
    with connection.cursor():
        raw: Any = connection.connection
    try:
        with raw.transaction():
            digest = ledger_digest.read(raw, wanted.columns)
    except ledger_digest.NoLedger as missing:
        raise Differs(f"it has no {missing}. {SAME_ADDRESS}") from missing
    if digest != wanted:
        raise Differs(
            f"it has {digest.rows} rows of the ledger and not the {wanted.rows} of the backup. {SAME_ADDRESS}"
        )


# --- The programs of PostgreSQL --------------------------------------------------------------------------


def _address(config: Config) -> tuple[str, str]:
    """Return the address as libpq has it, without the password, and the password."""
    values = {"dbname": config["NAME"], "user": config["USER"], "host": config["HOST"], "port": config["PORT"]}
    values |= config["OPTIONS"]
    # Django has options of its own beside those of a connection.
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()} - {"password"}
    address = conninfo.make_conninfo(**{name: value for name, value in values.items() if name in known and value})
    return address, str(config["PASSWORD"] or "")


def _run(command: list[str], config: Config, file: IO[bytes] | None = None) -> None:
    """Let a program of PostgreSQL work. It gets the password in its environment: everybody can read a command line."""
    address, password = _address(config)
    secret = {"PGPASSWORD": password} if password else {}
    try:
        with subprocess.Popen(
            [*command, f"--dbname={address}"],
            env={**os.environ, **secret},
            stdin=subprocess.PIPE if file else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as program:
            try:
                if file and program.stdin:
                    # A program that refuses the copy ends before it has read all of it.
                    with contextlib.suppress(BrokenPipeError), program.stdin as pipe:
                        shutil.copyfileobj(file, pipe)
                said = program.stderr.read() if program.stderr else b""
            except BaseException:
                program.kill()
                raise
    except FileNotFoundError:
        raise Refused(f"{command[0]} is not installed.") from None
    if program.returncode != 0:
        raise Refused(said.decode(errors="replace").strip() or f"{command[0]} ended with {program.returncode}.")
