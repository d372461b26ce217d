"""What the settings read from the machine: the key file, the database and the log format."""

import os
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

WAL_IS_SAFE_FROM = (3, 51, 3)
"""Before this release of SQLite, WAL can lose a page when connections race with a checkpoint reset."""


def writable_folder(folder: Path) -> Path:
    """`folder`, made if need be; ImproperlyConfigured with one sentence when it can't be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}-{secrets.token_hex(4)}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {folder} cannot be written ({error.strerror}): set DATA_DIR to one that can."
        ) from error
    return folder


def kept_secret(path: Path) -> str:
    """The secret in `path`, made once and readable by its owner alone. Processes that race agree on one."""
    try:
        return path.read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        writable_folder(path.parent)
    except OSError as error:
        raise ImproperlyConfigured(f"The key {path} cannot be read ({error.strerror}): set SECRET_KEY.") from error
    own = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        # A hard link fails when another process was first; a rename would overwrite its key.
        os.link(own, path)
    except FileExistsError:
        pass
    finally:
        own.unlink()
    return path.read_text().strip()


def proxies(text: str) -> int:
    """How many proxies stand before the service; `true` and the like mean one.

    Raises:
        ImproperlyConfigured: neither a small number nor yes or no.
    """
    word = text.strip().lower()
    if word in ("", "false", "no", "off"):
        return 0
    if word in ("true", "yes", "on"):
        return 1
    if word.isascii() and word.isdigit() and int(word) <= 9:
        return int(word)
    raise ImproperlyConfigured(f"BEHIND_PROXY is the number of proxies before the service, not {text!r}.")


def base_url(told: str, hosts: Sequence[str], *, https: bool) -> str:
    """What whole links begin with, without a slash at its end: as told, else under HTTPS the first of the service's
    names, else nothing.

    ImproperlyConfigured for what is no such address, and for hosts that let a request name any.
    """
    if "*" in hosts:
        raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts: with * a request could name any.")
    if told:
        parts = urlsplit(told)
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.path.strip("/") or parts.query:
            raise ImproperlyConfigured("BASE_URL is a scheme and a host, such as https://club.example.")
        return f"{parts.scheme}://{parts.netloc}"
    return f"https://{hosts[0].lstrip('.')}" if https and hosts else ""


def sqlite_options(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> dict[str, Any]:
    """Options under which SQLite never loses a commit and never deadlocks two writers."""
    journal = "WAL" if version >= WAL_IS_SAFE_FROM else "DELETE"
    return {
        # A transaction that reads first and writes later would fail at once when another wrote meanwhile.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            f"PRAGMA journal_mode={journal};"
            "PRAGMA synchronous=EXTRA;"
            # Without it INSERT OR REPLACE deletes a row and no trigger sees it.
            "PRAGMA recursive_triggers=ON;"
            "PRAGMA foreign_keys=ON;"
        ),
    }


def database(config: dict[str, Any]) -> dict[str, Any]:
    """The parsed DATABASE_URL with the options each database needs."""
    config = dict(config)
    options = dict(config.get("OPTIONS", {}))
    if config["ENGINE"] == "django.db.backends.sqlite3":
        config["OPTIONS"] = {**sqlite_options(), **options}
        # A database in memory is shared between threads by table locks that no time-out waits for.
        name = Path(config["NAME"])
        config["TEST"] = {"NAME": str(name.with_name(f"test_{name.name}"))}
    elif config["ENGINE"] == "django.db.backends.postgresql":
        config["OPTIONS"] = {"connect_timeout": 5, **options}
        config["CONN_MAX_AGE"] = config.get("CONN_MAX_AGE") or 60
        config["CONN_HEALTH_CHECKS"] = True
    else:
        raise ImproperlyConfigured("DATABASE_URL must name a SQLite or a PostgreSQL database.")
    return config
