"""A club on a phone with every feature off and then with every feature on: bar, pages, a hand, and what Club lists."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Hand
from league.features.table import ALL
from league.models import Club, User

from .conftest import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.rest]

PASSWORD = "drei-muntere-karten"
BAR = ".club-bar a"


def open_a_club(page: Page) -> Club:
    """Open a club as its owner, on the phone; return it."""
    User.objects.create_user("vreni@example.org", PASSWORD)
    page.goto("/login/")
    page.fill("[name=username]", "vreni@example.org")
    page.fill("[name=password]", PASSWORD)
    page.locator("main .btn").first.tap()
    page.wait_for_url(lambda url: "/login/" not in url)
    page.goto("/clubs/new/")
    page.fill("[name=name]", "Chratzclub Linde")
    for step in ("readers/", "players/"):
        page.locator("main .btn").first.tap()
        page.wait_for_url(f"**/clubs/new/{step}")
    page.fill("[name=names]", "Ruedi\nVreni\nHansueli")
    page.locator("main .btn").first.tap()
    page.wait_for_url("**/t/*/")
    return Club.objects.get()


def through_the_bar(page: Page, club: Club) -> None:
    """Tap each place of the bar: each page has the bar with its mark, and nothing beside the screen."""
    page.goto(club.get_absolute_url())
    for place in range(page.locator(BAR).count()):
        with page.expect_navigation() as opened:
            page.locator(BAR).nth(place).tap()
        assert opened.value.status == 200, page.url
        expect(page.locator(BAR).nth(place)).to_have_attribute("aria-current", re.compile("page|true"))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], page.url


def places_of_club(page: Page, club: Club) -> list[str]:
    """Open each page that Club lists; return their addresses."""
    page.goto(f"{club.get_absolute_url()}club/")
    places = page.locator("main a").evaluate_all(
        f"links => links.map(one => one.href).filter(one => one.includes('/c/{club.slug}/'))"
    )
    for address in places:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
    return places


def switch(page: Page, club: Club, *, to: str) -> None:
    """Tap the switch of each feature that is not so yet."""
    page.goto(f"{club.get_absolute_url()}features/")
    while page.locator(f".toggle[value={to}]").count():
        with page.expect_navigation():
            page.locator(f".toggle[value={to}]").first.tap()


def test_a_club_with_everything_off_and_with_everything_on(page: Page, transactional_db: None) -> None:
    club = open_a_club(page)
    assert club.features == []
    page.locator("[data-seat='1'] [data-tap]").tap()
    page.locator("[data-seat='2'] [data-tap]").tap()
    page.locator("[data-save]").tap()
    page.wait_for_url("**/h/1/")
    through_the_bar(page, club)
    few = places_of_club(page, club)
    switch(page, club, to="on")
    club.refresh_from_db()
    assert set(club.features) == set(ALL)
    through_the_bar(page, club)
    many = places_of_club(page, club)
    assert set(few) < set(many)
    switch(page, club, to="off")
    assert places_of_club(page, club) == few
    assert Hand.objects.count() == 1
