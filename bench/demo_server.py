"""The demo league in the databases of this run, and the product's server on one of them."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django
from django.core.management import call_command

from bench.carried_rows import carry
from bench.databases import POSTGRES, SQLITE, Database, close, postgres_server, removed_at_the_end
from tests.servers import NoServer, free_port

PROJECT = Path(__file__).resolve().parent.parent
START_SECONDS = 60.0
STOP_SECONDS = 20.0
FROM_OUTSIDE = ("DATABASE_URL", "REDIS_URL", "DEBUG", "HTTPS", "ALLOWED_HOSTS", "BASE_URL", "SECRET_KEY", "EMAIL_URL")
"""Variables of the caller's environment that would change the run."""


class Demo:
    """The demo league in a SQLite file, and a copy of it in PostgreSQL."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        self.name = f"chratzete_{folder.name.replace('-', '_')}"
        self.sqlite = Database(SQLITE, folder / "sqlite-demo", f"{self.name}-demo")
        self.sqlite.folder.mkdir()
        self.sqlite.use()
        call_command("migrate", interactive=False, verbosity=0)
        with open(os.devnull, "w") as nothing:
            call_command("demo", stdout=nothing)
        _open_first_season()
        self.stack = stack
        self._postgres: Database | NoServer | None = None

    def on(self, vendor: str) -> Database:
        """Return the demo league on this database. Raises `NoServer`."""
        if vendor == SQLITE:
            return self.sqlite
        if self._postgres is None:
            self._postgres = self._carried()
        if isinstance(self._postgres, NoServer):
            raise self._postgres
        return self._postgres

    def _carried(self) -> Database | NoServer:
        try:
            server = self.stack.enter_context(postgres_server())
        except NoServer as reason:
            return reason
        self.stack.enter_context(removed_at_the_end(server, self.name))
        made = carried(self.sqlite, "demo", server)
        self.stack.callback(close)
        return made


def _open_first_season() -> None:
    """Open the season that is copied: the demo league closes it, and a closed season does not change."""
    # These modules can be imported only after Django is set up.
    from bench.copied_hands import CLUB, SEASONS
    from league.models import Season
    from league.standings.seasons import season_reopen

    season_reopen(season=Season.objects.get(club__slug=CLUB, slug=SEASONS[0]), actor=None, reason="bench")


def carried(source: Database, name: str, server: str) -> Database:
    """Return a database of PostgreSQL with all rows of a SQLite database."""
    folder = source.folder.parent / f"{POSTGRES}-{name}"
    folder.mkdir()
    target = Database(POSTGRES, folder, f"{source.name.rsplit('-', 1)[0]}-{name}", server)
    carry(source, target)
    return target


@contextlib.contextmanager
def demo() -> Iterator[Demo]:
    """Create a folder with the demo league, and set up Django on it; remove everything after the block."""
    (PROJECT / "var").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=PROJECT / "var"))
    # This process answers requests, too, and looks for static files.
    (folder / "static").mkdir()
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        for name in FROM_OUTSIDE:
            os.environ.pop(name, None)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "bench.settings",
            "DATA_DIR": str(folder),
            "LOG_LEVEL": "WARNING",
            # One key for every server of the run: what this process signs is valid there.
            "SECRET_KEY": "only-for-this-run",
        }
        django.setup()
        stack.callback(close)
        yield Demo(folder, stack)


@dataclass(frozen=True)
class Running:
    """A running server."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def web_processes(self) -> list[int]:
        """Return the ids of the processes that answer requests."""
        return [pid for pid in descendants(self.process.pid) if b"gunicorn" in _command(pid)]


def cpu_seconds(processes: list[int]) -> float:
    """Return the CPU time that these processes have used."""
    # The clock of another process on Linux, as `clock_getcpuclockid` computes it: far finer than /proc.
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in processes)


def descendants(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from descendants(int(child))


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@contextlib.contextmanager
def server(database: Database, **more: str) -> Iterator[Running]:
    """Run `manage.py serve` on the database during the block. `more` is added to its environment."""
    close()
    log = database.folder / "server.log"
    port = free_port()
    env = os.environ | database.environment | {"PORT": str(port)} | more
    with log.open("wb") as output:
        command = [sys.executable, "manage.py", "serve"]
        process = subprocess.Popen(
            command, cwd=PROJECT, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        wait_until_ready(process, port, log)
        yield Running(port, process)
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path, seconds: float = START_SECONDS) -> None:
    """Wait until `/readyz` is 200. Raises RuntimeError."""
    until = time.monotonic() + seconds
    while True:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer,
        ):
            if answer.status == 200:
                return
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"the server does not answer: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)
