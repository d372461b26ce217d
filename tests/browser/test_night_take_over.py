"""The phone of who watches goes on without a network: it keeps the entry, and takes the pencil over in two taps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import Hand, Pencil, Table
from games.table import pencil
from tests.cast import House
from tests.factories import MADE, enter
from tests.processes import wait_until

from .conftest import new_phone
from .outbox_steps import kept
from .sign_in import sign_in
from .test_evening import Screen
from .test_night_share import read_text
from .test_night_stories import BENI, CARLO, DORIS, EMIL, RECORD
from .test_night_two_phones import BUNDLE, READ

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT_ENTRY = """async (path) => {
  const names = (await caches.keys()).filter((one) => one.startsWith("chratzete-pages-"));
  const pages = await Promise.all(names.map(async (name) => (await caches.open(name)).match(path)));
  const texts = await Promise.all(pages.filter(Boolean).map((page) => page.text()));
  return navigator.serviceWorker.controller !== null && texts.some((text) => text.includes('id="hand"'));
}"""
KEPT_READ = """async (path) => (await Promise.all((await caches.keys()).map(
  async (name) => (await caches.open(name)).match(path)))).some(Boolean)"""


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


@pytest.fixture
def watching(chromium: Browser, live_server: Any, table: Table, home: House) -> Iterator[Page]:
    """The phone of the owner, who watches while the recorder writes; its worker keeps pages."""
    pencil.take(table, home.recorder, "elsewhere")
    context = new_phone(chromium, live_server.url, with_worker=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    sign_in(page, at(table), "owner")
    expect(page.locator("#live")).to_be_visible()
    wait_until(lambda: page.evaluate(KEPT_ENTRY, at(table)), 30, "the entry is kept")
    yield page
    context.close()
    assert not faults, faults


def lose_network(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.locator("[data-live]")).to_be_hidden()


def take_over(page: Page) -> None:
    """Two taps; the first shows what it means."""
    page.locator("[popovertarget=take-over]:visible").tap()
    expect(page.locator("#take-over [data-without-network]")).to_be_visible()
    expect(page.locator("#take-over [data-with-network]").first).to_be_hidden()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("#hand[data-heard]")).to_be_visible()


def seen_at(table: Table, ago: timedelta) -> None:
    Pencil.objects.filter(table=table).update(seen_at=timezone.now() - ago)


HANGS = """() => {
  window.later = window.setTimeout;
  window.timers = [];
  window.setTimeout = (act, after, ...more) => {
    if (after === 3000) window.timers.push(() => act(...more));
    else return window.later(act, after, ...more);
    return window.timers.length;
  };
}"""
"""The time after which an answer is no longer young passes only by hand."""


def test_live_ends_without_answers_although_there_is_a_network(page: Page, table: Table, home: House) -> None:
    pencil.take(table, home.recorder, "elsewhere")
    page.add_init_script(f"({HANGS})()")
    sign_in(page, at(table), "owner")
    live, stale = page.locator("[data-live]"), page.locator("[data-stale]")
    expect(live).to_be_visible()
    # The requests are under way, and nobody answers.
    page.route(re.compile(r"/live/"), lambda route: None)
    page.evaluate("() => window.timers.at(-1)()")
    expect(live).to_be_hidden()
    expect(stale).to_have_text(re.compile(r"\d\d:\d\d"))
    page.unroute_all()


def test_live_ends_at_once_without_a_network(page: Page, table: Table, home: House) -> None:
    pencil.take(table, home.recorder, "elsewhere")
    page.add_init_script(f"({HANGS})()")
    sign_in(page, at(table), "owner")
    expect(page.locator("[data-live]")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("[data-live]")).to_be_hidden()


POLLS = """() => {
  const asks = () => {
    const event = new Event("htmx:beforeRequest", { bubbles: true, cancelable: true });
    return document.querySelector("#pencil[data-poll]").dispatchEvent(event);
  };
  const first = asks();
  document.dispatchEvent(new Event("htmx:sendError"));
  const again = asks();
  const now = Date.now;
  Date.now = () => now() + 10_001;
  const later = [asks(), asks()];
  Date.now = now;
  return [first, again, ...later];
}"""


def test_a_page_that_gets_no_answers_asks_seldom_and_without_a_network_never(page: Page, table: Table) -> None:
    """Each failed request is a line in the browser's console."""
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    page.context.set_offline(True)
    assert page.evaluate(POLLS) == [False] * 4
    page.evaluate("() => { window.back = new Promise((done) => window.addEventListener('online', done)); }")
    page.context.set_offline(False)
    page.evaluate("async () => { await window.back; }")
    assert page.evaluate(POLLS) == [True, False, True, False]


