"""The app on a phone: the service worker opens tables without a network, for one account and in one version."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from games.evening.night_club import pages_of_night
from games.models import Table
from games.table import views as table_views
from league.web import app_shell, app_version
from tests.processes import wait_until

from .conftest import new_phone
from .sign_in import sign_in, sign_in_as
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = """async () => {
  const found = [];
  for (const name of (await caches.keys()).filter((one) => one.startsWith("chratzete-pages-"))) {
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  }
  return [...new Set(found)].sort();
}"""
"""The paths of all kept pages."""

AGED = """async (days) => {
  for (const name of (await caches.keys()).filter((one) => one.startsWith("chratzete-pages-"))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const old = await cache.match(request);
      const headers = new Headers(old.headers);
      headers.set("Kept-At", String(Number(headers.get("Kept-At")) - days * 24 * 3600 * 1000));
      await cache.put(request, new Response(await old.blob(), { headers }));
    }
  }
}"""
"""Let every kept page be fetched so many days earlier."""

SNAPSHOT_DAYS = """(days) => new Promise((resolve) => {
  const opened = indexedDB.open("chratzete");
  opened.onsuccess = () => {
    const work = opened.result.transaction("snapshots", "readwrite");
    const asked = work.objectStore("snapshots").getAll();
    asked.onsuccess = () => {
      for (const one of asked.result) {
        work.objectStore("snapshots").put({ ...one, kept: one.kept - days * 24 * 3600 * 1000 });
      }
    };
    work.oncomplete = () => { opened.result.close(); resolve(asked.result.length); };
  };
})"""
"""Let every snapshot be stored so many days earlier; how many there are."""
HIDDEN = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Nobody sees the page: another app is in front."""

ASKED = """() => {
  window.asked = 0;
  navigator.serviceWorker.addEventListener("message", ({ data }) => { if (data?.ask) window.asked += 1; });
}"""
"""Count how often a version asks whether it can take over."""

OUTBOX_IS_HELD = """() => new Promise((resolve) => {
  const opened = indexedDB.open("chratzete");
  opened.onsuccess = () => {
    const held = opened.result.transaction("outbox", "readwrite").objectStore("outbox");
    const hold = () => { if (!window.letGo) held.count().onsuccess = hold; };
    hold();
    resolve(true);
  };
})"""
"""Whoever reads the outbox waits until `letGo`."""
WITHOUT_LINE = """() => {
  document.querySelector("#waiting").hidden = true;
  document.querySelector("#main").classList.remove("has-waiting");
}"""
AXE = "() => axe.run().then((found) => found.violations.flatMap((each) => each.nodes.map((node) => node.html)))"
VERSION = 'meta[name="app-version"]'
NEWER = "b" * 16
NO_NETWORK = "Kein Netz"


@pytest.fixture
def phone(chromium: Browser, live_server: Any) -> Iterator[BrowserContext]:
    """A phone with the service worker. Its console is not checked: it reports requests without a network."""
    context = new_phone(chromium, live_server.url, with_worker=True)
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext) -> Page:
    return phone.new_page()


@pytest.fixture
def kept(page: Page, table: Table) -> str:
    """The address of a table that the recorder opened once, with a network."""
    url = address(table)
    sign_in(page, url)
    wanted = sorted([url, *pages_of_night("roessli"), "/c/roessli/e/new/"])
    wait_until(lambda: page.evaluate(KEPT) == wanted, 20, "the table and the pages of a new evening are kept")
    wait_until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"), 20, "the worker controls the page")
    return url


def address(table: Table) -> str:
    return reverse("table", kwargs={"club": table.evening.club.slug, "table": table.pk})


def worker_with(monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]) -> None:
    """Serve the worker with these pieces of its text, as it was made, replaced."""
    text = app_shell.script()
    for guard, instead in changes.items():
        assert guard in text, guard
        text = text.replace(guard, instead)
    monkeypatch.setattr(app_shell, "script", lambda: text)


def heading(page: Page) -> str:
    return page.locator("h1").first.inner_text()


# --- Without a network -----------------------------------------------------------------------------------------


