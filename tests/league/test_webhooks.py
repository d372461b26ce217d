"""Webhooks: messages are stored with their cause, sent by one sender at a time, tried again, and given up."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.closing.services import evening_close
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.hands.services import hand_enter
from games.models import Hand, Table
from league.models import AuditEntry, Club, Delivery, Transfer, Webhook
from league.standings.counting import count_season
from league.webhooks import queue, services, signing, tasks
from tests.cast import house as another_house
from tests.factories import MADE, body, enter, void

from . import webhook_receiver as receivers
from .webhook_receiver import table_of, webhook_at

pytestmark = pytest.mark.django_db

NOW = timezone.now


# --- Stored -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_messages_contain_ids_and_no_names(house):
    webhook_at(house)
    table = table_of(house)
    enter(table, MADE)
    void(table)
    enter(table, MADE)
    count_season(house.season.pk)
    correct(table=table, edit=TakeOut(1), author=None, key=uuid.uuid4())
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    stored = list(Delivery.objects.order_by("created_at").values_list("event", "body__data__kind"))
    assert stored == [
        ("hand.stored", "entered"),
        ("hand.stored", "voided"),
        ("hand.stored", "entered"),
        ("season.counted", None),
        ("hand.stored", "corrected"),
        ("evening.closed", "closed"),
    ]
    first = Delivery.objects.earliest("created_at")
    assert first.body == {
        "id": str(first.pk),
        "event": "hand.stored",
        "at": first.body["at"],
        "club": house.club.slug,
        "data": {"kind": "entered", "evening": table.evening_id, "table": table.pk, "hands": [1], "revision": 1},
    }


def test_only_chosen_events_are_sent_to_active_webhooks_of_the_club(house):
    wanted = webhook_at(house, events=["hand.stored"])
    off = webhook_at(house, "https://off.example/")
    gone = webhook_at(house, "https://gone.example/")
    webhook_at(another_house("krone"), "https://elsewhere.example/")
    services.webhook_change(webhook=off, actor=None, active=False)
    services.webhook_remove(webhook=gone, actor=None)
    enter(table_of(house), MADE)
    count_season(house.season.pk)
    assert [(d.webhook_id, d.event) for d in Delivery.objects.all()] == [(wanted.pk, "hand.stored")]


@pytest.mark.both_databases
def test_a_change_that_is_rolled_back_sends_no_message(house):
    webhook_at(house)
    table = table_of(house)
    with transaction.atomic():
        enter(table, MADE)
        assert Delivery.objects.exists()
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()


@pytest.mark.both_databases
def test_a_repeated_change_sends_one_message(house):
    webhook_at(house)
    table = table_of(house)
    key, sent = uuid.uuid4(), body(table, MADE)
    for _ in range(3):
        hand_enter(table=table, author=None, key=key, body=sent)
    for _ in range(2):
        queue.enqueue(Webhook.Event.COUNTED, club_id=house.club.pk, subject="season:1:1", data={})
    assert Delivery.objects.count() == 2


def queries(table: Table, count: Any) -> int:
    sent = body(table, MADE)
    with count() as captured:
        hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)
    return len(captured.captured_queries)


@pytest.fixture
def counted() -> Any:
    from django.test.utils import CaptureQueriesContext

    return lambda: CaptureQueriesContext(connection)


@pytest.mark.both_databases
def test_a_hand_costs_no_query_more_without_webhooks_and_two_with_any_number(house, counted, monkeypatch):
    table = table_of(house)
    enter(table, MADE)
    with monkeypatch.context() as without:
        without.setattr("games.events.webhooks.enqueue", lambda *args, **more: 0)
        bare = queries(table, counted)
    assert queries(table, counted) == bare
    for n in range(5):
        webhook_at(house, f"https://{n}.example/")
    assert queries(table, counted) == bare + 2
    assert Delivery.objects.count() == 5


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_hand_wakes_the_senders_once(house, monkeypatch):
    woken: list[str] = []
    monkeypatch.setattr("league.config.celery.wake", lambda task, *args: woken.append(task))
    table = table_of(house)
    enter(table, MADE)
    assert woken == ["league.standings.tasks.season_count"]
    woken.clear()
    webhook_at(house)
    webhook_at(house, "https://other.example/")
    with transaction.atomic():
        enter(table, MADE)
        enter(table, MADE)
    assert sorted(woken) == ["league.standings.tasks.season_count", "league.webhooks.tasks.send"]


# --- Sent -------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_message_arrives_signed(house, there):
    webhook = webhook_at(house, there.url)
    enter(table_of(house), MADE)
    assert queue.send_due(webhook.pk) == 1
    [got], delivery = there.got, Delivery.objects.get()
    assert json.loads(got.body) == delivery.body
    assert got.delivery == str(delivery.pk)
    assert got.headers["Chratzete-Event"] == "hand.stored"
    assert got.headers["Content-Type"] == "application/json"
    assert signing.verify(webhook.secret, got.headers[signing.HEADER], got.body, time.time())
    assert (delivery.status, delivery.error, delivery.tries, delivery.next_at) == (204, "", 1, None)
    assert delivery.delivered_at is not None
    assert queue.send_due(webhook.pk) == 0


@pytest.mark.both_databases
def test_messages_are_sent_in_their_order(house, there):
    webhook = webhook_at(house, there.url, ["hand.stored"])
    table = table_of(house)
    for _ in range(4):
        enter(table, MADE)
    assert queue.send_due(webhook.pk) == 4
    assert [json.loads(got.body)["data"]["hands"] for got in there.got] == [[1], [2], [3], [4]]


def test_after_a_secret_is_replaced_both_sign_for_a_day(house, there):
    webhook = webhook_at(house, there.url)
    old = webhook.secret
    new = services.webhook_roll(webhook=webhook, actor=house.owner).secret
    enter(table_of(house), MADE)
    queue.send_due(webhook.pk)
    header, sent = there.got[0].headers[signing.HEADER], there.got[0].body
    assert signing.verify(old, header, sent, time.time())
    assert signing.verify(new, header, sent, time.time())
    assert old != new
    Webhook.objects.update(old_until=NOW() - timedelta(seconds=1))
    services.webhook_ping(webhook=webhook, actor=None)
    queue.send_due(webhook.pk)
    header, sent = there.got[1].headers[signing.HEADER], there.got[1].body
    assert signing.verify(new, header, sent, time.time())
    assert not signing.verify(old, header, sent, time.time())


def due_again(webhook: Webhook) -> None:
    """End the waits of all messages."""
    Delivery.objects.filter(next_at__isnull=False).update(next_at=NOW() - timedelta(seconds=1))
    Webhook.objects.filter(pk=webhook.pk).update(retry_at=None)


@pytest.mark.both_databases
def test_a_failed_message_is_tried_later_and_later_and_given_up(house, there):
    there.reply = receivers.answers(500)
    webhook = webhook_at(house, there.url)
    enter(table_of(house), MADE)
    waits = []
    for _ in range(7):
        began = NOW()
        assert queue.send_due(webhook.pk) == 0
        delivery = Delivery.objects.get()
        assert (delivery.status, delivery.error) == (500, "status")
        waits.append(delivery.next_at and (delivery.next_at - began).total_seconds() / 60)
        due_again(webhook)
    for wait, least in zip(waits[:-1], (1, 5, 30, 120, 480, 1440), strict=True):
        assert least <= wait <= least * 1.1 + 0.1
    assert waits[-1] is None
    assert queue.send_due(webhook.pk) == 0
    assert len(there.got) == 7
    assert len({got.delivery for got in there.got}) == 1
    assert len({got.body for got in there.got}) == 1
    assert [got.headers["Chratzete-Try"] for got in there.got] == list("1234567")


def test_failed_messages_do_not_all_return_at_one_moment():
    random.seed(7)
    waits = {queue._next_try(1, NOW()) for _ in range(20)}
    assert len(waits) == 20


@pytest.mark.both_databases
def test_after_a_fault_nothing_is_sent_for_a_minute(house, there):
    there.reply = receivers.answers(503)
    webhook = webhook_at(house, there.url)
    table = table_of(house)
    for _ in range(5):
        enter(table, MADE)
    assert queue.due_webhooks() == [webhook.pk]
    queue.send_due(webhook.pk)
    assert len(there.got) == 1
    assert queue.due_webhooks() == []
    assert queue.send_due(webhook.pk) == 0
    assert queue.due_webhooks(NOW() + timedelta(seconds=61)) == [webhook.pk]


@pytest.mark.both_databases
def test_a_receiver_that_answers_again_gets_the_waiting_messages_at_once(house, there):
    webhook = webhook_at(house, there.url)
    table = table_of(house)
    enter(table, MADE)
    enter(table, MADE)
    there.replies = [receivers.answers(500)]
    queue.send_due(webhook.pk)
    Webhook.objects.update(retry_at=None)
    assert queue.send_due(webhook.pk) == 2
    assert [json.loads(got.body)["data"]["hands"] for got in there.got] == [[1], [2], [1]]
    fresh = Webhook.objects.get()
    assert (fresh.failing_since, fresh.retry_at, fresh.busy_until) == (None, None, None)


@pytest.mark.both_databases
def test_after_seven_days_of_faults_it_is_switched_off_and_the_log_says_so(house, there):
    there.reply = receivers.resets
    webhook = webhook_at(house, there.url)
    table = table_of(house)
    enter(table, MADE)
    enter(table, MADE)
    queue.send_due(webhook.pk)
    Webhook.objects.update(failing_since=NOW() - timedelta(days=6, hours=23))
    due_again(webhook)
    queue.send_due(webhook.pk)
    assert Webhook.objects.get().active
    Webhook.objects.update(failing_since=NOW() - timedelta(days=7))
    due_again(webhook)
    queue.send_due(webhook.pk)
    fresh = Webhook.objects.get()
    assert not fresh.active
    assert fresh.off_at is not None
    assert not Delivery.objects.filter(next_at__isnull=False).exists()
    entry = AuditEntry.objects.latest("pk")
    assert (entry.what, entry.actor, entry.data) == ("webhook_changed", None, {"did": "switched_off"})
    services.webhook_change(webhook=webhook, actor=house.owner, active=True)
    fresh.refresh_from_db()
    assert (fresh.active, fresh.off_at, fresh.failing_since) == (True, None, None)


@pytest.mark.parametrize("mails", [True, False], ids=["server that mails", "server that does not"])
def test_owners_get_a_mail_if_the_server_sends_mails(
    house, settings, mailoutbox, django_capture_on_commit_callbacks, mails
):
    settings.MAIL_ON, settings.BASE_URL = mails, "https://club.example"
    webhook = webhook_at(house)
    with django_capture_on_commit_callbacks(execute=True):
        queue.switch_off(webhook, NOW())
        queue.switch_off(webhook, NOW())
    assert [mail.to for mail in mailoutbox] == ([[house.owner.email]] if mails else [])
    assert all(f"https://club.example/c/roessli/webhooks/{webhook.pk}/" in str(mail.body) for mail in mailoutbox)


# --- One at a time ----------------------------------------------------------------------------------------


def at_once(send: Callable[[], object], count: int = 8) -> None:
    """Call it in several threads at one moment."""
    barrier = threading.Barrier(count)

    def run() -> None:
        barrier.wait()
        try:
            send()
        finally:
            connection.close()

    senders = [threading.Thread(target=run) for _ in range(count)]
    for each in senders:
        each.start()
    for each in senders:
        each.join()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_eight_senders_at_once_send_each_message_once(house, there):
    there.reply = receivers.slow(0.02)
    webhook = webhook_at(house, there.url, ["hand.stored"])
    table = table_of(house)
    for _ in range(6):
        enter(table, MADE)
    for _ in range(2):
        at_once(lambda: queue.send_due(webhook.pk))
    assert sorted(json.loads(got.body)["data"]["hands"][0] for got in there.got) == [1, 2, 3, 4, 5, 6]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_without_the_claim_they_send_it_several_times(house, there):
    """The twin: each sender sends the due message that it finds."""
    there.reply = receivers.slow(0.2)
    webhook = webhook_at(house, there.url, ["hand.stored"])
    enter(table_of(house), MADE)

    def send_what_is_found(webhook: Webhook) -> None:
        delivery = Delivery.objects.filter(webhook=webhook, next_at__lte=NOW()).first()
        if delivery is not None:
            queue.mark(delivery, queue.attempt(webhook, delivery))

    at_once(lambda: send_what_is_found(webhook), 4)
    assert len(there.got) > 1


@pytest.mark.both_databases
def test_a_sender_that_died_is_followed_by_another_with_the_same_id(house, there, monkeypatch):
    webhook = webhook_at(house, there.url)
    enter(table_of(house), MADE)
    with monkeypatch.context() as dying:
        dying.setattr(queue, "mark", lambda *args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            queue.send_due(webhook.pk)
    assert queue.due_webhooks() == []
    later = NOW() + queue.LEASE + timedelta(seconds=1)
    assert queue.due_webhooks(later) == [webhook.pk]
    due_again(webhook)
    assert queue.send_due(webhook.pk) == 1
    assert len(there.got) == 2
    assert there.got[0].delivery == there.got[1].delivery
    assert there.got[0].body == there.got[1].body
    assert Delivery.objects.get().tries == 2


# --- Tasks of the broker ----------------------------------------------------------------------------------


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run senders in the calling thread."""

    def begin(webhook_id: uuid.UUID) -> None:
        queue.send_due(webhook_id)
        tasks._places.release()

    monkeypatch.setattr(tasks, "_begin", begin)


