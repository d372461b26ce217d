"""The browser stores nothing (its storage is full or forbidden): what is in memory only is shown as that, at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Hand, Table

from .outbox_steps import FLUSH, at, enter_hand, kept, line, list_of_all, nothing_kept, save_without_network
from .outbox_steps import expected as expected
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FULL = """() => {
  const put = IDBObjectStore.prototype.put;
  window.room = false;
  IDBObjectStore.prototype.put = function (...given) {
    if (window.room) return put.apply(this, given);
    try { this.transaction.abort(); } catch { /* by an earlier one */ }
  };
}"""
"""As a browser does it: the transaction is aborted, as long as there is no `room`."""
ONLY_TAPS = """() => {
  window.addEventListener("online", (event) => event.stopImmediatePropagation(), true);
  const { setTimeout } = window;
  window.setTimeout = (run, ms, ...given) => (ms < 2000 ? setTimeout(run, ms, ...given) : 0);
}"""
"""The page sends what waits when it is tapped, and not by itself: a tap on a page that is just being replaced hangs."""
FORBIDDEN = "() => { indexedDB.open = () => { throw new DOMException('no storage', 'SecurityError'); }; }"
MISSING = "() => { Object.defineProperty(window, 'indexedDB', { value: undefined }); }"
ONLY = re.compile("only on this screen|nur auf diesem Bildschirm")
KEPT_HERE = re.compile("(kept on|wait on|waits on) (this|the) (phone|device)|auf diesem Handy|auf dem Handy")
CLASSES = re.compile(r"\bbad\b")


def warns(page: Page) -> bool:
    """Return True if the page asks before it is left."""
    script = (
        "() => { const event = new Event('beforeunload', { cancelable: true }); return !window.dispatchEvent(event); }"
    )
    return bool(page.evaluate(script))


def only_here(page: Page) -> None:
    """Line, list, state and saved screen say in red that the hand is on this screen only."""
    expect(page.locator("#waiting")).to_have_class(CLASSES)
    expect(page.locator("#waiting")).to_contain_text(ONLY)
    expect(page.locator("#saved-title")).to_have_text(ONLY)
    page.locator("#waiting").tap()
    sheet = page.locator("#waiting-list")
    expect(sheet.locator("[data-waiting-why]")).to_have_class(re.compile(r"\bloss\b"))
    expect(sheet.locator("[data-state]").first).to_have_text(ONLY)
    assert not KEPT_HERE.search(sheet.locator("ol, [data-waiting-why]").all_inner_texts().__str__())
    page.locator("#waiting-list [popovertargetaction=hide]").tap()


@pytest.mark.parametrize("fault", [FULL, FORBIDDEN, MISSING], ids=["full", "forbidden", "missing"])
def test_a_hand_that_is_not_stored_is_shown_as_that_until_it_is_sent(
    page: Page, phone: BrowserContext, table: Table, fault: str
) -> None:
    page.add_init_script(f"({fault})()")
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    only_here(page)
    assert warns(page)
    list_of_all(page)
    expect(page.locator("#outbox-list [data-key].bad [data-why]")).to_have_text(ONLY)
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    phone.set_offline(False)
    page.evaluate(FLUSH)
    expect(page.locator("#waiting")).to_be_hidden()
    assert not warns(page)
    assert Hand.objects.count() == 1


@pytest.mark.core
def test_the_next_save_asks_first(page: Page, phone: BrowserContext, table: Table) -> None:
    page.add_init_script(f"({FULL})(); ({ONLY_TAPS})();")
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    page.locator("[data-next-hand]").tap()
    enter_hand(page, 1, 2)
    page.locator("[data-save]").tap()
    ask = page.locator("#only-here")
    expect(ask).to_be_visible()
    # Cancelled: the entry stays as it is.
    ask.locator("[popovertargetaction=hide]").tap()
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    page.locator("[data-save]").tap()
    expect(ask.locator("[data-here-on]")).to_be_hidden()
    ask.locator("[data-send-first]").tap()
    expect(ask.locator("[data-here-said]")).to_have_text(re.compile("could not be sent|liess sich nicht senden"))
    with page.expect_download() as download:
        ask.locator("[data-copy-first]").tap()
    assert download.value.suggested_filename.startswith("chratzete")
    ask.locator("[data-paper-first]").tap()
    expect(ask.locator("[data-here-paper]")).to_contain_text("Anna")
    ask.locator("[data-here-on]").tap()
    expect(page.locator("#saved")).to_be_visible()
    only_here(page)
    page.locator("[data-next-hand]").tap()
    enter_hand(page, 1, 2)
    page.locator("[data-save]").tap()
    # There is a network again: the answer is enough.
    phone.set_offline(False)
    ask.locator("[data-send-first]").tap()
    page.wait_for_url(re.compile(r"/h/3/$"))
    assert Hand.objects.count() == 3


def test_it_is_stored_once_there_is_room_again(page: Page, phone: BrowserContext, table: Table) -> None:
    page.add_init_script(f"({FULL})()")
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    only_here(page)
    page.evaluate("() => { window.room = true; }")
    expect(page.locator("#waiting")).not_to_have_class(CLASSES, timeout=10_000)
    expect(page.locator("#saved-title")).not_to_have_text(ONLY)
    assert len(kept(page)) == 1
    assert "lasting" not in kept(page)[0]
    assert not warns(page)
    phone.set_offline(False)
    nothing_kept(page)


def test_the_line_without_a_network_promises_nothing_that_the_browser_does_not_keep(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    page.add_init_script(f"({FULL})()")
    sign_in(page, at(table))
    phone.set_offline(True)
    expect(page.locator("#waiting")).to_contain_text(re.compile("keeps nothing|behält nichts"))
    expect(page.locator("#waiting")).to_have_class(CLASSES)


REPLACED = """async ([url, write]) => {
  const outbox = await import("/static/js/outbox.js");
  const item = outbox.itemOf(write, { url, title: "one", summary: "" });
  await outbox.put(item);
  window.room = false;
  const lasting = await outbox.exchange([{ ...item, key: "other", status: "waiting" }], [item.key]);
  await outbox.discard("gone");
  const keys = async () => (await outbox.all()).map(({ key }) => key);
  const before = await keys();
  window.room = true;
  const stored = await outbox.retry();
  return [lasting, before, stored, await keys()];
}"""


def test_an_item_that_was_replaced_in_memory_is_not_there_twice(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """The one that the browser has stored would be sent, too."""
    page.add_init_script(f"({FULL})(); window.room = true;")
    sign_in(page, "/c/roessli/")
    phone.set_offline(True)
    write = {"format": 1, "key": "first", "kind": "pause", "club": "roessli", "table": table.pk, "at": 1}
    assert page.evaluate(REPLACED, ["/c/roessli/night/", write]) == [False, ["other"], True, ["other"]]
    assert [item["key"] for item in kept(page)] == ["other"]


def test_a_new_evening_stays_on_its_page_and_is_sent_from_there(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    page.add_init_script(f"({FULL})(); ({ONLY_TAPS})();")
    sign_in(page, "/c/roessli/e/new/")
    for label in page.locator("[data-roster] .pick").all()[:4]:
        label.tap()
    page.locator("[data-order] .deals").first.tap()
    phone.set_offline(True)
    page.locator("[data-start]").tap()
    expect(page.locator("#problem")).to_contain_text(ONLY)
    expect(line(page)).to_have_class(CLASSES)
    assert warns(page)
    phone.set_offline(False)
    page.locator("[data-start]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
