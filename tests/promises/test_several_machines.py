"""Two web nodes, two workers and two clocks on one database and Redis; one of each is killed while hands are stored."""

from __future__ import annotations

import http.client
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle

import pytest

from games.integrity.verify import differences
from games.models import Hand, Table
from league.models import Season, Submission, User
from league.standings.seasons_to_count import waiting_seasons
from tests.api.api_client import key_for
from tests.factories import create_table
from tests.processes import Process, wait_until

from .test_one_key_over_the_api import Program

pytestmark = [pytest.mark.rest, pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

TABLES, HANDS = 6, 20
SOON = 90.0
"""A generous limit: other tests may use both cores."""


@dataclass
class Stored:
    """The hands that were answered with 201."""

    hands: set[tuple[int, int]] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, table: int, number: int) -> None:
        with self.lock:
            self.hands.add((table, number))


def record(table: Table, nodes: list[Program], stored: Stored) -> None:
    """Record all hands of a table: each at the next node, and at the one after it if that one does not answer."""
    turn = cycle(nodes)
    for number in range(1, HANDS + 1):
        key = uuid.uuid4()
        for _ in range(len(nodes) * 4):
            node = next(turn)
            try:
                reply = node.post((node.hand(number), key))
            except (OSError, http.client.HTTPException):
                node.hang_up()
                continue
            assert reply.status == 201, reply.text
            stored.add(table.pk, number)
            break
        else:
            pytest.fail(f"no node answered hand {number}")


def test_one_of_each_killed_loses_nothing_and_does_nothing_twice(
    web_server: Callable[..., Process],
    celery_worker: Callable[..., Process],
    start_process: Callable[..., Process],
    recorder: User,
    table: Table,
) -> None:
    evening = table.evening
    tables = [table, *(create_table(club=evening.club, season=evening.season) for _ in range(TABLES - 1))]
    key = key_for(recorder, "read", "record")
    nodes = [web_server(TEST_API_WRITES="0") for _ in range(2)]
    workers = [celery_worker() for _ in range(2)]
    clocks = [start_process("-m", "celery", "-A", "league", "--quiet", "beat") for _ in range(2)]
    programs = {target.pk: [Program(node.url, key, target) for node in nodes] for target in tables}
    stored = Stored()
    with ThreadPoolExecutor(TABLES) as pool:
        recording = [pool.submit(record, target, programs[target.pk], stored) for target in tables]
        for share, killed in ((0.25, nodes[0]), (0.5, workers[0]), (0.75, clocks[0])):
            wait_until(lambda wanted=share: len(stored.hands) >= wanted * TABLES * HANDS, SOON, "hands are recorded")
            killed.end()
        for future in recording:
            future.result()
    assert len(stored.hands) == TABLES * HANDS
    assert stored.hands == set(Hand.objects.values_list("table_id", "number"))
    assert Submission.objects.count() == Hand.objects.count()
    wait_until(lambda: not waiting_seasons().exists(), SOON, "the other worker counts the season")
    assert Season.objects.get(pk=evening.season_id).count.counted_mark > 0
    assert list(differences()) == []
