"""Two phones at one table: one writes, the other sees it within two seconds, and the pencil goes from hand to hand."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games import pencil
from games.models import Hand, Pencil, Table
from league.models import Evening
from tests.cast import House, house
from tests.factories import MADE, enter, open_table

from .conftest import PHONE
from .signing import sign_in
from .test_evening import TOO_SMALL, WHERE, Screen

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

BEHIND_MS = 2000


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    return open_table(club=home.club, season=home.season, author=home.recorder)


@pytest.fixture
def second(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """Another phone, in the hand of the club's owner."""
    context = chromium.new_context(
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        locale="de-CH",
        base_url=live_server.url,
        reduced_motion="reduce",
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield page
    context.close()
    assert not faults, faults


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


def both(page: Page, second: Page, table: Table) -> None:
    """The recorder opens the entry, then the owner looks."""
    sign_in(page, at(table))
    wait_for_pencil("Recorder")
    sign_in(second, at(table), "owner")


def wait_for_pencil(name: str) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        held = Pencil.objects.select_related("holder").first()
        if held and held.holder.first_name == name:
            return
        time.sleep(0.05)
    pytest.fail(f"{name} did not get the pencil")


def test_who_looks_on_sees_a_hand_within_two_seconds(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    expect(second.locator("#live")).to_contain_text("Recorder")
    assert second.locator("#hand").count() == 0
    before = second.evaluate(WHERE)
    every = second.locator("#live").get_attribute("hx-trigger")
    assert int(re.fullmatch(r"every (\d+)ms", every or "").group(1)) < BEHIND_MS  # type: ignore[union-attr]
    enter(table, MADE)
    # What was heard until then lies behind; one may still be on its way, and the next one has it.
    second.evaluate("null")
    answers = [second.wait_for_event("response", lambda answer: "/live/" in answer.url) for _ in range(2)]
    assert any("0.60" in answer.text() for answer in answers if answer.status == HTTPStatus.OK)
    expect(second.locator("#live .past")).to_contain_text("Anna")
    expect(second.locator("#live .seat").first).to_contain_text("+0.60")
    assert second.evaluate(WHERE) == before, "something jumped"
    wide = second.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    assert second.evaluate(TOO_SMALL) == []
    assert second.evaluate("() => document.querySelector('.bar').getBoundingClientRect().bottom") <= 640


def test_the_poll_asks_often_enough_and_only_while_somebody_looks(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url) if "/live/" in request.url else None)
    for _ in range(3):
        second.wait_for_event("response", lambda answer: "/live/" in answer.url)
    second.evaluate("() => Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    second.wait_for_timeout(1600)
    asked.clear()
    second.wait_for_timeout(2000)
    assert asked == []


def test_taking_over_is_seen_at_once_and_an_entry_stays(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    screen = Screen(page)
    screen.tap(0, 1)
    second.locator(".halves [popovertarget=take-over]").tap()
    expect(second.locator("#take-over")).to_contain_text("Recorder")
    second.locator("#take-over [value=over]").tap()
    expect(second.locator("#hand")).to_be_visible()
    expect(page.locator("#pencil .notice")).to_contain_text("Owner")
    assert screen.roles() == ["chratzt", "metcho", "", "", ""]
    # Courtesy, no lock: of the two the first is stored.
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    expect(second.locator("#hand")).to_have_attribute("data-number", "2")
    assert Hand.objects.count() == 1


def test_who_had_entered_nothing_looks_on_from_then(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    second.locator(".halves [popovertarget=take-over]").tap()
    second.locator("#take-over [value=over]").tap()
    expect(page.locator("#live")).to_contain_text("Owner")
    assert page.locator("#hand").count() == 0


def test_a_hand_stored_elsewhere_is_said_to_who_has_entered_it_too(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(0, 1)
    expect(screen.told().locator("[data-accepted]")).to_be_visible()
    enter(table, MADE)
    expect(screen.told().locator("[data-refused]")).to_contain_text("2")
    assert screen.roles() == ["chratzt", "metcho", "", "", ""]
    page.locator("[data-save]").tap()
    expect(page.locator(".versus")).to_be_visible()


def test_asking_and_handing_over(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    second.locator("#pencil-ask").tap()
    notice = page.locator("#pencil .notice")
    expect(notice).to_contain_text("Owner")
    wide = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    assert page.evaluate(TOO_SMALL) == []
    page.locator("#pencil-give").tap()
    expect(page.locator("#live")).to_contain_text("Owner")
    expect(second.locator("#hand")).to_be_visible()
    wait_for_pencil("Owner")


def test_handed_on_from_the_menu(page: Page, second: Page, table: Table, home: House) -> None:
    both(page, second, table)
    page.locator("[popovertarget=more]").tap()
    page.locator("#more [popovertarget=pencil-on]").tap()
    page.locator(f'#pencil-on [name=to][value="{home.owner.pk}"]').tap()
    expect(second.locator("#hand")).to_be_visible()
    wait_for_pencil("Owner")


def test_a_closed_evening_is_over_on_both_screens(page: Page, second: Page, table: Table) -> None:
    both(page, second, table)
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED)
    for screen in (page, second):
        expect(screen.locator(".says")).to_be_visible()


# --- Others sit there ---------------------------------------------------------------------------------------


def swap(table: Table, one: int, two: int) -> None:
    """Two people change seats, as from another phone."""
    first, second = (table.places.get(seat=seat) for seat in (one, two))
    table.places.filter(pk=first.pk).update(seat=6)
    table.places.filter(pk=second.pk).update(seat=one)
    table.places.filter(pk=first.pk).update(seat=two)


def names(page: Page) -> list[str]:
    return page.locator("[data-seat] .js-only .name").all_inner_texts()


def test_seats_that_change_are_seen_where_nothing_was_entered(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    assert names(page)[1] == "Beni"
    swap(table, 1, 3)
    expect(page.locator('[data-seat="1"] .js-only .name')).to_have_text("Doris")
    assert page.locator("#changed").is_hidden()


def test_an_entry_goes_along_when_the_seats_change(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(1, 2)
    screen.failed(2)
    expect(screen.told().locator("[data-accepted]")).to_contain_text("Beni")
    swap(table, 1, 3)
    notice = page.locator("#changed")
    expect(notice).to_contain_text("Sitzordnung")
    assert names(page) == ["Anna", "Doris", "Carlo", "Beni", "Emil"]
    assert screen.roles() == ["", "", "metcho", "chratzt", ""]
    expect(screen.told().locator("[data-accepted]")).to_contain_text("Beni")
    assert "Doris" not in screen.told().inner_text()
    lowest = notice.evaluate("node => node.getBoundingClientRect().bottom")
    assert lowest <= page.locator("[data-seat]").first.evaluate("node => node.getBoundingClientRect().top")
    screen.check_layout()
    notice.locator("[data-seen]").tap()
    expect(notice).to_be_hidden()
    screen.save()
    record = Hand.objects.get().revisions.get().record
    assert (record["declarer"], record["joiners"], record["made"]) == (3, [2], [3])


def test_another_pot_is_told_to_who_has_entered_something(page: Page, table: Table) -> None:
    sign_in(page, at(table))
    Screen(page).tap(1, 2)
    Table.objects.filter(pk=table.pk).update(pot_minor=400)
    expect(page.locator("#changed")).to_contain_text("Pot")
    expect(page.locator(".pot")).to_contain_text("5.00")
    assert Screen(page).roles() == ["", "chratzt", "metcho", "", ""]


def test_without_the_pencil_an_entry_is_laid_anew_when_it_is_saved(page: Page, table: Table, home: House) -> None:
    """The page of who lost the pencil shows the table to look at: the entry stays where it is until it is sent."""
    sign_in(page, at(table))
    screen = Screen(page)
    screen.tap(1, 2)
    pencil.take_over(table, home.owner, "elsewhere")
    expect(page.locator("#pencil .notice")).to_contain_text("Owner")
    swap(table, 1, 3)
    expect(screen.told().locator("[data-refused=seats]")).to_contain_text("Sitzordnung")
    assert screen.roles() == ["", "chratzt", "metcho", "", ""]
    page.locator("[data-save]").tap()
    expect(page.locator("#changed")).to_be_visible()
    assert names(page)[3] == "Beni"
    assert screen.roles() == ["", "", "metcho", "chratzt", ""]
    expect(screen.told().locator("[data-accepted]")).to_contain_text("Beni")
    assert not Hand.objects.exists()
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Hand.objects.get().revisions.get().record["declarer"] == 3


# --- Taps and the screen ----------------------------------------------------------------------------------


class Taps:
    """Counts what a thumb does on a page."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, selector: str) -> None:
        self.count += 1
        self.page.locator(selector).tap()


@pytest.mark.parametrize("joiners", [[1], [1, 2]])
@pytest.mark.parametrize("failed", [[], [1]])
def test_a_usual_hand_is_at_most_five_taps(page: Page, table: Table, joiners: list[int], failed: list[int]) -> None:
    """Declarer, joiners, who failed, save: on the smallest phone, with five seats, without scrolling."""
    sign_in(page, at(table))
    tap = Taps(page)
    for seat in [0, *joiners]:
        tap(f'[data-seat="{seat}"] [data-tap]')
    for seat in failed:
        tap(f'[data-seat="{seat}"] [data-mark="no"]')
    expect(page.locator("#told [data-accepted]")).to_be_visible()
    tap("[data-save]")
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert tap.count <= 5
    assert page.evaluate("() => window.scrollY") == 0
    record = Hand.objects.get().revisions.get().record
    assert (record["declarer"], record["joiners"]) == (0, joiners)
    assert record["made"] == [seat for seat in [0, *joiners] if seat not in failed]
    assert page.evaluate("() => document.querySelector('[data-go]').getBoundingClientRect().bottom") <= 640


@pytest.mark.parametrize("game", ["chratze", "kratzen"])
def test_six_at_a_table_are_all_in_sight(page: Page, home: House, game: str) -> None:
    table = open_table(club=home.club, season=home.season, author=home.recorder, seats=6, game=game)
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
    # The browser lets go when the page is hidden; seen again, it is asked anew.
    page.evaluate("() => { window.locks[0].release(); document.dispatchEvent(new Event('visibilitychange')); }")
    page.wait_for_function("() => window.locks.length === 2")
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED)
    expect(page.locator(".says")).to_be_visible()
    assert page.evaluate("() => window.locks.filter((lock) => !lock.gone).length") == 0


def test_without_a_wake_lock_nothing_is_amiss(page: Page, table: Table) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined });")
    sign_in(page, at(table))
    Screen(page).tap(0)
    expect(page.locator("#told [data-accepted]")).to_be_visible()


def test_a_slow_answer_says_what_it_waits_for(page: Page, phone: BrowserContext, table: Table) -> None:
    sign_in(page, at(table))
    expect(page.locator("#told")).not_to_have_attribute("aria-busy", "true")
    page.route("**/preview/", lambda route: (page.wait_for_timeout(600), route.continue_()))
    Screen(page).tap(0)
    expect(page.locator("#told")).to_have_attribute("aria-busy", "true")
    said = page.evaluate("() => getComputedStyle(document.querySelector('#told'), '::after').content")
    assert said == f'"{page.locator("#told").get_attribute("data-asking")}"'
    expect(page.locator("#told [data-accepted]")).to_be_visible()
