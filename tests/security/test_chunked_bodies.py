"""Chunked bodies have no length and are refused: else a write would run as if its body were empty."""

from __future__ import annotations

import http.client
import io
import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client

from league.models import Invitation
from tests.api.api_client import key_for
from tests.cast import Cast
from tests.processes import Process

pytestmark = pytest.mark.django_db(transaction=True)

SENT = {"role": "recorder", "note": "Emil"}
INVITATIONS = "/api/v1/clubs/roessli/invitations"


def chunks(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), 16 * 1024):
        yield body[start : start + 16 * 1024]


def ask(server: Process, method: str, path: str, body: Any, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    """Send a chunked body; return the answer."""
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
    known = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4()), "Accept-Language": "en"}
    try:
        connection.request(method, path, chunks(body), {**known, **headers}, encode_chunked=True)
        answer = connection.getresponse()
        return answer, answer.read().decode()
    finally:
        connection.close()


def invite(server: Process, people: Cast, body: bytes) -> tuple[http.client.HTTPResponse, dict[str, Any]]:
    key = {"Authorization": f"Bearer {key_for(people.home.owner)}", "Transfer-Encoding": "chunked"}
    answer, text = ask(server, "POST", INVITATIONS, body, **key)
    return answer, json.loads(text)


def test_a_chunked_body_is_refused_and_nothing_is_stored(people: Cast, web_server: Callable[..., Process]) -> None:
    server = web_server(WEB_PROCESSES="1")
    for body in (json.dumps(SENT).encode(), b"x" * 1_000_000):
        answer, content = invite(server, people, body)
        assert (answer.status, content["code"]) == (411, "length_required")
        assert answer.headers["Content-Type"] == "application/problem+json"
    assert not Invitation.objects.exists()
    for method, path in (("GET", "/"), ("POST", "/login/"), ("DELETE", "/api/v1/me/api-keys/x")):
        answer, text = ask(server, method, path, b"{}", **{"Transfer-Encoding": "chunked"})
        assert answer.status == 411, path
        assert "Content-Length" in text
        assert path.startswith("/api/") or "<h1>" in text


def test_without_the_guard_a_chunked_write_runs_with_an_empty_body(
    people: Cast, web_server: Callable[..., Process]
) -> None:
    server = web_server(WEB_PROCESSES="1", TEST_MIDDLEWARE=f"{ignore_chunks.__module__}.{ignore_chunks.__name__}")
    answer, content = invite(server, people, json.dumps(SENT).encode())
    assert (answer.status, content["role"], content["note"]) == (201, "member", "")


def ignore_chunks(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that hides the transfer encoding from the guard."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.META.pop("HTTP_TRANSFER_ENCODING", None)
        return get_response(request)

    return answer


def test_a_broken_chunk_is_refused_as_well(client: Client) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError("no such piece")

    answer = client.get("/", **{"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": Broken()})
    assert answer.status_code == 411
