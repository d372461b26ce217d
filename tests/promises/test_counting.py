"""P7 and P8: every stored hand is counted, even if a worker or the broker dies at any moment."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from games.integrity import verify
from games.models import Table
from league.ledger import season_mark
from league.models import EveningScore, Heartbeat, Season, SeasonCount, Standing, User
from league.standings import seasons_to_count
from league.standings.counting import count_season, recount
from tests.factories import FAILED, MADE, MembershipFactory, create_table, enter, enter_aside
from tests.processes import Process, wait_until

from .simultaneous_saves import Recorder

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

WITHIN_SECONDS = 15.0


def counted(hands: int) -> Callable[[], bool]:
    """Return True if the standings count this number of hands for Anna."""
    return lambda: Standing.objects.filter(player__nickname="Anna", hands=hands).exists()


def no_season_is_waiting() -> bool:
    return not seasons_to_count.waiting_seasons().exists()


@pytest.mark.needs_postgres
def test_nothing_is_compiled_just_in_time_while_a_season_is_counted():
    def compiles() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW jit")
            return str(cursor.fetchone()[0])

    season = create_table().evening.season
    before = compiles()
    with transaction.atomic():
        recount(season)
        assert compiles() == "off"
    assert compiles() == before == "on"


@pytest.mark.needs_redis
def test_a_worker_on_redis_counts_stored_hands(celery_worker):
    celery_worker()
    table = create_table()
    enter(table, MADE)
    wait_until(counted(1), WITHIN_SECONDS, "the hand is counted")
    for _ in range(20):
        enter(table, FAILED)
    wait_until(counted(21), WITHIN_SECONDS, "all hands are counted")
    wait_until(no_season_is_waiting, WITHIN_SECONDS, "the marks agree")
    assert list(verify.differences()) == []


@pytest.mark.needs_redis
def test_hands_stored_without_a_worker_are_counted_by_the_sweep(celery_worker, monkeypatch):
    monkeypatch.setattr(season_mark, "wake", lambda season_id: None)
    table = create_table()
    for _ in range(5):
        enter(table, MADE)
    celery_worker(beat=True)
    wait_until(counted(5), WITHIN_SECONDS, "the sweep finds the season")
    assert Heartbeat.objects.filter(name=seasons_to_count.SWEEP).exists()


@pytest.mark.rest
@pytest.mark.needs_redis
@pytest.mark.needs_postgres
@pytest.mark.parametrize("blocked", ["league_eveningscore", "league_seasoncount"])
def test_a_worker_killed_while_it_counts_loses_nothing(celery_worker, blocked):
    table = create_table()
    enter(table, MADE)
    count_season(Season.objects.get().pk)
    worker = celery_worker()
    with transaction.atomic(), connection.cursor() as cursor:
        # The worker stops at the lock of this table.
        cursor.execute(f"LOCK TABLE {blocked} IN SHARE ROW EXCLUSIVE MODE")
        enter_aside(table)
        wait_until(lambda: waits_for_a_lock(blocked), 10, "the worker is half-way")
        worker.kill()
    before = SeasonCount.objects.get()
    assert (before.counted_mark, counted(1)()) == (1, True)
    celery_worker(beat=True)
    wait_until(counted(2), WITHIN_SECONDS, "the next worker counts")
    assert list(verify.differences()) == []


def waits_for_a_lock(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = %s::regclass",
            [table],
        )
        return cursor.fetchone() is not None


def test_the_worker_inside_the_web_process_counts(web_server):
    table = create_table()
    owner = recorder_of(table)
    server: Process = web_server(REDIS_URL="")
    recorder = Recorder(server.url, owner, table)
    assert recorder.post(recorder.form(1, uuid.uuid4())).status == 303
    recorder.hang_up()
    wait_until(counted(1), WITHIN_SECONDS, "the embedded worker counts")


def recorder_of(table: Table) -> User:
    return MembershipFactory(club=table.evening.club, role="recorder").user


def test_a_second_count_changes_nothing():
    table = create_table()
    enter(table, MADE)
    season = Season.objects.get()
    assert count_season(season.pk)
    before = list(EveningScore.objects.values_list("pk", flat=True))
    assert not count_season(season.pk)
    assert list(EveningScore.objects.values_list("pk", flat=True)) == before


def test_a_deleted_season_is_no_error():
    assert not count_season(10**6)
