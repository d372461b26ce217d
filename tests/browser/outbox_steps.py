"""Steps of outbox tests on a phone: save without a network, and read the kept items."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Route, expect

from games.models import Table
from tests.processes import wait_until

from .test_evening import Screen

NIGHT = re.compile(r"/t/\d+/night/$")
"""Where the phone sends its writes."""

NO_ANSWER = "Failed to load resource: net::ERR"


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault, nor are answers of a server that is out of order."""
    return (*expected, NO_ANSWER, "status of 5")


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


def line(page: Page) -> Any:
    return page.locator("#outbox [data-line]")


def no_posts(route: Route) -> None:
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


AS_A_FORM = """async () => {
  const outbox = await import("/static/js/outbox.js");
  const form = document.querySelector("#hand");
  const body = new URLSearchParams(new FormData(form));
  body.delete("csrfmiddlewaretoken");
  const { key, players } = form.elements;
  const { table, number, user } = form.dataset;
  const draft = `chratzete.draft.${table}.${number}`;
  const { state } = JSON.parse(sessionStorage.getItem(draft));
  const url = new URL(form.action).pathname;
  await outbox.put({
    key: key.value, table, number: Number(number), players: players.value, url, body: body.toString(), state,
    title: document.title, summary: "Carlo chratzt ✓, Beni metcho ✓", user, at: Date.now(),
  });
  sessionStorage.removeItem(draft);
}"""


def saved_by_an_older_version(page: Page, phone: BrowserContext, *seats: int) -> None:
    """Leave a hand in the outbox as the pages before writes did: as a form. It waits, and its page holds it."""
    enter_hand(page, *seats)
    phone.route(re.compile(r"/t/\d+/$"), no_posts)
    page.evaluate(AS_A_FORM)
    page.reload()
    expect(Screen(page).preview().locator("[data-change]")).to_be_visible()


def back_on_the_network(page: Page, phone: BrowserContext) -> None:
    phone.unroute_all()
    page.evaluate("window.dispatchEvent(new Event('online'))")


def enter_hand(page: Page, *seats: int) -> Screen:
    screen = Screen(page)
    screen.tap(*seats)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    return screen


def save_without_network(page: Page, phone: BrowserContext, *seats: int) -> Screen:
    """Save a hand without a network."""
    screen = enter_hand(page, *seats)
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    return screen


def list_of_all(page: Page) -> None:
    """Open the list of all that waits from the line of the table screen."""
    page.locator("#waiting").tap()
    page.locator("#waiting-list [popovertarget=outbox-list]").tap()


KEPT = """() => new Promise((done) => {
  const asked = indexedDB.open("chratzete");
  asked.onsuccess = () => {
    const all = asked.result.transaction("outbox").objectStore("outbox").getAll();
    all.onsuccess = () => { asked.result.close(); done(all.result.sort((a, b) => a.place - b.place)); };
  };
})"""


FLUSH = "async () => { await (await import('/static/js/outbox.js')).flush(); }"
"""Let the page send all waiting items that it may send; wait until it has tried."""


OFFLINE = "async () => (await import('/static/js/night/network.js')).offline()"


def has_network(page: Page) -> None:
    """Wait until the page knows that it has a network again: its last request had an answer."""
    wait_until(lambda: not page.evaluate(OFFLINE), 20, "the page has a network")


def kept(page: Page) -> list[dict[str, Any]]:
    """Return the browser's database of waiting items; try again if the page is just being replaced."""
    try:
        items: list[dict[str, Any]] = page.evaluate(KEPT)
    except Error:
        page.wait_for_load_state()
        items = page.evaluate(KEPT)
    return items


def load_again(page: Page) -> None:
    """Reload a page that may load itself at the same moment, as its item has just arrived: one of the two counts."""
    try:
        page.reload()
    except Error as error:
        if "ERR_ABORTED" not in str(error):
            raise
        page.wait_for_load_state()


def nothing_kept(page: Page) -> None:
    """Wait until no item is left: the page is there before its script has removed the items it shows."""
    wait_until(lambda: kept(page) == [], 20, "nothing is kept")
