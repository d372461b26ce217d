"""Webhooks by hand: a test, a repetition, and what an owner may set."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from league.errors import Refused
from league.hooks import queue, services
from league.models import AuditEntry, Delivery, Webhook
from tests.factories import MADE, enter

from . import hook_receiver as receivers
from .hook_receiver import ALL, hook_at, table_of

pytestmark = pytest.mark.django_db


def refused(call: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as found:
        call()
    return found.value


def test_a_test_message_says_nothing_and_arrives(house, there):
    hook = hook_at(house, there.url, ["evening.closed"])
    services.hook_ping(hook=hook, actor=house.owner)
    queue.send_due(hook.pk)
    told = json.loads(there.got[0].body)
    assert (told["event"], told["data"]) == ("ping", {})


def test_a_repetition_is_the_same_message_and_goes_at_once(house, there):
    there.reply = receivers.answers(500)
    hook = hook_at(house, there.url)
    enter(table_of(house), MADE)
    queue.send_due(hook.pk)
    there.reply = receivers.answers(200)
    first = Delivery.objects.get()
    again = services.delivery_replay(delivery=first, actor=house.owner)
    assert queue.send_due(hook.pk) >= 1
    assert len({got.body for got in there.got}) == 1
    assert len({got.delivery for got in there.got}) == 1
    again.refresh_from_db()
    assert again.delivered_at is not None
    assert again.replay_of_id == first.pk
    third = services.delivery_replay(delivery=again, actor=house.owner)
    assert third.replay_of_id == first.pk


def test_what_is_off_or_removed_sends_nothing_by_hand(house):
    hook = hook_at(house)
    ping = services.hook_ping(hook=hook, actor=None)
    services.hook_change(hook=hook, actor=None, active=False)
    assert refused(lambda: services.hook_ping(hook=hook, actor=None)).status == 409
    assert refused(lambda: services.delivery_replay(delivery=ping, actor=None)).status == 409
    services.hook_remove(hook=hook, actor=None)
    assert refused(lambda: services.hook_ping(hook=hook, actor=None)).status == 404
    assert refused(lambda: services.hook_roll(hook=hook, actor=None)).status == 404
    assert Webhook.objects.get().secret == ""


def test_nobody_can_be_flooded_by_hand(house):
    hook = hook_at(house)
    for _ in range(services.MAX_WAITING_BY_HAND):
        services.hook_ping(hook=hook, actor=None)
    assert refused(lambda: services.hook_ping(hook=hook, actor=None)).status == 429


@pytest.mark.parametrize(
    ("url", "events", "at"),
    [
        ("https://127.0.0.1/", ALL, "url"),
        ("http://receiver.example/", ALL, "url"),
        ("receiver.example", ALL, "url"),
        ("https://receiver.example/" + "x" * 400, ALL, "url"),
        ("https://receiver.example/", [], "events"),
        ("https://receiver.example/", ["hand.stored", "ping"], "events"),
    ],
)
def test_a_webhook_that_cannot_be_is_refused_with_a_sentence(house, settings, url, events, at):
    settings.HOOKS_PRIVATE = settings.HOOKS_HTTP = False
    fault = refused(lambda: services.hook_add(club=house.club, actor=None, url=url, events=events))
    assert (fault.status, fault.at) == (422, at)
    assert fault.sentence.endswith(".")
    assert not Webhook.objects.exists()


def test_an_address_is_there_once_and_there_are_ten_at_most(house):
    hook_at(house)
    assert refused(lambda: hook_at(house)).status == 409
    for n in range(services.MAX_HOOKS - 1):
        hook_at(house, f"https://{n}.example/")
    assert refused(lambda: hook_at(house, "https://more.example/")).code == "hooks"


def test_every_change_stands_in_the_log_without_the_address(house):
    hook = hook_at(house)
    services.hook_change(hook=hook, actor=house.owner, events=["season.counted"])
    services.hook_change(hook=hook, actor=house.owner, events=["season.counted"])
    services.hook_roll(hook=hook, actor=house.owner)
    services.hook_remove(hook=hook, actor=house.owner)
    services.hook_remove(hook=hook, actor=house.owner)
    entries = AuditEntry.objects.filter(what="webhook_changed").order_by("pk")
    assert [entry.data["did"] for entry in entries] == ["added", "changed", "rolled", "removed"]
    assert all(entry.actor == house.owner and entry.about == f"webhook:{hook.pk}" for entry in entries)
    assert "receiver" not in json.dumps(list(entries.values_list("data", "about")))
