"""Errors for a server of Sentry: they arrive, without names, amounts, cookies and bodies."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from structlog.contextvars import clear_contextvars

from league.config.sentry import stripped
from tests.processes import PROJECT

pytestmark = pytest.mark.rest

FAIL = """
from league.config.wsgi import application
# BEFORE
from django.test import RequestFactory
environ = RequestFactory(headers={"X-Canary": "canary-header", "Cookie": "chosen=canary-cookie"}).post(
    "/r/canary-secret/?who=Canaryname&owes=71.35", {"note": "canary-body"}
).environ
answered = []
b"".join(application(environ, lambda *answer: answered.append(answer)))
[(status, headers)] = answered
assert status.startswith("500"), status
print(dict(headers)["X-Request-ID"])
import sentry_sdk; sentry_sdk.flush(10)
"""
UNSTRIPPED = """
import os, sentry_sdk
from sentry_sdk.integrations.django import DjangoIntegration
sentry_sdk.init(os.environ["SENTRY_DSN"], send_default_pii=True, integrations=[DjangoIntegration()])
"""
CANARIES = ("Canaryname", "71.35", "canary-cookie", "canary-body", "canary-secret", "canary-header")


@pytest.fixture
def received() -> Iterator[tuple[str, list[bytes]]]:
    """The DSN of a server on this machine, and the envelopes that it gets."""
    bodies: list[bytes] = []

    class Project(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bodies.append(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Project) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://key@127.0.0.1:{server.server_port}/1", bodies
        server.shutdown()


def fail(dsn: str, before: str = "") -> str:
    """Let a request fail in a new process; return what the process printed."""
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TEST_MIDDLEWARE": "tests.failing_middleware.FailingMiddleware",
        "ALLOWED_HOSTS": "testserver",
        "SENTRY_DSN": dsn,
    }
    program = FAIL.replace("# BEFORE", before)
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def events(bodies: list[bytes]) -> list[dict[str, Any]]:
    """The events in the envelopes."""
    lines = [json.loads(line) for body in bodies for line in body.splitlines() if line.startswith(b"{")]
    return [line for line in lines if "exception" in line or "logentry" in line]


def test_an_error_arrives_without_anything_private(received: tuple[str, list[bytes]]) -> None:
    dsn, bodies = received
    request_id = fail(dsn)
    arrived = events(bodies)
    [error] = [event for event in arrived if "exception" in event]
    [value] = error["exception"]["values"]
    assert value["type"] == "ValueError"
    assert value["stacktrace"]["frames"][-1]["function"] == "__call__"
    assert error["tags"]["request_id"] == request_id
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
    assert error["release"] == f"chratzete@{version}"
    assert error["request"]["method"] == "POST"
    assert [event["logentry"]["message"] for event in arrived if event.get("logger") == "tests.failing"]
    text = b"".join(bodies).decode()
    assert [canary for canary in CANARIES if canary in text] == []


def test_without_the_stripping_all_of_it_would_arrive(received: tuple[str, list[bytes]]) -> None:
    dsn, bodies = received
    fail(dsn, UNSTRIPPED)
    text = b"".join(bodies).decode()
    assert [canary for canary in CANARIES if canary not in text] == []


def test_what_a_library_adds_to_an_event_is_left_out() -> None:
    event: dict[str, Any] = {"user": {"id": 1}, "extra": {"sys.argv": ["x"]}, "breadcrumbs": {}, "contexts": {}}
    clear_contextvars()
    assert stripped(event, {}) == {"request": {}, "tags": {"request_id": ""}}
