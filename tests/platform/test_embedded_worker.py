"""The worker inside the web process: it runs tasks, there is only one, and it ends with its process."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from league.config import celery, embedded
from league.models import Heartbeat
from league.monitoring.marks import CLOCK
from league.standings.seasons_to_count import SWEEP
from tests.processes import Process, wait_until

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True), pytest.mark.needs_sqlite]


@pytest.fixture
def running() -> Iterator[None]:
    embedded.start()
    yield
    embedded.stop()


def sweeps_seen() -> bool:
    return Heartbeat.objects.filter(name=SWEEP, at__isnull=False).exists()


def test_it_runs_the_tasks_of_its_wake_ups(running: None) -> None:
    assert celery.wake("league.jobs.tasks.sweep")
    wait_until(sweeps_seen, 10, "the sweep left its heartbeat")


def test_a_second_start_adds_no_worker(running: None) -> None:
    embedded.start()
    names = [thread.name for thread in threading.enumerate()]
    assert names.count("embedded-worker") == 1


def test_a_stopped_worker_leaves_no_thread_and_can_start_again() -> None:
    for _ in range(2):
        embedded.start()
        embedded.stop()
    alive = {thread.name for thread in threading.enumerate() if thread.is_alive()}
    assert not alive & {"embedded-worker", "Beat"}


def test_an_idle_worker_ends_without_its_waits_for_messages() -> None:
    took = []
    for _ in range(3):
        embedded.start()
        # After its first message it waits for the next one.
        later = Heartbeat.objects.filter(at__gte=timezone.now())
        assert celery.wake("league.jobs.tasks.sweep")
        wait_until(later.exists, 10, "the sweep left its heartbeat")
        begun = time.monotonic()
        embedded.stop()
        took.append(time.monotonic() - begun)
    # Celery waits two seconds for a message, and once more at its end. One stop may be slow on a busy machine.
    assert min(took) < 2.0, took


def test_the_web_process_starts_a_worker_and_a_clock(web_server: Callable[..., Process]) -> None:
    began = timezone.now()
    web_server()
    # The clock sends the first sweep ten seconds after its start.
    seen = Heartbeat.objects.filter(at__gte=began).values_list("name", flat=True)
    wait_until(lambda: set(seen.all()) == {SWEEP, CLOCK}, 40, "a sweep came by itself, and the clock left its sign")


def test_on_sigterm_the_web_process_ends_with_its_worker(web_server: Callable[..., Process]) -> None:
    server = web_server(LOG_LEVEL="INFO")
    assert server.stop() == 0
    assert "embedded_worker_left_behind" not in server.output()
