"""Chances with a real worker on Redis: asked for, computed, shown; asked for twice; a worker killed in between."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.chances import services
from league.config.celery import app
from league.models import Season, SeasonChances
from league.standings.counting import count_season
from tests.cast import House, cast
from tests.factories import FAILED, MADE, create_table, enter
from tests.processes import Process, wait_until

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True), pytest.mark.needs_redis]

SOON = 30.0
"""A generous limit: other tests may use both cores."""


@pytest.fixture
def home(transactional_db: None) -> House:
    """Five counted evenings of seven planned."""
    house = cast().home
    for back in (35, 28, 21, 14, 7):
        held_on = timezone.localdate() - timedelta(days=back)
        table = create_table(season=house.season, club=house.club, held_on=held_on)
        for record in (MADE, MADE, FAILED):
            enter(table, record)
    Season.objects.filter(pk=house.season.pk).update(planned_evenings=7)
    count_season(house.season.pk)
    cache.delete(services._key(house.season.pk))
    return house


def page(house: House) -> str:
    where = {"club": house.club.slug, "season": house.season.slug}
    answer = Client(headers={"accept-language": "en"}).get(reverse("season-chances-live", kwargs=where))
    text: str = answer.content.decode()
    return text


def shown(house: House) -> Callable[[], bool]:
    return lambda: "After the next evening" in page(house)


def ended(worker: Process) -> list[str]:
    """Return the results of the worker's tasks of this name, in order."""
    return re.findall(rf"Task {re.escape(services.TASK)}\[[^\]]+\] succeeded in [^:]+: (\w+)", worker.output())


def test_a_page_asks_a_worker_computes_and_the_page_shows(home, celery_worker):
    celery_worker()
    assert "Being computed" in page(home)
    wait_until(shown(home), SOON, "the chances are shown")
    assert "every 10s" in page(home)
    # The next look requests later counts.
    enter(home.season.evenings.order_by("held_on").first().tables.get(), MADE)
    wait_until(lambda: "being computed again" in page(home) or newest(home), SOON, "the hand is counted")
    wait_until(lambda: newest(home), SOON, "the chances are those of the hand")
    assert shown(home)()


def newest(house: House) -> bool:
    """Return True if the stored chances are those of all hands."""
    mark = Season.objects.get(pk=house.season.pk).ledger_mark
    page(house)
    return SeasonChances.objects.filter(season=house.season, counted_mark=mark).exists()


@pytest.mark.needs_postgres
def test_a_second_request_starts_no_second_computation(home, celery_worker):
    worker = celery_worker()
    with transaction.atomic():
        held(home)
        page(home)
        wait_until(waits_for_a_lock, SOON, "the worker has computed and wants to store")
        for _ in range(5):
            assert "Being computed" in page(home)
    wait_until(shown(home), SOON, "the chances are shown")
    wait_until(lambda: "True" in ended(worker), SOON, "a task stored them")
    # A task that comes all the same stores nothing.
    before = len(ended(worker))
    app.send_task(services.TASK, args=[home.season.pk])
    wait_until(lambda: len(ended(worker)) > before, SOON, "the second task ended")
    assert ended(worker).count("True") == 1


@pytest.mark.needs_postgres
def test_a_killed_worker_leaves_nothing_and_the_page_asks_again(home, celery_worker, monkeypatch):
    # A page asks again after this time.
    monkeypatch.setattr(services, "WOKEN_SECONDS", 2)
    first = celery_worker()
    with transaction.atomic():
        held(home)
        page(home)
        wait_until(waits_for_a_lock, SOON, "the worker is about to store")
        first.kill()
    assert not SeasonChances.objects.exists()
    assert "Being computed" in page(home)
    celery_worker()
    wait_until(shown(home), SOON, "the next worker computes")
    assert SeasonChances.objects.get().seed == Season.objects.get(pk=home.season.pk).ledger_mark


def held(house: House) -> None:
    """Hold the row that a worker locks before it stores chances."""
    Season.objects.select_for_update(of=("self",)).get(pk=house.season.pk)


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None
