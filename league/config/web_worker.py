"""A gunicorn worker for slow and silent clients: no thread waits for a request, and none waits long to send an answer.

gunicorn's own worker reads a request in a thread and has no deadline: as many slow connections as threads silence it.
Here the main loop collects each request, and a thread gets it when it is complete.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import selectors
import socket
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

REQUEST_SECONDS = float(os.environ.get("SLOW_CLIENT_SECONDS", "10"))
"""The time for the head of a request, and the same again for its body."""
SEND_SECONDS = 3 * REQUEST_SECONDS
SLOWEST_BYTES = 16 * 1024
"""A thread waits `SEND_SECONDS` for a client that takes an answer, and a second more for each so many bytes it took."""
LINGER_SECONDS = 2.0
MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = int(os.environ.get("COLLECTED_BODY_BYTES", str(128 * 1024)))
MAX_FILE_BYTES = int(os.environ.get("COLLECTED_FILE_BYTES", str(8 * 1024 * 1024 + 64 * 1024)))
FILE_SECONDS = 6 * REQUEST_SECONDS
FILES_AT_ONCE = 2
"""The file of a tournament may be so long, and takes so long to arrive; so many are collected at once, for memory."""
MAX_DROPPED_BYTES = 16 * 1024 * 1024
"""A longer or chunked body is refused by the app: up to so many bytes of it are read and dropped before."""
SEND_BUFFER_BYTES = 256 * 1024
PIECE_BYTES = 64 * 1024

FILE = re.compile(rb"POST /(?:c/[-\w]+/(?:tournaments/import|imports|logo)/|api/v1/clubs/[-\w]+/imports(?:/check)?) ")
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class LimitedSocket(socket.socket):
    """The socket as a thread sees it: it reads nothing, as the request was collected, and waits for a while to send."""

    left = SEND_SECONDS

    def recv(self, *args: Any) -> bytes:
        raise _too_slow()

    def sendall(self, data: Any, *flags: Any) -> None:
        rest = memoryview(data).cast("B")
        while rest:
            began = time.monotonic()
            self.settimeout(max(self.left, 0.001))
            try:
                sent = super().send(rest[:PIECE_BYTES], *flags)
            except TimeoutError:
                raise _too_slow() from None
            self.left += sent / SLOWEST_BYTES - (time.monotonic() - began)
            self.left = min(self.left, SEND_SECONDS)
            rest = rest[sent:]

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        # By `sendall`, for its deadline; static files are short.
        file.seek(offset)
        data = file.read() if count is None else file.read(count)
        self.sendall(data)
        return len(data)


def _too_slow() -> ConnectionResetError:
    # gunicorn logs a time-out with its traceback, a reset connection at DEBUG.
    return ConnectionResetError(errno.ECONNRESET, "the client is too slow")


class Connection(TConn):  # type: ignore[misc]
    """A connection, with the part of its next request that has arrived."""

    def __init__(self, worker: CollectingWorker, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, LimitedSocket(fileno=sock.detach()), client, server)
        self.worker = worker
        self.data_ready = True
        self.received = bytearray()
        self.begin()

    def begin(self) -> None:
        """Begin to collect a request."""
        self.timeout = time.monotonic() + REQUEST_SECONDS
        self.wanted: int | None = None
        self.dropping: int | None = None
        self.last = b""

    def read(self) -> bool:
        """Read the data that has arrived, without waiting. Returns False if the client has gone."""
        try:
            data = socket.socket.recv(self.sock, PIECE_BYTES)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        if self.dropping is None:
            self.received += data
        else:
            self._drop(data)
        return bool(data)

    def is_complete(self) -> bool:
        """Return True if a thread can answer the request without waiting for the client."""
        if self.wanted is None:
            self._look_at_head()
        if self.dropping is not None:
            return self.dropping <= 0
        return self.wanted is not None and len(self.received) >= self.wanted

    def _look_at_head(self) -> None:
        end = self.received.find(b"\r\n\r\n") + 4
        if end < 4:
            return
        head, length = bytes(self.received[:end]), 0
        match = LENGTH.search(head)
        if match:
            length = int(match[1])
        self.wanted = end + length
        self.timeout = time.monotonic() + REQUEST_SECONDS
        is_chunked = CHUNKED.search(head) is not None
        limit = MAX_BODY_BYTES
        if length > limit and not is_chunked and FILE.match(head) and self.worker.takes_file(self):
            self.timeout = time.monotonic() + FILE_SECONDS
            limit = MAX_FILE_BYTES
        if is_chunked or length > limit:
            self.dropping = MAX_DROPPED_BYTES if is_chunked else min(length, MAX_DROPPED_BYTES)
            self.chunked = is_chunked
            body = bytes(self.received[end:])
            del self.received[end:]
            self._drop(body)
        elif EXPECTS.search(head) and len(self.received) < self.wanted:
            with contextlib.suppress(OSError):
                socket.socket.send(self.sock, b"HTTP/1.1 100 Continue\r\n\r\n")

    def _drop(self, data: bytes) -> None:
        """Drop a piece of a body that the app refuses: a client that is still sending would miss the answer."""
        assert self.dropping is not None
        self.dropping -= len(data)
        self.last = (self.last + data)[-5:]
        if self.chunked and self.last == b"0\r\n\r\n":
            self.dropping = 0

    def hand_over(self) -> None:
        """Give the parser the data that has arrived, in the thread that answers."""
        self.sock.left = SEND_SECONDS
        self.sock.setblocking(True)
        self.init()
        self.parser.unreader.unread(bytes(self.received))
        self.received.clear()

    def close(self, graceful: bool = False) -> None:
        """Close the connection; `graceful` after an answer, which the client may not have read yet."""
        if graceful:
            self.worker.linger(self)
        else:
            super().close()


class CollectingWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads, whose main loop collects the requests."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lingering: set[Connection] = set()
        self.files: set[Connection] = set()

    def accept(self, listener: Any) -> None:
        if self.cfg.is_ssl:
            super().accept(listener)
            return
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED, errno.EMFILE, errno.ENFILE):
                raise
            return
        self.nr_conns += 1
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self.collect(Connection(self, sock, client, listener.getsockname()))

    def collect(self, conn: Connection) -> None:
        """Wait in the main loop until the request of this connection is complete."""
        conn.sock.setblocking(False)
        conn.begin()
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))
        self._look(conn)

    def on_pending_socket_readable(self, conn: Any, client: Any) -> None:
        if not isinstance(conn, Connection):
            super().on_pending_socket_readable(conn, client)
        elif conn.read():
            self._look(conn)
        else:
            self._drop(conn)

    def _look(self, conn: Connection) -> None:
        if conn.is_complete():
            self._forget(conn)
            self.enqueue_req(conn)
        elif conn.wanted is None and len(conn.received) > MAX_HEAD_BYTES:
            with contextlib.suppress(OSError):
                socket.socket.send(conn.sock, TOO_LONG)
            self._drop(conn, graceful=True)

    def takes_file(self, conn: Connection) -> bool:
        """Return True if another long file may be collected, and count it."""
        if len(self.files) >= FILES_AT_ONCE:
            return False
        self.files.add(conn)
        return True

    def _forget(self, conn: Connection) -> None:
        self.files.discard(conn)
        self.poller.unregister(conn.sock)
        self.pending_conns.remove(conn)

    def _drop(self, conn: Connection, *, graceful: bool = False) -> None:
        self._forget(conn)
        self.nr_conns -= 1
        conn.close(graceful=graceful)

    def on_client_socket_readable(self, conn: Any, client: Any) -> None:
        """A kept connection begins its next request."""
        if not isinstance(conn, Connection):
            super().on_client_socket_readable(conn, client)
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self.collect(conn)
        # It is readable now: the loop would come back for it later.
        if conn in self.pending_conns:
            self.on_pending_socket_readable(conn, client)

    def handle(self, conn: Any) -> Any:
        if isinstance(conn, Connection):
            conn.hand_over()
        return super().handle(conn)

    def finish_request(self, conn: Any, fs: Any) -> None:
        if isinstance(conn, Connection) and conn.parser is not None:
            # The beginning of the next request, which came with the last one.
            conn.received += conn.parser.unreader.take_buffered()
        super().finish_request(conn, fs)
        if isinstance(conn, Connection) and conn.received and conn in self.keepalived_conns:
            self.poller.unregister(conn.sock)
            self.keepalived_conns.remove(conn)
            self.collect(conn)

    def murder_pending(self) -> None:
        """Close the connections whose request did not come in time, and those that wait for their client's end."""
        now = time.monotonic()
        for conn in [each for each in self.pending_conns if each.timeout <= now]:
            self._drop(conn)
        for conn in [each for each in self.lingering if each.timeout <= now]:
            self._end(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    # --- The end of a connection ---------------------------------------------------------------------------

    def linger(self, conn: Connection) -> None:
        """Close a connection when its client has closed it, or after a while. gunicorn's own way stops the loop."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.setblocking(False)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._on_lingering_readable, conn))
        except (OSError, ValueError, KeyError):
            TConn.close(conn)
            return
        conn.timeout = time.monotonic() + LINGER_SECONDS
        conn.received.clear()
        conn.dropping = None
        self.lingering.add(conn)

    def _on_lingering_readable(self, conn: Connection, client: Any) -> None:
        if not conn.read() or len(conn.received) > MAX_HEAD_BYTES:
            self._end(conn)

    def _end(self, conn: Connection) -> None:
        self.lingering.discard(conn)
        with contextlib.suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        TConn.close(conn)
