"""Slow and silent clients: the server answers others, alone and behind the documented nginx."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.nginx import answers, nginx
from tests.processes import Process, wait_until
from tests.slow_middleware import LONG_BYTES

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True), pytest.mark.long]

IDLE = 1000
SLOW = 24
"""Slow connections of each kind: many more than the server has threads."""
FEW_THREADS = {"WEB_PROCESSES": "1", "WEB_THREADS": "2", "TEST_MIDDLEWARE": "tests.slow_middleware.LongAnswer"}
PLAIN = {"GUNICORN_CMD_ARGS": "--worker-class gthread"}
"""gunicorn's own worker, without deadlines."""
HEAD = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
KINDS = {
    "slow head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "slow body": HEAD + b"Content-Length: 1000\r\n\r\nx",
    "body that is announced": HEAD + b"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
    "long body": HEAD + b"Content-Length: 5000000\r\n\r\nx",
    "chunked body": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nx",
    "second request": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ",
    "head without end": b"GET / HTTP/1.1\r\nX-Slow: " + b"x" * 4000,
}
READER = b"GET /long/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Attack:
    """Connections to one port that send a piece now and then, and read nothing."""

    def __init__(self, port: int) -> None:
        self.port, self.open = port, []
        self.over = threading.Event()
        self.dripping: list[socket.socket] = []
        threading.Thread(target=self._drip, daemon=True).start()

    def connect(self, count: int, begin: bytes = b"") -> None:
        for _ in range(count):
            peer = socket.socket()
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.settimeout(10)
            peer.connect(("127.0.0.1", self.port))
            if begin:
                peer.sendall(begin)
            self.open.append(peer)
            if begin and begin != READER:
                self.dripping.append(peer)

    def _drip(self) -> None:
        while not self.over.wait(0.3):
            for peer in list(self.dripping):
                with contextlib.suppress(OSError):
                    peer.send(b"x")

    def end(self) -> None:
        self.over.set()
        for peer in self.open:
            peer.close()


@contextlib.contextmanager
def attack_on(port: int) -> Iterator[Attack]:
    attack = Attack(port)
    try:
        yield attack
    finally:
        attack.end()


def port_of(server: Process) -> int:
    return int(urlsplit(server.url).port or 0)


def test_idle_and_slow_connections_occupy_no_thread(web_server: Callable[..., Process]) -> None:
    # With a time-out far longer than the test: nothing but the collecting keeps the threads free.
    port = port_of(web_server(SLOW_CLIENT_SECONDS="120", **FEW_THREADS))
    with attack_on(port) as attack:
        attack.connect(IDLE)
        assert answers(port)
        for begin in KINDS.values():
            attack.connect(SLOW, begin)
            assert answers(port)


def test_a_slow_connection_is_closed_after_its_time(web_server: Callable[..., Process]) -> None:
    port = port_of(web_server(SLOW_CLIENT_SECONDS="1", **FEW_THREADS))
    with attack_on(port) as attack:
        attack.connect(2)
        for begin in KINDS.values():
            attack.connect(1, begin)
        for peer in attack.open:
            with contextlib.suppress(ConnectionError):
                while peer.recv(65536):
                    continue
        # Readers occupy threads for a while, then they are cut off.
        attack.connect(6, READER)
        wait_until(lambda: answers(port, 2), 60, "the server answers again")


def test_a_reader_who_is_slow_but_reads_gets_everything(web_server: Callable[..., Process]) -> None:
    port = port_of(web_server(SLOW_CLIENT_SECONDS="1", **FEW_THREADS))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/long/")
    answer, got = connection.getresponse(), 0
    pause = threading.Event()
    while piece := answer.read(256 * 1024):
        got += len(piece)
        pause.wait(0.2)
    assert got == LONG_BYTES
    connection.close()


# --- Behind nginx ------------------------------------------------------------------------------------------------


def test_behind_nginx_slow_peers_block_nothing(web_server: Callable[..., Process], tmp_path: Path) -> None:
    """Behind it is gunicorn's own worker, so that only nginx helps. Without nginx the attack silences that worker."""
    behind = port_of(web_server(**FEW_THREADS, **PLAIN, BEHIND_PROXY="1", ALLOWED_HOSTS="127.0.0.1"))
    with nginx(tmp_path, behind) as proxy, attack_on(proxy.port) as attack:
        attack.connect(IDLE)
        for begin in KINDS.values():
            attack.connect(SLOW, begin)
            assert answers(proxy.port)
        attack.connect(SLOW, READER)
        wait_until(lambda: answers(proxy.port), 60, "nginx has fetched the long answers")
        began = time.monotonic()
        assert answers(proxy.port)
        assert time.monotonic() - began < 8
    with attack_on(behind) as attack:
        attack.connect(SLOW, KINDS["slow head"])
        assert not answers(behind, 4)


def test_behind_nginx_a_page_is_compressed_once(web_server: Callable[..., Process], tmp_path: Path) -> None:
    behind = port_of(web_server(**PLAIN, BEHIND_PROXY="1", ALLOWED_HOSTS="127.0.0.1"))
    headers = {"Accept-Encoding": "gzip", "Cookie": "language=de", "Sec-Fetch-Site": "none"}
    with nginx(tmp_path, behind) as proxy:
        page = urllib.request.Request(f"http://127.0.0.1:{proxy.port}/", headers=headers)
        with urllib.request.urlopen(page, timeout=20) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert b"<html" in gzip.decompress(answer.read())
