"""A bad network: a saved hand stays on the phone until it has an answer, also without its page and its session."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, expect

from games.integrity.verify import differences
from games.models import Hand, Place, Revision, Table
from games.table import pencil
from league.models import Evening
from tests.cast import House
from tests.chromium import ARGUMENTS
from tests.factories import MADE, create_table, enter

from .conftest import PHONE
from .sign_in import fill_in, sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_ANSWER = "Failed to load resource: net::ERR"


@pytest.fixture
def phone(phone: BrowserContext, console: list[str]) -> Iterator[BrowserContext]:
    """A phone whose console may report requests that the test cuts off."""
    yield phone
    console[:] = [line for line in console if NO_ANSWER not in line and "status of 5" not in line]


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


def line(page: Page) -> Any:
    return page.locator("#outbox [data-line]")


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
    expect(screen.preview().locator("[data-change]")).to_be_visible()
    return screen


KEPT = """() => new Promise((done) => {
  const asked = indexedDB.open("chratzete", 1);
  asked.onsuccess = () => {
    const all = asked.result.transaction("outbox").objectStore("outbox").getAll();
    all.onsuccess = () => { asked.result.close(); done(all.result); };
  };
})"""


FLUSH = "async () => { await (await import('/static/js/outbox.js')).flush(); }"
"""Let the page send all waiting items that it may send; wait until it has tried."""


def kept(page: Page) -> list[dict[str, Any]]:
    """Return the browser's database of waiting items; try again if the page is just being replaced."""
    try:
        found: list[dict[str, Any]] = page.evaluate(KEPT)
    except Error:
        page.wait_for_load_state()
        found = page.evaluate(KEPT)
    return found


def nothing_kept(page: Page) -> None:
    """Wait until no item is left: the page is there before its script has removed the items it shows."""
    for _ in range(200):
        if kept(page) == []:
            return
        page.wait_for_timeout(50)
    assert kept(page) == []


def test_a_hand_without_an_answer_waits_and_is_sent_later_by_itself(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, at(table))
    screen = save_without_network(page, phone, 0, 1, 3)
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    before = screen.roles()
    page.locator('[data-seat="2"] [data-tap]').dispatch_event("click")
    assert screen.roles() == before, "a hand on its way was changed"
    (item,) = kept(page)
    assert (item["number"], item["status"]) == (1, "waiting")
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    nothing_kept(page)
    assert Revision.objects.get().record["joiners"] == [1, 3]


def test_a_waiting_hand_survives_its_page_and_is_shown_on_every_page(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """The page is closed or killed; another page finds the hand, shows it and sends it."""
    sign_in(page, at(table))
    phone.route(re.compile(r"/t/\d+/$"), lambda route: no_posts(route))
    screen = enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    expect(screen.preview().locator("[data-change]")).to_be_visible()
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
    expect(Screen(other).preview().locator("[data-change]")).to_be_visible()
    assert Screen(other).roles() == ["chratzt", "metcho", "", "", ""]
    # There is still no network: a tap sends at once, and the kept hand is sent later by itself.
    other.locator("[data-save]").tap()
    assert len(kept(other)) == 1
    phone.unroute_all()
    other.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.count() == 1


def no_posts(route: Route) -> None:
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def test_a_waiting_hand_survives_a_flat_battery(
    chromium: Browser, live_server: Any, table: Table, tmp_path: Path
) -> None:
    """The browser is killed with no chance to write; started again, it sends the hand."""

    def browser() -> BrowserContext:
        return chromium.browser_type.launch_persistent_context(
            tmp_path,
            executable_path=chromium_program(),
            args=ARGUMENTS,
            base_url=live_server.url,
            viewport=PHONE,
            has_touch=True,
            is_mobile=True,
        )

    phone = browser()
    page = phone.new_page()
    sign_in(page, at(table))
    # The browser stores its cookies on the disk much later; so the test adds the session again.
    cookies = phone.cookies()
    save_without_network(page, phone, 0, 1)
    assert switch_off(tmp_path) == 1
    with contextlib.suppress(Error):
        phone.close()
    (tmp_path / "SingletonLock").unlink(missing_ok=True)
    again = browser()
    again.add_cookies(cookies)
    page = again.new_page()
    page.goto(at(table), wait_until="commit")
    page.wait_for_url(re.compile(r"/h/1/$"))
    again.close()
    assert Revision.objects.get().record["joiners"] == [1]


def chromium_program() -> str:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))


