"""Two phones at one table: one records, the other shows it within two seconds, and the pencil is handed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games import engine_bridge
from games.models import Hand, Pencil, Table
from games.table import pencil
from league.models import Evening
from tests.cast import House
from tests.factories import MADE, MUSS, create_table, enter
from tests.page_events import next_frame_shown
from tests.processes import wait_until

from .kept_phones import KeptPhones
from .outbox_steps import kept
from .sign_in import sign_in
from .test_evening import TOO_SMALL, WHERE, Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HELD_BACK = """(ticks) => new Promise((done) => {
  let left = ticks;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.hasAttribute("data-poll") && --left <= 0) done(event.defaultPrevented);
  });
})"""
"""Wait for so many ticks of the poll; True if the last one sent nothing."""

BEHIND_MS = 2000
COVERED = """() => {
  const notice = document.querySelector(".notice:not([hidden])").getBoundingClientRect();
  return [...document.querySelectorAll(".potline, .seat")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.bottom > notice.top + 1 && box.top < notice.bottom - 1;
  }).map((node) => node.textContent.trim());
}"""
"""The pot and the seats that the notice covers."""


@pytest.fixture
def second(kept_phones: KeptPhones) -> Iterator[Page]:
    """Another phone, of the club's owner."""
    faults: list[str] = []
    with kept_phones.one() as phone:
        page = phone.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        yield page
    assert not faults, faults


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


def both(page: Page, second: Page, table: Table) -> None:
    """The recorder opens the table to record, then the owner opens it to watch."""
    sign_in(page, at(table))
    wait_for_pencil("Recorder")
    sign_in(second, at(table), "owner")


def wait_for_pencil(name: str) -> None:
    held = Pencil.objects.filter(holder__first_name=name)
    wait_until(held.exists, 20, f"{name} gets the pencil")


