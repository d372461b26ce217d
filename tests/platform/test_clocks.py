"""Several clocks take turns: one sends the tasks of the schedule, and another one goes on when it ends or is killed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from celery import beat
from django.db import OperationalError, connection
from django.utils import timezone

from league.config.celery import app
from league.jobs.clock import LEASE, TakingTurns
from league.models import Heartbeat
from league.monitoring.marks import CLOCK
from tests.processes import Process, wait_until

SOON = 40.0
"""A generous limit: other tests may use both cores."""


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the connection of the test, which is in a transaction."""
    monkeypatch.setattr("league.jobs.clock.close_old_connections", lambda: None)


class Counting(TakingTurns):
    """A clock that counts what it would send."""

    def __init__(self) -> None:
        super().__init__(app=app, lazy=True)
        self.sent = 0
        self.setup_schedule()

    def apply_async(self, *args: Any, **more: Any) -> None:
        self.sent += 1


def ticked(*clocks: Counting, hours: int = 2) -> list[int]:
    """Let each clock look once, `hours` from now; return how many tasks each has sent."""
    with time_machine.travel(timezone.now() + timedelta(hours=hours), tick=False):
        for clock in clocks:
            clock.tick()
    return [clock.sent for clock in clocks]


@pytest.mark.both_databases
@pytest.mark.django_db
def test_one_of_two_clocks_sends() -> None:
    first, second = Counting(), Counting()
    assert ticked(first, second) == [1, 0]
    # The turn of the first one has run out.
    Heartbeat.objects.update(busy_until=timezone.now() - timedelta(seconds=1))
    assert ticked(second, first, hours=4) == [1, 1]
    first.close()
    second.close()
    assert Heartbeat.objects.get(name=CLOCK).holder is None


@pytest.mark.django_db
def test_a_clock_that_ends_gives_its_turn_back() -> None:
    first, second = Counting(), Counting()
    assert (first.has_turn(), second.has_turn(), first.has_turn()) == (True, False, True)
    second.close()
    assert Heartbeat.objects.get(name=CLOCK).holder == first.me
    first.close()
    assert second.has_turn()


@pytest.mark.django_db
def test_without_the_turn_both_clocks_send(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TakingTurns, "has_turn", lambda clock: True)
    assert ticked(Counting(), Counting()) == [1, 1]


@pytest.mark.django_db(transaction=True)
def test_a_clock_without_a_database_sends_nothing_and_goes_on() -> None:
    clock = Counting()

    def refuse(*args: Any) -> None:
        raise OperationalError("away")

    with connection.execute_wrapper(refuse):
        assert ticked(clock) == [0]
    assert ticked(clock) == [1]


def test_a_running_clock_keeps_its_turn() -> None:
    assert beat.Service(app=app).scheduler_cls is not None
    assert app.conf.beat_max_loop_interval * 2 < LEASE.total_seconds()


def noted_since(moment: datetime) -> Callable[[], bool]:
    return lambda: Heartbeat.objects.filter(name=CLOCK, at__gt=moment).exists()


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
def test_another_clock_goes_on_when_one_is_killed(start_process: Callable[..., Process]) -> None:
    def clock() -> Process:
        return start_process("-m", "celery", "-A", "league", "--quiet", "beat", LOG_LEVEL="INFO")

    first, second = clock(), clock()
    wait_until(noted_since(timezone.now()), SOON, "a clock sends tasks")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    wait_until(noted_since(timezone.now()), SOON, "the second clock sends tasks")
    clock()
    second.process.send_signal(signal.SIGKILL)
    second.process.wait()
    wait_until(noted_since(timezone.now()), SOON, "the third clock sends tasks")
