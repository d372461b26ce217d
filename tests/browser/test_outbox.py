"""A bad network: a saved hand stays on the phone until it has an answer, also without its page and its session."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from games.models import Hand, Revision, Table
from league.models import Evening
from tests.cast import House
from tests.factories import create_table

from .conftest import battery_ends, phone_on_disk
from .outbox_steps import (
    FLUSH,
    NIGHT,
    at,
    enter_hand,
    kept,
    line,
    list_of_all,
    no_posts,
    nothing_kept,
    save_without_network,
)
from .outbox_steps import expected as expected  # a fixture
from .sign_in import fill_in, sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.core
def test_a_hand_without_an_answer_waits_and_is_sent_later_by_itself(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1, 3)
    (item,) = kept(page)
    assert (item["number"], item["status"]) == (1, "waiting")
    phone.set_offline(False)
    nothing_kept(page)
    expect(page.locator("#saved")).to_be_visible()
    assert Revision.objects.get().record["joiners"] == [1, 3]


def test_a_waiting_hand_survives_its_page_and_is_shown_on_every_page(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """The page is closed or killed; another page finds the hand, shows it and sends it."""
    sign_in(page, at(table))
    phone.route(NIGHT, lambda route: no_posts(route))
    enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    page.close()
    other = phone.new_page()
    other.goto("/c/roessli/")
    expect(line(other)).to_contain_text("1")
    line(other).locator("button").tap()
    expect(other.locator("#outbox-list [data-summary]")).to_have_text("Anna chratzt ✓, Beni metcho ✓")
    other.locator("#outbox-list summary").tap()
    assert "Anna chratzt ✓, Beni metcho ✓" in other.locator("#outbox-list textarea").input_value()
    assert not Hand.objects.exists()
    other.goto(at(table))
    expect(other.locator("#waiting")).to_contain_text("1")
    assert Screen(other).number() == 2
    assert len(kept(other)) == 1
    phone.unroute_all()
    nothing_kept(other)
    assert Hand.objects.count() == 1


def test_a_waiting_hand_survives_a_flat_battery(
    chromium: Browser, live_server: Any, table: Table, tmp_path: Path
) -> None:
    """The browser is killed with no chance to write; started again, it sends the hand."""

    phone = phone_on_disk(chromium, live_server.url, tmp_path)
    page = phone.new_page()
    sign_in(page, at(table))
    # The browser stores its cookies on the disk much later; so the test adds the session again.
    cookies = phone.cookies()
    save_without_network(page, phone, 0, 1)
    battery_ends(phone, tmp_path)
    again = phone_on_disk(chromium, live_server.url, tmp_path)
    again.add_cookies(cookies)
    page = again.new_page()
    page.goto(at(table))
    nothing_kept(page)
    again.close()
    assert Revision.objects.get().record["joiners"] == [1]


@pytest.mark.core
def test_a_lost_answer_makes_no_second_hand(page: Page, phone: BrowserContext, table: Table) -> None:
    """The server stores the hand, but its answer is lost: the same key is sent again and gets the same answer."""
    sign_in(page, at(table))
    sent: list[str] = []

    def lose_the_first(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    page.route(NIGHT, lose_the_first)
    enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    nothing_kept(page)
    assert len(sent) == 2
    keys = {json.loads(body)["key"] for body in sent}
    assert len(keys) == 1
    assert Revision.objects.count() == 1


@pytest.mark.parametrize("status", [502, 429, 200])
def test_an_answer_of_another_server_decides_nothing(page: Page, table: Table, status: int) -> None:
    """A proxy's error, or the sign-in page of a WLAN: the hand still waits."""
    sign_in(page, at(table))
    answered: list[int] = []

    def answer(route: Route) -> None:
        if route.request.method == "POST" and not answered:
            answered.append(status)
            route.fulfill(status=status, content_type="text/html", body="<h1>Gäste-WLAN</h1>")
        else:
            route.continue_()

    page.route(NIGHT, answer)
    enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    nothing_kept(page)
    assert answered == [status]
    assert Hand.objects.count() == 1


def test_after_the_session_ends_the_hand_waits_and_is_sent_after_the_sign_in(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, at(table))
    enter_hand(page, 0, 1, 3)
    Session.objects.all().delete()
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile("/login/"))
    expect(line(page)).to_be_visible()
    page.goto("/")
    line(page).locator("button").tap()
    page.locator("#outbox-list [data-sign-in]").tap()
    page.wait_for_url(re.compile("/login/"))
    fill_in(page)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    nothing_kept(page)
    assert Revision.objects.get().record["joiners"] == [1, 3]