@pytest.mark.both_databases
def test_a_task_sends_due_messages_and_the_sweep_wakes_it(house, there, inline, monkeypatch):
    from league.jobs import tasks as jobs

    woken: list[str] = []
    monkeypatch.setattr(jobs, "wake", woken.append)
    webhook_at(house, there.url, ["hand.stored"])
    table = table_of(house)
    enter(table, MADE)
    assert tasks.send() == 1
    jobs.sweep()
    assert woken == []
    enter(table, MADE)
    jobs.sweep()
    assert woken == ["league.webhooks.tasks.send"]
    assert len(there.got) == 1


FORGED = [
    ("league.webhooks.tasks.send", [], {}),
    ("league.webhooks.tasks.send", [str(uuid.uuid4())], {}),
    ("league.webhooks.tasks.send", [], {"url": "https://evil.example/", "body": "x"}),
    ("league.webhooks.tasks.tidy", [], {}),
    ("league.jobs.tasks.sweep", [], {}),
    ("league.standings.tasks.season_count", [10**9], {}),
    ("league.standings.tasks.season_count", [-1], {}),
    ("league.standings.tasks.season_count", ["1 OR 1=1"], {}),
    ("league.standings.tasks.season_count", [{"pk": 1}], {}),
    ("league.standings.tasks.season_count", [], {"season_id": None}),
]


