"""A line between two processes that a test cuts: connections end, new ones are closed at once, until it is repaired."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class FaultyLine:
    """Listens on `port` and passes everything on to another port. `refused` counts connections in vain, `lost` the
    answers to POST requests that did not arrive."""

    def __init__(self, to: tuple[str, int]) -> None:
        self._to, self._cut = to, threading.Event()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listener.getsockname()[1])
        self.refused = self.lost = 0
        self._loses, self._posted = threading.Event(), set[socket.socket]()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._cut.set()
        for connection in list(self._open):
            _end(connection)

    def lead_to(self, port: int) -> None:
        """Pass new connections on to another port, that of a server that was started again."""
        self._to = ("127.0.0.1", port)

    def repair(self) -> None:
        self._cut.clear()

    def lose_answers(self, lose: bool = True) -> None:
        """Let POST requests arrive, but cut the line in place of their answers; `lose=False` ends this."""
        if lose:
            self._loses.set()
        else:
            self._loses.clear()

    def close(self) -> None:
        _end(self._listener)
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._cut.is_set():
                self.refused += 1
                near.close()
                continue
            try:
                far = socket.create_connection(self._to)
            except OSError:
                # No server, as while it is started again.
                near.close()
                continue
            for each in (near, far):
                # Pieces go on as they come; otherwise each second one waits for the receipt of the first.
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open |= {near, far}
            for source, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, other), daemon=True).start()

    def _pass_on(self, source: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if data.startswith(b"POST ") and self._loses.is_set():
                    self._posted.add(other)
                if source in self._posted:
                    self.lost += 1
                    break
                other.sendall(data)
        self._posted.discard(source)
        for each in (source, other):
            self._open.discard(each)
            _end(each)


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextlib.contextmanager
def faulty_line(host: str, port: int) -> Iterator[FaultyLine]:
    line = FaultyLine((host, port))
    try:
        yield line
    finally:
        line.close()