@pytest.mark.core
def test_a_table_opened_once_opens_without_a_network_and_looks_the_same(
    phone: BrowserContext, page: Page, kept: str
) -> None:
    def look(*, line: bool) -> tuple[str, bytes]:
        """Everything but the line that says that there is no network."""
        page.goto(kept)
        expect(page.locator("html.js [data-seat]").first).to_be_visible()
        expect(page.locator("#waiting")).to_be_visible(visible=line)
        page.evaluate(WITHOUT_LINE)
        page.evaluate("document.fonts.ready.then(() => null)")
        return page.locator("#main").inner_text(), page.screenshot()

    before = look(line=False)
    phone.set_offline(True)
    assert look(line=True) == before
    # Its scripts run.
    page.locator("[data-seat]").nth(1).tap()
    expect(page.locator("[data-seat]").nth(1)).to_contain_text("chratzt")


def test_the_help_of_the_table_and_its_words_are_read_without_a_network(
    phone: BrowserContext, page: Page, kept: str
) -> None:
    phone.set_offline(True)
    page.goto(kept)
    page.locator(".more").tap()
    page.locator("#more [popovertarget=words]").tap()
    expect(page.locator("#words")).to_be_visible()
    expect(page.locator("#words [data-word=forehand] dd")).to_have_text("sitzt nach dem Geber und spricht zuerst")
    page.locator("#words").get_by_role("button", name="Fertig").tap()
    expect(page.locator("#words")).to_be_hidden()
    page.locator(".top > .help-link").tap()
    expect(page).to_have_url(re.compile("/help/at-the-table/$"))
    expect(page.locator(".help-text h2").first).to_have_text("Wie gebe ich ein Spiel ein?")
    assert page.locator(".help-text p").first.is_visible()
    page.go_back()
    assert heading(page) == "Chratzclub Roessli"


def test_other_pages_say_that_there_is_no_network(phone: BrowserContext, page: Page, kept: str, table: Table) -> None:
    phone.set_offline(True)
    page.goto("/c/roessli/")
    assert heading(page) == NO_NETWORK
    expect(page.locator(".offline-pages a")).to_have_count(3)
    page.evaluate(f"() => {{ {AXE_SCRIPT} }}")
    assert page.evaluate(AXE) == []
    page.locator(f'.offline-pages a[href="{kept}"]').tap()
    expect(page.locator("#hand")).to_be_visible()
    page.go_back()
    expect(page.locator(".offline-pages")).to_be_visible()
    # The page that was asked for comes by itself.
    phone.set_offline(False)
    expect(page.locator("h1", has_text=table.evening.club.name)).to_be_visible()


