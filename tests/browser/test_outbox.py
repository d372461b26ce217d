"""A bad network: a saved hand stays on the phone until it has an answer, whatever becomes of page and sign-in."""

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

from games import pencil
from games.audit import differences
from games.models import Hand, Place, Revision, Table
from league.models import Evening
from tests.cast import House, house
from tests.factories import MADE, enter, open_table

from .conftest import PHONE
from .signing import fill_in, sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

NO_ANSWER = "Failed to load resource: net::ERR"


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    return open_table(club=home.club, season=home.season, author=home.recorder)


@pytest.fixture
def phone(phone: BrowserContext, said: list[str]) -> Iterator[BrowserContext]:
    """A phone whose console may tell of requests that a test cut off."""
    yield phone
    said[:] = [line for line in said if NO_ANSWER not in line and "status of 5" not in line]


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


def line(page: Page) -> Any:
    return page.locator("#outbox [data-line]")


def enter_hand(page: Page, *seats: int) -> Screen:
    screen = Screen(page)
    screen.tap(*seats)
    expect(screen.told().locator("[data-accepted]")).to_be_visible()
    return screen


def save_into_the_void(page: Page, phone: BrowserContext, *seats: int) -> Screen:
    """A hand saved without a network."""
    screen = enter_hand(page, *seats)
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(screen.told().locator("[data-change]")).to_be_visible()
    return screen


KEPT = """() => new Promise((done) => {
  const asked = indexedDB.open("chratzete", 1);
  asked.onsuccess = () => {
    const all = asked.result.transaction("outbox").objectStore("outbox").getAll();
    all.onsuccess = () => { asked.result.close(); done(all.result); };
  };
})"""


def kept(page: Page) -> list[dict[str, Any]]:
    """What the browser's own database holds; asked once more where the page that was asked has just been left."""
    try:
        found: list[dict[str, Any]] = page.evaluate(KEPT)
    except Error:
        page.wait_for_load_state()
        found = page.evaluate(KEPT)
    return found


def nothing_kept(page: Page) -> None:
    """Soon: the page is there before its script has cleared away what it shows."""
    for _ in range(200):
        if kept(page) == []:
            return
        page.wait_for_timeout(50)
    assert kept(page) == []