TAKEN = """async ([mine, cases]) => {
  const { isTaken } = await import("/static/js/night/take_over.js");
  document.querySelector("#outbox").dataset.user = mine;
  return cases.map((value) => {
    localStorage.setItem("chratzete.taken-over.5", JSON.stringify(value && { ...value, at: Date.now() - value.ago }));
    return isTaken(5);
  });
}"""


def test_a_takeover_is_that_of_one_account_for_half_a_day(page: Page, table: Table) -> None:
    hour = 3600 * 1000
    cases = [
        ({"user": "7", "ago": 0}, True),
        ({"user": "7", "ago": 11 * hour}, True),
        ({"user": "7", "ago": 12 * hour}, False),
        ({"user": "8", "ago": 0}, False),
        (None, False),
    ]
    sign_in(page, "/c/roessli/")
    assert page.evaluate(TAKEN, ["7", [value for value, _is in cases]]) == [is_taken for _value, is_taken in cases]


def test_who_watches_records_without_a_network_from_the_newest_hand_that_was_seen(
    watching: Page, table: Table, home: House
) -> None:
    page = watching
    expect(page.locator("[data-live]")).to_be_visible()
    enter(table, MADE, author=home.recorder)
    expect(page.locator("#live .past")).to_contain_text("Anna")
    lose_network(page)
    expect(page.locator("[data-stale]")).to_have_text(re.compile(r"\d\d:\d\d"))
    # A tap that needs a network says so.
    page.locator("#pencil-ask").tap()
    expect(page.locator("#needs-network")).to_be_visible()
    page.locator("#needs-network button").tap()
    take_over(page)
    expect(page.locator("[data-hand-number]")).to_contain_text("2")
    screen = Screen(page)
    screen.tap(1, 2)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    # It goes on after the page is opened again.
    page.reload()
    expect(page.locator("[data-hand-number]")).to_contain_text("3")
    expect(page.locator("[data-save]")).to_be_visible()
    expect(page.locator("#pencil .notice.lost")).to_be_hidden()
    # The holder was not seen for a while: with a network this phone has the pencil, and its hand is stored.
    seen_at(table, timedelta(minutes=5))
    page.context.set_offline(False)
    wait_until(lambda: Hand.objects.filter(table=table).count() == 2, 30, "the hand is stored")
    wait_until(Pencil.objects.filter(holder=home.owner).exists, 30, "the pencil is taken")
    expect(page.locator("#pencil")).not_to_have_attribute("data-lost", "")


def test_a_holder_who_is_there_keeps_the_pencil_and_the_hand_goes_up(watching: Page, table: Table, home: House) -> None:
    page = watching
    lose_network(page)
    take_over(page)
    Screen(page).tap(1, 2)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    seen_at(table, timedelta())
    page.context.set_offline(False)
    wait_until(lambda: Hand.objects.filter(table=table).count() == 1, 30, "the hand is stored")
    expect(page.locator("#pencil .notice.lost, #live").first).to_be_visible(timeout=30_000)
    assert Pencil.objects.get().holder == home.recorder


@pytest.mark.core
def test_the_second_phone_goes_on_from_the_file_of_the_first(
    watching: Page, page: Page, phone: Any, table: Table
) -> None:
    """Both have lost the network. The second one takes the hands of the first, and records the next."""
    sign_in(page, at(table))
    page.evaluate("async () => { await import('/static/js/night/bundle.js'); }")
    snapshot = "JSON.parse(document.querySelector('#night-snapshot').textContent)"
    assert snapshot.replace("'", '"') in RECORD
    page.evaluate(RECORD, [[], -1])
    phone.set_offline(True)
    page.evaluate(RECORD, [[MADE, BENI, CARLO, DORIS, EMIL], -1])
    bundle = page.evaluate(BUNDLE, "roessli")
    wait_until(lambda: watching.evaluate(KEPT_READ, READ), 30, "the page that reads is kept")
    watching.context.set_offline(True)
    watching.goto(READ)
    read_text(watching, bundle)
    watching.locator("[data-take]").tap()
    watching.locator("[data-done] [data-to-table]").tap()
    expect(watching.locator("[data-hand-number]")).to_contain_text("6")
    expect(watching.locator("[data-live]")).to_have_count(0)
    take_over(watching)
    Screen(watching).tap(0, 3)
    watching.locator("[data-save]").tap()
    expect(watching.locator("#saved")).to_be_visible()
    assert [item["write"]["number"] for item in kept(watching)] == [1, 2, 3, 4, 5, 6]
