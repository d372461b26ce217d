"""A base backup of PostgreSQL and the archive of its log, by the lines of docs/deploy.md: nothing is lost."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from league.management import ledger_digest
from tests import servers
from tests.factories import FAILED, MADE, create_table, enter
from tests.platform.test_restore import run
from tests.processes import PROJECT, wait_until

pytestmark = [pytest.mark.rest, pytest.mark.long, pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]


def page() -> tuple[list[str], str]:
    """Return the settings and the commands of the page."""
    text = (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8")
    [settings] = re.findall(r"^```text\n(archive_mode.*?)^```$", text, re.M | re.S)
    [commands] = re.findall(r"^```sh example\n(pg_basebackup.*?)^```$", text, re.M | re.S)
    return settings.splitlines(), commands


@pytest.fixture
def archive() -> Iterator[Path]:
    """A folder of the user of the server."""
    with tempfile.TemporaryDirectory(prefix="wal-") as name:
        folder, identity = Path(name), servers._unprivileged()
        for each in (folder, folder / "wal", folder / "new"):
            each.mkdir(mode=0o700, exist_ok=True)
            if identity:
                os.chown(each, identity["user"], identity["group"])
        yield folder


def ledger(url: str) -> ledger_digest.Ledger:
    with psycopg.connect(url) as server:
        return ledger_digest.read(server)


def test_the_log_brings_back_what_was_stored_after_the_base_backup(archive: Path, tmp_path: Path) -> None:
    table = create_table()
    for record in (MADE, FAILED) * 5:
        enter(table, record)
    assert run("backup", str(tmp_path / "league"))[0] == 0
    settings, commands = page()
    more = [re.sub(r" = '?(.*?)'?$", r"=\1", line).replace("/srv/archive", str(archive)) for line in settings]
    commands = commands.replace("/srv/archive", str(archive))
    first, _, then = commands.partition("\n")
    with servers.postgres(durable=True, more=more) as server:
        assert run("restore", str(tmp_path / "league.tar"), DATABASE_URL=server.url)[0] == 0
        in_shell(first, server.url, archive)
        # After the base backup.
        made = run("club_new", "spaeter", "Später", "--owner", "anna@example.org", DATABASE_URL=server.url)
        assert made[0] == 0, made[1]
        stored = ledger(server.url)
        with psycopg.connect(server.url, autocommit=True) as client:
            last = client.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
        assert last
        wait_until(lambda: (archive / "wal" / f"{last[0]}.gz").exists(), 60, "the log is in the archive")
        server.kill()
    in_shell(then, server.url, archive)
    port = servers.free_port()
    with started(archive / "new", port):
        url = server.url.replace(f":{server.port}/", f":{port}/")
        with psycopg.connect(url) as client:
            assert client.execute("SELECT count(*) FROM league_club WHERE slug = 'spaeter'").fetchone() == (1,)
        assert ledger(url) == stored
        status, printed = run("verify", DATABASE_URL=url)
        assert status == 0, printed


def in_shell(commands: str, url: str, archive: Path) -> None:
    """Run lines of the page as the user of the server."""
    identity: dict[str, Any] = servers._unprivileged()
    path = f"{servers.postgres_folder()}:{os.environ['PATH']}"
    client = psycopg.conninfo.conninfo_to_dict(url)
    env = {"PATH": path, "PGHOST": str(client["host"]), "PGPORT": str(client["port"]), "PGUSER": str(client["user"])}
    env["PGDATA"] = str(archive / "new")
    done = subprocess.run(
        ["sh", "-eu", "-c", commands], cwd=archive, env=env, capture_output=True, text=True, check=False, **identity
    )
    assert done.returncode == 0, done.stderr


@contextlib.contextmanager
def started(data: Path, port: int) -> Iterator[None]:
    """Run a server on a data folder that is there; it is ready when the archive is read."""
    log = data / "log"

    def control(*words: str) -> None:
        program = [f"{servers.postgres_folder()}/pg_ctl", "-D", str(data), *words]
        with (data / "control").open("w") as output:
            done = subprocess.run(
                program, cwd="/", stdout=output, stderr=output, check=False, **servers._unprivileged()
            )
        assert done.returncode == 0, log.read_text()

    # As many connections as the server before.
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={data} -c max_connections=200"
    control("start", "-w", "-l", str(log), "-o", options)
    try:
        yield
    finally:
        control("stop", "-m", "immediate")