def test_a_hand_without_an_answer_waits_and_goes_out_by_itself(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    screen = save_into_the_void(page, phone, 0, 1, 3)
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


def test_it_survives_the_page_and_is_shown_everywhere(page: Page, phone: BrowserContext, table: Table) -> None:
    """The page is gone (closed, or killed with the phone); another one finds the hand, says so and sends it."""
    sign_in(page, at(table))
    phone.route(re.compile(r"/t/\d+/$"), lambda route: no_posts(route))
    screen = enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    expect(screen.told().locator("[data-change]")).to_be_visible()
    page.close()
    other = phone.new_page()
    other.goto("/c/roessli/")
    expect(line(other)).to_contain_text("1")
    line(other).locator("button").tap()
    expect(other.locator("#outbox-list [data-told]")).to_have_text("Anna chratzt ✓, Beni metcho ✓")
    other.locator("#outbox-list summary").tap()
    assert "Anna chratzt ✓, Beni metcho ✓" in other.locator("#outbox-list textarea").input_value()
    assert not Hand.objects.exists()
    other.goto(at(table))
    expect(Screen(other).told().locator("[data-change]")).to_be_visible()
    assert Screen(other).roles() == ["chratzt", "metcho", "", "", ""]
    # Still no network for it: a tap asks at once, and what is kept goes out by itself when there is one.
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


def test_it_survives_a_flat_battery(chromium: Browser, live_server: Any, table: Table, tmp_path: Path) -> None:
    """The browser's processes end at once, with no chance to write anything; started anew, it sends the hand."""

    def browser() -> BrowserContext:
        return chromium.browser_type.launch_persistent_context(
            tmp_path,
            executable_path=chromium_program(),
            args=["--no-sandbox"],
            base_url=live_server.url,
            viewport=PHONE,
            has_touch=True,
            is_mobile=True,
        )

    phone = browser()
    page = phone.new_page()
    sign_in(page, at(table))
    # The sign-in has to be on the disk as well, and a browser takes its time for that: this one does not outlast it.
    cookies = phone.cookies()
    save_into_the_void(page, phone, 0, 1)
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
    """Kill the browser that runs on this profile, as a power cut would; how many processes that were."""
    killed = 0
    own = f"--user-data-dir={profile}".encode()
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if own in process.read_bytes().split(b"\0"):
                os.kill(int(process.parent.name), signal.SIGKILL)
                killed += 1
    return killed


def test_an_answer_that_was_lost_makes_no_second_hand(page: Page, phone: BrowserContext, table: Table) -> None:
    """The server stores it, the phone never hears: the same key goes out again and gets the same answer."""
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


@pytest.mark.parametrize("status", [500, 502, 429, 200])
def test_an_answer_that_is_not_ours_decides_nothing(page: Page, table: Table, status: int) -> None:
    """A proxy's error, or the page of a WLAN that wants a room number: the hand waits on."""
    sign_in(page, at(table))
    heard: list[int] = []

    def answer(route: Route) -> None:
        if route.request.method == "POST" and not heard:
            heard.append(status)
            route.fulfill(status=status, content_type="text/html", body="<h1>Gäste-WLAN</h1>")
        else:
            route.continue_()

    page.route(re.compile(r"/t/\d+/$"), answer)
    enter_hand(page, 0, 1)
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert heard == [status]
    assert Hand.objects.count() == 1


def test_a_lapsed_login_keeps_the_hand_and_it_goes_out_after_the_sign_in(
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


def test_somebody_else_on_this_phone_does_not_send_it_unasked(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    save_into_the_void(page, phone, 0, 1)
    phone.clear_cookies(name="sessionid")
    phone.set_offline(False)
    expect(Screen(page).told()).to_contain_text(re.compile("signed out|abgemeldet"))
    sign_in(page, "/c/roessli/", "owner")
    expect(line(page)).to_be_visible()
    page.wait_for_timeout(500)
    assert not Hand.objects.exists()
    line(page).locator("button").tap()
    page.locator("#outbox-list [data-send]").tap()
    expect(line(page).locator("a")).to_be_visible()
    assert Revision.objects.get().author == home.owner


def test_a_refused_hand_stays_until_it_is_mended(page: Page, phone: BrowserContext, table: Table) -> None:
    """The seating changed while the hand waited: the reason is shown with what was typed, on any page."""
    sign_in(page, at(table))
    save_into_the_void(page, phone, 0, 1)
    page.goto("about:blank")
    first, second = Place.objects.filter(table=table).order_by("seat")[:2]
    Place.objects.filter(pk=first.pk).update(seat=6)
    Place.objects.filter(pk=second.pk).update(seat=0)
    Place.objects.filter(pk=first.pk).update(seat=1)
    phone.set_offline(False)
    page.goto("/c/roessli/")
    expect(line(page)).to_have_class(re.compile("bad"))
    assert not Hand.objects.exists()
    page.reload()
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-told]")).to_have_text("Anna chratzt ✓, Beni metcho ✓")
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("seating|Sitzordnung"))
    page.locator("#outbox-list [data-look]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/"))
    # It has gone along with its players, and is kept so.
    expect(page.locator("#changed")).to_contain_text(re.compile("seating|Sitzordnung"))
    screen = Screen(page)
    page.reload()
    expect(page.locator("[data-role]").first).to_have_text("metcho")
    assert screen.roles() == ["metcho", "chratzt", "", "", ""]
    screen.save()
    nothing_kept(page)
    assert Revision.objects.get().record["declarer"] == 1


