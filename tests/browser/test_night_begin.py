"""An evening that begins on a phone without a network: its table, its hands, and their arrival at the server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from games.evening.house_rules import house_rules_set
from games.evening.night_club import pages_of_night
from games.models import Hand, Table
from league.models import Evening, Player, Season
from tests.cast import House
from tests.factories import PlayerFactory
from tests.processes import wait_until

from .conftest import new_phone
from .sign_in import sign_in
from .test_night_seats import hand_saved, rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW = "/c/roessli/e/new/"
ITEMS = "async () => (await (await import('/static/js/outbox.js')).all()).map((item) => [item.write.kind, item.status])"


KEPT = """async () => {
  const [pages] = (await caches.keys()).filter((one) => one.startsWith("chratzete-pages-"));
  const kept = pages ? await (await caches.open(pages)).keys() : [];
  return navigator.serviceWorker.controller ? kept.map((request) => new URL(request.url).pathname).sort() : [];
}"""
"""The paths of the kept pages, once the service worker answers for the page."""


@pytest.fixture
def app(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """A page with the service worker."""
    context = new_phone(chromium, live_server.url, with_worker=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def home(home: House) -> House:
    for name in ("Anna", "Beni", "Carlo"):
        PlayerFactory(club=home.club, nickname=name)
    return home


def cut(page: Page) -> None:
    """Let no write arrive. Pages load, as the service worker would give them from the phone."""

    def decide(route: Route) -> None:
        if route.request.method == "POST":
            route.abort("internetdisconnected")
        else:
            route.fallback()

    page.route("**/*", decide)


def back(page: Page) -> None:
    page.unroute("**/*")
    page.evaluate("window.dispatchEvent(new Event('online'))")


def chosen(page: Page, *names: str, guests: tuple[str, ...] = (), game: str = "chratze") -> None:
    """Choose players, guests, and the first of all as the dealer."""
    page.locator(f"[name=game][value={game}]").check()
    for name in names:
        page.locator(f'[data-roster] [data-name="{name}"]').check()
    for guest in guests:
        page.fill("[data-guest]", guest)
        page.locator("[data-add-guest]").tap()
    page.locator("[data-order] > li").first.locator(".deals").tap()


def begun(page: Page, game: str = "chratze") -> str:
    """Start the evening; return the key of its write."""
    page.locator("[data-start]").tap()
    page.wait_for_url(re.compile(rf"/night/{game}/#"))
    expect(page.locator("#hand")).to_be_visible()
    return page.url.partition("#")[2]


@pytest.mark.core
def test_an_evening_with_guests_begins_without_the_server_and_arrives_once(page: Page, home: House) -> None:
    sign_in(page, NEW)
    chosen(page, "Anna", "Beni", guests=("Fritz", "Zoé"))
    cut(page)
    key = begun(page)
    assert rows(page) == ["Anna", "Beni", "Fritz", "Zoé"]
    expect(page.locator(".pot")).to_contain_text("0.80")
    for seats in ((0, 2), (3,), (2, 3, 1)):
        hand_saved(page, *seats)
    page.reload()
    expect(page.locator("[data-hand-number]")).to_have_text("Spiel 4")
    page.locator('[data-seat="1"] [data-tap]').tap()
    assert not Evening.objects.exists()
    back(page)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    expect(page.locator("#main > .notice")).to_contain_text("1.")
    # The entry under way came along.
    expect(page.locator('[data-seat="1"] [data-tap]')).to_have_attribute("aria-pressed", "true")
    wait_until(lambda: Hand.objects.count() == 3, 20, "the hands arrive")
    table = Table.objects.get()
    assert list(table.places.order_by("seat").values_list("player__nickname", flat=True)) == rows(page)
    assert Player.objects.filter(guest=True).count() == 2
    wait_until(lambda: page.evaluate(ITEMS) == [], 20, "the last answer arrives")
    # The page of the evening before it arrived leads to its table.
    page.goto(f"/c/roessli/night/chratze/#{key}")
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))


@pytest.mark.parametrize("game", ["chratze", "kratzen"])
def test_an_evening_of_points_alone_has_no_currency(page: Page, home: House, game: str) -> None:
    """Neither in the pot nor in the preview, on the saved screen, or in the sheet of a seating change."""
    Season.objects.filter(pk=home.season.pk).update(points_only=True)
    sign_in(page, NEW)
    chosen(page, "Anna", "Beni", "Carlo", game=game)
    cut(page)
    begun(page, game)
    expect(page.locator(".pot")).to_have_text(re.compile(r"^\s*\d\.\d\d\s*$"))
    seen = [page.locator("#main").inner_text()]
    seats, what = ((0, 0, 1, 2), '[data-step="1"]') if game == "kratzen" else ((0, 1), "[data-tap]")
    for seat in seats:
        page.locator(f'[data-seat="{seat}"] {what}').tap()
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    seen.append(page.locator("#main").inner_text())
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    seen.append(page.locator("#main").inner_text())
    page.locator("#saved [data-next-hand]").tap()
    seen.append(page.locator("#main").inner_text())
    page.locator("[popovertarget=more]").tap()
    page.locator("#more [data-seats]").tap()
    page.locator("#seats [data-leaves]").first.tap()
    seen.append(page.locator("#seats").inner_text())
    assert all(re.search(r"\d\.\d\d", text) for text in seen)
    assert not any("Fr." in text for text in seen)


def test_a_lost_answer_begins_no_second_evening_and_no_second_guest(page: Page, home: House) -> None:
    sent: list[str] = []

    def lose(route: Route) -> None:
        """The server stores the first write, but its answer is lost; the next ones do not arrive."""
        if route.request.method != "POST":
            route.fallback()
            return
        if not sent:
            route.fetch(max_redirects=0)
        sent.append(route.request.post_data or "")
        route.abort("internetdisconnected")

    sign_in(page, NEW)
    chosen(page, "Anna", guests=("Fritz",))
    page.route("**/*", lose)
    key = begun(page)
    wait_until(lambda: Evening.objects.count() == 1, 20, "the first write is stored")
    back(page)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    wait_until(lambda: page.evaluate(ITEMS) == [], 20, "the last answer arrives")
    assert Evening.objects.count() == 1
    assert Player.objects.filter(nickname="Fritz").count() == 1
    assert {json.loads(body)["key"] for body in sent} == {key}


def test_two_evenings_wait_and_both_arrive(page: Page, home: House) -> None:
    house_rules_set(club=home.club, game="kratzen", values={"unit": 50}, author=home.owner)
    sign_in(page, NEW)
    cut(page)
    chosen(page, "Anna", "Beni", guests=("Fritz",))
    first = begun(page)
    page.goto(NEW)
    chosen(page, "Anna", "Beni", "Carlo", game="kratzen")
    second = begun(page, "kratzen")
    assert first != second
    expect(page.locator(".pot")).to_contain_text("2.00")
    page.goto(f"/c/roessli/night/chratze/#{first}")
    assert rows(page) == ["Anna", "Beni", "Fritz"]
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url) if request.is_navigation_request() else None)
    back(page)
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    wait_until(lambda: Evening.objects.count() == 2, 20, "both evenings arrive")
    # The second evening does not start the way to the first one's table again.
    assert len(opened) == 1
    assert list(Evening.objects.order_by("number").values_list("game", flat=True)) == ["chratze", "kratzen"]


def test_a_refused_evening_stays_on_the_phone_with_the_reason(page: Page, home: House) -> None:
    sign_in(page, NEW)
    chosen(page, "Anna", "Beni")
    cut(page)
    begun(page)
    hand_saved(page, 0, 1)
    Season.every.all().delete()
    back(page)
    refused = page.locator("[data-begin-refused]")
    expect(refused).to_be_visible()
    expect(refused.locator("[data-begin-why]")).not_to_be_empty()
    assert page.evaluate(ITEMS) == [["begin", "refused"], ["hand", "waiting"]]
    assert rows(page) == ["Anna", "Beni"]


def test_an_immediate_refusal_is_shown_on_the_form(page: Page, home: House) -> None:
    sign_in(page, NEW)
    chosen(page, "Anna", "Beni")
    Season.every.all().delete()
    page.locator("[data-start]").tap()
    expect(page.locator("#problem")).not_to_be_empty()
    assert page.url.endswith(NEW)
    assert page.locator("[data-order] > li").count() == 2
    wait_until(lambda: page.evaluate(ITEMS) == [], 20, "the last answer arrives")


def test_a_page_without_its_evening_says_so(page: Page, home: House) -> None:
    sign_in(page, "/c/roessli/night/kratzen/#00000000-0000-4000-8000-000000000000")
    expect(page.locator("[data-no-evening]")).to_be_visible()
    expect(page.locator("#hand")).to_be_hidden()


def test_a_page_from_yesterday_has_the_date_of_today(page: Page, home: House) -> None:
    tomorrow = timezone.localtime() + timedelta(days=1)
    page.clock.set_fixed_time(tomorrow)
    sign_in(page, NEW)
    expect(page.locator("#id_held_on")).to_have_value(tomorrow.date().isoformat())


def test_a_fresh_page_keeps_the_date_of_the_server(page: Page, home: House) -> None:
    sign_in(page, NEW)
    expect(page.locator("#id_held_on")).to_have_value(timezone.localdate().isoformat())


def test_from_the_kept_page_to_the_table_without_any_network(app: Page, home: House) -> None:
    sign_in(app, NEW)
    wait_until(lambda: app.evaluate(KEPT) == sorted([NEW, *pages_of_night("roessli")]), 20, "the pages are kept")
    app.context.set_offline(True)
    app.goto(NEW)
    chosen(app, "Anna", guests=("Fritz", "Zoé"))
    begun(app)
    app.locator("[popovertarget=more]").tap()
    app.locator("#more [data-seats]").tap()
    app.locator("#seats [data-who]").fill("Beni")
    app.locator("#seats [data-typed]").tap()
    app.locator("#seats [data-store]").tap()
    expect(app.locator("[data-seat] .js-only .name")).to_have_text(["Anna", "Fritz", "Zoé", "Beni"])
    app.reload()
    expect(app.locator("[data-seat] .js-only .name")).to_have_text(["Anna", "Fritz", "Zoé", "Beni"])
    # The app opened without a network shows the evening that waits.
    app.goto("/c/roessli/")
    app.locator("[data-waits] a").first.tap()
    expect(app.locator("#hand")).to_be_visible()
    app.context.set_offline(False)
    app.wait_for_url(re.compile(r"/t/\d+/$"))
    table = Table.objects.get()
    wait_until(lambda: table.places.count() == 4, 20, "who came has arrived, too")
    there = list(table.places.order_by("seat").values_list("player__nickname", flat=True))
    expect(app.locator("[data-seat] .js-only .name")).to_have_text(there)
