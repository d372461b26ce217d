"""Huge bodies and slow readers: the web processes grow by 50 MiB at most and still answer.

Memory is measured all the time, so that a short peak counts as well.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from league.models import ResultRow
from league.standings.counting import count_season
from tests.cast import House
from tests.cast import cast as everybody
from tests.factories import create_table, enter
from tests.processes import Process

pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
    pytest.mark.django_db(transaction=True),
]

ROWS = 60_000
MOST_MIB = 50
READERS = 6


@pytest.fixture
def house() -> House:
    return everybody().home


def processes(server: Process) -> list[int]:
    """Return the ids of the server's process and its children."""
    pids, left = [], [server.process.pid]
    while left:
        pid = left.pop()
        pids.append(pid)
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                left += [int(child) for child in (task / "children").read_text().split()]
    return pids


def mebibytes(server: Process) -> float:
    """Return the private memory of all processes of the server, in MiB."""
    total = 0
    for pid in processes(server):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
    return total / 1024


@contextlib.contextmanager
def watched(server: Process, before: float) -> Iterator[list[float]]:
    """Measure the growth of the server during the block, in MiB; the list gets the maximum."""
    grown, ended = [0.0], threading.Event()

    def look() -> None:
        while not ended.wait(0.02):
            grown[0] = max(grown[0], mebibytes(server) - before)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield grown
    finally:
        ended.set()
        watcher.join()


def ask(server: Process, method: str, path: str, body: bytes = b"", **headers: str) -> int:
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        answer.read()
        return int(answer.status)
    finally:
        connection.close()


