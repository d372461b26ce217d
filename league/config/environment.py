"""Reads for the settings: data folder, key file, proxies, base address and database options."""

import os
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

WAL_IS_SAFE_FROM = (3, 51, 3)
"""Before this release of SQLite, WAL can lose a page when connections race with a checkpoint reset."""

OWN_CACHE = {"MAX_ENTRIES": 20_000}
"""Options of a cache in the process. Among Django's 300 entries other counters could push a counter out."""
OWN_PAGES = {"MAX_ENTRIES": 500}
"""Options of a cache of pages in the process: about 10 KB each."""


def writable_folder(folder: Path) -> Path:
    """Create the folder if needed, and return it. Raises ImproperlyConfigured if it cannot be written."""
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


def stored_secret(path: Path) -> str:
    """Return the secret in a file; create it once, readable by its owner only. Processes that race get the same one."""
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
        # A hard link fails if another process was first; a rename would overwrite its key.
        os.link(own, path)
    except FileExistsError:
        pass
    finally:
        own.unlink()
    return path.read_text().strip()


def proxies(text: str) -> int:
    """Return the number of proxies in front of the service; `true`, `yes` and `on` mean one.

    Raises:
        ImproperlyConfigured: the text is neither a small number nor yes or no.
    """
    word = text.strip().lower()
    if word in ("", "false", "no", "off"):
        return 0
    if word in ("true", "yes", "on"):
        return 1
    if word.isascii() and word.isdigit() and int(word) <= 9:
        return int(word)
    raise ImproperlyConfigured(f"BEHIND_PROXY is the number of proxies before the service, not {text!r}.")


def clubs_open(text: str, *, https: bool) -> str:
    """Return `yes`, `ask` or `no`; without a text `ask` under HTTPS, where strangers find the server, else `yes`.

    Raises:
        ImproperlyConfigured: the text is none of them.
    """
    word = text.strip().lower()
    if not word:
        return "ask" if https else "yes"
    if word == "ask":
        return word
    if word in environ.Env.BOOLEAN_TRUE_STRINGS:
        return "yes"
    if word in ("false", "no", "off", "n", "0"):
        return "no"
    raise ImproperlyConfigured(f"CLUBS_OPEN is yes, ask or no, not {text!r}.")


def base_url(setting: str, hosts: Sequence[str], *, https: bool) -> str:
    """Return the beginning of absolute links, without a slash at the end.

    It is the setting, else with HTTPS the first allowed host, else empty.

    Raises:
        ImproperlyConfigured: the setting is no base address, or the allowed hosts contain `*`.
    """
    if "*" in hosts:
        raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts: with * a request could name any.")
    if setting:
        parts = urlsplit(setting)
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.path.strip("/") or parts.query:
            raise ImproperlyConfigured("BASE_URL is a scheme and a host, such as https://club.example.")
        return f"{parts.scheme}://{parts.netloc}"
    return f"https://{hosts[0].lstrip('.')}" if https and hosts else ""


def sqlite_options(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> dict[str, Any]:
    """Return options with which SQLite loses no commit and two writers do not deadlock."""
    # A journal that stays is overwritten: to make and delete a file takes a fifth of the time of a stored hand.
    journal = "WAL" if version >= WAL_IS_SAFE_FROM else "PERSIST"
    return {
        # Without it a transaction that reads first fails at its first write if another one wrote meanwhile.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            f"PRAGMA journal_mode={journal};"
            "PRAGMA synchronous=EXTRA;"
            # After a large transaction the journal is cut to this many bytes.
            "PRAGMA journal_size_limit=4194304;"
            # Without it INSERT OR REPLACE deletes a row without firing the DELETE trigger.
            "PRAGMA recursive_triggers=ON;"
            "PRAGMA foreign_keys=ON;"
        ),
    }


def database(config: dict[str, Any]) -> dict[str, Any]:
    """Return the parsed DATABASE_URL with the options that its database needs."""
    config = dict(config)
    options = dict(config.get("OPTIONS", {}))
    if config["ENGINE"] == "django.db.backends.sqlite3":
        config["OPTIONS"] = {**sqlite_options(), **options}
        # To open the file for each request takes longer than to answer most of them.
        config["CONN_MAX_AGE"] = config.get("CONN_MAX_AGE") or 60
        # Tests use a file: threads share a database in memory by table locks, which ignore the time-out.
        name = Path(config["NAME"])
        config["TEST"] = {"NAME": str(name.with_name(f"test_{name.name}"))}
    elif config["ENGINE"] == "django.db.backends.postgresql":
        config["OPTIONS"] = {"connect_timeout": 5, **options}
        config["CONN_MAX_AGE"] = config.get("CONN_MAX_AGE") or 60
        config["CONN_HEALTH_CHECKS"] = True
        # pgbouncer in transaction mode has none; long results are read by `league.keyset`.
        config["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        raise ImproperlyConfigured("DATABASE_URL must name a SQLite or a PostgreSQL database.")
    return config


def replica(config: dict[str, Any], primary: dict[str, Any]) -> dict[str, Any]:
    """Return the parsed DATABASE_REPLICA_URL with the options of a PostgreSQL database, for reading alone."""
    if primary["ENGINE"] != "django.db.backends.postgresql" or config["ENGINE"] != primary["ENGINE"]:
        raise ImproperlyConfigured("DATABASE_REPLICA_URL and DATABASE_URL must both name a PostgreSQL database.")
    settings = database(config)
    # A replica that is away must not hold up a page.
    settings["OPTIONS"]["connect_timeout"] = 2
    settings["TEST"] = {"MIRROR": "default"}
    return settings
