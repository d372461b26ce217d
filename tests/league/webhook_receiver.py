"""A receiver of webhooks for tests: an HTTP server on 127.0.0.1 whose replies the test chooses."""

from __future__ import annotations

import http.server
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message

from games.models import Table
from league.models import Webhook
from league.webhooks import services
from tests.cast import House
from tests.factories import create_table

ALL = [event.value for event in services.EVENTS]
Reply = Callable[["Handler"], None]


@dataclass
class Got:
    """One message as received, with its time."""

    headers: Message
    body: bytes
    at: float = field(default_factory=time.monotonic)

    @property
    def delivery(self) -> str:
        return str(self.headers["Chratzete-Delivery"])


class Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.got.append(Got(self.headers, body))
        replies = self.server.replies
        reply = replies.pop(0) if replies else self.server.reply
        reply(self)

    def do_GET(self) -> None:
        self.server.got.append(Got(self.headers, b""))
        answers(200)(self)

    def log_message(self, *args: object) -> None:
        """Log nothing."""


class Receiver(http.server.ThreadingHTTPServer):
    """`got` are the messages received; `replies` are used one by one, then `reply`."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.got: list[Got] = []
        self.replies: list[Reply] = []
        self.reply: Reply = answers(204)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore it: some tests are about senders that hang up."""

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/messages"


def answers(status: int, body: bytes = b"", **headers: str) -> Reply:
    def reply(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def slow(seconds: float, status: int = 204) -> Reply:
    """Reply after this time."""

    def reply(handler: Handler) -> None:
        time.sleep(seconds)
        answers(status)(handler)

    return reply


def drips(handler: Handler) -> None:
    """Send a byte of a header every tenth of a second, without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        handler.wfile.write(b"x")
        time.sleep(0.1)


def endless(handler: Handler) -> None:
    """Send an answer that never ends."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 65536)


def resets(handler: Handler) -> None:
    """End the connection with a RST."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def babbles(handler: Handler) -> None:
    """Send an answer that is not HTTP."""
    handler.wfile.write(b"hello there\r\n\r\n")


@contextmanager
def receiver(port: int = 0) -> Iterator[Receiver]:
    """A receiver that listens until the end of the block."""
    server = Receiver(port)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def webhook_at(
    house: House, url: str = "https://receiver.example/messages", events: list[str] | None = None
) -> Webhook:
    return services.webhook_add(club=house.club, actor=house.owner, url=url, events=events or ALL)


def table_of(house: House) -> Table:
    return create_table(club=house.club, season=house.season)
