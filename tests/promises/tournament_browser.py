"""Browsers, phones and programs of a tournament, over HTTP, on a line that is cut now and then."""

from __future__ import annotations

import http.client
import json
import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django.test import Client

from league.models import User

GIVES_UP_SECONDS = 60.0
TOKEN = "0" * 32


@dataclass(frozen=True)
class Answer:
    """The answer of the server: status, body, the address after a redirect."""

    status: int
    body: bytes
    place: str

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """The address of the server, which may change when it is started again. It counts requests that were repeated."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.repeated = 0

    def send(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        """Send a request until it is answered. Each write has a key or sets an absolute state: it may be repeated."""
        until = time.monotonic() + GIVES_UP_SECONDS
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                connection.request(method, path, body, dict(headers))
                answer = connection.getresponse()
                answer.body = answer.read()  # type: ignore[attr-defined]
                return answer
            except (OSError, http.client.HTTPException):
                self.repeated += 1
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
            finally:
                connection.close()


class Browser:
    """A browser with cookies: of a person who is signed in, or of nobody."""

    def __init__(self, line: Line, person: User | None = None) -> None:
        self.line = line
        self.cookies = {"csrftoken": TOKEN}
        if person is not None:
            client = Client()
            client.force_login(person)
            self.cookies["sessionid"] = client.cookies["sessionid"].value

    def get(self, path: str) -> Answer:
        """Open a page, through redirects."""
        answer = self._send("GET", path, b"", {})
        for _nth in range(5):
            if answer.status not in (301, 302, 303):
                break
            path = urljoin(path, answer.place)
            answer = self._send("GET", path, b"", {})
        return Answer(answer.status, answer.body, path)

    def post(self, path: str, fields: Mapping[str, object] | None = None, *, keyed: bool = True) -> Answer:
        """Send a form; each has a key of its own, which a repetition sends again."""
        key = {"key": str(uuid.uuid4())} if keyed else {}
        sent = {"csrfmiddlewaretoken": TOKEN, **key, **(fields or {})}
        body = urlencode(sent, doseq=True).encode()
        return self._send("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def _send(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.line.send(method, path, body, {"Cookie": cookies, **headers})
        for set_cookie in answer.headers.get_all("Set-Cookie") or ():
            match = re.match(r'([^=;]+)="?([^";]*)', set_cookie)
            if match:
                self.cookies[match.group(1)] = match.group(2)
        place = urlsplit(answer.headers.get("Location", ""))
        where = place.path + (f"?{place.query}" if place.query else "")
        return Answer(answer.status, answer.body, where)  # type: ignore[attr-defined]


class Program:
    """A program with an API key."""

    def __init__(self, line: Line, key: str) -> None:
        self.line = line
        self.key = key

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request; a write has a key, which a repetition sends again. Return the answer's JSON."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = b"" if body is None else json.dumps(body).encode()
        answer = self.line.send(method, f"/api/v1/{path}", data, headers)
        text: bytes = answer.body  # type: ignore[attr-defined]
        assert answer.status in (200, 201, 204), (method, path, answer.status, text[:600])
        return json.loads(text) if text else None