def test_another_user_of_the_phone_does_not_send_it_without_a_tap(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    phone.clear_cookies(name="sessionid")
    phone.set_offline(False)
    expect(page.locator("#waiting")).to_contain_text(re.compile("[Ss]igned out|[Aa]bgemeldet"))
    sign_in(page, "/c/roessli/", "owner")
    expect(line(page)).to_be_visible()
    page.evaluate(FLUSH)
    assert not Hand.objects.exists()
    line(page).locator("button").tap()
    page.locator("#outbox-list [data-send]").tap()
    expect(line(page).locator("a")).to_be_visible()
    assert Revision.objects.get().author == home.owner


def test_a_hand_is_discarded_only_after_a_second_tap(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    Evening.objects.update(state=Evening.State.CLOSED)
    page.goto("about:blank")
    phone.set_offline(False)
    page.goto(at(table))
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("closed|geschlossen|abgeschlossen"))
    discard = page.locator("#outbox-list [data-discard]")
    discard.tap()
    assert len(kept(page)) == 1
    discard.tap()
    expect(page.locator("#outbox-list")).to_be_hidden()
    nothing_kept(page)
    assert not Hand.objects.exists()


def test_an_answer_does_not_move_the_list_under_a_finger(page: Page, phone: BrowserContext, table: Table) -> None:
    """Answers change only their line of the list: a second tap on 'discard' stays the second one."""
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    phone.route(NIGHT, no_posts)
    phone.set_offline(False)
    page.goto("/c/roessli/")
    line(page).locator("button").tap()
    page.locator("#outbox-list [data-discard]").tap()
    button = page.locator("#outbox-list [data-discard]").element_handle()
    with page.expect_event("requestfailed"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(
        re.compile("No answer|keine Antwort", re.IGNORECASE)
    )
    assert button.evaluate("node => node.isConnected && node.dataset.sure") == "1"
    page.locator("#outbox-list [data-discard]").tap()
    expect(page.locator("#outbox-list")).to_be_hidden()
    nothing_kept(page)


def test_a_late_answer_does_not_restore_a_discarded_hand(page: Page, table: Table) -> None:
    """An answer changes an item only if it still exists, in one transaction."""
    sign_in(page, at(table))
    left = page.evaluate(
        """async () => {
          const store = await import("/static/js/outbox_store.js");
          await store.put([{ key: "a", at: 1, status: "waiting" }]);
          await Promise.all([store.drop("a"), store.change("a", { status: "refused" })]);
          await store.put([{ key: "b", at: 2, status: "waiting" }]);
          await store.change("b", { status: "refused" });
          const left = await store.all();
          await store.drop("b");
          return left;
        }"""
    )
    assert left == [{"key": "b", "at": 2, "status": "refused", "place": 1}]


def test_a_waiting_hand_can_be_withdrawn_and_changed(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    screen = save_without_network(page, phone, 0, 1)
    key = kept(page)[0]["key"]
    page.locator("[data-change-saved]").tap()
    expect(page.locator("#hand")).to_be_visible()
    assert [item["key"] for item in kept(page)] == [key], "it must not be missing while it is changed"
    screen.tap(2)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    (changed,) = kept(page)
    assert changed["key"] != key
    phone.set_offline(False)
    nothing_kept(page)
    assert Revision.objects.get().record["joiners"] == [1, 2]


def test_two_pages_send_it_once(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    other = phone.new_page()
    other.goto("/c/roessli/")
    save_without_network(page, phone, 0, 1)
    expect(line(other)).to_be_visible()
    phone.set_offline(False)
    nothing_kept(page)
    expect(line(other).locator("button")).to_be_hidden()
    assert Hand.objects.count() == Revision.objects.count() == 1


def test_a_browser_without_storage_says_so_and_sends_the_hand(page: Page, phone: BrowserContext, table: Table) -> None:
    page.add_init_script("indexedDB.open = () => { throw new DOMException('no storage', 'SecurityError'); };")
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    list_of_all(page)
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("keeps nothing|behält nichts"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    phone.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    assert Hand.objects.count() == 1


def test_a_network_without_answers_does_not_block_the_preview(page: Page, table: Table) -> None:
    """The network gives no answer and no error: preview and bar do not wait for it."""
    sign_in(page, at(table))
    page.route(re.compile(r"/t/\d+/"), lambda route: None)
    screen = Screen(page)
    screen.tap(0, 1)
    assert screen.preview().locator("[data-accepted]").count() == 1
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    page.unroute_all()
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.count() == 1


def test_a_muss_waits_like_any_other_hand(page: Page, phone: BrowserContext, home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tricks(3, 3, 0, 1)
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    list_of_all(page)
    words = page.locator("#outbox-list [data-summary]")
    expect(words).to_have_text(re.compile(r"^Doris .+ 2, Anna 1, Beni 1, Carlo 0$"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    phone.set_offline(False)
    nothing_kept(page)
    assert Revision.objects.get().record["tricks"] == {"0": 1, "1": 1, "2": 0, "3": 2}