def snapshot() -> Any:
    return (
        list(Transfer.objects.order_by("pk").values()),
        list(Hand.objects.order_by("pk").values()),
        list(Table.objects.order_by("pk").values()),
        Club.objects.count(),
    )


@pytest.mark.both_databases
@pytest.mark.parametrize(("name", "args", "more"), FORGED)
def test_a_forged_message_changes_no_money_and_sends_nothing_twice(house, there, inline, name, args, more):
    from league.config.celery import app

    # A worker does this when it starts.
    app.loader.import_default_modules()
    webhook = webhook_at(house, there.url, ["hand.stored"])
    table = table_of(house)
    enter(table, MADE)
    queue.send_due(webhook.pk)
    before = snapshot()
    for _ in range(3):
        app.tasks[name].apply(args=args, kwargs=more)
    assert snapshot() == before
    assert len(there.got) == 1


@pytest.mark.both_databases
def test_the_log_is_kept_for_a_month_and_waiting_messages_longer(house):
    webhook = webhook_at(house)
    table = table_of(house)
    for _ in range(3):
        enter(table, MADE)
    old, waiting, _new = Delivery.objects.order_by("created_at")
    again = services.delivery_replay(delivery=old, actor=None)
    other = services.delivery_replay(delivery=old, actor=None)
    long_ago = NOW() - timedelta(days=31)
    Delivery.objects.filter(pk__in=[old.pk, again.pk, other.pk]).update(next_at=None)
    Delivery.objects.filter(pk__in=[old.pk, waiting.pk, again.pk, other.pk]).update(created_at=long_ago)
    assert queue.tidy() == 2
    assert queue.tidy() == 1
    assert queue.tidy() == 0
    assert Delivery.objects.count() == 2
    services.webhook_remove(webhook=webhook, actor=None)
    Delivery.objects.update(created_at=long_ago)
    Webhook.objects.update(removed_at=long_ago)
    queue.tidy()
    assert not Webhook.objects.exists()


