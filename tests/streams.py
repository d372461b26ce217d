"""The event stream in tests: its process, and phones that hold streams open."""

from __future__ import annotations

import contextlib
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client

from league.models import User
from league.stream import rights
from tests import servers
from tests.processes import START_SECONDS, Process, wait_until

ENDED = "ended"
NONE = "none"
SECONDS = 5.0


class Phone:
    """A phone that asks for the stream of a part of a page, over a connection of its own.

    `open` is False if it got none. The request is one of HTTP 1.0, as that of nginx: the end of the stream is that of
    the connection.
    """

    def __init__(self, port: int, part: str, person: User | None = None, *, near: str = "", **headers: str) -> None:
        cookies = ""
        if person is not None:
            client = Client()
            client.force_login(person)
            cookies = "; ".join(f"{name}={cooky.value}" for name, cooky in client.cookies.items())
            self.client = client
        sent = {"Host": "127.0.0.1", "Accept": "text/event-stream", **({"Cookie": cookies} if cookies else {})}
        lines = [f"{name}: {value}" for name, value in (sent | headers).items()]
        self.socket = socket.create_connection(("127.0.0.1", port), 10, (near, 0) if near else None)
        head = [f"GET /stream/?part={quote(part, safe='')} HTTP/1.0", *lines, "", ""]
        self.socket.sendall("\r\n".join(head).encode())
        self._read = b""
        while b"\r\n\r\n" not in self._read:
            self._read += self.socket.recv(4096) or b"\r\n\r\n"
        self.head, _, self._read = self._read.partition(b"\r\n\r\n")
        self.open = self.head.split()[1:2] == [b"200"]

    def next(self, seconds: float = SECONDS) -> str:
        """Return the kind of the next event, `ENDED` at the end of the stream, `NONE` if nothing comes."""
        until = time.monotonic() + seconds
        while b"\n\n" not in self._read:
            self.socket.settimeout(max(0.001, until - time.monotonic()))
            try:
                piece = self.socket.recv(4096)
            except TimeoutError:
                return NONE
            except OSError:
                return ENDED
            if not piece:
                return ENDED
            self._read += piece
        event, _, self._read = self._read.partition(b"\n\n")
        kind = dict(line.split(": ", 1) for line in event.decode().splitlines()).get("event")
        return kind if kind and kind != "beat" else self.next(until - time.monotonic())

    def close(self) -> None:
        self.socket.close()


class Stream:
    """The running process of the stream, and its phones."""

    def __init__(self, process: Process, port: int) -> None:
        self.process, self.port = process, port
        self._phones: list[Phone] = []

    def phone(self, part: str, person: User | None = None, **headers: str) -> Phone:
        self._phones.append(Phone(self.port, part, person, **headers))
        return self._phones[-1]

    def get(self, path: str, **headers: str) -> str:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.read().decode()

    def close(self) -> None:
        for phone in self._phones:
            phone.close()


def start_stream(start_process: Callable[..., Process], **more: str) -> Stream:
    """Start `manage.py stream` on a free port, and wait until it has its messages."""
    connection.close()
    port = servers.free_port()
    process = start_process("manage.py", "stream", STREAM="1", STREAM_PORT=str(port), **more)

    def answers() -> bool:
        if process.process.poll() is not None:
            pytest.fail(f"the stream ended: {process.output()[-2000:]}")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
            return True
        return False

    wait_until(answers, START_SECONDS, "the stream answers")
    return Stream(process, port)


@contextlib.contextmanager
def publishing(settings: Any) -> Iterator[None]:
    """Publish the news of this process, as one does that is started with STREAM=1."""
    settings.STREAM = True
    rights.receivers()
    yield
    rights.receivers(on=False)
    settings.STREAM = False