def test_a_slow_network_shows_the_kept_page(page: Page, kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answered, real = threading.Event(), table_views.hold_for

    def slow(*args: Any) -> Any:
        answered.wait(30)
        return real(*args)

    monkeypatch.setattr(table_views, "hold_for", slow)
    page.goto(kept)
    expect(page.locator("#hand")).to_be_visible()
    assert not answered.is_set()
    answered.set()


def test_only_pages_of_the_night_are_kept(page: Page, kept: str, table: Table) -> None:
    before = page.evaluate(KEPT)
    for url in ("/", "/c/roessli/", "/account/", f"/c/roessli/e/{table.evening_id}/"):
        page.goto(url)
    page.goto(kept)
    assert page.evaluate(KEPT) == before


# --- Accounts --------------------------------------------------------------------------------------------------


def signed_out(page: Page) -> None:
    page.goto("/logout/")
    page.tap("main .btn:not(.quiet)")
    page.wait_for_url(re.compile(r":\d+/$"))


def another_signs_in(page: Page) -> None:
    page.context.clear_cookies()
    sign_in_as(page, "owner")
    page.goto("/c/roessli/")


LEAVES = {"signed out": signed_out, "another account": another_signs_in}


@pytest.mark.parametrize("leave", LEAVES)
def test_no_page_of_another_account_is_shown(leave: str, phone: BrowserContext, page: Page, kept: str) -> None:
    LEAVES[leave](page)
    wait_until(lambda: page.evaluate(KEPT) == [], 20, "the pages of the former account are gone")
    wait_until(lambda: page.evaluate(SNAPSHOT_DAYS, 0) == 0, 20, "its snapshots are gone")
    phone.set_offline(True)
    page.goto(kept)
    assert heading(page) == NO_NETWORK


def test_waiting_writes_stay_after_signing_out_with_their_account(page: Page, kept: str) -> None:
    no_write_arrives(page)
    hand_waits(page)
    signed_out(page)
    wait_until(lambda: page.evaluate(KEPT) == [], 20, "the pages are gone")
    assert waiting(page) == 1
    page.locator("#outbox [data-line] button").tap()
    expect(page.locator("#outbox-list [data-why]").first).to_contain_text("Recorder")


def test_without_the_check_of_the_account_the_page_of_another_is_shown(
    phone: BrowserContext, page: Page, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = "for(const name of await names(PAGES))await caches.delete(name);"
    checked = '&&page.headers.get("Account")===await state("account")'
    worker_with(monkeypatch, {removed: "", checked: ""})
    url = address(table)
    sign_in(page, url)
    wait_until(lambda: url in page.evaluate(KEPT), 20, "the table is kept")
    signed_out(page)
    phone.set_offline(True)
    page.goto(url)
    expect(page.locator("#hand")).to_be_visible()


# --- Thirty days -----------------------------------------------------------------------------------------------


def test_after_thirty_days_page_and_snapshot_go(page: Page, kept: str) -> None:
    page.evaluate(AGED, 29)
    assert page.evaluate(SNAPSHOT_DAYS, 29) == 1
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    assert kept in page.evaluate(KEPT)
    page.evaluate(AGED, 2)
    assert page.evaluate(SNAPSHOT_DAYS, 2) == 1
    page.goto("/calculator/")
    wait_until(lambda: page.evaluate(KEPT) == [], 20, "the old pages are gone")
    wait_until(lambda: page.evaluate(SNAPSHOT_DAYS, 0) == 0, 20, "the old snapshot is gone")


def test_after_thirty_days_a_table_with_waiting_writes_stays(page: Page, kept: str, table: Table) -> None:
    no_write_arrives(page)
    hand_waits(page)
    page.evaluate(AGED, 31)
    page.goto("/calculator/")
    # The page of a new evening has no writes: it goes, the table stays.
    wait_until(lambda: page.evaluate(KEPT) == [kept], 20, "the table alone is kept")


# --- Versions --------------------------------------------------------------------------------------------------


def no_write_arrives(page: Page) -> Callable[[], None]:
    """Cut off the requests of the outbox; pages are loaded as always. Returns a function that lets it through."""

    def refuse(route: Route) -> None:
        if route.request.method == "POST" and "outbox" in route.request.headers:
            route.abort("internetdisconnected")
        else:
            route.fallback()

    page.route("**/*", refuse)
    return lambda: page.unroute("**/*", refuse)


def hand_waits(page: Page) -> None:
    screen = Screen(page)
    screen.tap(1, 2)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    page.locator("[data-save]").tap()
    wait_until(lambda: waiting(page) == 1, 20, "the hand waits")


def waiting(page: Page) -> int:
    """The number of items in the outbox."""
    return page.evaluate("""() => new Promise((resolve) => {
      const opened = indexedDB.open("chratzete");
      opened.onsuccess = () => {
        const counted = opened.result.transaction("outbox").objectStore("outbox").count();
        counted.onsuccess = () => { opened.result.close(); resolve(counted.result); };
      };
    })""")


def deploy(monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the server be of a newer version; return the present one."""
    before = app_version.version()
    monkeypatch.setattr(app_version, "version", lambda: NEWER)
    return before


def tap_link(page: Page, url: str) -> None:
    """Choose a link, without waiting for the page that it leads to; let go of the outbox then."""
    link = "(url) => { document.body.append(Object.assign(document.createElement('a'), { href: url })); }"
    page.evaluate(link, url)
    page.evaluate("() => { setTimeout(() => { document.body.lastElementChild.click(); window.letGo = true; }, 0); }")


def newer_waits(page: Page) -> None:
    script = "navigator.serviceWorker.getRegistration().then((one) => one.waiting !== null)"
    wait_until(lambda: page.evaluate(script), 20, "the newer worker is installed")


def updated(page: Page) -> None:
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => null)")


def has_taken_over(page: Page, before: str) -> None:
    # A generous limit: other tests may use both cores.
    wait_until(lambda: before not in "".join(page.evaluate("caches.keys()")), 60, "the newer version has taken over")


def test_a_new_version_takes_over_where_nobody_looks_and_nothing_waits(
    phone: BrowserContext, page: Page, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy(monkeypatch)
    page.evaluate(HIDDEN)
    updated(page)
    expect(page.locator(VERSION)).to_have_attribute("content", NEWER)
    wait_until(lambda: NEWER in "".join(page.evaluate("caches.keys()")), 20, "caches of the newer version")
    phone.set_offline(True)
    page.goto(kept)
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator(VERSION)).to_have_attribute("content", NEWER)


def test_a_page_that_is_seen_stays_and_the_next_is_of_the_new_version(
    page: Page, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = deploy(monkeypatch)
    page.evaluate(ASKED)
    page.locator("[popovertarget=more]").tap()
    updated(page)
    newer_waits(page)
    # The page has neither an entry nor a waiting write.
    wait_until(lambda: page.evaluate("window.asked") >= 3, 20, "the newer version asks, and asks again")
    expect(page.locator("#more")).to_be_visible()
    expect(page.locator(VERSION)).to_have_attribute("content", before)
    tap_link(page, "/c/roessli/")
    page.wait_for_url("**/c/roessli/")
    expect(page.locator(VERSION)).to_have_attribute("content", NEWER)
    has_taken_over(page, before)


def test_a_page_that_is_being_left_is_not_loaded_again(page: Page, kept: str) -> None:
    """The other page is chosen while the outbox is read, that is after the page was found to be unused."""
    page.evaluate(HIDDEN)
    page.evaluate(OUTBOX_IS_HELD)
    message = "new MessageEvent('message', { data: { version: '" + NEWER + "' } })"
    page.evaluate(f"() => {{ navigator.serviceWorker.dispatchEvent({message}); }}")
    tap_link(page, f"{kept}?next=1")
    page.wait_for_url(f"**{kept}?next=1")


def test_a_takeover_that_a_busy_page_missed_is_asked_for_again(
    page: Page, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    missed = "let missed = 0;\nfunction askPage(page){\n  if (missed++ < 2) return Promise.resolve({ free: false });"
    worker_with(monkeypatch, {"function askPage(page){": missed})
    before = deploy(monkeypatch)
    page.goto("/c/roessli/")
    has_taken_over(page, before)


def test_a_night_with_waiting_writes_stays_in_its_version(
    page: Page, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_through = no_write_arrives(page)
    hand_waits(page)
    before = deploy(monkeypatch)
    page.goto(kept)
    newer_waits(page)
    page.goto(kept)
    expect(page.locator(VERSION)).to_have_attribute("content", before)
    let_through()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until(lambda: waiting(page) == 0, 20, "the hand is sent")
    page.goto(kept)
    expect(page.locator(VERSION)).to_have_attribute("content", NEWER)
    has_taken_over(page, before)


def table_with_a_waiting_hand(page: Page, table: Table) -> str:
    url = address(table)
    sign_in(page, url)
    wait_until(lambda: url in page.evaluate(KEPT), 20, "the table is kept")
    no_write_arrives(page)
    hand_waits(page)
    return url


def test_without_the_check_of_a_page_a_night_runs_on_two_versions(
    page: Page, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker_with(monkeypatch, {"if(here&&isOther(answer)": "if(false"})
    url = table_with_a_waiting_hand(page, table)
    deploy(monkeypatch)
    page.goto(url)
    expect(page.locator(VERSION)).to_have_attribute("content", NEWER)
    assert waiting(page) == 1


def test_without_the_check_before_a_takeover_a_night_runs_on_two_versions(
    page: Page, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker_with(monkeypatch, {"answers.length>0&&answers.every(": "true||answers.every("})
    url = table_with_a_waiting_hand(page, table)
    before = deploy(monkeypatch)
    updated(page)
    has_taken_over(page, before)
    expect(page.locator(VERSION)).to_have_attribute("content", before)
    page.goto(url)
    expect(page.locator(VERSION)).to_have_attribute("content", NEWER)
    assert waiting(page) == 1


def test_a_new_version_that_cannot_be_fetched_leaves_the_old_one_whole(
    phone: BrowserContext, page: Page, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = deploy(monkeypatch)
    files = app_version.files()
    monkeypatch.setattr(app_version, "files", lambda: [*files, "/static/js/none.js"])
    script = """navigator.serviceWorker.getRegistration().then((one) => new Promise((resolve) => {
      one.addEventListener("updatefound", () => {
        const { installing } = one;
        installing.addEventListener("statechange", () => resolve(installing.state));
      });
      one.update();
    }))"""
    assert page.evaluate(script) == "redundant"
    phone.set_offline(True)
    page.goto(kept)
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator(VERSION)).to_have_attribute("content", before)
