"""Pages with many readers: visitors' pages, looks that find nothing new, and an evening's page after a hand.

SQLite is measured with the worker inside the one web process, PostgreSQL with Redis and the processes of production.
"""

import contextlib
import http.client
import json
import statistics
import time
import uuid
from collections.abc import Iterator
from itertools import repeat

from django.db import connection

from bench import load
from bench.databases import SQLITE, redis_server
from bench.demo_server import Demo, Running, cpu_seconds, server
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.measure import ROUNDS, Comparison, Row, Side, measure, milliseconds, quantile
from bench.polled_part import LANGUAGE, Part, part_of, signed_in
from bench.urls import BARE
from league.models import Tournament
from league.standings.seasons_to_count import waiting_seasons

CONNECTIONS = 32
SECONDS = 0.6
HANDS = 12
LOOKERS = 200
SETTLE_SECONDS = 30.0
IDLE_SECONDS = 0.3


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows, measured on a server with a copy of the demo league."""
    data = demo.on(vendor).copy("pages")
    with contextlib.ExitStack() as stack:
        more = {"REDIS_URL": stack.enter_context(redis_server())} if vendor != SQLITE else {}
        data.use()
        evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
        for _ in range(HANDS):
            evening.record()
        cookies = signed_in(OTHER_RECORDER)
        running = stack.enter_context(server(data, **more))
        settle()
        bare = load.request(running.host, "GET", "/bench/bare", status=200, words=BARE, headers=LANGUAGE)
        for name, path in pages_of(evening).items():
            yield from visited(running, f"{name}, {CONNECTIONS} visitors, {vendor}", path, bare)
        yield from looks(running, evening, cookies, bare, vendor)
        yield first_of_many(running, evening, vendor)
    data.remove()


def pages_of(evening: RecordedEvening) -> dict[str, str]:
    """Return the addresses of the pages that a visitor opens."""
    club = f"/c/{evening.club.slug}/"
    leader = evening.season.standings.earliest("rank").player_id
    tournament = evening.club.tournaments.get(state=Tournament.State.RUNNING).get_absolute_url()
    return {
        "standings page": evening.season.get_absolute_url(),
        "evening page": f"{club}e/{evening.table.evening_id}/",
        "player page": f"{club}p/{leader}/",
        "club page": club,
        "tournament page": tournament,
        "where do I sit": f"{tournament}seat/",
    }


def visited(running: Running, what: str, path: str, bare: load.Request) -> Iterator[Row]:
    """Compare a visitor's page with the bare view for many readers, and its slow answers with its usual ones."""
    turns: list[list[float]] = []
    page = load.request(running.host, "GET", path, status=200, words="</html>", headers=LANGUAGE)

    def read() -> None:
        turns.append(load.run(running.port, CONNECTIONS, repeat(page, 128)))

    yield measure(Comparison(what, "pages", Side("page", read, 128), _bare(running, bare), 0.35, 0.6, seconds=SECONDS))
    # The first turn warms up.
    slow, usual = (statistics.median(quantile(took, nth) for took in turns[1:]) for nth in (99, 50))
    ratio = statistics.median(quantile(took, 99) / quantile(took, 50) for took in turns[1:])
    yield Row(f"{what}: p99", f"{milliseconds(slow)} (p99)", f"{milliseconds(usual)} (p50)", ratio, 3, 2, at_most=True)


def looks(running: Running, evening: RecordedEvening, cookies: str, bare: load.Request, vendor: str) -> Iterator[Row]:
    """Compare looks that find nothing new with the bare view."""
    pages = pages_of(evening)
    table = f"/c/{evening.club.slug}/t/{evening.table.pk}/"
    for name, path, who in (
        ("table", table, cookies),
        ("evening", pages["evening page"], ""),
        ("standings", pages["standings page"], ""),
        ("standings", pages["standings page"], cookies),
    ):
        part = part_of(running.port, path, who)
        what = f"look without news: {name}, {'signed in' if who else 'visitor'}, {vendor}"
        yield measure(_looking(running, what, part, bare))


def _looking(running: Running, what: str, part: Part, bare: load.Request) -> Comparison:
    look = part.request(running.host, status=304)

    def work() -> None:
        load.run(running.port, CONNECTIONS, repeat(look, 256))

    return Comparison(what, "looks", Side("304", work, 256), _bare(running, bare), 0.4, 0.7, seconds=SECONDS)


def _bare(running: Running, bare: load.Request) -> Side:
    return Side("bare view", lambda: load.run(running.port, CONNECTIONS, repeat(bare, 512)), 512)


def first_of_many(running: Running, evening: RecordedEvening, vendor: str) -> Row:
    """Compare the CPU time of an evening's polled part for later viewers with that for the first one."""
    key, web = evening.recording_key(), running.web_processes()
    first, later = [], []
    path = pages_of(evening)["evening page"]
    for _ in range(ROUNDS):
        part = part_of(running.port, path)
        _store(running, evening, key)
        settle()
        look = part.request(running.host, status=200, words='id="live"')
        began = cpu_seconds(web)
        load.run(running.port, 1, repeat(look, 1))
        between = cpu_seconds(web)
        load.run(running.port, 1, repeat(look, LOOKERS - 1))
        first.append(between - began)
        later.append((cpu_seconds(web) - between) / (LOOKERS - 1))
    what = f"evening's page after a hand: {LOOKERS}th against first (CPU), {vendor}"
    ratio = statistics.median(mine / other for mine, other in zip(later, first, strict=True))
    ours, theirs = (milliseconds(statistics.median(took)) for took in (later, first))
    return Row(what, f"{ours} (later ones)", f"{theirs} (first)", ratio, 1 / 20, 1 / 50, at_most=True)


def _store(running: Running, evening: RecordedEvening, key: str) -> None:
    """Store the next hand by the API, so that the server wakes its own worker."""
    connected = http.client.HTTPConnection(running.host, timeout=60)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    body = next(evening.bodies)
    connected.request("POST", evening.path, json.dumps(body), headers | {"Idempotency-Key": str(uuid.uuid4())})
    answer = connected.getresponse()
    if answer.status != 201:
        raise RuntimeError(f"a hand was not stored: {answer.status} {answer.read()!r}")
    connected.close()


def settle() -> None:
    """Wait until the server's worker has counted the hands: it must not slow down the pages."""
    until = time.monotonic() + SETTLE_SECONDS
    while waiting_seasons().exists():
        if time.monotonic() > until:
            raise RuntimeError("the server's worker does not count")
        time.sleep(0.1)
    connection.close()
    # The remaining wake-ups find nothing to do.
    time.sleep(IDLE_SECONDS)