def warm(server: Process, *paths: str) -> float:
    """Return the memory after a few requests of each page: modules that are loaded once are no growth."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda path: ask(server, "GET", path), paths * 16))
        list(pool.map(lambda n: ask(server, "POST", "/api/v1/hand-records/check", b'{"x":%d}' % n), range(16)))
    return mebibytes(server)


DEEP = b"[" * 30_000 + b"]" * 30_000
BODIES = {
    "10 MB of one text": b'{"record": "' + b"x" * 10_000_000 + b'"}',
    "3 MB of lists": b'{"record": [' + b"[]," * 1_000_000 + b"[]]}",
    "deep": DEEP,
    "60,000 numbers": json.dumps({"record": list(range(10_000))}).encode()[:65_000],
    "long number": b'{"pot_before": ' + b"9" * 60_000 + b"}",
    "many names": json.dumps({f"n{n}": n for n in range(4_000)}).encode(),
}


def flood(server: Process, bodies: Iterable[bytes], times: int = 8) -> list[int]:
    """Send each body so many times, four at once; return the statuses."""
    statuses: list[int] = []
    with ThreadPoolExecutor(4) as pool:
        for body in bodies:
            statuses += pool.map(
                lambda _, body=body: ask(server, "POST", "/api/v1/hand-records/check", body), range(times)
            )
    return statuses


def test_huge_bodies_do_not_fill_the_memory(house: House, web_server: Callable[..., Process]) -> None:
    server = web_server(WEB_PROCESSES="1", TEST_API_WRITES="0")
    with watched(server, warm(server, "/", "/c/roessli/")) as grown:
        statuses = flood(server, BODIES.values())
    # None is refused by a limit of requests: each body reached the check.
    assert {status for status in statuses if not 400 <= status < 500 or status == 429} == set()
    assert statuses[:16] == [413] * 16
    assert grown[0] <= MOST_MIB, f"{grown[0]:.0f} MiB"
    assert ask(server, "GET", "/") == 200


def test_without_the_body_limit_they_fill_it(house: House, web_server: Callable[..., Process]) -> None:
    server = web_server(
        WEB_PROCESSES="1", TEST_API_WRITES="0", TEST_BODY_BYTES=str(2**30), COLLECTED_BODY_BYTES=str(2**30)
    )
    with watched(server, warm(server, "/", "/c/roessli/")) as grown:
        # Of lists there may not be so many: their values are counted before the body is read.
        assert flood(server, [b'{"record": "' + b"x" * 40_000_000 + b'"}'], times=2) == [400] * 2
    assert grown[0] > MOST_MIB


@pytest.fixture
def long_season(house: House) -> House:
    """A season with a results file of some megabytes."""
    enter(create_table(club=house.club, season=house.season, seats=2), MADE_BY_TWO)
    _copy(ResultRow.objects.earliest("pk"), ROWS - 1)
    # The worker inside the server has nothing to count while the memory is measured.
    count_season(house.season.pk)
    return house


MADE_BY_TWO = {"declarer": 0, "joiners": [1], "made": [0, 1]}


def _copy(row: ResultRow, times: int) -> None:
    """Store copies of a row with other sources, without an object for each."""
    fields = [field for field in ResultRow._meta.concrete_fields if field.name not in ("id", "source")]
    names = ", ".join(field.column for field in fields)
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    source = ResultRow._meta.get_field("source")
    sources = (source.get_db_prep_save(uuid.UUID(int=n), connection) for n in range(1, times + 1))
    sql = f"INSERT INTO {ResultRow._meta.db_table} ({names}, source) VALUES ({'%s, ' * len(fields)}%s)"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(sql, [[*values, each] for each in sources])


def slow_reader(server: Process, path: str) -> socket.socket:
    """Request a file and read its first bytes."""
    where = urlsplit(server.url)
    sock = socket.create_connection((str(where.hostname), where.port or 80), 60)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\nConnection: close\r\n\r\n".encode())
    assert sock.recv(512).startswith(b"HTTP/1.1 200")
    return sock


def sips(sock: socket.socket) -> Iterator[int]:
    while True:
        yield len(sock.recv(512))


def read_slowly(server: Process, house: House) -> float:
    """Let several clients download a long file slowly; return the server's maximal growth in MiB."""
    path = f"/c/{house.club.slug}/s/{house.season.slug}/results.csv"
    before = warm(server, "/", f"/c/{house.club.slug}/")
    size = len(_whole(server, path))
    # The size of the files if the server kept them whole, as text and as bytes.
    assert 2 * READERS * size / 2**20 > MOST_MIB, size
    with watched(server, before) as grown:
        readers = [slow_reader(server, path) for _ in range(READERS)]
        taken = [sips(reader) for reader in readers]
        for _ in range(20):
            assert all(next(reader) for reader in taken)
            time.sleep(0.1)
        # Other requests are still answered meanwhile.
        assert ask(server, "GET", "/") == 200
        for reader in readers:
            reader.close()
    return grown[0]


def test_slow_readers_of_a_long_file_do_not_fill_the_memory(
    long_season: House, web_server: Callable[..., Process]
) -> None:
    grown = read_slowly(web_server(WEB_PROCESSES="1", WEB_THREADS="8"), long_season)
    assert grown <= MOST_MIB, f"{grown:.0f} MiB"


def test_with_files_kept_whole_they_fill_it(long_season: House, web_server: Callable[..., Process]) -> None:
    whole = f"{in_one_piece.__module__}.{in_one_piece.__name__}"
    grown = read_slowly(web_server(WEB_PROCESSES="1", WEB_THREADS="8", TEST_MIDDLEWARE=whole), long_season)
    assert grown > MOST_MIB


def in_one_piece(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that builds a whole file before it sends it."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not isinstance(response, StreamingHttpResponse):
            return response
        lines = "".join(piece.decode() for piece in cast(Iterable[bytes], response.streaming_content))
        return HttpResponse(lines, content_type=response["Content-Type"])

    return answer


def _whole(server: Process, path: str) -> bytes:
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=120)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body


def test_the_documented_limits_are_the_measured_ones() -> None:
    assert settings.MAX_BODY_BYTES == 64 * 1024
