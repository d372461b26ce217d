"""The access log: off by default; switched on it has a line for each request, without secrets and addresses."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.factories import UserFactory
from tests.processes import Process, wait_until

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True)]


def lines(server: Process) -> list[dict[str, Any]]:
    """Request three pages, and return the lines of the access log."""
    # A server without an account leads to its set-up page.
    UserFactory()
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
    for address in ("/healthz", "/join/secret-of-the-link/?who=anna@example.org", "/"):
        connection.request("GET", address, headers={"X-Forwarded-For": "203.0.113.9"})
        connection.getresponse().read()
    # A later line shows that the earlier ones are written.
    server.stop()
    wait_until(lambda: server.process.poll() is not None, 20, "the server ended")
    records = [json.loads(line) for line in server.output().splitlines() if line.startswith("{")]
    assert not any("203.0.113.9" in str(record) or "anna@" in str(record) for record in records)
    return [record for record in records if record["logger"] == "access"]


def test_it_has_a_line_for_each_request(web_server: Callable[..., Process]):
    link, home = lines(web_server(ACCESS_LOG="1", LOG_LEVEL="WARNING"))
    assert (link["event"], link["method"], link["path"]) == ("request", "GET", "/join/[withheld]/")
    assert (home["path"], home["status"]) == ("/", 200)
    assert home["bytes"] > 1000
    assert home["ms"] >= 0


def test_it_is_off_by_default(web_server: Callable[..., Process]):
    assert lines(web_server(LOG_LEVEL="INFO")) == []
