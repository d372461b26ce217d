"""A body that comes in pieces has no length: it is refused, since a write would be done as if nothing had been sent."""

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
from tests.api.asking import key_for
from tests.cast import Cast, cast
from tests.processes import Process

pytestmark = pytest.mark.django_db(transaction=True)

SENT = {"role": "recorder", "note": "Emil"}
INVITATIONS = "/api/v1/clubs/roessli/invitations"


@pytest.fixture
def people() -> Cast:
    return cast()


def pieces(body: bytes) -> Iterator[bytes]:
    for at in range(0, len(body), 16 * 1024):
        yield body[at : at + 16 * 1024]


def ask(server: Process, method: str, path: str, body: Any, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    """The answer to a body that is sent in pieces."""
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
    known = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4()), "Accept-Language": "en"}
    try:
        connection.request(method, path, pieces(body), {**known, **headers}, encode_chunked=True)
        answer = connection.getresponse()
        return answer, answer.read().decode()
    finally:
        connection.close()


def invite(server: Process, people: Cast, body: bytes) -> tuple[http.client.HTTPResponse, dict[str, Any]]:
    key = {"Authorization": f"Bearer {key_for(people.home.owner)}", "Transfer-Encoding": "chunked"}
    answer, text = ask(server, "POST", INVITATIONS, body, **key)
    return answer, json.loads(text)


def test_a_body_in_pieces_is_refused_and_nothing_is_stored(people: Cast, web_server: Callable[..., Process]) -> None:
    server = web_server(WEB_PROCESSES="1")
    for body in (json.dumps(SENT).encode(), b"x" * 1_000_000):
        answer, told = invite(server, people, body)
        assert (answer.status, told["code"]) == (411, "length_required")
        assert answer.headers["Content-Type"] == "application/problem+json"
    assert not Invitation.objects.exists()
    for method, path in (("GET", "/"), ("POST", "/login/"), ("DELETE", "/api/v1/me/keys/x")):
        answer, text = ask(server, method, path, b"{}", **{"Transfer-Encoding": "chunked"})
        assert answer.status == 411, path
        assert "Content-Length" in text
        assert path.startswith("/api/") or "<h1>" in text


def test_without_the_guard_it_is_done_as_if_nothing_had_been_sent(
    people: Cast, web_server: Callable[..., Process]
) -> None:
    server = web_server(WEB_PROCESSES="1", TEST_MIDDLEWARE=f"{untold.__module__}.{untold.__name__}")
    answer, told = invite(server, people, json.dumps(SENT).encode())
    assert (answer.status, told["role"], told["note"]) == (201, "member", "")


def untold(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware of a server that knows nothing of pieces."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.META.pop("HTTP_TRANSFER_ENCODING", None)
        return get_response(request)

    return answer


def test_what_is_wrong_about_the_pieces_changes_nothing(client: Client) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError("no such piece")

    answer = client.get("/healthz", **{"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": Broken()})
    assert answer.status_code == 411
