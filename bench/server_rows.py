"""Rows about many writers at once: a club beside another club's flood, and eight writers on SQLite."""

import json
import statistics
import threading
import time
import uuid
from collections.abc import Iterator
from itertools import islice

from django.db import OperationalError, connection

from bench import load
from bench.databases import SQLITE
from bench.demo_server import Demo, server
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.flood import FLOODERS, flood
from bench.measure import ROUNDS, Row, milliseconds, quantile

HANDS = 20
WRITERS = 8
WRITING_SECONDS = 30.0
PER_SECOND = 160


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the rows, each on its own copy of the demo league."""
    yield flooded(demo, vendor)
    if vendor == SQLITE:
        yield from writing(demo)


def flooded(demo: Demo, vendor: str) -> Row:
    """Compare the slowest hundredth of a club's hands beside another club's flood with that without it, by turns."""
    data = demo.on(vendor).copy("flood")
    data.use()
    evening, other = RecordedEvening(), RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
    key, flooding_key = evening.recording_key(), other.recording_key()
    alone: list[float] = []
    beside: list[float] = []
    with server(data, BENCH_API_WRITES=str(3 * ROUNDS * HANDS)) as running:
        hands = inserts_of(running.host, evening, key)
        load.run(running.port, 1, islice(hands, HANDS))
        for _ in range(ROUNDS):
            alone += load.run(running.port, 1, islice(hands, HANDS))
            with flood(running.port, f"/api/v1/clubs/{OTHER_CLUB}/tables/0/hands", flooding_key):
                beside += load.run(running.port, 1, islice(hands, HANDS))
    data.remove()
    slow, usual = (quantile(took, 99) for took in (beside, alone))
    what = f"another club's hand beside {FLOODERS} who flood, {vendor}"
    ours, theirs = f"{milliseconds(slow)} (p99)", f"{milliseconds(usual)} (p99, alone)"
    return Row(what, ours, theirs, slow / usual, 4, 2, at_most=True)


def inserts_of(host: str, evening: RecordedEvening, key: str) -> Iterator[load.Request]:
    """Yield requests of one hand after the other, each with its own idempotency key."""
    for body in evening.bodies:
        headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        words = f'"number":{body["number"]}'
        sent = json.dumps(body).encode()
        yield load.request(host, "POST", evening.path, status=201, words=words, headers=headers, body=sent)


class Writers:
    """Threads of one process that store hands, as those of the server do, each at its own table."""

    def __init__(self) -> None:
        self.evenings = [RecordedEvening() for _ in range(WRITERS)]
        self.refused = 0
        self.waits: list[float] = []

    def write(self, writers: int, seconds: float, per_second: float | None = None) -> float:
        """Store hands; return the number of hands a second. With `per_second` the hands are due at fixed times, and
        `waits` are counted from these."""
        stored = [0] * writers
        begun = time.perf_counter()

        def work(nth: int) -> None:
            due = begun + (nth / per_second if per_second else 0)
            try:
                while time.perf_counter() < begun + seconds:
                    if per_second:
                        time.sleep(max(0.0, due - time.perf_counter()))
                    else:
                        due = time.perf_counter()
                    try:
                        self.evenings[nth].record()
                        stored[nth] += 1
                    except OperationalError:
                        self.refused += 1
                    self.waits.append(time.perf_counter() - due)
                    due += writers / per_second if per_second else 0
            finally:
                connection.close()

        threads = [threading.Thread(target=work, args=(nth,)) for nth in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(stored) / (time.perf_counter() - begun)


def writing(demo: Demo) -> Iterator[Row]:
    """Compare eight writers on SQLite with one, by turns; then let eight write at a fixed rate."""
    data = demo.sqlite.copy("writers")
    data.use()
    writers = Writers()
    writers.write(WRITERS, 1)
    seconds = WRITING_SECONDS / ROUNDS
    many, single = zip(
        *((writers.write(WRITERS, seconds), writers.write(1, seconds)) for _ in range(ROUNDS)), strict=True
    )
    ratio = statistics.median(mine / other for mine, other in zip(many, single, strict=True))
    ours, theirs = (
        f"{statistics.median(rates):,.0f} hands/s ({who})" for rates, who in ((many, "eight"), (single, "one writer"))
    )
    what = f"{WRITERS} writers, {WRITING_SECONDS:.0f} s, {SQLITE}"
    yield Row(what, ours, theirs, ratio, 0.9, None)
    writers.waits.clear()
    reached = writers.write(WRITERS, WRITING_SECONDS / 3, PER_SECOND)
    worst = max(writers.waits)
    refused = writers.refused
    yield Row(f"{what}: lock errors", str(refused), "", refused, 0, None, at_most=True, unit="errors")
    yield Row(
        f"{WRITERS} writers at {PER_SECOND} hands/s: worst wait, {SQLITE}",
        milliseconds(worst),
        f"{reached:,.0f} hands/s reached",
        worst,
        None,
        1,
        at_most=True,
        unit="s",
    )
    data.remove()
