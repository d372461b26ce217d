"""`manage.py serve`: prepare everything that a start needs, then serve until a signal ends it.

Without REDIS_URL that is one gunicorn process with the worker inside it; with it, gunicorn and a Celery worker
with its schedule run as two children, and end together.
"""

import errno
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from league.accounts.first_account import is_without_accounts, set_up_address
from league.config import compiled_texts, environment

STOP_SECONDS = 20.0
GUNICORN = ["-m", "gunicorn", "-c", "league/config/gunicorn_conf.py", "league.config.wsgi"]
CELERY = ["-m", "celery", "-A", "league", "--quiet", "worker", "--beat", "--without-gossip", "--without-mingle"]


class Stop(Exception):
    """The service cannot start; the message is one sentence."""


def bind(host: str, port: str) -> socket.socket:
    """Return a listening socket. It is opened before any work is done, so that a busy port is reported at once."""
    try:
        number = int(port)
        listener = socket.create_server((host, number), backlog=2048)
    except (ValueError, OverflowError):
        raise Stop(f"PORT must be a number from 0 to 65535, not '{port}'.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Stop(
                f"Port {port} is busy: stop what listens there, or choose another, as in 'make run PORT=8001'."
            ) from None
        raise Stop(f"Port {port} on {host} cannot be opened ({error.strerror}).") from None
    listener.set_inheritable(True)
    return listener


def migrate() -> bool:
    """Apply the migrations. Returns True if there were any."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True


def compile_texts() -> None:
    """Compile the texts that are newer than their compiled files."""
    locale = Path(settings.LOCALE_PATHS[0])
    try:
        compiled_texts.compile_texts(locale)
    except OSError as error:
        raise Stop(
            f"The compiled texts cannot be written to {locale} ({error.strerror}): "
            "run 'manage.py messages --compile' where it can be written."
        ) from error


def static_digest() -> str:
    """Return a digest that changes with any static file."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list(["CVS", ".*", "*~"]), key=lambda pair: pair[0]):
            stat = os.stat(storage.path(path))
            digest.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def collect_static() -> bool:
    """Copy the static files under their hashed names. Returns False if they were copied before."""
    if settings.DEBUG:
        return False
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    digest = static_digest()
    if stamp.exists() and stamp.read_text() == digest:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(digest)
    return True


class Command(BaseCommand):
    help = "Prepare the database, the translations and the static files, then serve (HOST, PORT)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="fill an empty database with the demo league")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.serve(demo=options["demo"])
        except (Stop, ImproperlyConfigured) as reason:
            self.stderr.write(str(reason))
            sys.exit(2)
        except KeyboardInterrupt:
            sys.exit(130)

    def serve(self, *, demo: bool) -> None:
        host = os.environ.get("HOST", "127.0.0.1")
        environment.writable_folder(settings.DATA_DIR)
        listener = bind(host, os.environ.get("PORT", "8000"))
        self.prepare(demo=demo)
        port = listener.getsockname()[1]
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::1"} else host  # noqa: S104
        self.stdout.write(f"{settings.PRODUCT_NAME} is on http://{shown}:{port}/ (Ctrl-C ends it)")
        if is_without_accounts():
            link = f"{settings.BASE_URL or f'http://{shown}:{port}'}{set_up_address()}"
            self.stdout.write(f"There is no account yet. Create the first one, who runs the server: {link}")
        self.stdout.flush()
        if demo:
            # Lines of JSON for every request would hide the address above.
            os.environ.setdefault("LOG_FORMAT", "console")
            os.environ.setdefault("LOG_LEVEL", "WARNING")
        connections.close_all()
        os.environ["LISTEN_FD"] = str(listener.fileno())
        os.chdir(settings.BASE_DIR)
        if settings.EMBEDDED:
            os.execv(sys.executable, [sys.executable, *GUNICORN])  # noqa: S606
        sys.exit(Family(listener).run())

    def prepare(self, *, demo: bool) -> None:
        try:
            if migrate():
                self.stdout.write("The database is up to date.")
        except OperationalError as error:
            raise Stop(f"The database cannot be used: {str(error).strip().splitlines()[0]}.") from error
        compile_texts()
        if collect_static():
            self.stdout.write("The static files are collected.")
        if demo:
            self.load_demo()

    def load_demo(self) -> None:
        from league.models import Club

        if "demo" not in get_commands():
            return
        # Loading the demo prints the logins too.
        call_command("demo", logins=Club.objects.exists(), stdout=self.stdout)


class Family:
    """The web server and the worker as children: all end when one ends, or at a signal."""

    def __init__(self, listener: socket.socket) -> None:
        web = subprocess.Popen([sys.executable, *GUNICORN], pass_fds=[listener.fileno()])
        # The web server owns the socket now.
        listener.close()
        worker = subprocess.Popen([sys.executable, *CELERY, "--loglevel", os.environ.get("LOG_LEVEL", "INFO")])
        self.children = [web, worker]
        self.stopping = False

    def run(self) -> int:
        """Wait until a child ends or a signal arrives. Returns the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not self.stopping and all(child.poll() is None for child in self.children):
            time.sleep(0.2)
        code = 0 if self.stopping else 1
        for child in self.children:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        for child in self.children:
            try:
                child.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        return code

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True
