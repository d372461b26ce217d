"""The pages of webhooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.models import Delivery, Webhook
from league.webhooks import queue, selectors, services
from tests.cast import Cast, House

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]

URL = "https://receiver.example/messages"
FORM = {"url": URL, "events": ["hand.stored", "season.counted"]}


@pytest.fixture
def owner(people: Cast) -> Iterator[Client]:
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.home.owner)
    with translation.override("en"):
        yield client


def at(house: House, webhook: Webhook | None = None, delivery: Delivery | None = None) -> str:
    names: dict[str, Any] = {"club": house.club.slug}
    if delivery is not None:
        return reverse("webhook-replay", kwargs={**names, "webhook": delivery.webhook_id, "delivery": delivery.pk})
    return reverse("webhook", kwargs={**names, "webhook": webhook.pk}) if webhook else reverse("webhooks", kwargs=names)


def added(house: House) -> Webhook:
    return services.webhook_add(club=house.club, actor=None, url=URL, events=["hand.stored"])


def test_the_secret_is_shown_once_and_never_cached(owner, people):
    page = owner.post(at(people.home), FORM)
    webhook = Webhook.objects.get()
    assert page.status_code == 200
    assert webhook.secret in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert (webhook.url, webhook.events, webhook.author) == (URL, ["hand.stored", "season.counted"], people.home.owner)
    for url in (at(people.home), at(people.home, webhook)):
        assert webhook.secret not in owner.get(url).content.decode()


def test_a_form_sent_twice_adds_one_webhook(owner, people):
    owner.post(at(people.home), FORM)
    again = owner.post(at(people.home), FORM)
    assert again.status_code == 409
    assert "There is already a webhook with this address" in again.content.decode()
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"url": "https://10.0.0.1/", "events": ["hand.stored"]}, "leads into a private network"),
        ({"url": "http://receiver.example/", "events": ["hand.stored"]}, "must begin with https://"),
        ({"url": URL}, "Choose at least one event"),
        ({}, "cannot be understood"),
    ],
)
def test_a_refused_form_shows_the_reason_and_keeps_its_values(owner, people, sent, sentence):
    page = owner.post(at(people.home), sent)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert f'value="{sent.get("url", "")}"' in page.content.decode()
    assert not Webhook.objects.exists()


def test_changing_switching_and_removing(owner, people):
    webhook = added(people.home)
    url = at(people.home, webhook)
    assert owner.post(url, {"do": "change", "url": URL + "/2", "events": ["evening.closed"]}).status_code == 303
    webhook.refresh_from_db()
    assert (webhook.url, webhook.events) == (URL + "/2", ["evening.closed"])
    for way, active in (("off", False), ("on", True)):
        assert owner.post(url, {"do": way}).status_code == 303
        webhook.refresh_from_db()
        assert webhook.active is active
    gone = owner.post(url, {"do": "remove"})
    assert (gone.status_code, gone.headers["Location"]) == (303, at(people.home))
    assert owner.get(url).status_code == 404
    assert owner.post(url, {"do": "on"}).status_code == 404


def test_a_new_secret_is_another_one(owner, people):
    webhook = added(people.home)
    page = owner.post(at(people.home, webhook), {"do": "roll"}).content.decode()
    fresh = Webhook.objects.get()
    assert fresh.secret in page
    assert webhook.secret not in page
    assert "24 hours" in page


def test_a_test_and_a_repetition(owner, people):
    webhook = added(people.home)
    assert owner.post(at(people.home, webhook), {"do": "ping"}).status_code == 303
    ping = Delivery.objects.get()
    assert ping.event == "ping"
    assert owner.post(at(people.home, delivery=ping)).status_code == 303
    assert Delivery.objects.filter(replay_of=ping).count() == 1
    page = owner.get(at(people.home, webhook)).content.decode()
    assert page.count("<b>A test</b>") == 2
    assert "sent again" in page


def test_an_unknown_action_is_refused(owner, people):
    assert owner.post(at(people.home, added(people.home)), {"do": "nothing"}).status_code == 422


def test_the_webhooks_and_messages_of_another_club_are_not_found(owner, people):
    mine, theirs = added(people.home), added(people.away)
    other = services.webhook_ping(webhook=theirs, actor=None)
    where = {"club": people.home.club.slug}
    for url in (
        reverse("webhook", kwargs={**where, "webhook": theirs.pk}),
        reverse("webhook-replay", kwargs={**where, "webhook": theirs.pk, "delivery": other.pk}),
        reverse("webhook-replay", kwargs={**where, "webhook": mine.pk, "delivery": other.pk}),
    ):
        assert owner.post(url, {"do": "ping"}).status_code == 404
    assert Delivery.objects.count() == 1


def test_every_page_of_the_log_costs_the_same(owner, people, django_assert_num_queries, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE", 3)
    webhook = added(people.home)
    for n in range(8):
        queue.message(webhook.pk, Webhook.Event.HAND, people.home.club.slug, f"hand:{n}", {"hands": [n]}).save()
    seen: list[str] = []
    url = at(people.home, webhook)
    while True:
        page = owner.get(url).content.decode()
        seen += re.findall(r"&quot;hands&quot;: \[\s+(\d)\s+\]", page)
        more = re.search(r'href="(\?after=[^"]+)"', page)
        if more is None:
            break
        url = at(people.home, webhook) + more[1]
    assert seen == list("76543210")
    assert owner.get(at(people.home, webhook) + "?after=nonsense").status_code == 200


def test_pages_cost_the_same_for_any_number_of_webhooks(owner, people, django_assert_max_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    added(people.home)
    with CaptureQueriesContext(connection) as queries:
        owner.get(at(people.home))
    for n in range(6):
        services.webhook_add(club=people.home.club, actor=None, url=f"{URL}/{n}", events=["hand.stored"])
    with django_assert_max_num_queries(len(queries.captured_queries)):
        owner.get(at(people.home))


def test_a_page_says_that_its_webhook_was_switched_off(owner, people):
    webhook = added(people.home)
    from django.utils import timezone

    Webhook.objects.update(failing_since=timezone.now())
    queue.switch_off(Webhook.objects.get(), timezone.now())
    for url in (at(people.home), at(people.home, webhook)):
        assert "switched off" in owner.get(url).content.decode()
