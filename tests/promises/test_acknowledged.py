"""P6: a hand that was answered 201 is there after web server and database were killed at random under eight writers.

`KILLS` changes how often they are killed on each database; many are several tests.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games.integrity.verify import differences
from games.models import Hand
from league.models import Submission
from tests import databases, servers
from tests.api.api_client import key_for
from tests.factories import MembershipFactory, create_table
from tests.faulty_line import FaultyLine, faulty_line
from tests.processes import Process, wait_until
from tests.sizes import sized

from .steady_hands import Hands, steady_hands
from .test_one_key_over_the_api import Program

pytestmark = [pytest.mark.rest, pytest.mark.long, pytest.mark.django_db(transaction=True)]

KILLS = int(os.environ.get("KILLS", sized("4", "20")))
OF_A_TEST = 50
"""At most so many kills are one test: two processes share those of a night."""
WRITERS, RATE = 8, 40.0
MOST_HANDS_BETWEEN = 12
AWAY = (503,)
SOON = 120.0
"""A generous limit: other tests may use both cores."""
PATIENCE = 300.0
"""On a busy machine a hand may be in flight at ten kills, one after the other: a start takes seconds."""
LAZY = ("synchronous_commit=off", "wal_writer_delay=10s")
"""PostgreSQL answers before the log of a commit is out of its memory."""


def writers(port: int) -> list[Program]:
    """A program at each of eight tables of a season."""
    first = create_table()
    evening = first.evening
    recorder = MembershipFactory(club=evening.club, role="recorder").user
    tables = [first, *(create_table(club=evening.club, season=evening.season) for _ in range(WRITERS - 1))]
    key = key_for(recorder, "read", "record")
    return [Program(f"http://127.0.0.1:{port}", key, table) for table in tables]


def port_of(server: Process) -> int:
    return int(urlsplit(server.url).port or 0)


def rows() -> set[tuple[int, int]]:
    return set(Hand.objects.values_list("table_id", "number"))


each_part = pytest.mark.parametrize(
    ("first", "count"), [(offset, min(OF_A_TEST, KILLS - offset)) for offset in range(0, KILLS, OF_A_TEST)]
)


def kill_at_random(hands: Hands, kills: list[Callable[[], None]], first: int, count: int) -> None:
    """Call one of the functions after a random number of hands, again and again."""
    chance = random.Random(first)
    for nth in range(count):
        wanted = hands.stored + chance.randrange(1, MOST_HANDS_BETWEEN)
        wait_until(lambda wanted=wanted: hands.over.is_set() or hands.stored >= wanted, SOON, "hands are recorded")
        assert not hands.failed
        kills[nth % len(kills)]()


def check(hands: Hands) -> None:
    print(f"{hands.stored} hands, {hands.again} sent again, longest {max(hands.seconds):.1f} s")
    assert hands.failed == []
    assert hands.again > 0
    assert rows() == hands.acknowledged
    assert Submission.objects.count() == hands.stored
    assert list(differences()) == []


def killer(line: FaultyLine, start: Callable[[], Process]) -> Callable[[], None]:
    """Kill the web server with its processes and start another one."""
    running = [start()]
    line.lead_to(port_of(running[0]))

    def kill() -> None:
        running[-1].end()
        # Until the next one is there, its port may be given to the server of another test.
        line.cut()
        running.append(start())
        line.lead_to(port_of(running[-1]))
        line.repair()

    return kill


@pytest.fixture
def line() -> Iterator[FaultyLine]:
    with faulty_line("127.0.0.1", servers.free_port()) as made:
        yield made


@pytest.mark.needs_sqlite
@each_part
def test_a_hand_answered_201_survives_kills_with_sqlite(
    first: int,
    count: int,
    web_server: Callable[..., Process],
    line: FaultyLine,
    record_property: Callable[[str, object], None],
) -> None:
    """The database is in the process of the server."""
    kill = killer(line, lambda: web_server(TEST_API_WRITES="0", REDIS_URL=""))
    with steady_hands(writers(line.port), RATE, AWAY, PATIENCE) as hands:
        kill_at_random(hands, [kill], first, count)
    check(hands)
    record_property("tries", count)


@pytest.mark.needs_postgres
@each_part
def test_a_hand_answered_201_survives_kills_of_web_server_and_postgresql(
    first: int,
    count: int,
    web_server: Callable[..., Process],
    line: FaultyLine,
    record_property: Callable[[str, object], None],
) -> None:
    with servers.postgres() as server, databases.on_server(server.url):
        kill = killer(line, lambda: web_server(TEST_API_WRITES="0", WEB_PROCESSES="1"))

        def kill_database() -> None:
            server.kill()
            server.start_again()

        with steady_hands(writers(line.port), RATE, AWAY, PATIENCE) as hands:
            kill_at_random(hands, [kill_database, kill], first, count)
        connection.close()
        check(hands)
    record_property("tries", count)


@pytest.mark.needs_postgres
def test_without_the_wait_for_the_log_answered_hands_are_lost(web_server: Callable[..., Process]) -> None:
    """The twin."""
    with servers.postgres(more=LAZY) as server, databases.on_server(server.url):
        node = web_server(TEST_API_WRITES="0", WEB_PROCESSES="1")
        with steady_hands(writers(port_of(node)), RATE, AWAY) as hands:
            wait_until(lambda: hands.stored >= MOST_HANDS_BETWEEN, SOON, "hands are recorded")
            hands.over.set()
            server.kill()
            server.start_again()
        connection.close()
        assert hands.acknowledged - rows()
