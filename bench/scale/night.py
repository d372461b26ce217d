"""A Friday night: tables that record by the API, and phones that look on, against `manage.py serve` with Redis.

Every connection sends its next request as soon as it has an answer. One turn is what a table and its phones send while
one hand is played: the hand, the first look of each phone after it, and the looks that find nothing new. The result is
the CPU time of a turn: how many tables a core carries follows from it, whatever else runs on the machine.
"""

import os
import time
from collections.abc import Iterator
from itertools import cycle, islice
from typing import NamedTuple

import psycopg
from django.db import connection

from bench import load
from bench.databases import Database, redis_server
from bench.demo_server import Running, cpu_seconds, descendants, server
from bench.evening import RecordedEvening
from bench.page_rows import settle
from bench.polled_part import Part, part_of, signed_in
from bench.server_rows import inserts_of
from league.models import Club

HAND_SECONDS = 120
PHONES = 4
LOOK_SECONDS = 1.5
"""A phone at a table asks so often until nothing has happened for two minutes (docs/architecture.md)."""
LOOKS = int(HAND_SECONDS / LOOK_SECONDS) * PHONES
TABLES = 12
CONNECTIONS = 8
TURNS = 30


class Night(NamedTuple):
    """Of one run: the processes that answer, turns a second, and the CPU milliseconds of a turn by part."""

    processes: int
    turns_a_second: float
    web: float
    database: float
    worker: float

    def __str__(self) -> str:
        whole = self.web + self.database + self.worker
        return (
            f"{self.processes} gunicorn processes: {self.turns_a_second * HAND_SECONDS:.0f} tables by the clock;"
            f" a turn is {whole:.0f} ms of CPU"
            f" (web {self.web:.0f}, PostgreSQL {self.database:.0f}, worker {self.worker:.0f}):"
            f" {1000 * HAND_SECONDS / whole:.0f} tables a core"
        )


def nights(data: Database, processes: tuple[int, ...] = (1, 2)) -> Iterator[Night]:
    """Yield a night with each number of web processes, each on its own core."""
    data.use()
    clubs = list(Club.objects.order_by("pk")[: 2 * TABLES].values_list("slug", flat=True))
    # A server of few clubs has several tables a club.
    slugs = list(islice(cycle(clubs), 2 * TABLES))
    evenings = [RecordedEvening(slug, f"recorder@{slug}.example") for slug in slugs]
    with redis_server() as address:
        for number in processes:
            with server(data, REDIS_URL=address, WEB_PROCESSES=str(number)) as running:
                yield _night(running, data, evenings, number)


def _night(running: Running, data: Database, evenings: list[RecordedEvening], processes: int) -> Night:
    data.use()
    playing, quiet = evenings[:TABLES], evenings[TABLES:]
    hands = cycle([inserts_of(running.host, evening, evening.recording_key()) for evening in playing])
    for evening in evenings:
        evening.record()
    news = cycle([_evening(running, evening).request(running.host, status=200) for evening in playing])
    # From now on there is something new for these.
    load.run(running.port, CONNECTIONS, (next(table_hands) for table_hands in islice(hands, TABLES)))
    # A count is news, too.
    settle()
    looks = [_evening(running, evening) for evening in quiet]
    looks += [part_of(running.port, _table(evening), signed_in(_owner(evening))) for evening in quiet]
    same = cycle([look.request(running.host, status=304) for look in looks])
    connection.close()

    def requests(turns: int) -> Iterator[load.Request]:
        for _ in range(turns):
            yield next(next(hands))
            yield from islice(news, PHONES)
            yield from islice(same, LOOKS)

    web = running.web_processes()
    for index, pid in enumerate(web[1:]):
        os.sched_setaffinity(pid, {index % (os.cpu_count() or 1)})
    load.run(running.port, CONNECTIONS, requests(2))
    before, begun = _used(running, data, web), time.perf_counter()
    load.run(running.port, CONNECTIONS, requests(TURNS))
    took = time.perf_counter() - begun
    # What the worker still counts belongs to these turns.
    time.sleep(5)
    after = _used(running, data, web)
    return Night(processes, TURNS / took, *(1000 * (b - a) / TURNS for a, b in zip(before, after, strict=True)))


def _owner(evening: RecordedEvening) -> str:
    return f"owner@{evening.club.slug}.example"


def _evening(running: Running, evening: RecordedEvening) -> Part:
    return part_of(running.port, f"/c/{evening.club.slug}/e/{evening.table.evening_id}/")


def _table(evening: RecordedEvening) -> str:
    return f"/c/{evening.club.slug}/t/{evening.table.pk}/"


def _used(running: Running, data: Database, web: list[int]) -> tuple[float, float, float]:
    with psycopg.connect(data.url, autocommit=True) as there:
        rows = there.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()", [data.name]
        ).fetchall()
    worker = [pid for pid in descendants(running.process.pid) if pid not in web]
    return cpu_seconds(web), cpu_seconds([pid for (pid,) in rows]), cpu_seconds(worker)
