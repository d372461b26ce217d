"""P7: a task that comes twice, late or out of order does its work once and changes nothing more."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from games.integrity import verify
from league.config.celery import app
from league.models import Delivery, Heartbeat, LargeFile, SeasonCount
from tests.cast import House, cast
from tests.league import webhook_receiver as receivers
from tests.security.dying_worker import wait_for, workers_in
from tests.security.test_killed_jobs import (
    JOBS,
    OF_A_SEASON,
    file_is_ready,
    file_of_hands,
    is_counted,
    later_hand,
    message,
    message_arrived,
)

pytestmark = [pytest.mark.rest, pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

ORDERS = 12
COPIES = 4
SOON = 60.0
"""A generous limit: other tests may use both cores."""
THREADS = ("webhook-sender", "large-files", "player-message-sender")
MIXED = ("a count of a season", "the sweep", "a message", "a large file")


@pytest.fixture
def home(transactional_db: None, settings: Any) -> House:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    app.loader.import_default_modules()
    return cast().home


def rows() -> dict[str, list[Any]]:
    """Return all rows but the signs of life."""
    models = [model for label in ("league", "games") for model in apps.get_app_config(label).get_models()]
    return {
        model.__name__: list(model._base_manager.order_by("pk").values()) for model in models if model is not Heartbeat
    }


def arguments(task: str, home: House) -> list[int]:
    return [home.season.pk] if task in OF_A_SEASON else []


def run(name: str, home: House) -> None:
    """Run the task of a job in this process, and what it does in threads."""
    task = JOBS[name].task
    app.tasks[task].apply(args=arguments(task, home), throw=True)
    for thread in threading.enumerate():
        if thread.name in THREADS:
            thread.join(SOON)


@pytest.mark.parametrize("name", JOBS)
def test_a_second_run_of_a_task_changes_nothing(name: str, home: House) -> None:
    job = JOBS[name]
    with receivers.receiver() as there:
        home.club.place = there.url
        job.prepare(home)
        app.control.purge()
        assert not job.done(home)
        run(name, home)
        assert job.done(home)
        after = rows()
        run(name, home)
        assert rows() == after
        assert len(there.got) <= 1


def mixed_work(home: House, url: str) -> None:
    """Make a message, a file and a count due."""
    home.club.place = url
    message(home)
    file_of_hands(home)
    later_hand(home)
    app.control.purge()


def all_done(home: House) -> bool:
    return is_counted(home) and file_is_ready(home) and message_arrived(home)


def check(there: receivers.Receiver) -> None:
    """Every message came once, one file was made, and the counts are those from scratch."""
    assert len(there.got) == Delivery.objects.count() == len({got.delivery for got in there.got})
    assert LargeFile.objects.count() == 1
    assert list(verify.differences()) == []


@pytest.mark.parametrize("order", range(ORDERS))
def test_tasks_in_any_order_and_number_do_all_work_once(order: int, home: House) -> None:
    chance = random.Random(order)
    names = [name for name in MIXED for _ in range(chance.randrange(1, COPIES))]
    chance.shuffle(names)
    with receivers.receiver() as there:
        mixed_work(home, there.url)
        for name in names:
            run(name, home)
        assert all_done(home), names
        check(there)


def test_copies_of_tasks_in_two_workers_do_all_work_once(home: House, tmp_path: Path) -> None:
    with receivers.receiver() as there, workers_in(tmp_path) as worker:
        mixed_work(home, there.url)
        tasks = [JOBS[name].task for name in MIXED] * COPIES
        random.Random(1).shuffle(tasks)
        for task in tasks:
            app.send_task(task, args=arguments(task, home))
        for _ in range(2):
            worker()
        wait_for(lambda: all_done(home), SOON, "all is done", tmp_path)
        check(there)


def test_without_the_claim_a_message_is_sent_twice(home: House) -> None:
    """The twin: a task that does not look whether its work is done."""
    job = JOBS["a message"]
    with receivers.receiver() as there:
        home.club.place = there.url
        job.prepare(home)
        app.control.purge()
        due = Delivery.objects.values_list("pk", "next_at", "delivered_at").get()
        for _ in range(2):
            Delivery.objects.filter(pk=due[0]).update(next_at=due[1], delivered_at=due[2])
            run("a message", home)
        assert len(there.got) == 2


def test_without_the_mark_a_second_count_counts_again(home: House) -> None:
    """The twin of counting: the rows are written again."""
    later_hand(home)
    app.control.purge()
    run("a count of a season", home)
    before = rows()
    SeasonCount.objects.update(counted_mark=0)
    run("a count of a season", home)
    assert rows() != before
