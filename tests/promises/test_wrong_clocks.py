"""P5, P6 and P7 on machines whose clocks are an hour ahead and an hour behind: hands stay in order and are counted."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.integrity.verify import differences
from games.models import Hand
from league import locks
from league.jobs.clock import LEASE
from league.models import Heartbeat, Submission
from league.monitoring.marks import CLOCK
from league.standings import seasons_to_count
from league.standings.seasons_to_count import waiting_seasons
from tests.api.api_client import key_for
from tests.factories import MADE, MembershipFactory, create_table, enter
from tests.platform.test_clocks import Counting, one_connection  # noqa: F401 - a fixture
from tests.processes import Process, wait_until

from .test_one_key_over_the_api import Program

HANDS = 30
HOUR = 3600
SOON = 90.0
"""A generous limit: other tests may use both cores."""
CLOCKS = {"ahead": HOUR, "behind": -HOUR}


def clock(seconds: int) -> dict[str, str]:
    return {"TEST_CLOCK": str(seconds)}


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
def test_hands_of_nodes_with_wrong_clocks_stay_in_order_and_are_counted(
    web_server: Callable[..., Process], celery_worker: Callable[..., Process]
) -> None:
    table = create_table()
    key = key_for(MembershipFactory(club=table.evening.club, role="recorder").user, "read", "record")
    nodes = [web_server(TEST_API_WRITES="0", WEB_PROCESSES="1", **clock(seconds)) for seconds in CLOCKS.values()]
    for seconds in CLOCKS.values():
        celery_worker(beat=True, **clock(seconds))
    programs = [Program(node.url, key, table) for node in nodes]

    for number in range(1, HANDS + 1):
        sent = programs[0].hand(number), uuid.uuid4()
        # Each hand goes to one node, and again to the other one.
        replies = [program.post(sent) for program in (programs if number % 2 else programs[::-1])]
        assert [reply.status for reply in replies] == [201, 201]
        assert [reply.replayed for reply in replies] == [False, True]
        assert replies[0].text == replies[1].text
    stored = list(Hand.objects.order_by("number").values_list("number", flat=True))
    assert stored == list(range(1, HANDS + 1))
    assert Submission.objects.count() == HANDS
    times = Submission.objects.values_list("created_at", flat=True)
    assert max(times) - min(times) > timedelta(seconds=HOUR), "the clocks of the nodes do not differ"
    wait_until(lambda: not waiting_seasons().exists(), SOON, "the season is counted")
    assert list(differences()) == []


@pytest.fixture
def clock_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database has the clock of the test, also where that is wrong."""
    monkeypatch.setattr(locks, "Now", timezone.now)


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("seconds", CLOCKS.values(), ids=CLOCKS)
def test_a_turn_that_a_wrong_clock_took_ends_in_its_time(seconds: int) -> None:
    wrong, right = Counting(), Counting()
    with time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False):
        assert (wrong.has_turn(), right.has_turn(), wrong.has_turn()) == (True, False, True)
    assert not right.has_turn()
    left = Heartbeat.objects.get(name=CLOCK).busy_until - timezone.now()
    assert timedelta(0) < left <= LEASE


@pytest.mark.django_db
def test_by_the_clock_of_the_machine_it_would_not(clock_of_the_database: None) -> None:
    """The twin."""
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert Counting().has_turn()
    assert Heartbeat.objects.get(name=CLOCK).busy_until > timezone.now() + LEASE


@pytest.mark.django_db
def test_a_turn_that_a_wrong_clock_took_for_an_hour_is_free_at_once(clock_of_the_database: None) -> None:
    ahead, right = Counting(), Counting()
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert ahead.has_turn()
    assert Heartbeat.objects.get(name=CLOCK).holder == ahead.me
    assert right.has_turn()
    assert Heartbeat.objects.get(name=CLOCK).holder == right.me


@pytest.mark.django_db
def test_a_turn_within_its_time_is_not_free(clock_of_the_database: None) -> None:
    """The twin: what ends the turn of a wrong clock leaves that of a right one alone."""
    first, second = Counting(), Counting()
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        assert (first.has_turn(), second.has_turn()) == (True, False)
    with time_machine.travel(now + LEASE / 2, tick=False):
        assert not second.has_turn()


@pytest.mark.django_db
def test_a_sweep_that_a_wrong_clock_began_stops_no_other_one(clock_of_the_database: None) -> None:
    enter(create_table(), MADE)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert seasons_to_count.begin_sweep()
    assert seasons_to_count.begin_sweep()
    assert not seasons_to_count.begin_sweep()
