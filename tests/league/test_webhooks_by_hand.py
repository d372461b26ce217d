"""Webhooks by hand: tests, replays, and the settings that an owner may choose."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from league.errors import Refused
from league.models import AuditEntry, Delivery, Webhook
from league.webhooks import queue, services
from tests.factories import MADE, enter

from . import webhook_receiver as receivers
from .webhook_receiver import ALL, table_of, webhook_at

pytestmark = pytest.mark.django_db


def refused(call: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value


def test_a_test_message_has_no_data_and_arrives(house, there):
    webhook = webhook_at(house, there.url, ["evening.closed"])
    services.webhook_ping(webhook=webhook, actor=house.owner)
    queue.send_due(webhook.pk)
    shown = json.loads(there.got[0].body)
    assert (shown["event"], shown["data"]) == ("ping", {})


@pytest.mark.both_databases
def test_a_replay_is_the_same_message_and_is_sent_at_once(house, there):
    there.reply = receivers.answers(500)
    webhook = webhook_at(house, there.url)
    enter(table_of(house), MADE)
    queue.send_due(webhook.pk)
    there.reply = receivers.answers(200)
    first = Delivery.objects.get()
    again = services.delivery_replay(delivery=first, actor=house.owner)
    assert queue.send_due(webhook.pk) >= 1
    assert len({got.body for got in there.got}) == 1
    assert len({got.delivery for got in there.got}) == 1
    again.refresh_from_db()
    assert again.delivered_at is not None
    assert again.replay_of_id == first.pk
    third = services.delivery_replay(delivery=again, actor=house.owner)
    assert third.replay_of_id == first.pk


def test_a_webhook_that_is_off_or_removed_sends_nothing_by_hand(house):
    webhook = webhook_at(house)
    ping = services.webhook_ping(webhook=webhook, actor=None)
    services.webhook_change(webhook=webhook, actor=None, active=False)
    assert refused(lambda: services.webhook_ping(webhook=webhook, actor=None)).status == 409
    assert refused(lambda: services.delivery_replay(delivery=ping, actor=None)).status == 409
    services.webhook_remove(webhook=webhook, actor=None)
    assert refused(lambda: services.webhook_ping(webhook=webhook, actor=None)).status == 404
    assert refused(lambda: services.webhook_roll(webhook=webhook, actor=None)).status == 404
    assert Webhook.objects.get().secret == ""


def test_nobody_can_be_flooded_by_hand(house):
    webhook = webhook_at(house)
    for _ in range(services.MAX_WAITING_BY_HAND):
        services.webhook_ping(webhook=webhook, actor=None)
    assert refused(lambda: services.webhook_ping(webhook=webhook, actor=None)).status == 429


@pytest.mark.parametrize(
    ("url", "events", "path"),
    [
        ("https://127.0.0.1/", ALL, "url"),
        ("http://receiver.example/", ALL, "url"),
        ("receiver.example", ALL, "url"),
        ("https://receiver.example/" + "x" * 400, ALL, "url"),
        ("https://receiver.example/", [], "events"),
        ("https://receiver.example/", ["hand.stored", "ping"], "events"),
    ],
)
def test_an_invalid_webhook_is_refused_with_a_sentence(house, settings, url, events, path):
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = False
    fault = refused(lambda: services.webhook_add(club=house.club, actor=None, url=url, events=events))
    assert (fault.status, fault.at) == (422, path)
    assert fault.sentence.endswith(".")
    assert not Webhook.objects.exists()


@pytest.mark.both_databases
def test_an_address_is_unique_and_there_are_ten_webhooks_at_most(house):
    webhook_at(house)
    assert refused(lambda: webhook_at(house)).status == 409
    for n in range(services.MAX_WEBHOOKS - 1):
        webhook_at(house, f"https://{n}.example/")
    assert refused(lambda: webhook_at(house, "https://more.example/")).code == "webhooks"


def test_every_change_is_in_the_log_without_the_address(house):
    webhook = webhook_at(house)
    services.webhook_change(webhook=webhook, actor=house.owner, events=["season.counted"])
    services.webhook_change(webhook=webhook, actor=house.owner, events=["season.counted"])
    services.webhook_roll(webhook=webhook, actor=house.owner)
    services.webhook_remove(webhook=webhook, actor=house.owner)
    services.webhook_remove(webhook=webhook, actor=house.owner)
    entries = AuditEntry.objects.filter(what="webhook_changed").order_by("pk")
    assert [entry.data["did"] for entry in entries] == ["added", "changed", "rolled", "removed"]
    assert all(entry.actor == house.owner and entry.about == f"webhook:{webhook.pk}" for entry in entries)
    assert "receiver" not in json.dumps(list(entries.values_list("data", "about")))


def test_a_webhook_whose_address_is_no_longer_allowed_can_be_switched_off_and_not_on(house):
    webhook = webhook_at(house)
    Webhook.objects.filter(pk=webhook.pk).update(url="https://127.1/")
    assert refused(lambda: services.webhook_change(webhook=webhook, actor=None, events=ALL)).status == 422
    assert not services.webhook_change(webhook=webhook, actor=None, active=False).active
    assert refused(lambda: services.webhook_change(webhook=webhook, actor=None, active=True)).status == 422
