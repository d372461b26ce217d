"""`manage.py backup NAME`: write a whole copy of the database to NAME.dump (PostgreSQL) or NAME.sqlite3 (SQLite)."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import environ
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError, connection
from psycopg import conninfo, pq

from league.config import environment
from league.monitoring import marks

BUSY_SECONDS = 20
PG_DUMP = ["pg_dump", "--format=custom", "--no-password"]


class NoBackup(Exception):
    """The copy is not whole; the message is a sentence with the reason."""


class Command(BaseCommand):
    help = (
        "Write a copy of the whole database to NAME.dump (PostgreSQL) or NAME.sqlite3, which its owner alone may read. "
        "The service may go on."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the name of the file."""
        parser.add_argument("name", metavar="NAME", help="the path of the file without its ending; its folder is made")

    def handle(self, *args: Any, **options: Any) -> None:
        """Copy to a file beside the named one, which takes its place when it is whole."""
        try:
            config = _config()
            on_sqlite = "sqlite" in config["ENGINE"]
            # No `with_suffix`: a name may have a dot.
            file = Path(f"{options['name']}.{'sqlite3' if on_sqlite else 'dump'}").absolute()
            part = file.with_name(f"{file.name}.part")
            # The whole league is in it: only its owner reads it, whoever makes it and whatever the umask is.
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _create(part)
            try:
                (copy_sqlite if on_sqlite else dump_postgres)(config, part)
                part.replace(file)
            finally:
                part.unlink(missing_ok=True)
            copy_forgotten(file.parent)
        except (NoBackup, OSError, ImproperlyConfigured) as reason:
            raise CommandError(f"No backup was made: {reason}") from reason
        try:
            marks.done(marks.BACKUP, file.stat().st_size)
        except (DatabaseError, InterfaceError) as error:
            # The copy is whole all the same.
            self.stderr.write(f"The time of the backup is not stored: {type(error).__name__}.")
        self.stdout.write(f"The backup is {file}.")


def _create(part: Path) -> None:
    """Make an empty file that only its owner may read. It is filled, and keeps its mode."""
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def copy_forgotten(folder: Path) -> None:
    """Put the newest list of those who were forgotten beside the copies: `forget_again` needs it after a restore."""
    with contextlib.suppress(FileNotFoundError):
        lines = Path(settings.FORGOTTEN_FILE).read_bytes()
        part = folder / "forgotten.part"
        _create(part)
        part.write_bytes(lines)
        part.replace(folder / "forgotten")


def _config() -> dict[str, Any]:
    """Return the settings of the database: those at BACKUP_DATABASE_URL, else those of the service."""
    url = os.environ.get("BACKUP_DATABASE_URL", "")
    return environment.database(environ.Env.db_url_config(url)) if url else dict(connection.settings_dict)


def copy_sqlite(config: dict[str, Any], part: Path) -> None:
    """Copy the file of SQLite in one step: a transaction is in the copy or not."""
    # Without `mode` SQLite would create a file that is not there.
    source_address = f"{Path(config['NAME']).absolute().as_uri()}?mode=rw"
    try:
        with (
            contextlib.closing(sqlite3.connect(source_address, uri=True, timeout=BUSY_SECONDS)) as source,
            contextlib.closing(sqlite3.connect(part)) as target,
        ):
            source.backup(target)
    except sqlite3.Error as error:
        raise NoBackup(f"{config['NAME']}: {error}.") from error


def dump_postgres(config: dict[str, Any], part: Path) -> None:
    """Let pg_dump write the file. It gets the password in its environment: everybody can read a command line."""
    values = {"dbname": config["NAME"], "user": config["USER"], "host": config["HOST"], "port": config["PORT"]}
    values |= config["OPTIONS"]
    # Django has options of its own beside those of a connection.
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()} - {"password"}
    address = conninfo.make_conninfo(**{name: value for name, value in values.items() if name in known and value})
    secret = {"PGPASSWORD": str(config["PASSWORD"])} if config["PASSWORD"] else {}
    command = [*PG_DUMP, f"--file={part}", f"--dbname={address}"]
    try:
        done = subprocess.run(command, env={**os.environ, **secret}, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise NoBackup("pg_dump is not installed.") from None
    if done.returncode != 0:
        raise NoBackup(done.stderr.strip() or f"pg_dump ended with {done.returncode}.")
