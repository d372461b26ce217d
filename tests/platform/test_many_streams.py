"""Ten thousand phones look on at once: one process of the event stream, on one core, keeps their streams."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from games.models import Table
from league.stream.hub import BEAT_SECONDS
from tests.cast import house
from tests.event_loops import in_a_thread
from tests.factories import MADE, create_table, enter
from tests.processes import Process
from tests.sizes import sized
from tests.streams import Stream, publishing, start_stream

pytestmark = [
    pytest.mark.sized,
    pytest.mark.needs_redis,
    pytest.mark.long,
    pytest.mark.django_db(transaction=True),
]

STREAMS = int(os.environ.get("STREAMS", sized("300", "2000")))
SECONDS = int(os.environ.get("STREAM_SECONDS", sized("5", "30")))
"""`make test-long` tries 10,000 for five minutes."""
AT_ONCE = 100
"""So many phones open their streams at a time."""
ADDRESSES = 40
"""Of 127.0.0.0/8, all on this machine: one address has places for 500 phones."""
NEWS_SECONDS = 30.0
MEMORY_KB = 64
"""The most memory of one stream."""
HEAD = "GET /stream/?part={part} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Phone(asyncio.Protocol):
    """A phone that counts what it hears."""

    def __init__(self, request: bytes) -> None:
        self.request, self.opened = request, asyncio.get_running_loop().create_future()
        self.news = self.beats = 0
        self.lost = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        if not self.opened.done():
            self.opened.set_result(data.split(b" ", 2)[1] == b"200")
        self.news += data.count(b"event: news")
        self.beats += data.count(b"event: beat")

    def connection_lost(self, _error: Exception | None) -> None:
        self.lost = True
        if not self.opened.done():
            self.opened.set_result(False)


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kb(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.fixture
def table(transactional_db: None) -> Table:
    home = house("roessli")
    return create_table(club=home.club, season=home.season, author=home.recorder)


@pytest.fixture
def stream(table: Table, start_process: Callable[..., Process], settings: Any) -> Iterator[Stream]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < STREAMS + 1000:
        pytest.fail(f"this test needs {STREAMS + 1000} open files: ulimit -n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, STREAMS + 1000), hard))
    with publishing(settings):
        yield start_stream(start_process)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def opened(port: int, part: str) -> list[Phone]:
    """Return the phones, each with a stream."""
    loop, places = asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE)
    request = HEAD.format(part=part).encode()

    async def one(number: int) -> Phone:
        near = (f"127.0.0.{2 + number % ADDRESSES}", 0)
        async with places:
            _, phone = await loop.create_connection(lambda: Phone(request), "127.0.0.1", port, local_addr=near)
            assert await phone.opened, f"no stream for phone {number}"
        return phone

    return list(await asyncio.gather(*(one(number) for number in range(STREAMS))))


async def all_hear(phones: list[Phone], news: int) -> float:
    """Wait until each phone has heard so many news; return the seconds."""
    began = time.monotonic()
    while any(phone.news < news for phone in phones):
        assert time.monotonic() - began < NEWS_SECONDS, sum(phone.news < news for phone in phones)
        await asyncio.sleep(0.01)
    return time.monotonic() - began


async def holds(stream: Stream, table: Table, part: str) -> dict[str, float]:
    """Open all streams, tell them one hand at the beginning and one at the end; return what that took."""
    process = stream.process.process.pid
    empty, began = memory_kb(process), time.monotonic()
    phones = await opened(stream.port, part)
    took = {"seconds to open": time.monotonic() - began, "CPU seconds to open": cpu_seconds(process)}
    await asyncio.to_thread(store, table)
    took["seconds until all have the news"] = await all_hear(phones, 1)
    before, until = cpu_seconds(process), time.monotonic() + SECONDS
    await asyncio.sleep(until - time.monotonic())
    took["share of a core without news"] = (cpu_seconds(process) - before) / SECONDS
    took["KB of a stream"] = (memory_kb(process) - empty) / STREAMS
    await asyncio.to_thread(store, table)
    took["seconds until all have the later news"] = await all_hear(phones, 2)
    print(f"\n{STREAMS} streams for {SECONDS} s on one core:", {what: round(value, 4) for what, value in took.items()})
    assert not any(phone.lost for phone in phones)
    assert {phone.news for phone in phones} == {2}
    assert all(phone.beats >= max(1, SECONDS // BEAT_SECONDS) for phone in phones)
    for phone in phones:
        phone.transport.close()
    return took


def store(table: Table) -> None:
    """Store a hand, in a thread: asyncio has the other one."""
    try:
        enter(table, MADE)
    finally:
        connection.close()


def test_one_core_keeps_the_streams_of_all_phones(stream: Stream, table: Table) -> None:
    os.sched_setaffinity(stream.process.process.pid, {min(os.sched_getaffinity(0))})
    part = reverse("evening-live", kwargs={"club": "roessli", "evening": table.evening_id})
    took = in_a_thread(holds(stream, table, part))
    assert took["KB of a stream"] <= MEMORY_KB
    assert "Traceback" not in stream.process.output()
