"""A season that waits is in the queue once, for any number of stored hands; and no hand is left without a wake-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from league.config import queues, redis_away
from league.config.celery import app
from league.jobs import tasks as jobs
from league.ledger import season_mark
from league.models import SeasonCount
from league.standings import counting, seasons_to_count, tasks
from tests import redis_faults
from tests.factories import FAILED, MADE, SeasonFactory, create_table, enter, enter_aside

pytestmark = [pytest.mark.django_db(transaction=True)]

SEASONS, HANDS = 50, 868


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seasons for which a worker was woken."""
    seasons: list[int] = []

    def take(task: str, season_id: int) -> bool:
        assert task == tasks.season_count.name
        seasons.append(season_id)
        return True

    monkeypatch.setattr("league.config.celery.wake", take)
    return seasons


def queued() -> int:
    """Return the number of messages that wait in the broker."""
    with app.connection_for_read() as broker:
        return int(broker.default_channel.queue_declare(queues.COUNTING).message_count)


def store_hands() -> None:
    """Store the hands of an evening on which many clubs play, hand by hand in turn."""
    tables = [create_table() for _ in range(SEASONS)]
    for nth in range(HANDS):
        enter(tables[nth % SEASONS], MADE)


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.servers_only
def test_many_hands_without_a_worker_leave_one_message_a_season():
    app.control.purge()
    store_hands()
    assert 0 < queued() <= SEASONS
    app.control.purge()


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.servers_only
def test_without_the_key_each_hand_leaves_a_message(monkeypatch):
    monkeypatch.setattr(cache, "add", lambda *args: True)
    app.control.purge()
    store_hands()
    assert queued() == HANDS
    app.control.purge()


def test_a_season_is_woken_once_until_its_count_begins(sent):
    table, other = create_table(), create_table(season=SeasonFactory())
    season, another = table.evening.season_id, other.evening.season_id
    for record in (MADE, FAILED):
        enter(table, record)
        enter(other, record)
    assert sent == [season, another]
    tasks.season_count(season)
    enter(table, MADE)
    enter(other, MADE)
    assert sent == [season, another, season]


def test_a_wake_up_that_no_broker_took_is_tried_again(monkeypatch):
    tried: list[int] = []
    monkeypatch.setattr("league.config.celery.wake", lambda task, season: bool(tried.append(season)))
    table = create_table()
    enter(table, MADE)
    enter(table, MADE)
    assert tried == [table.evening.season_id] * 2


@pytest.mark.parametrize("fault", redis_faults.FAULTS)
def test_while_redis_is_away_no_season_counts_as_woken(fault, settings):
    with redis_faults.at(fault) as url, redis_faults.cache_at(url, settings):
        table = create_table()
        enter(table, MADE)
        assert redis_away.is_away()
        # The cache of this process takes its place.
        assert cache.add(f"season:{table.evening.season_id}:woken", 1)
    assert jobs.sweep() == 1


def test_the_sweep_ends_the_wait_for_a_task_that_was_lost(sent):
    table = create_table()
    enter(table, MADE)
    # The broker lost the message.
    sent.clear()
    enter(table, MADE)
    assert sent == []
    assert jobs.sweep() == 1
    enter(table, MADE)
    assert sent == [table.evening.season_id]


# --- A hand that is stored while its season is counted ------------------------------------------------------


def count_late(season_id: int) -> None:
    """The task with the key deleted when all is counted."""
    if counting.count_season(season_id) and seasons_to_count.waiting_seasons().filter(pk=season_id).exists():
        season_mark.wake(season_id)
    season_mark.forget_wake_up(season_id)


@pytest.fixture
def woken_meanwhile(sent: list[int], monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[int], object]], bool]:
    """Count a season with the given task while a hand is stored in it; return True if a worker is woken for it."""

    def stored_meanwhile(task: Callable[[int], object]) -> bool:
        table = create_table()
        enter(table, MADE)
        sent.clear()
        real = counting._is_known

        def store_then_look(*args: Any) -> bool:
            # The count has read its marks.
            enter_aside(table)
            return real(*args)

        with monkeypatch.context() as patched:
            patched.setattr(counting, "_is_known", store_then_look)
            task(table.evening.season_id)
        assert SeasonCount.objects.get(season=table.evening.season_id).counted_mark == 1
        return sent == [table.evening.season_id]

    return stored_meanwhile


@pytest.mark.needs_postgres
def test_a_hand_stored_while_its_season_is_counted_wakes_a_worker(woken_meanwhile):
    assert woken_meanwhile(tasks.season_count)


@pytest.mark.needs_postgres
def test_if_the_key_is_deleted_after_the_count_that_hand_waits_for_the_sweep(woken_meanwhile):
    assert not woken_meanwhile(count_late)
