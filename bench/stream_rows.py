"""The CPU time of a viewer without news: with an open event stream, and by polls alone."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from itertools import repeat
from urllib.parse import quote

from bench import load
from bench.databases import SQLITE, Database, redis_server
from bench.demo_server import PROJECT, Demo, Running, cpu_seconds, server, stop
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.measure import Row
from bench.page_rows import HANDS, pages_of, settle
from bench.polled_part import Part, part_of
from tests.servers import die_with_parent, free_port

POLL_SECONDS, LONGEST_POLL_SECONDS = 1.5, 15.0
"""The pace of the polls without a stream (`static/js/poll_pace.js`): at first, and after five minutes without news."""
SELDOM_SECONDS, LIFE_SECONDS = 240.0, 4800.0
"""The pace beside a stream (`league/templatetags/streamed.py`), and the shortest life of one (`league/stream`)."""
STREAM_SECONDS = 40.0
START_SECONDS = 30.0
LOOKS, STREAMS = 1000, 2000


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows, on PostgreSQL and Redis alone: there is no stream without Redis."""
    if vendor == SQLITE:
        return
    data = demo.on(vendor).copy("stream")
    with contextlib.ExitStack() as stack:
        more = {"REDIS_URL": stack.enter_context(redis_server()), "STREAM": "1"}
        data.use()
        evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
        for _ in range(HANDS):
            evening.record()
        running = stack.enter_context(server(data, **more))
        settle()
        part = part_of(running.port, pages_of(evening)["evening page"])
        poll = _poll(running, part)
        opened, kept = _streams(stack.enter_context(_stream(data, more)), part)
    data.remove()
    beside = kept + opened / LIFE_SECONDS + poll / SELDOM_SECONDS
    for seconds, must, stretch in ((POLL_SECONDS, 1 / 50, 1 / 70), (LONGEST_POLL_SECONDS, 1 / 5, 1 / 10)):
        what = f"viewer without news: stream against a poll each {seconds:g} s (CPU), {vendor}"
        ours, theirs = (f"{each * 1e6:.1f} µs/s" for each in (beside, poll / seconds))
        yield Row(what, ours, theirs, beside * seconds / poll, must, stretch, at_most=True)


def _poll(running: Running, part: Part) -> float:
    """Return the CPU seconds of the web server for a poll that finds nothing new."""
    look, web = part.request(running.host, status=304), running.web_processes()
    load.run(running.port, 1, repeat(look, LOOKS // 5))
    began = cpu_seconds(web)
    load.run(running.port, 1, repeat(look, LOOKS))
    return (cpu_seconds(web) - began) / LOOKS


@contextlib.contextmanager
def _stream(data: Database, more: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Run `manage.py stream`; yield its port and its process id."""
    port = free_port()
    env = os.environ | data.environment | more | {"STREAM_PORT": str(port), "STREAMS_PER_ADDRESS": str(STREAMS)}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "stream"], cwd=PROJECT, env=env, preexec_fn=die_with_parent(signal.SIGKILL)
    )
    until = time.monotonic() + START_SECONDS
    try:
        while True:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                break
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the stream does not answer")
            time.sleep(0.05)
        yield port, process.pid
    finally:
        stop(process)


def _streams(endpoint: tuple[int, int], part: Part) -> tuple[float, float]:
    """Return the CPU seconds to open a stream, and those of an open one for each second."""
    port, process = endpoint
    began = cpu_seconds([process])
    phones = [_open(port, part) for _ in range(STREAMS)]
    opened = (cpu_seconds([process]) - began) / STREAMS
    began = cpu_seconds([process])
    time.sleep(STREAM_SECONDS)
    kept = (cpu_seconds([process]) - began) / STREAMS / STREAM_SECONDS
    for phone in phones:
        phone.close()
    return opened, kept


def _open(port: int, part: Part) -> http.client.HTTPConnection:
    phone = http.client.HTTPConnection(f"127.0.0.1:{port}", timeout=10)
    phone.request("GET", f"/stream/?part={quote(part.path, safe='')}")
    status = phone.getresponse().status
    if status != 200:
        raise RuntimeError(f"a stream was answered with {status}")
    return phone
