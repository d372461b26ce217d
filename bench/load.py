"""Load on one server: each connection sends its next request as soon as it has its answer; all answers are checked."""

import selectors
import socket
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

WAIT_SECONDS = 30.0


class Request(NamedTuple):
    """The bytes of a request, and the expected status and text of its answer."""

    sent: bytes
    status: int
    words: bytes


class WrongAnswer(Exception):
    """The server gave another answer than the expected one."""


def request(
    host: str, method: str, path: str, *, status: int, words: str, headers: Mapping[str, str], body: bytes = b""
) -> Request:
    """Build a request."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in {"Accept": "*/*", **headers}.items()]
    lines += [f"Content-Length: {len(body)}"] if body else []
    return Request("\r\n".join([*lines, "", ""]).encode() + body, status, words.encode())


class _Line:
    """One connection: its last request, the time of it, and the bytes of the answer so far."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), WAIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: Request) -> None:
        self.request, self.came, self.length = request, bytearray(), 0
        self.began = time.perf_counter()
        self.socket.sendall(request.sent)

    def receive(self) -> bool:
        """Receive bytes; return True if the answer is complete. Raises WrongAnswer."""
        piece = self.socket.recv(256 * 1024)
        if not piece:
            raise WrongAnswer(f"the server hung up: {bytes(self.came[:200])!r}")
        self.came += piece
        if not self.length:
            end = self.came.find(b"\r\n\r\n")
            if end < 0:
                return False
            self.length = end + 4 + _content_length(bytes(self.came[: end + 2]))
        if len(self.came) < self.length:
            return False
        if int(self.came[9:12]) != self.request.status or self.request.words not in self.came:
            raise WrongAnswer(f"{bytes(self.request.sent[:80])!r} was answered by {bytes(self.came[:800])!r}")
        return True


def _content_length(head: bytes) -> int:
    if head[9:12] == b"304":
        return 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line[15:])
    raise WrongAnswer(f"an answer without a length: {head!r}")


def run(port: int, connections: int, requests: Iterator[Request]) -> list[float]:
    """Send all requests over this number of connections; return the seconds of each answer. Raises WrongAnswer."""
    took: list[float] = []
    with selectors.DefaultSelector() as waiting:
        for first in (line for line in (next(requests, None) for _ in range(connections)) if line is not None):
            line = _Line(port)
            waiting.register(line.socket, selectors.EVENT_READ, line)
            line.send(first)
        while waiting.get_map():
            ready = waiting.select(WAIT_SECONDS)
            if not ready:
                raise WrongAnswer(f"no answer within {WAIT_SECONDS:.0f} s")
            for key, _events in ready:
                line = key.data
                if not line.receive():
                    continue
                took.append(time.perf_counter() - line.began)
                following = next(requests, None)
                if following is None:
                    waiting.unregister(line.socket)
                    line.socket.close()
                else:
                    line.send(following)
    return took
