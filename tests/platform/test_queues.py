"""The queues of the workers: each task has one, and limits; counting waits for no other work; what hangs is ended."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from league.config import celery, queues
from league.models import CountFailure
from league.standings.seasons_to_count import waiting_seasons
from tests.factories import MADE, SeasonFactory, create_table, enter
from tests.processes import PROJECT, Process, wait_until

HANGS = "tests.platform.hanging_tasks"
SOON = 40.0
"""A generous limit: other tests may use both cores."""
SOFT, HARD = 2, 4
CHANCES = "league.chances.tasks.chances_compute"


def own_tasks() -> list[str]:
    celery.app.loader.import_default_modules()
    return sorted(name for name in celery.app.tasks if name.startswith("league."))


def test_each_task_has_a_queue_and_limits() -> None:
    assert own_tasks() == sorted(queues.routes()) == sorted(queues.limits())
    for name in own_tasks():
        task = celery.app.tasks[name]
        limits = queues.limits()[name]
        assert (task.soft_time_limit, task.time_limit) == (limits["soft_time_limit"], limits["time_limit"])
        assert 0 < task.soft_time_limit < task.time_limit
        assert task.acks_late


def test_a_worker_takes_from_all_queues_if_none_is_named() -> None:
    assert sorted(celery.app.amqp.queues.consume_from) == sorted(work.queue for work in queues.WORK)


@pytest.mark.needs_redis
def test_a_message_is_delivered_again_only_after_the_longest_task() -> None:
    assert celery.app.conf.broker_transport_options["visibility_timeout"] > queues.LONGEST_SECONDS


def test_a_unit_gives_tasks_the_time_that_it_says() -> None:
    for name in ("chratzete-worker.service", "chratzete-worker@.service"):
        lines = (PROJECT / "deploy/systemd" / name).read_text().splitlines()
        given = next(int(line.split("=")[1]) for line in lines if line.startswith("TimeoutStopSec="))
        assert given > settings.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT
        assert {"KillSignal=SIGQUIT", "KillMode=mixed"} <= set(lines)


def season_with_a_hand() -> int:
    season = SeasonFactory()
    enter(create_table(club=season.club, season=season), MADE)
    return int(season.pk)


def is_counted(season_id: int) -> bool:
    return not waiting_seasons().filter(pk=season_id).exists()


@pytest.fixture
def simulating(tmp_path: Path) -> Callable[[], None]:
    """Send a simulation, and wait until a worker hangs in it."""

    def send() -> None:
        assert celery.wake(CHANCES, 1)
        wait_until((tmp_path / "waits").exists, SOON, "the simulation runs")

    return send


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
class TestWithWorkers:
    def test_a_long_simulation_delays_no_count(
        self, celery_worker: Callable[..., Process], simulating: Callable[[], None], tmp_path: Path
    ) -> None:
        for queue in (queues.COUNTING, queues.BULK):
            celery_worker(queues=queue, include=HANGS, TEST_HANGS=str(tmp_path))
        simulating()
        season = season_with_a_hand()
        wait_until(lambda: is_counted(season), SOON, "the season is counted")

    def test_one_place_for_both_lets_the_count_wait(
        self, celery_worker: Callable[..., Process], simulating: Callable[[], None], tmp_path: Path
    ) -> None:
        """The twin."""
        celery_worker(include=HANGS, TEST_HANGS=str(tmp_path))
        simulating()
        season = season_with_a_hand()
        with pytest.raises(pytest.fail.Exception):
            wait_until(lambda: is_counted(season), 3, "the season is counted")
        (tmp_path / "let-go").touch()
        wait_until(lambda: is_counted(season), SOON, "the season is counted")

    @pytest.mark.parametrize("hard", ["", "1"])
    def test_a_count_that_hangs_is_ended_and_delays_no_other_season(
        self, celery_worker: Callable[..., Process], tmp_path: Path, hard: str
    ) -> None:
        hangs = season_with_a_hand()
        more = {"TEST_HANGS": str(tmp_path), "TEST_SEASON": str(hangs), "TEST_HARD": hard}
        worker = celery_worker(pool="prefork", queues=queues.COUNTING, include=HANGS, **more)
        # The hand's own wake-up hangs in one place of the worker for as long as a count may, these two in the other.
        for _ in range(2):
            celery.app.send_task("league.standings.tasks.season_count", [hangs], soft_time_limit=SOFT, time_limit=HARD)
        wait_until((tmp_path / "waits").exists, SOON, "the count hangs")
        other = season_with_a_hand()
        wait_until(lambda: is_counted(other), SOON, "the other season is counted")
        assert not is_counted(hangs)
        if hard:
            wait_until(lambda: "TimeLimitExceeded" in worker.output(), SOON, "the process was killed")
        else:
            wait_until(CountFailure.objects.exists, SOON, "the failure is stored")
            failure = CountFailure.objects.get()
            assert (failure.season_id, failure.error) == (hangs, "SoftTimeLimitExceeded")

    def test_a_worker_that_is_stopped_puts_what_runs_back_into_its_queue(
        self, celery_worker: Callable[..., Process], simulating: Callable[[], None], tmp_path: Path
    ) -> None:
        more = {"TEST_HANGS": str(tmp_path), "TEST_SOFT_STOP": "1"}
        first = celery_worker(pool="prefork", queues=queues.BULK, include=HANGS, **more)
        simulating()
        # As the unit does it: the main process alone.
        first.process.send_signal(signal.SIGQUIT)
        wait_until(lambda: first.process.poll() is not None, SOON, "the worker ended")
        (tmp_path / "let-go").touch()
        again = celery_worker(queues=queues.BULK, include=HANGS, **more)
        wait_until(lambda: f"{CHANCES}[" in again.output() and "succeeded" in again.output(), SOON, "it ran again")