@pytest.mark.both_databases
@pytest.mark.parametrize("off", [{"active": False}, {"active": False, "removed_at": NOW()}, {"removed_at": NOW()}])
def test_a_message_stored_while_its_webhook_is_switched_off_is_deleted_in_its_time(house, off):
    """On PostgreSQL its transaction may commit after the one that gives up the waiting messages."""
    webhook_at(house)
    other = webhook_at(house, url="https://other.example/messages")
    enter(table_of(house), MADE)
    Webhook.objects.exclude(pk=other.pk).update(**off)
    assert queue.tidy() == 0
    waiting = Delivery.objects.filter(next_at__isnull=False)
    assert [each.webhook_id for each in waiting] == [other.pk]
    assert queue.tidy(NOW() + timedelta(days=31)) == 1
    assert [each.webhook_id for each in Delivery.objects.all()] == [other.pk]


def test_a_secret_that_signs_no_longer_is_forgotten(house):
    webhook = services.webhook_roll(webhook=webhook_at(house), actor=None)
    queue.tidy()
    assert Webhook.objects.get().old_secret != ""
    queue.tidy(NOW() + timedelta(hours=services.OLD_SECRET_HOURS + 1))
    assert (Webhook.objects.get().old_secret, Webhook.objects.get().secret) == ("", webhook.secret)
