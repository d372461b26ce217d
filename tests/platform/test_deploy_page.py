"""The blocks of docs/deploy.md are carried out in an empty folder, with real PostgreSQL, Redis, nginx and services."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests import servers
from tests.processes import PROJECT
from tests.substitutes import Machine, Systemd

pytestmark = pytest.mark.rest

PAGE = PROJECT / "docs" / "deploy.md"
BLOCK = re.compile(r"^```(\S+)(?: (\w+))?\n(.*?)^```$", re.S | re.M)
HOST = "club.example"


def blocks() -> list[tuple[str, str]]:
    """Return each block of commands with its mark: `root`, `example` (not carried out) or none."""
    matches = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [(mark, text) for language, mark, text in matches if language == "sh"]


def test_blocks_that_need_root_are_marked():
    marked = blocks()
    assert [mark for mark, _text in marked].count("example") == 9
    assert len(marked) > 10
    for mark, text in marked:
        assert mark in ("root", "example") or "sudo" not in text, text


def test_the_single_service_may_write_the_compiled_texts():
    """Its unit makes everything but its own folder read-only, and `serve` compiles."""
    [text] = (text for mark, text in blocks() if mark == "example" and "manage.py serve" in text)
    unit = (PROJECT / "deploy/systemd/chratzete-web.service").read_text(encoding="utf-8")
    assert "ProtectSystem=strict" in unit
    folder = re.search(r"^WorkingDirectory=(.+)$", unit, re.M)
    assert folder
    assert f"ReadWritePaths={folder[1]}/{Path(settings.LOCALE_PATHS[0]).relative_to(PROJECT)}\n" in text
    # A service has one command: the first line takes that of the unit away.
    assert f"ExecStart=\nExecStart={folder[1]}/.venv/bin/python manage.py serve\n" in text


@pytest.fixture
def machine() -> Iterator[Machine]:
    """An empty machine with PostgreSQL, whose superuser is `postgres`, and Redis."""
    try:
        with (
            servers.postgres(superuser="postgres") as postgres,
            servers.redis() as redis,
            # The name of a socket is short: no folder of pytest.
            tempfile.TemporaryDirectory(prefix="d-") as folder,
        ):
            made = Machine(Path(folder), redis.port)
            made.prepare()
            (made.root / "run/postgresql/.s.PGSQL.5432").symlink_to(postgres.folder / f".s.PGSQL.{postgres.port}")
            yield made
    except servers.NoServer as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


@pytest.fixture
def systemd(machine: Machine) -> Iterator[Systemd]:
    systemd = Systemd(machine)
    server = systemd.listen()
    yield systemd
    systemd.stop_all()
    server.shutdown()
    server.server_close()


def repository(machine: Machine) -> Path:
    """Return a clone of this project in which the files of `deploy` name the folders and ports of this machine."""
    clone = machine.root / "repository"
    subprocess.run(["git", "clone", "--quiet", PROJECT, clone], check=True)
    for file in (clone / "deploy").rglob("*"):
        if file.is_file():
            file.write_text(machine.on_this_machine(file.read_text()))
    commit = ["-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet", "-am", "This machine"]
    subprocess.run(["git", *commit], cwd=clone, check=True)
    return clone


@pytest.mark.long
@pytest.mark.needs_postgres
def test_the_page_leads_to_a_service(machine: Machine, systemd: Systemd):
    script = "".join(text for mark, text in blocks() if mark != "example")
    script = script.replace("https://git.example/chratzete.git", str(repository(machine)))
    output = run(machine, f"set -euxo pipefail\n{machine.on_this_machine(script)}")
    assert "ERROR" not in output

    assert "is at /c/roessli/; its owner is anna@example.org." in output
    assert (systemd.enabled, sorted(systemd.running)) == (
        {f"chratzete-{unit}" for unit in ("web", "worker", "clock", "verify.timer", "backup.timer")},
        ["chratzete-clock", "chratzete-web", "chratzete-worker", "nginx"],
    )
    # It ends with 0 when the worker has heard the clock.
    assert "sweep: ran" in run(machine, "timeout 120 bash -c 'until chratzete queue; do sleep 1; done'")
    check_answers(machine)


def run(machine: Machine, script: str) -> str:
    done = subprocess.run(
        ["bash", "-c", script], cwd=machine.root, env=machine.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
    return done.stdout + done.stderr


def check_answers(machine: Machine) -> None:
    """Request pages through nginx, as a browser does."""
    headers = run(machine, f"curl --silent --fail --head https://{HOST}/calculator/")
    assert headers.startswith("HTTP/2 200")
    assert "strict-transport-security" in headers
    # The club that the page creates is private.
    club = run(machine, f"curl --silent --head https://{HOST}/c/roessli/")
    assert club.startswith("HTTP/2 404")
    page = run(machine, f"curl --silent --fail https://{HOST}/calculator/")
    style = next(iter(re.findall(r'href="(/static/[^"]+\.css)"', page)))
    for address in (style, "/calculator/"):
        # By the service: nginx itself does not compress.
        answer = run(machine, f"curl --silent --fail --compressed --dump-header - https://{HOST}{address}")
        assert "content-encoding: gzip" in answer
    # Answers that the service does not compress, since their length could reveal a secret, stay uncompressed behind
    # nginx.
    cookie = f"curl --silent --fail --compressed --dump-header - -H 'Cookie: a=b' https://{HOST}/calculator/"
    assert "content-encoding" not in run(machine, cookie)
    plain = f"http://{HOST}:{machine.http}"
    moved = run(machine, f"{servers.installed('curl')} --silent --head --connect-to ::127.0.0.1: {plain}/c/roessli/")
    assert "301" in moved.splitlines()[0]
    assert f"location: https://{HOST}/c/roessli/" in moved.lower()
    # Only the proxy sets the address of the client: another host name is refused by the service.
    refused = run(machine, f"curl --silent --insecure --head -H 'Host: other.example' https://{HOST}/")
    assert refused.startswith("HTTP/2 400")