def switch_off(profile: Path) -> int:
    """Kill the browser of this profile, as a power cut does; return the number of its processes."""
    killed = 0
    own = f"--user-data-dir={profile}".encode()
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if own in process.read_bytes().split(b"\0"):
                os.kill(int(process.parent.name), signal.SIGKILL)
                killed += 1
    return killed


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

    page.route(re.compile(r"/t/\d+/$"), lose_the_first)
    enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert len(sent) == 2
    keys = {re.search(r"key=([0-9a-f-]+)", body).group(1) for body in sent}  # type: ignore[union-attr]
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

    page.route(re.compile(r"/t/\d+/$"), answer)
    enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
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
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["joiners"] == [1, 3]


def test_another_user_of_the_phone_does_not_send_it_without_a_tap(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    phone.clear_cookies(name="sessionid")
    phone.set_offline(False)
    expect(Screen(page).preview()).to_contain_text(re.compile("signed out|abgemeldet"))
    sign_in(page, "/c/roessli/", "owner")
    expect(line(page)).to_be_visible()
    page.evaluate(FLUSH)
    assert not Hand.objects.exists()
    line(page).locator("button").tap()
    page.locator("#outbox-list [data-send]").tap()
    expect(line(page).locator("a")).to_be_visible()
    assert Revision.objects.get().author == home.owner


def test_a_refused_hand_stays_until_it_is_corrected(page: Page, phone: BrowserContext, table: Table) -> None:
    """The seating changed while the hand waited: every page shows the reason and the hand."""
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    # Before the page is left: Chromium may let a page that is left send once more.
    first, second = Place.objects.filter(table=table).order_by("seat")[:2]
    Place.objects.filter(pk=first.pk).update(seat=6)
    Place.objects.filter(pk=second.pk).update(seat=0)
    Place.objects.filter(pk=first.pk).update(seat=1)
    page.goto("about:blank")
    phone.set_offline(False)
    page.goto("/c/roessli/")
    expect(line(page)).to_have_class(re.compile("bad"))
    assert not Hand.objects.exists()
    page.reload()
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-summary]")).to_have_text("Anna chratzt ✓, Beni metcho ✓")
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("seating|Sitzordnung"))
    page.locator("#outbox-list [data-look]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/"))
    # The entry was adapted to the new seats of its players, and is kept so.
    expect(page.locator("#changed")).to_contain_text(re.compile("seating|Sitzordnung"))
    screen = Screen(page)
    page.reload()
    expect(page.locator("[data-role]").first).to_have_text("metcho")
    assert screen.roles() == ["metcho", "chratzt", "", "", ""]
    screen.save()
    nothing_kept(page)
    assert Revision.objects.get().record["declarer"] == 1


