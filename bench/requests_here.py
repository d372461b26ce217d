"""Requests that this process answers itself, through all middlewares: no socket and no other process is measured."""

import io
import json
import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections


class Requests:
    """A client of the API with this key, or a browser with the cookie of a session."""

    def __init__(self, key: str = "", *, cookie: str = "") -> None:
        self.sent = {"HTTP_COOKIE": cookie} if cookie else {"HTTP_AUTHORIZATION": f"Bearer {key}"}
        self.handle = WSGIHandler()
        # The connection stays, as behind pgbouncer; on SQLite each request would open the file again.
        request_started.disconnect(close_old_connections)
        request_finished.disconnect(close_old_connections)

    def post(self, path: str, body: dict[str, Any]) -> None:
        """Store something new. Raises RuntimeError unless the answer is 201."""
        self._answer("POST", path, json.dumps(body).encode(), 201)

    def get(self, address: str) -> Any:
        """Return the JSON of an answer. Raises RuntimeError unless it is 200."""
        return json.loads(self._answer("GET", address, b"", 200))

    def page(self, address: str) -> bytes:
        """Return a page, or a whole file. Raises RuntimeError unless the answer is 200."""
        return self._answer("GET", address, b"", 200)

    def first_line(self, address: str) -> float:
        """Return the seconds until the heading and the first line of a file are there."""
        begun = time.perf_counter()
        came = b""
        for piece in self._pieces("GET", address, b"", 200):
            came += piece
            if came.count(b"\n") >= 2:
                return time.perf_counter() - begun
        raise RuntimeError(f"{address} has no line: {came[:200]!r}")

    def _answer(self, method: str, address: str, body: bytes, status: int) -> bytes:
        return b"".join(self._pieces(method, address, body, status))

    def _pieces(self, method: str, address: str, body: bytes, status: int) -> Iterator[bytes]:
        parts = urlsplit(address)
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "SCRIPT_NAME": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_HOST": "localhost",
            **self.sent,
            "HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4()),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.version": (1, 0),
        }
        statuses: list[str] = []
        answer = self.handle(environ, lambda line, headers, problem=None: statuses.append(line) or (lambda _: None))
        try:
            if not statuses[0].startswith(str(status)):
                raise RuntimeError(f"{method} {address}: {statuses[0]}: {b''.join(answer)[:500]!r}")
            yield from answer
        finally:
            answer.close()
