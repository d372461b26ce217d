"""P8: while Redis fails in any way, hands go in; soon after it is back, all that waited are counted.

At full size a thousand hands wait; `REDIS_CYCLES` changes how often Redis fails.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import redis as redis_client

from games.integrity.verify import differences
from games.models import Hand, Table
from league.models import Submission
from league.standings.seasons_to_count import waiting_seasons
from tests import redis_faults, servers
from tests.api.api_client import key_for
from tests.factories import FAILED, MADE, MembershipFactory, SeasonFactory, create_table, enter
from tests.faulty_line import FaultyLine, faulty_line
from tests.processes import Process, wait_until
from tests.sizes import sized

from .steady_hands import Hands, steady_hands
from .test_one_key_over_the_api import Program

pytestmark = [pytest.mark.rest, pytest.mark.long, pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

WAITING = sized(60, 1000)
"""Hands that wait for Redis, most of them of other clubs."""
CYCLES = int(os.environ.get("REDIS_CYCLES", "5"))
SENT, RATE = 100, 40.0
P99_SECONDS = 1.5
COUNTED_SECONDS = 30.0
SOON = 60.0
"""A generous limit: other tests may use both cores."""


@dataclass
class Faulty:
    """A Redis, and the line on which the product reaches it."""

    server: servers.Server
    line: FaultyLine

    @contextlib.contextmanager
    def refused(self) -> Iterator[None]:
        """It was killed; an empty one takes its place."""
        self.server.kill()
        yield
        self._replace()

    @contextlib.contextmanager
    def hung(self) -> Iterator[None]:
        self.server.process.send_signal(signal.SIGSTOP)
        yield
        self.server.process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def reset(self) -> Iterator[None]:
        """Connections end, new ones too."""
        self.line.cut()
        yield
        self.line.repair()

    @contextlib.contextmanager
    def emptied(self) -> Iterator[None]:
        """It loses its messages and keys, before hands and after them."""
        self._flush()
        yield
        self._flush()

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        redis_faults.give_memory(self.server.url, 1)
        yield
        redis_faults.give_memory(self.server.url, 0)

    def _flush(self) -> None:
        with redis_client.Redis.from_url(self.server.url) as client:
            client.flushall()

    def _replace(self) -> None:
        self.again = contextlib.ExitStack()
        self.server = self.again.enter_context(servers.redis(self.server.port))


FAULTS = {
    "refused": Faulty.refused,
    "hung": Faulty.hung,
    "reset": Faulty.reset,
    "emptied": Faulty.emptied,
    "full": Faulty.full,
}


@pytest.fixture
def faulty() -> Iterator[Faulty]:
    with servers.redis() as server, faulty_line("127.0.0.1", server.port) as line:
        made = Faulty(server, line)
        yield made
        if hasattr(made, "again"):
            made.again.close()


def wait_for_redis_alone(count: int) -> None:
    """Store hands of four other seasons, for which no worker is woken."""
    tables = [create_table(season=SeasonFactory()) for _ in range(4)]
    for nth in range(count):
        enter(tables[nth % len(tables)], (MADE, FAILED)[nth // 4 % 2])


def recorded(table: Table, url: str, count: int) -> Hands:
    """Record hands at a table of the server."""
    key = key_for(MembershipFactory(club=table.evening.club, role="recorder").user, "read", "record")
    with steady_hands([Program(url, key, table)], RATE) as hands:
        wait_until(lambda: hands.over.is_set() or hands.stored >= count, SOON, "hands are recorded")
    return hands


@pytest.mark.parametrize("nth", range(math.ceil(CYCLES / len(FAULTS))))
@pytest.mark.parametrize("fault", FAULTS)
def test_hands_go_in_and_are_counted_when_redis_is_back(
    fault: str,
    nth: int,
    faulty: Faulty,
    web_server: Callable[..., Process],
    celery_worker: Callable[..., Process],
    record_property: Callable[[str, object], None],
) -> None:
    redis = {"REDIS_URL": f"redis://127.0.0.1:{faulty.line.port}/0"}
    server = web_server(TEST_API_WRITES="0", WEB_PROCESSES="1", **redis)
    worker, table = celery_worker(beat=True, **redis), create_table()
    recorded(table, server.url, 1)
    wait_until(lambda: not waiting_seasons().exists(), SOON, "the season is counted")
    with FAULTS[fault](faulty):
        hands = recorded(create_table(season=table.evening.season, club=table.evening.club), server.url, SENT)
        wait_for_redis_alone(WAITING - SENT if WAITING > SENT else WAITING)
    back = time.monotonic()
    if worker.process.poll() is not None:
        # Celery ends if Redis refuses a write. Its unit has `Restart=always`.
        celery_worker(beat=True, **redis)
    wait_until(lambda: not waiting_seasons().exists(), 2 * SOON, "all is counted")
    took = time.monotonic() - back
    assert hands.failed == []
    assert statistics.quantiles(hands.seconds, n=100)[-1] <= P99_SECONDS
    assert Submission.objects.count() == Hand.objects.count() > WAITING
    assert list(differences()) == []
    assert took <= COUNTED_SECONDS
    record_property("tries", Hand.objects.count())