def test_a_hand_whose_number_is_taken_can_become_the_next_hand(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    save_without_network(page, phone, 2, 1)
    enter(table, MADE, author=home.owner)
    phone.set_offline(False)
    expect(page.locator(".versus")).to_contain_text("Carlo")
    assert [item["status"] for item in kept(page)] == ["refused"]
    page.locator("[data-again]").tap()
    expect(page.locator("#hand")).to_have_attribute("data-number", "2")
    expect(page.locator("[data-role]").nth(1)).to_have_text("metcho")
    screen = Screen(page)
    assert screen.roles() == ["", "metcho", "chratzt", "", ""]
    screen.save()
    nothing_kept(page)
    assert Hand.objects.count() == 2
    assert list(differences()) == []


def test_a_hand_under_a_new_number_waits_for_the_pencil(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """It is kept under its new number until the holder of the pencil saves it, or until it is discarded."""
    sign_in(page, at(table))
    save_without_network(page, phone, 2, 1)
    (before,) = kept(page)
    enter(table, MADE, author=home.owner)
    pencil.take_over(table, home.owner, "elsewhere")
    phone.set_offline(False)
    page.locator("[data-again]").tap()
    expect(page.locator("#live")).to_be_visible()
    expect(line(page)).to_contain_text(re.compile("2.*(pencil|Bleistift)"))
    (item,) = kept(page)
    assert (item["number"], item["status"], item["summary"]) == (2, "held", before["summary"])
    assert item["key"] != before["key"]
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.reload()
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("pencil|Bleistift"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    assert Hand.objects.count() == 1, "it went out by itself"
    page.locator(".halves [popovertarget=take-over]").tap()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("[data-role]").nth(1)).to_have_text("metcho")
    screen = Screen(page)
    assert screen.roles() == ["", "metcho", "chratzt", "", ""]
    screen.save()
    nothing_kept(page)
    assert Revision.objects.get(hand__number=2).submission.key == uuid.UUID(item["key"])
    assert list(differences()) == []


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
    phone.route(re.compile(r"/t/\d+/$"), no_posts)
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
          await store.put({ key: "a", at: 1, status: "waiting" });
          await Promise.all([store.drop("a"), store.change("a", { status: "refused" })]);
          await store.put({ key: "b", at: 2, status: "waiting" });
          await store.change("b", { status: "refused" });
          const left = await store.all();
          await store.drop("b");
          return left;
        }"""
    )
    assert left == [{"key": "b", "at": 2, "status": "refused"}]


def test_a_waiting_hand_can_be_withdrawn_and_changed(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    screen = save_without_network(page, phone, 0, 1)
    key = kept(page)[0]["key"]
    page.locator("[data-change]").tap()
    expect(page.locator("#hand")).not_to_have_class(re.compile("waits"))
    nothing_kept(page)
    with page.expect_event("requestfailed", lambda request: "/preview/" in request.url):
        screen.tap(2)
    page.locator("[data-save]").tap()
    expect(screen.preview().locator("[data-change]")).to_be_visible()
    assert kept(page)[0]["key"] != key
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["joiners"] == [1, 2]


def test_two_pages_send_it_once(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    other = phone.new_page()
    other.goto("/c/roessli/")
    save_without_network(page, phone, 0, 1)
    expect(line(other)).to_be_visible()
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    expect(line(other).locator("button")).to_be_hidden()
    assert Hand.objects.count() == Revision.objects.count() == 1


def test_a_browser_without_storage_says_so_and_sends_the_hand(page: Page, phone: BrowserContext, table: Table) -> None:
    page.add_init_script("indexedDB.open = () => { throw new DOMException('no storage', 'SecurityError'); };")
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    page.locator("#preview [popovertarget=outbox-list]").tap()
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("keeps nothing|behält nichts"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.count() == 1


def test_a_network_without_answers_does_not_block_saving(page: Page, table: Table) -> None:
    """The network gives no answer and no error: the bar waits only for a moment."""
    sign_in(page, at(table))
    page.route("**/preview/", lambda route: None)
    screen = Screen(page)
    screen.tap(0, 1)
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    assert screen.preview().locator("[data-accepted]").count() == 0
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.count() == 1


def test_a_muss_waits_like_any_other_hand(page: Page, phone: BrowserContext, home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    sign_in(page, at(table))
    screen = save_without_network(page, phone, 3, 3, 0, 1)
    page.locator("#preview [popovertarget=outbox-list]").tap()
    words = page.locator("#outbox-list [data-summary]")
    expect(words).to_have_text(re.compile(r"^Doris .+ 2, Anna 1, Beni 1, Carlo 0$"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    assert screen.number() == 1
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["tricks"] == {"0": 1, "1": 1, "2": 0, "3": 2}
