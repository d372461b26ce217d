"""P15: an upgrade has no gap. The tables are migrated and the nodes restarted one by one while hands are recorded, and
no submit fails; the next version is an example (`tests/next_version`).

A run takes 20 seconds at 20 hands a second; `UPGRADE_SECONDS` changes that.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games.integrity.verify import differences
from games.models import Hand
from league.models import Submission
from league.standings.seasons_to_count import waiting_seasons
from tests import databases
from tests.api.api_client import key_for
from tests.factories import MembershipFactory, create_table
from tests.next_version import ALLOWED
from tests.nginx import Nginx, nginx
from tests.processes import Process, wait_until

from .steady_hands import Hands, steady_hands
from .test_one_key_over_the_api import Program

pytestmark = [pytest.mark.rest, pytest.mark.long, pytest.mark.needs_postgres, pytest.mark.needs_redis]

SECONDS = float(os.environ.get("UPGRADE_SECONDS", "20"))
RATE, TABLES = 20.0, 10
SOON = 120.0
"""A generous limit: other tests may use both cores."""
NEXT = {"DJANGO_SETTINGS_MODULE": "tests.next_version.settings"}
NODE = {"TEST_API_WRITES": "0", "BEHIND_PROXY": "1", "ALLOWED_HOSTS": "127.0.0.1", "WEB_PROCESSES": "1"}
Start = Callable[..., Process]


@pytest.fixture
def own_database(transactional_db: None) -> Iterator[None]:
    """A database for this test alone: its tables become those of the next version."""
    with databases.copied(f"{connection.settings_dict['NAME']}_next"):
        yield


@pytest.fixture
def programs(own_database: None) -> list[Program]:
    """A program at each of ten tables of a season."""
    first = create_table()
    evening = first.evening
    recorder = MembershipFactory(club=evening.club, role="recorder").user
    tables = [first, *(create_table(club=evening.club, season=evening.season) for _ in range(TABLES - 1))]
    key = key_for(recorder, "read", "record")
    return [Program("http://127.0.0.1", key, table) for table in tables]


def at(programs: list[Program], port: int) -> list[Program]:
    for program in programs:
        program.connection.port = port
    return programs


def port_of(node: Process) -> int:
    return int(urlsplit(node.url).port or 0)


def migrated(start: Start, hands: Hands, folder: str = ALLOWED) -> Process:
    """Migrate to an example while hands are recorded."""
    before = hands.stored
    wait_until(lambda: hands.over.is_set() or hands.stored >= before + RATE, SOON, "hands are recorded")
    process = start("manage.py", "migrate", **NEXT, TEST_NEXT=folder)
    assert process.process.wait(SOON) == 0, process.output()
    return process


def restart_one_by_one(proxy: Nginx, nodes: list[Process], start: Callable[[], Process]) -> None:
    """Restart each node while the proxy sends requests to the others."""
    for nth, node in enumerate(nodes):
        proxy.lead_to(*(port_of(other) for other in nodes if other is not node))
        node.stop()
        nodes[nth] = start()
        proxy.lead_to(*map(port_of, nodes))


def rows_of_the_trigger() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM league_nextnote")
        return int(cursor.fetchone()[0])


def test_no_submit_fails_during_an_upgrade_and_the_way_back(
    programs: list[Program],
    web_server: Start,
    celery_worker: Start,
    start_process: Start,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    nodes, worker, restarts = [web_server(**NODE) for _ in range(2)], celery_worker(), 0
    with nginx(tmp_path, *map(port_of, nodes)) as proxy, steady_hands(at(programs, proxy.port), RATE) as hands:
        until = time.monotonic() + SECONDS
        output = migrated(start_process, hands).output()
        while True:
            # The program of before runs on the new tables before the upgrade and after the way back.
            restart_one_by_one(proxy, nodes, lambda: web_server(**NODE, **NEXT))
            restart_one_by_one(proxy, nodes, lambda: web_server(**NODE))
            restarts += 2 * len(nodes)
            if hands.over.is_set() or time.monotonic() > until:
                break
        worker.stop()
        celery_worker(**NEXT)
    assert hands.failed == [], "\n".join(node.output()[-2000:] for node in nodes)
    assert output.count("Applying league.next_") >= 4, output
    assert hands.stored == Hand.objects.count() == Submission.objects.count()
    assert hands.stored >= 0.5 * RATE * SECONDS
    assert rows_of_the_trigger() > 0
    wait_until(lambda: not waiting_seasons().exists(), SOON, "the season is counted")
    assert list(differences()) == []
    record_property("tries", hands.stored)
    print(f"{hands.stored} hands, {restarts} restarts, {hands.again} sent again, longest {max(hands.seconds):.2f} s")


# --- Twins -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["needed_column", "renamed_column"])
def test_a_migration_that_does_more_than_add_fails_submits(
    programs: list[Program], web_server: Start, start_process: Start, folder: str
) -> None:
    node = web_server(**NODE)
    with steady_hands(at(programs, port_of(node)), RATE) as hands:
        migrated(start_process, hands, folder)
        wait_until(hands.over.is_set, SOON, "a submit fails")
    assert hands.failed[0].startswith("500: ")
    assert hands.stored == Hand.objects.count()


def test_nodes_of_the_next_version_before_its_migrations_fail_submits(
    programs: list[Program], web_server: Start
) -> None:
    node = web_server(**NODE, **NEXT)
    with steady_hands(at(programs, port_of(node)), RATE) as hands:
        wait_until(hands.over.is_set, SOON, "a submit fails")
    assert hands.failed[0].startswith("500: ")
    assert not Hand.objects.exists()


def test_nodes_that_are_stopped_together_fail_submits(
    programs: list[Program], web_server: Start, tmp_path: Path
) -> None:
    nodes = [web_server(**NODE)]
    with nginx(tmp_path, *map(port_of, nodes)) as proxy, steady_hands(at(programs, proxy.port), RATE) as hands:
        wait_until(lambda: hands.stored >= RATE, SOON, "hands are recorded")
        for node in nodes:
            node.stop()
        wait_until(hands.over.is_set, SOON, "a submit fails")
    assert hands.failed[0].startswith("502: ")
