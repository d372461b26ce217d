"""The databases of this run: copies of the demo league in SQLite files and in PostgreSQL, and Django's connection to
one of them.

The files are in `var`, as the product's own data: on a disk a commit costs as much as in production. PostgreSQL is
the server at DATABASE_URL, or a private one that waits for the disk at each commit.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import environ
import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.sql import SQL, Identifier

from league.config import environment
from tests import servers

SQLITE, POSTGRES = "sqlite", "postgresql"
FILE = "db.sqlite3"
OUTSIDE_URL, OUTSIDE_REDIS = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
"""The servers of the caller, read before the run removes the variables from its environment."""


@dataclass(frozen=True)
class Database:
    """A database with its own data folder. On PostgreSQL `server` is the address of the database `postgres`."""

    vendor: str
    folder: Path
    name: str
    server: str = ""

    @property
    def url(self) -> str:
        if self.vendor == SQLITE:
            return f"sqlite:///{self.file}"
        return urlunsplit(urlsplit(self.server)._replace(path=f"/{self.name}"))

    @property
    def file(self) -> Path:
        return self.folder / FILE

    def beside(self, name: str) -> "Database":
        """Return the place of another database on the same server or disk."""
        folder = self.folder.parent / f"{self.vendor}-{name}"
        folder.mkdir()
        return Database(self.vendor, folder, f"{self.name.rsplit('-', 1)[0]}-{name}", self.server)

    def copy(self, name: str) -> "Database":
        """Return a copy of this database with all its rows."""
        made = self.beside(name)
        if self.vendor == SQLITE:
            close()
            shutil.copy(self.file, made.file)
        else:
            made.create(template=self.name)
        return made

    def create(self, template: str = "template0") -> None:
        """Create the database on the server of PostgreSQL."""
        close()
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(
                SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE {}").format(
                    Identifier(self.name), Identifier(template)
                )
            )

    def remove(self) -> None:
        """Delete the database and its folder: the large ones would fill the disk."""
        close()
        if self.vendor == POSTGRES:
            with psycopg.connect(self.server, autocommit=True) as server:
                server.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(self.name)))
        shutil.rmtree(self.folder, ignore_errors=True)

    def use(self) -> None:
        """Connect Django to this database."""
        close()
        config = environment.database(environ.Env.db_url_config(self.url))
        connections.settings[DEFAULT_DB_ALIAS] = connections.configure_settings({DEFAULT_DB_ALIAS: config})[
            DEFAULT_DB_ALIAS
        ]
        with contextlib.suppress(AttributeError):
            del connections[DEFAULT_DB_ALIAS]

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which a process of the product uses this database."""
        return {"DATA_DIR": str(self.folder), "DATABASE_URL": self.url}


def close() -> None:
    """Close the connection of this process."""
    connections[DEFAULT_DB_ALIAS].close()


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """Yield the address of a PostgreSQL for this run. Raises `servers.NoServer`."""
    if OUTSIDE_URL.startswith("postgres"):
        yield OUTSIDE_URL
        return
    with servers.postgres(durable=True) as started:
        yield started.url


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """Yield the address of a Redis for this run. Raises `servers.NoServer`."""
    if OUTSIDE_REDIS:
        yield OUTSIDE_REDIS
        return
    with servers.redis() as started:
        yield started.url


@contextlib.contextmanager
def removed_at_the_end(server: str, prefix: str) -> Iterator[None]:
    """Delete every database of this run whose name begins with the prefix after the block."""
    try:
        yield
    finally:
        close()
        with psycopg.connect(server, autocommit=True) as connected:
            named: list[Any] = connected.execute(
                "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix]
            ).fetchall()
            for (name,) in named:
                connected.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))
