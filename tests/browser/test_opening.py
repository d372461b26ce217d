"""Opening a club on a phone, on a new server and with a confirmation: taps and typed words until the first hand."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Hand, Table
from league.accounts.first_account import set_up_address
from league.models import Club, Membership, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_TAPS = 20
MOST_WORDS = 10
PASSWORD = "drei-muntere-karten"
NAMES = "Ruedi\nVreni\nHansueli"


class Thumb:
    """Taps and types on a page, and counts both."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.words = page, 0, 0

    def tap(self, *selectors: str) -> None:
        for selector in selectors:
            self.page.locator(selector).first.tap()
            self.taps += 1

    def type(self, field: str, text: str) -> None:
        self.tap(f"[name={field}]")
        self.page.fill(f"[name={field}]", text)
        self.words += len(text.split())

    def go_on(self, address: str) -> None:
        with self.page.expect_navigation(url=address):
            self.tap("main .btn")


def test_a_new_server_has_its_first_hand_after_few_taps(page: Page, transactional_db: None) -> None:
    page.goto(set_up_address())
    thumb = Thumb(page)
    thumb.type("email", "vreni@example.org")
    thumb.type("password1", PASSWORD)
    thumb.go_on("**/clubs/new/")
    thumb.type("name", "Chratzclub Linde")
    thumb.go_on("**/clubs/new/readers/")
    thumb.go_on("**/clubs/new/players/")
    thumb.type("names", NAMES)
    thumb.go_on("**/t/*/")
    thumb.tap("[data-seat='1'] [data-tap]", "[data-seat='2'] [data-tap]", "[data-save]")
    page.wait_for_url("**/h/1/")
    assert Hand.objects.count() == 1
    assert (Club.objects.get().visibility, User.objects.get().is_superuser) == ("private", True)
    assert thumb.taps <= MOST_TAPS, thumb.taps
    assert thumb.words <= MOST_WORDS, thumb.words


def sign_in(page: Page, email: str) -> None:
    page.context.clear_cookies()
    page.goto("/login/")
    page.fill("[name=username]", email)
    page.fill("[name=password]", PASSWORD)
    page.locator("main .btn").first.tap()
    page.wait_for_url(lambda url: "/login/" not in url)


def test_a_second_club_is_asked_for_confirmed_and_played_in(page: Page, transactional_db: None, settings: Any) -> None:
    settings.CLUBS_OPEN = "ask"
    operator = User.objects.create_superuser("anna@example.org", PASSWORD)
    person = User.objects.create_user("vreni@example.org", PASSWORD)
    sign_in(page, person.email)
    thumb = Thumb(page)
    with page.expect_navigation(url="**/clubs/new/"):
        thumb.tap(".door-ways .btn")
    thumb.type("name", "Chratzclub Linde")
    thumb.go_on("**/clubs/new/readers/")
    thumb.go_on("**/clubs/new/players/")
    thumb.type("names", NAMES)
    thumb.go_on("**/clubs/asked/")
    assert not Club.objects.exists()
    sign_in(page, operator.email)
    with page.expect_navigation(url="**/clubs/requests/"):
        thumb.tap(".note a")
    thumb.go_on("**/clubs/requests/")
    expect(page.locator(".asked")).to_have_count(0)
    assert Membership.objects.get().user == person
    sign_in(page, person.email)
    club, table = Club.objects.get(), Table.objects.get()
    assert page.url.endswith(club.get_absolute_url())
    with page.expect_navigation(url=f"**/t/{table.pk}/"):
        thumb.tap(f"main a[href*='/e/{table.evening_id}/record/']")
    thumb.tap("[data-seat='1'] [data-tap]", "[data-seat='2'] [data-tap]", "[data-save]")
    page.wait_for_url("**/h/1/")
    assert Hand.objects.count() == 1
    assert thumb.taps <= MOST_TAPS, thumb.taps
    assert thumb.words <= MOST_WORDS, thumb.words
