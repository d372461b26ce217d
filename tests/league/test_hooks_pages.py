"""The owner's pages of webhooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.hooks import queue, selectors, services
from league.models import Delivery, Webhook
from tests.cast import Cast, House, cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]

URL = "https://receiver.example/told"
FORM = {"url": URL, "events": ["hand.stored", "season.counted"]}


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def owner(people: Cast) -> Iterator[Client]:
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.home.owner)
    with translation.override("en"):
        yield client


def at(house: House, hook: Webhook | None = None, delivery: Delivery | None = None) -> str:
    names: dict[str, Any] = {"club": house.club.slug}
    if delivery is not None:
        return reverse("hook-replay", kwargs={**names, "hook": delivery.webhook_id, "delivery": delivery.pk})
    return reverse("hook", kwargs={**names, "hook": hook.pk}) if hook else reverse("hooks", kwargs=names)


def added(house: House) -> Webhook:
    return services.hook_add(club=house.club, actor=None, url=URL, events=["hand.stored"])


def test_the_secret_is_shown_once_and_kept_by_nobody_on_the_way(owner, people):
    page = owner.post(at(people.home), FORM)
    hook = Webhook.objects.get()
    assert page.status_code == 200
    assert hook.secret in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert (hook.url, hook.events, hook.author) == (URL, ["hand.stored", "season.counted"], people.home.owner)
    for url in (at(people.home), at(people.home, hook)):
        assert hook.secret not in owner.get(url).content.decode()


def test_sent_a_second_time_it_adds_no_second_one(owner, people):
    owner.post(at(people.home), FORM)
    again = owner.post(at(people.home), FORM)
    assert again.status_code == 409
    assert "There is a webhook with this address already" in again.content.decode()
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
def test_what_is_refused_says_why_and_keeps_what_was_typed(owner, people, sent, sentence):
    page = owner.post(at(people.home), sent)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert f'value="{sent.get("url", "")}"' in page.content.decode()
    assert not Webhook.objects.exists()


def test_changing_switching_and_removing(owner, people):
    hook = added(people.home)
    url = at(people.home, hook)
    assert owner.post(url, {"do": "change", "url": URL + "/2", "events": ["evening.closed"]}).status_code == 303
    hook.refresh_from_db()
    assert (hook.url, hook.events) == (URL + "/2", ["evening.closed"])
    for way, active in (("off", False), ("on", True)):
        assert owner.post(url, {"do": way}).status_code == 303
        hook.refresh_from_db()
        assert hook.active is active
    gone = owner.post(url, {"do": "remove"})
    assert (gone.status_code, gone.headers["Location"]) == (303, at(people.home))
    assert owner.get(url).status_code == 404
    assert owner.post(url, {"do": "on"}).status_code == 404


def test_a_new_secret_is_another_one(owner, people):
    hook = added(people.home)
    page = owner.post(at(people.home, hook), {"do": "roll"}).content.decode()
    fresh = Webhook.objects.get()
    assert fresh.secret in page
    assert hook.secret not in page
    assert "24 hours" in page


def test_a_test_and_a_repetition(owner, people):
    hook = added(people.home)
    assert owner.post(at(people.home, hook), {"do": "ping"}).status_code == 303
    ping = Delivery.objects.get()
    assert ping.event == "ping"
    assert owner.post(at(people.home, delivery=ping)).status_code == 303
    assert Delivery.objects.filter(replay_of=ping).count() == 1
    page = owner.get(at(people.home, hook)).content.decode()
    assert page.count("<b>A test</b>") == 2
    assert "sent again" in page


def test_what_nobody_said_is_refused(owner, people):
    assert owner.post(at(people.home, added(people.home)), {"do": "nothing"}).status_code == 422


def test_another_clubs_webhook_and_message_are_not_there(owner, people):
    mine, theirs = added(people.home), added(people.away)
    other = services.hook_ping(hook=theirs, actor=None)
    where = {"club": people.home.club.slug}
    for url in (
        reverse("hook", kwargs={**where, "hook": theirs.pk}),
        reverse("hook-replay", kwargs={**where, "hook": theirs.pk, "delivery": other.pk}),
        reverse("hook-replay", kwargs={**where, "hook": mine.pk, "delivery": other.pk}),
    ):
        assert owner.post(url, {"do": "ping"}).status_code == 404
    assert Delivery.objects.count() == 1


def test_the_log_goes_page_by_page_and_costs_the_same(owner, people, django_assert_num_queries, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE", 3)
    hook = added(people.home)
    for n in range(8):
        queue.message(hook.pk, Webhook.Event.HAND, people.home.club.slug, f"hand:{n}", {"hands": [n]}).save()
    seen: list[str] = []
    url = at(people.home, hook)
    while True:
        page = owner.get(url).content.decode()
        seen += re.findall(r"&quot;hands&quot;: \[\s+(\d)\s+\]", page)
        more = re.search(r'href="(\?after=[^"]+)"', page)
        if more is None:
            break
        url = at(people.home, hook) + more[1]
    assert seen == list("76543210")
    assert owner.get(at(people.home, hook) + "?after=nonsense").status_code == 200


def test_pages_cost_the_same_however_many_there_are(owner, people, django_assert_max_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    added(people.home)
    with CaptureQueriesContext(connection) as one:
        owner.get(at(people.home))
    for n in range(6):
        services.hook_add(club=people.home.club, actor=None, url=f"{URL}/{n}", events=["hand.stored"])
    with django_assert_max_num_queries(len(one.captured_queries)):
        owner.get(at(people.home))


def test_one_that_was_switched_off_says_so(owner, people):
    hook = added(people.home)
    from django.utils import timezone

    Webhook.objects.update(failing_since=timezone.now())
    queue.switch_off(Webhook.objects.get(), timezone.now())
    for url in (at(people.home), at(people.home, hook)):
        assert "switched off" in owner.get(url).content.decode()
