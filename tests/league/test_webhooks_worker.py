"""Webhooks with a real worker and a real receiver, and with one of them killed."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.config.celery import app
from league.models import Delivery, SeasonCount, Webhook
from league.webhooks import signing
from tests.cast import House, cast
from tests.factories import MADE, create_table, enter
from tests.processes import Process, wait_until

from . import webhook_receiver as receivers
from .webhook_receiver import Receiver, receiver, webhook_at

pytestmark = pytest.mark.rest

OPEN = {"WEBHOOKS_PRIVATE": "1", "WEBHOOKS_HTTP": "1"}
SOON = 25.0
"""A generous limit: other tests may use both cores."""


HANDLED = re.compile(r"league\.webhooks\.tasks\.send\[[^\]]+\] succeeded")


@pytest.fixture
def house(transactional_db: None, settings: Any) -> House:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    return cast().home


def waits_are_over() -> None:
    """End the waits after a fault and the claims."""
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.filter(next_at__isnull=False).update(next_at=past)
    Webhook.objects.update(retry_at=None, busy_until=None)


def woken() -> None:
    app.send_task("league.webhooks.tasks.send")


def ended(times: int, error: str) -> bool:
    """Return True if that try ended with this error."""
    return Delivery.objects.filter(tries=times, error=error, took_ms__isnull=False).exists()


@pytest.mark.needs_redis
def test_messages_arrive_after_faults_of_the_receiver(house: House, celery_worker: Callable[..., Process]) -> None:
    with receiver() as gone:
        port, url = gone.port, gone.url
    webhook = webhook_at(house, url, ["hand.stored"])
    celery_worker(**OPEN)
    enter(create_table(club=house.club, season=house.season), MADE)
    wait_until(lambda: ended(1, "refused"), SOON, "the first try, with nobody there")
    with receiver(port) as back:
        back.replies = [receivers.answers(500), receivers.resets]
        for times, error in ((2, "status"), (3, "reset"), (4, "")):
            waits_are_over()
            woken()
            wait_until(lambda times=times, error=error: ended(times, error), SOON, f"try {times}: {error}")
        assert len({got.delivery for got in back.got}) == 1
        last = back.got[-1]
        assert signing.verify(webhook.secret, last.headers[signing.HEADER], last.body, time.time())
    assert Delivery.objects.get().delivered_at is not None


@pytest.mark.needs_redis
def test_a_slow_receiver_delays_no_count_of_a_season(
    house: House, there: Receiver, celery_worker: Callable[..., Process]
) -> None:
    there.reply = receivers.slow(30)
    webhook_at(house, there.url, ["hand.stored"])
    celery_worker(**OPEN)
    table = create_table(club=house.club, season=house.season)
    enter(table, MADE)
    wait_until(lambda: bool(there.got), SOON, "the receiver was asked")
    enter(table, MADE)
    wait_until(lambda: SeasonCount.objects.filter(counted_mark=2).exists(), SOON, "the second hand is counted")
    assert not Delivery.objects.exclude(error="").exists()
    wait_until(lambda: Delivery.objects.filter(error="timeout").exists(), SOON, "ten seconds are over")


@pytest.mark.needs_redis
def test_a_worker_killed_after_sending_sends_the_message_again_with_its_id(
    house: House, there: Receiver, celery_worker: Callable[..., Process]
) -> None:
    there.replies = [receivers.slow(8)]
    webhook_at(house, there.url, ["hand.stored"])
    worker = celery_worker(**OPEN)
    enter(create_table(club=house.club, season=house.season), MADE)
    wait_until(lambda: bool(there.got), SOON, "the message is out")
    worker.kill()
    left = Delivery.objects.get()
    assert left.delivered_at is None
    assert left.next_at is not None
    assert left.next_at > timezone.now() + timedelta(seconds=20)
    worker = celery_worker(**OPEN)
    woken()
    wait_until(lambda: HANDLED.search(worker.output()) is not None, SOON, "the worker has looked for what is due")
    assert len(there.got) == 1
    waits_are_over()
    woken()
    wait_until(lambda: Delivery.objects.filter(delivered_at__isnull=False).exists(), SOON, "it arrived")
    assert len(there.got) == 2
    assert there.got[0].delivery == there.got[1].delivery
    assert there.got[0].body == there.got[1].body


@pytest.mark.needs_redis
def test_a_forged_task_sends_nothing_twice_and_the_worker_continues(
    house: House, there: Receiver, celery_worker: Callable[..., Process]
) -> None:
    webhook_at(house, there.url, ["hand.stored"])
    worker = celery_worker(**OPEN)
    table = create_table(club=house.club, season=house.season)
    enter(table, MADE)
    wait_until(lambda: Delivery.objects.filter(delivered_at__isnull=False).exists(), SOON, "the first arrived")
    delivery_id = str(Delivery.objects.get().pk)
    for name, args, more in (
        ("league.webhooks.tasks.send", [delivery_id], {}),
        ("league.webhooks.tasks.send", [], {"url": there.url, "body": {"pot_minor": 1}}),
        ("league.webhooks.deliver", [delivery_id], {}),
        ("league.standings.tasks.season_count", [str(uuid.uuid4())], {}),
        ("os.system", ["touch /tmp/forged"], {}),
    ):
        app.send_task(name, args=args, kwargs=more)
    woken()
    enter(table, MADE)
    wait_until(lambda: len(there.got) == 2, SOON, "the second arrived, past all that")
    assert there.got[0].delivery != there.got[1].delivery
    assert worker.process.poll() is None


MALFORMED = ("not json", "{}", json.dumps({"body": "x", "headers": {}, "properties": {}}))


@pytest.mark.needs_redis
def test_a_malformed_task_stops_one_worker_at_most(
    house: House, there: Receiver, celery_worker: Callable[..., Process]
) -> None:
    """The task is read once: the next worker, started by a supervisor, continues after it.

    A worker that closes its connection to Redis may lose a wake-up on its way: the sweep finds the message then.
    """
    webhook_at(house, there.url, ["hand.stored"])
    table = create_table(club=house.club, season=house.season)
    workers = [celery_worker(beat=True, **OPEN)]
    for nth, raw in enumerate(MALFORMED, start=1):
        with app.connection_for_write() as connection:
            connection.default_channel.client.lpush("celery", raw)
        enter(table, MADE)

        def goes_on(nth: int = nth) -> bool:
            if workers[-1].process.poll() is not None:
                workers.append(celery_worker(beat=True, **OPEN))
                woken()
            # A worker that stops after it has sent a message lets the next one send it again.
            return len({got.delivery for got in there.got}) == nth

        wait_until(goes_on, 2 * SOON, f"the message after {raw!r} arrived")
        delivered = Delivery.objects.filter(delivered_at__isnull=False)
        wait_until(lambda nth=nth, rows=delivered: rows.count() == nth, SOON, "and is noted")
    assert len(workers) <= 1 + len(MALFORMED)


def test_the_worker_inside_the_web_process_sends_too(
    house: House, there: Receiver, web_server: Callable[..., Process]
) -> None:
    webhook_at(house, there.url, ["hand.stored"])
    enter(create_table(club=house.club, season=house.season), MADE)
    web_server(REDIS_URL="", **OPEN)
    wait_until(lambda: Delivery.objects.filter(delivered_at__isnull=False).exists(), 40, "the sweep found it")
    assert len(there.got) == 1
