"""A kept page of the table shows the present state: with the waiting writes, and with the entry under way."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.hands.selectors import table_view
from games.models import Hand, Table
from tests.browser.night_walk import fresh

from .outbox_steps import nothing_kept
from .test_app_worker import kept, page, phone
from .test_night_going_on import Night

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

__all__ = ["kept", "page", "phone"]


def test_reloads_without_a_network_come_up_at_the_present_state(
    page: Page, phone: BrowserContext, kept: str, table: Table
) -> None:
    phone.set_offline(True)
    page.goto(kept)
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    night = Night(page)
    for declarer in range(4):
        night.hand(declarer, (declarer + 1) % 5)
        page.goto(kept)
        expect(page.locator(f"#hand[data-heard][data-number='{declarer + 2}']")).to_be_visible()
    sums = night.sums()
    night.tap(2, 0)
    # Another tab of the browser: the kept page, the database, and the entry.
    page.close()
    other = phone.new_page()
    other.goto(kept)
    expect(other.locator("#hand[data-heard][data-number='5']")).to_be_visible()
    again = Night(other)
    assert again.sums() == sums
    assert again.roles() == ["metcho", "", "chratzt", "", ""]
    expect(again.line()).to_contain_text("4")
    phone.set_offline(False)
    nothing_kept(other)
    assert [seat.tonight_minor for seat in table_view(fresh(table)).seats] == sums
    assert Hand.objects.count() == 4


@pytest.mark.core
def test_a_kept_page_that_is_older_than_the_answers_comes_up_at_the_newest_state(
    page: Page, phone: BrowserContext, kept: str, table: Table
) -> None:
    """The answers to hands and the polled page are newer than the page that the worker kept."""
    night = Night(page)
    night.tap(0, 1)
    page.locator("[data-save]").tap()
    page.wait_for_url("**/h/1/")
    phone.set_offline(True)
    page.locator("[data-declares]").nth(2).tap()
    expect(page.locator("#hand[data-heard][data-number='2']")).to_be_visible()
    assert night.roles() == ["", "", "chratzt", "", ""]
    assert night.sums() == [seat.tonight_minor for seat in table_view(fresh(table)).seats]


def test_a_hand_that_nobody_declares_is_two_taps_with_and_without_a_network(
    page: Page, phone: BrowserContext, kept: str, table: Table
) -> None:
    night = Night(page)
    night.tap(0, 1)
    page.locator("[data-save]").tap()
    page.wait_for_url("**/h/1/")
    page.locator("[data-nobody]").tap()
    expect(page.locator("[data-pass]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-save]").tap()
    page.wait_for_url("**/h/2/")
    phone.set_offline(True)
    page.locator("[data-nobody]").tap()
    for _ in range(2):
        page.locator("[data-save]").tap()
        page.locator("[data-declares-seat=nobody]").tap()
    phone.set_offline(False)
    nothing_kept(page)
    outcomes = [hand.outcome for hand in reversed(table_view(fresh(table)).hands)]
    assert outcomes == ["played", "passed_out", "passed_out", "passed_out"]
