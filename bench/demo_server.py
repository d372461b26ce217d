"""The demo league in SQLite files of this run, and gunicorn on one of them, for the rows about the server.

The files are in `var`, as the product's own data: on a disk a commit costs as much as in production.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection

PROJECT = Path(__file__).resolve().parent.parent
START_SECONDS = 60.0
STOP_SECONDS = 20.0
DATABASE = "db.sqlite3"
FROM_OUTSIDE = ("DATABASE_URL", "REDIS_URL", "DEBUG", "HTTPS", "ALLOWED_HOSTS", "BASE_URL", "SECRET_KEY", "EMAIL_URL")
"""Variables of the caller's environment that would change the run."""


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Create a folder with the demo league in a database, and set up Django on it; remove it after the block."""
    (PROJECT / "var").mkdir(exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="bench-", dir=PROJECT / "var"))
    try:
        for name in FROM_OUTSIDE:
            os.environ.pop(name, None)
        os.environ |= {"DJANGO_SETTINGS_MODULE": "bench.settings", "DATA_DIR": str(made), "LOG_LEVEL": "WARNING"}
        django.setup()
        call_command("migrate", interactive=False, verbosity=0)
        with open(os.devnull, "w") as nothing:
            call_command("demo", stdout=nothing)
        yield made
    finally:
        connection.close()
        shutil.rmtree(made, ignore_errors=True)


def copy(of: Path, name: str) -> Path:
    """Copy the database into another folder; return that folder."""
    made = of / name
    made.mkdir()
    connection.close()
    shutil.copy(of / DATABASE, made / DATABASE)
    return made


def use(data: Path) -> None:
    """Connect Django to the database in this folder."""
    connection.close()
    connection.settings_dict["NAME"] = str(data / DATABASE)


@contextlib.contextmanager
def server(data: Path, **more: str) -> Iterator[int]:
    """Run `manage.py serve` on the database in this folder during the block; yield its port. `more` is added to
    its environment."""
    connection.close()
    log = data / "server.log"
    port = _free_port()
    env = os.environ | {"DATA_DIR": str(data), "PORT": str(port)} | more
    with log.open("wb") as output:
        command = [sys.executable, "manage.py", "serve"]
        process = subprocess.Popen(
            command, cwd=PROJECT, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        _wait(process, port, log)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer,
        ):
            if answer.status == 200:
                return
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"the server does not answer: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)