def test_a_viewer_sees_a_new_hand_within_two_seconds(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    expect(second.locator("#live")).to_contain_text("Recorder")
    assert second.locator("#hand").count() == 0
    before = second.evaluate(WHERE)
    every = second.locator("#live").get_attribute("hx-trigger")
    assert int(re.fullmatch(r"every (\d+)ms, look", every or "").group(1)) < BEHIND_MS  # type: ignore[union-attr]
    enter(table, MADE)
    # Earlier answers are done; one may still be on its way, so the second one surely has the hand.
    second.evaluate("null")
    answers = [second.wait_for_event("response", lambda answer: "/live/" in answer.url) for _ in range(2)]
    assert any("0.40" in answer.text() for answer in answers if answer.status == HTTPStatus.OK)
    expect(second.locator("#live .past")).to_contain_text("Anna")
    expect(second.locator("#live .seat").first).to_contain_text("+0.40")
    assert second.evaluate(WHERE) == before, "something jumped"
    wide = second.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    assert second.evaluate(TOO_SMALL) == []
    assert second.evaluate("() => document.querySelector('.bar').getBoundingClientRect().bottom") <= 640


def test_the_page_polls_often_enough_and_only_while_it_is_visible(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url) if "/live/" in request.url else None)
    for _ in range(3):
        second.wait_for_event("response", lambda answer: "/live/" in answer.url)
    second.evaluate("() => Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    # An earlier request may still be under way at the first tick that sends nothing.
    assert second.evaluate(HELD_BACK, 1)
    asked.clear()
    assert second.evaluate(HELD_BACK, 3)
    assert asked == []


def test_a_takeover_of_the_pencil_is_seen_at_once_and_an_entry_stays(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    screen = Screen(page)
    screen.tap(0, 1)
    second.locator(".halves [popovertarget=take-over]").tap()
    expect(second.locator("#take-over")).to_contain_text("Recorder")
    second.locator("#take-over [value=over]").tap()
    expect(second.locator("#hand")).to_be_visible()
    expect(page.locator("#pencil .notice")).to_contain_text("Owner")
    assert screen.roles() == ["chratzt", "metcho", "", "", ""]
    save = page.locator("[data-save]")
    expect(save).to_have_attribute("aria-disabled", "true")
    covered = page.evaluate(COVERED)
    assert covered == [], "the notice hides pot or seats"
    # A script that taps all the same sends nothing.
    save.evaluate("button => button.click()")
    next_frame_shown(page)
    # What is sent is stored on the phone first: reading its database waits for such a write.
    assert kept(page) == []
    assert not Hand.objects.exists()
    page.locator("#pencil-over").tap()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("#pencil .notice")).to_have_count(0)
    assert screen.roles() == ["chratzt", "metcho", "", "", ""]
    screen.save()
    assert Hand.objects.count() == 1


def test_an_entry_whose_hand_was_stored_meanwhile_is_compared_after_the_pencil_came_back(
    page: Page, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(1, 2)
    pencil.take_over(table, home.owner, "elsewhere")
    expect(page.locator("#pencil .notice")).to_contain_text("Owner")
    enter(table, MADE)
    page.locator("#pencil-over").tap()
    page.locator("#take-over [value=over]").tap()
    expect(screen.preview().locator("[data-refused=compare]")).to_contain_text("Spiel 1")
    assert screen.roles() == ["", "chratzt", "metcho", "", ""]
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/stories/\?from=1$"))


def test_after_signing_in_again_the_same_phone_keeps_the_pencil(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    sign_in(page, at(table))
    wait_for_pencil("Recorder")
    screen = Screen(page)
    screen.tap(1, 2)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    # The page sends no request while its cookies are gone.
    page.goto("about:blank")
    phone.clear_cookies()
    page.goto("/login/")
    sign_in(page, at(table))
    expect(page.locator("#hand")).to_be_visible()
    assert screen.roles() == ["", "chratzt", "metcho", "", ""]


def test_a_recorder_without_an_entry_becomes_a_viewer(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    second.locator(".halves [popovertarget=take-over]").tap()
    second.locator("#take-over [value=over]").tap()
    expect(page.locator("#live")).to_contain_text("Owner")
    assert page.locator("#hand").count() == 0


def test_a_recorder_with_an_entry_sees_that_the_hand_was_stored_elsewhere(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(0, 1)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()
    enter(table, MADE)
    expect(screen.preview().locator("[data-refused]")).to_contain_text("2")
    assert screen.roles() == ["chratzt", "metcho", "", "", ""]
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/stories/\?from=1$"))


@pytest.mark.core
def test_the_pencil_is_requested_and_handed_over(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    second.locator("#pencil-ask").tap()
    notice = page.locator("#pencil .notice")
    expect(notice).to_contain_text("Owner")
    assert page.evaluate(COVERED) == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    assert page.evaluate(TOO_SMALL) == []
    page.locator("#pencil-give").tap()
    expect(page.locator("#live")).to_contain_text("Owner")
    expect(second.locator("#hand")).to_be_visible()
    wait_for_pencil("Owner")


def test_the_pencil_is_handed_over_in_the_menu(page: Page, second: Page, table: Table, home: House) -> None:
    both(page, second, table)
    page.locator("[popovertarget=more]").tap()
    page.locator("#more [popovertarget=pencil-on]").tap()
    page.locator(f'#pencil-on [name=to][value="{home.owner.pk}"]').tap()
    expect(second.locator("#hand")).to_be_visible()
    wait_for_pencil("Owner")


def close(table: Table) -> None:
    """Close the evening; it stays provisional."""
    soon = timezone.now() + timedelta(hours=48)
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED, final_at=soon)


def test_both_screens_show_that_the_evening_is_closed(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    close(table)
    for screen in (page, second):
        expect(screen.locator(".notice-page")).to_be_visible()


# --- The pages beside the table screen ---------------------------------------------------------------------


ENTER_BEFORE_THE_PREVIEW = """() => new Promise((done) => {
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.id === "typing") done(event.defaultPrevented);
  });
  document.dispatchEvent(new Event("pencil-changed"));
  document.querySelector("#lines").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", cancelable: true }));
})"""
"""A tap of Enter while the request of a preview waits: the result says whether that request was stopped."""


def test_typing_stops_while_another_writes_and_goes_on_where_it_was(page: Page, table: Table, home: House) -> None:
    """Opening the page takes the free pencil; a takeover turns saving off, the lines stay, and a tap turns it on."""
    sign_in(page, f"{at(table)}type/")
    wait_for_pencil("Recorder")
    page.locator("#lines").fill("b a")
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    pencil.take_over(table, home.owner, "elsewhere")
    expect(page.locator("#pencil")).to_contain_text("Owner")
    expect(page.locator("[data-store]")).to_be_disabled()
    page.locator("#lines").press("Enter")
    expect(page.locator("#preview .fault")).to_contain_text("Bleistift")
    assert page.evaluate(ENTER_BEFORE_THE_PREVIEW)
    expect(page.locator("#preview .fault")).to_contain_text("Bleistift")
    assert not Hand.objects.exists()
    assert page.evaluate(TOO_SMALL) == []
    page.locator("#pencil-over").tap()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("[data-store]")).to_be_enabled()
    expect(page.locator("#lines")).to_have_value("b a")
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    page.locator("[data-store]").tap()
    expect(page.locator("#stored [data-line]")).to_have_count(1)


def test_the_pencil_is_handed_over_on_the_seating_page(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    page.goto(f"{at(table)}seating/?do=pause")
    second.locator("#pencil-ask").tap()
    expect(page.locator("#pencil")).to_contain_text("Owner")
    page.locator("#pencil-give").tap()
    expect(page.locator("#pencil")).to_contain_text("Owner schreibt")
    expect(second.locator("#hand")).to_be_visible()
    # The preview of the seating change is still there.
    expect(page.locator("#preview [data-do]")).to_be_visible()


# --- Seating changes ---------------------------------------------------------------------------------------


def swap(table: Table, one: int, two: int) -> None:
    """Swap two seats, as another phone does."""
    first, second = (table.places.get(seat=seat) for seat in (one, two))
    table.places.filter(pk=first.pk).update(seat=6)
    table.places.filter(pk=second.pk).update(seat=one)
    table.places.filter(pk=first.pk).update(seat=two)


def names(page: Page) -> list[str]:
    return page.locator("[data-seat] .js-only .name").all_inner_texts()


def test_a_page_without_an_entry_shows_changed_seats(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    assert names(page)[1] == "Beni"
    swap(table, 1, 3)
    expect(page.locator('[data-seat="1"] .js-only .name')).to_have_text("Doris")
    assert page.locator("#changed").is_hidden()


def test_an_entry_is_adapted_to_changed_seats(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(1, 2)
    screen.failed(2)
    expect(screen.preview().locator("[data-accepted]")).to_contain_text("Beni")
    swap(table, 1, 3)
    notice = page.locator("#changed")
    expect(notice).to_contain_text("Sitzordnung")
    assert names(page) == ["Anna", "Doris", "Carlo", "Beni", "Emil"]
    assert screen.roles() == ["", "", "metcho", "chratzt", ""]
    expect(screen.preview().locator("[data-accepted]")).to_contain_text("Beni")
    assert "Doris" not in screen.preview().inner_text()
    assert page.evaluate(COVERED) == []
    screen.check_layout()
    notice.locator("[data-seen]").tap()
    expect(notice).to_be_hidden()
    screen.save()
    record = Hand.objects.get().revisions.get().record
    assert (record["declarer"], record["joiners"], record["made"]) == (3, [2], [3])


def test_a_page_with_an_entry_says_that_the_pot_changed(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    Screen(page).tap(1, 2)
    Table.objects.filter(pk=table.pk).update(pot_minor=400)
    expect(page.locator("#changed")).to_contain_text("Topf")
    expect(page.locator(".pot")).to_contain_text("5.00")
    assert Screen(page).roles() == ["", "chratzt", "metcho", "", ""]


def test_without_the_pencil_an_entry_is_adapted_when_the_pencil_is_taken_back(
    page: Page, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(1, 2)
    pencil.take_over(table, home.owner, "elsewhere")
    expect(page.locator("#pencil .notice")).to_contain_text("Owner")
    swap(table, 1, 3)
    page.locator("#pencil-over").tap()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("#changed")).to_be_visible()
    assert names(page)[3] == "Beni"
    assert screen.roles() == ["", "", "metcho", "chratzt", ""]
    screen.save()
    assert Hand.objects.get().revisions.get().record["declarer"] == 3


AT_ONCE = """() => {
  const seats = document.querySelectorAll("[data-seat] [data-tap]");
  seats[0].click();
  const begun = performance.now();
  seats[1].click();
  const took = performance.now() - begun;
  return { accepted: document.querySelector("#preview [data-accepted]") !== null, took };
}"""
"""Tap two seats; whether the preview is there when the tap is done, and how many ms that took."""


# --- Number of taps, and the screen ------------------------------------------------------------------------


class Taps:
    """Counts the taps on a page."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, selector: str) -> None:
        self.count += 1
        self.page.locator(selector).tap()


@pytest.mark.parametrize(("joiners", "failed"), [([1], []), ([1, 2], [1])], ids=["fewest", "most"])
def test_a_usual_hand_is_at_most_five_taps(page: Page, table: Table, joiners: list[int], failed: list[int]) -> None:
    """Declarer, joiners, those who failed, save: on the smallest phone, with five seats, without scrolling."""
    sign_in(page, at(table))
    tap = Taps(page)
    for seat in [0, *joiners]:
        tap(f'[data-seat="{seat}"] [data-tap]')
    for seat in failed:
        tap(f'[data-seat="{seat}"] [data-mark="no"]')
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    tap("[data-save]")
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert tap.count <= 5
    assert page.evaluate("() => window.scrollY") == 0
    record = Hand.objects.get().revisions.get().record
    assert (record["declarer"], record["joiners"]) == (0, joiners)
    assert record["made"] == [seat for seat in [0, *joiners] if seat not in failed]
    assert page.evaluate("() => document.querySelector('[data-go]').getBoundingClientRect().bottom") <= 640
    # The first tap of the next hand is on the page of this one; a reload does not bring it back.
    page.locator("[data-declares]").nth(2).tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    assert Screen(page).roles() == ["", "", "chratzt", "", ""]


@pytest.mark.parametrize(
    ("joiners", "more", "tricks"),
    [
        ([1, 2], [], {"0": 2, "1": 1, "2": 1}),
        ([], [(1, -1), (2, 1)], {"0": 3, "1": 0, "2": 1}),
        ([3], [(3, 1)], {"0": 3, "3": 1}),
    ],
    ids=["2-1-1", "3-1-0", "3-1"],
)
def test_a_free_hand_of_kratzen_is_at_most_five_taps(
    page: Page, home: House, joiners: list[int], more: list[tuple[int, int]], tricks: dict[str, int]
) -> None:
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=4, game="kratzen")
    enter(table, MUSS | {"declarer": 3, "joiners": [0, 1, 2], "tricks": {"3": 2, "0": 1, "1": 1}})
    sign_in(page, at(table))
    tap = Taps(page)
    for seat in [0, *joiners]:
        tap(f'[data-seat="{seat}"] [data-tap]')
    for seat, by in more:
        tap(f'[data-seat="{seat}"] [data-step="{by}"]')
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    tap("[data-save]")
    page.wait_for_url(re.compile(r"/h/2/$"))
    assert tap.count <= 5
    record = Hand.objects.get(number=2).revisions.get().record
    assert record["tricks"] == tricks


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_six_seats_are_visible_without_scrolling(page: Page, home: House, game: str) -> None:
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=6, game=game)
    sign_in(page, at(table))
    Screen(page).check_layout()
    lowest = page.locator("[data-seat]").last.evaluate("node => node.getBoundingClientRect().bottom")
    assert lowest <= page.locator(".bar").evaluate("node => node.getBoundingClientRect().top")
    assert page.evaluate("() => document.querySelector('.bar').getBoundingClientRect().bottom") <= 640


AWAKE = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request: async (kind) => {
  const lock = new EventTarget();
  lock.release = async () => { lock.gone = true; lock.dispatchEvent(new Event("release")); };
  window.locks.push(lock);
  return lock;
} } });
"""


def test_the_screen_stays_awake_until_the_evening_is_closed(page: Page, table: Table) -> None:
    page.add_init_script(AWAKE)
    sign_in(page, at(table))
    page.wait_for_function("() => window.locks.length === 1")
    # The browser ends the wake lock of a hidden page; when it is visible again, the page requests a new one.
    page.evaluate("() => { window.locks[0].release(); document.dispatchEvent(new Event('visibilitychange')); }")
    page.wait_for_function("() => window.locks.length === 2")
    close(table)
    expect(page.locator(".notice-page")).to_be_visible()
    assert page.evaluate("() => window.locks.filter((lock) => !lock.gone).length") == 0


def test_a_browser_without_wake_lock_causes_no_error(page: Page, table: Table) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined });")
    sign_in(page, at(table))
    Screen(page).tap(0)
    expect(page.locator("#preview [data-accepted]")).to_be_visible()


def test_the_preview_needs_no_request(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    expect(page.locator("#hand")).to_have_attribute("data-heard", "")
    phone.set_offline(True)
    shown = page.evaluate(AT_ONCE)
    assert shown["accepted"]
    assert shown["took"] < 50
    phone.set_offline(False)
    assert [url for url in asked if "/pencil/" not in url] == []
