"""A season counted by a worker after a hand, on Redis, compared with counting alone and a task that does nothing.

The measurement runs in a process of its own, as Celery reads REDIS_URL when it starts.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from bench.databases import redis_server
from bench.demo_server import PROJECT, Demo, stop
from bench.measure import Row, milliseconds

TIMES = 15
WARM_UP = 3
PREFIX = "chratzete-bench:"
WAIT_SECONDS = 30.0


def rows(demo: Demo, vendor: str) -> Iterator[Row]:
    """Yield the row, measured with a real worker on a copy of the demo league."""
    data = demo.on(vendor).copy("worker")
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(redis_server())
        env = os.environ | data.environment | {"REDIS_URL": url, "REDIS_PREFIX": PREFIX}
        command = [sys.executable, "-m", "celery", "-A", "league", "--quiet", "worker", "--include", "bench.idle_task"]
        command += ["--concurrency", "1", "--loglevel", "WARNING", "--without-gossip", "--without-mingle"]
        log = stack.enter_context((data.folder / "worker.log").open("wb"))
        worker = subprocess.Popen(command, cwd=PROJECT, env=env, stdout=log, stderr=log)
        stack.callback(stop, worker)
        measured = subprocess.run(
            [sys.executable, "-m", "bench.worker_rows"], cwd=PROJECT, env=env, stdout=subprocess.PIPE, check=True
        )
    data.remove()
    counted, alone, idle = (statistics.median(times) for times in json.loads(measured.stdout))
    yield Row(
        f"'season counted' after a hand, beyond the count, Redis, {vendor}",
        f"{milliseconds(counted)} (count alone {milliseconds(alone)})",
        f"{milliseconds(idle)} (task that does nothing)",
        (counted - alone) / idle,
        3,
        1.5,
        at_most=True,
    )


def main() -> None:
    """Print the seconds of each round: until a worker has counted, of the count alone, of a task that does nothing."""
    import django
    import redis

    django.setup()
    from unittest.mock import patch

    from django.db import transaction

    from bench.evening import RecordedEvening
    from bench.idle_task import COUNTED, DONE, idle
    from league.models import SeasonCount
    from league.standings.counting import count_season

    evening = RecordedEvening()
    season = evening.season.pk
    # Its own time-out would end the wait for a worker that is only starting.
    broker = redis.Redis.from_url(os.environ["REDIS_URL"], socket_timeout=None)
    broker.delete(DONE, COUNTED)

    def wait(which: str) -> None:
        if broker.blpop([which], WAIT_SECONDS) is None:
            raise RuntimeError(f"the worker does not answer: {which}")

    def idling() -> float:
        begun = time.perf_counter()
        idle.delay()
        wait(DONE)
        return time.perf_counter() - begun

    def by_worker() -> float:
        committed = []
        with transaction.atomic():
            # The first of the calls after the commit: sending the task is part of the time.
            transaction.on_commit(lambda: committed.append(time.perf_counter()))
            evening.record()
        wait(COUNTED)
        took = time.perf_counter() - committed[0]
        evening.season.refresh_from_db(fields=["ledger_mark"])
        if SeasonCount.objects.get(pk=season).counted_mark < evening.season.ledger_mark:
            raise RuntimeError("the worker counted without the hand")
        return took

    def alone() -> float:
        with patch("league.ledger.season_mark.wake"):
            evening.record()
        begun = time.perf_counter()
        if not count_season(season):
            raise RuntimeError("the season was counted by another process")
        return time.perf_counter() - begun

    for _ in range(WARM_UP):
        idling(), by_worker(), alone()
    print(json.dumps(list(zip(*((by_worker(), alone(), idling()) for _ in range(TIMES)), strict=True))))


if __name__ == "__main__":
    main()
