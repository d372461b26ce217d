"""The sweep: one at a time, in portions, and past what fails."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from league.jobs import tasks as jobs
from league.models import CountFailure, Heartbeat, Season
from league.standings import counting
from league.standings.seasons_to_count import SWEEP, begin_sweep, waiting_seasons
from tests.factories import MADE, SeasonFactory, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def three() -> list[int]:
    """Three seasons that wait, in the order in which they are counted."""
    seasons = []
    for _ in range(3):
        season = SeasonFactory()
        enter(create_table(club=season.club, season=season), MADE)
        seasons.append(season.pk)
    return sorted(seasons)


@pytest.fixture
def poisoned(three: list[int], monkeypatch: pytest.MonkeyPatch) -> int:
    """The first of them, whose count fails."""
    real = counting.count_season

    def count(season_id: int) -> bool:
        if season_id == three[0]:
            raise ZeroDivisionError("poisoned")
        return real(season_id)

    monkeypatch.setattr(counting, "count_season", count)
    return three[0]


def waiting() -> list[int]:
    return list(waiting_seasons().values_list("pk", flat=True))


def test_a_season_that_fails_delays_no_other_one(poisoned: int) -> None:
    assert jobs.sweep() == 2
    assert waiting() == [poisoned]
    failure = CountFailure.objects.get()
    assert (failure.season_id, failure.times, failure.error) == (poisoned, 1, "ZeroDivisionError")
    assert Heartbeat.objects.get(name=SWEEP).at is not None
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("queue", stdout=out)
    assert "1 times: ZeroDivisionError" in out.getvalue()


def test_a_season_that_fails_is_tried_again_later_and_later(poisoned: int, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.sweep()
    jobs.sweep()
    assert CountFailure.objects.get().times == 1
    for times, after in ((2, 31), (2, 59), (3, 61)):
        with time_machine.travel(timezone.now() + timedelta(seconds=after), tick=False):
            jobs.sweep()
        assert CountFailure.objects.get().times == times, after
        # The pause is counted from the last failure.
        if after != 59:
            CountFailure.objects.update(retry_at=timezone.now() + timedelta(seconds=30 * 2 ** (times - 1)))
    monkeypatch.undo()
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        jobs.sweep()
    assert not CountFailure.objects.exists()
    assert not waiting()


def test_a_failure_is_forgotten_once_the_season_is_counted_otherwise(
    poisoned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.sweep()
    assert CountFailure.objects.exists()
    monkeypatch.undo()
    counting.count_season(poisoned)
    jobs.sweep()
    assert not CountFailure.objects.exists()


def test_one_sweep_runs_at_a_time_and_a_killed_one_is_forgotten(three: list[int]) -> None:
    assert begin_sweep()
    assert jobs.sweep() == 0
    assert waiting() == three
    Heartbeat.objects.update(busy_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep() == 3
    assert begin_sweep()


def test_a_sweep_ends_after_its_portion_and_wakes_the_next(three: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[Any] = []
    monkeypatch.setattr(jobs, "PORTION_SECONDS", -1.0)
    monkeypatch.setattr(jobs, "wake", lambda *task: woken.append(task))
    assert jobs.sweep() == 1
    assert waiting() == three[1:]
    assert woken == [("league.jobs.tasks.sweep",)]


def test_messages_that_fail_delay_no_season(three: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(jobs, "OTHER_QUEUES", (("broken", broken),))
    assert jobs.sweep() == 3
    assert not Season.objects.filter(pk__in=waiting()).exists()
