"""Whoever runs the server learns what fails, and by calls that stop what no longer runs."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command

from league.jobs import tasks as jobs
from league.models import CountFailure, UncountedEvening
from tests.factories import SeasonFactory
from tests.processes import PROJECT

UNITS = PROJECT / "deploy" / "systemd"


@pytest.fixture
def called(settings: Any) -> Iterator[list[str]]:
    """The paths that were called at `PING_URL`."""
    paths: list[str] = []

    class Switch(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Switch) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        settings.PING_URL = f"http://127.0.0.1:{server.server_port}/key"
        yield paths
        server.shutdown()


def test_success_and_failure_are_shown(called: list[str], settings: Any) -> None:
    settings.ADMINS = [("", "operator@example.org")]
    call_command("ping", "verify")
    assert (called, mail.outbox) == (["/key/verify"], [])
    call_command("ping", "backup", "--failed")
    assert called[1:] == ["/key/backup/fail"]
    [sent] = mail.outbox
    assert sent.to == ["operator@example.org"]
    assert "backup failed on" in sent.subject
    assert "journalctl --unit chratzete-backup" in sent.body


def test_a_switch_that_does_not_answer_fails_nothing(settings: Any) -> None:
    settings.PING_URL = "http://127.0.0.1:9/key"
    call_command("ping", "verify")
    call_command("ping", "verify", "--failed")


@pytest.mark.django_db
def test_the_sweep_tells_once_a_minute_and_says_that_a_count_fails(called: list[str]) -> None:
    jobs.sweep()
    jobs.sweep()
    assert called == ["/key/sweep"]
    cache.delete("ping:sweep")
    season = SeasonFactory()
    UncountedEvening.objects.create(season=season)
    CountFailure.objects.create(season=season, part="facts", error="ZeroDivisionError", retry_at="2999-01-01T00:00Z")
    jobs.sweep()
    assert called[1:] == ["/key/sweep/fail"]


@pytest.mark.parametrize("name", ["backup", "verify"])
def test_each_regular_unit_tells_both(name: str) -> None:
    lines = (UNITS / f"chratzete-{name}.service").read_text().splitlines()
    assert f"OnFailure=chratzete-failed@{name}.service" in lines
    assert f"ExecStartPost=/srv/chratzete/.venv/bin/python manage.py ping {name}" in lines
    failed = (UNITS / "chratzete-failed@.service").read_text()
    assert "ExecStart=/srv/chratzete/.venv/bin/python manage.py ping %i --failed\n" in failed


def test_every_unit_that_runs_once_is_one_of_these() -> None:
    once = [unit.name for unit in Path(UNITS).glob("*.service") if "Type=oneshot" in unit.read_text()]
    assert sorted(once) == ["chratzete-backup.service", "chratzete-failed@.service", "chratzete-verify.service"]