def test_a_number_that_is_taken_is_compared_and_can_become_the_next_hand(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    save_into_the_void(page, phone, 2, 1)
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


def test_a_hand_that_became_another_one_waits_for_the_pencil(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """It is kept under its new number until somebody who writes has saved it, or it is thrown away."""
    sign_in(page, at(table))
    save_into_the_void(page, phone, 2, 1)
    (before,) = kept(page)
    enter(table, MADE, author=home.owner)
    pencil.take_over(table, home.owner, "elsewhere")
    phone.set_offline(False)
    page.locator("[data-again]").tap()
    expect(page.locator("#live")).to_be_visible()
    expect(line(page)).to_contain_text(re.compile("2.*(pencil|Bleistift)"))
    (item,) = kept(page)
    assert (item["number"], item["status"], item["told"]) == (2, "held", before["told"])
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


def test_it_is_thrown_away_only_when_somebody_says_so_twice(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    save_into_the_void(page, phone, 0, 1)
    page.goto("about:blank")
    Evening.objects.update(state=Evening.State.CLOSED)
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


def test_an_answer_while_a_finger_is_down_takes_nothing_from_under_it(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """Each answer is told in the list as it stands: a second tap on 'throw away' stays the second one."""
    sign_in(page, at(table))
    save_into_the_void(page, phone, 0, 1)
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


def test_what_was_thrown_away_is_not_brought_back_by_a_late_answer(page: Page, table: Table) -> None:
    """An answer changes what is there, in one step with looking whether it is."""
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


def test_a_waiting_hand_can_be_taken_back_and_changed(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    screen = save_into_the_void(page, phone, 0, 1)
    key = kept(page)[0]["key"]
    page.locator("[data-change]").tap()
    expect(page.locator("#hand")).not_to_have_class(re.compile("waits"))
    nothing_kept(page)
    screen.tap(2)
    page.wait_for_timeout(300)
    page.locator("[data-save]").tap()
    expect(screen.told().locator("[data-change]")).to_be_visible()
    assert kept(page)[0]["key"] != key
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["joiners"] == [1, 2]


def test_two_pages_send_it_once(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    other = phone.new_page()
    other.goto("/c/roessli/")
    save_into_the_void(page, phone, 0, 1)
    expect(line(other)).to_be_visible()
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    expect(line(other).locator("button")).to_be_hidden()
    assert Hand.objects.count() == Revision.objects.count() == 1


def test_a_browser_that_keeps_nothing_says_so_and_sends_all_the_same(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    page.add_init_script("indexedDB.open = () => { throw new DOMException('no storage', 'SecurityError'); };")
    sign_in(page, at(table))
    save_into_the_void(page, phone, 0, 1)
    page.locator("#told [popovertarget=outbox-list]").tap()
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("keeps nothing|behält nichts"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.count() == 1


def test_a_network_that_carries_nothing_does_not_keep_anybody_from_saving(page: Page, table: Table) -> None:
    """There is a network and no answer, not even a refusal: the bar waits no longer than a moment."""
    sign_in(page, at(table))
    page.route("**/preview/", lambda route: None)
    screen = Screen(page)
    screen.tap(0, 1)
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    assert screen.told().locator("[data-accepted]").count() == 0
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.count() == 1


def test_a_muss_waits_like_any_other_hand(page: Page, phone: BrowserContext, home: House) -> None:
    table = open_table(club=home.club, season=home.season, seats=4, game="kratzen")
    sign_in(page, at(table))
    screen = save_into_the_void(page, phone, 3, 3, 0, 1)
    page.locator("#told [popovertarget=outbox-list]").tap()
    words = page.locator("#outbox-list [data-told]")
    expect(words).to_have_text(re.compile(r"^Doris .+ 2, Anna 1, Beni 1, Carlo 0$"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    assert screen.number() == 1
    phone.set_offline(False)
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["tricks"] == {"0": 1, "1": 1, "2": 0, "3": 2}
