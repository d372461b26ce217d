"""The pot splitter in a browser: hands are tapped, continued, undone, kept and printed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

EVENING = "/calculator/?p=Anna&p=Beni&p=Carlo&p=Doris&dealer=4"
WIDER = "() => document.documentElement.scrollWidth > window.innerWidth"


def tap(page: Page, *seats: int) -> None:
    for seat in seats:
        page.locator(f'[data-seat="{seat}"] [data-tap]').tap()


def pay(page: Page) -> None:
    page.locator("#preview [data-accepted]").wait_for()
    page.locator("[data-save]").tap()


@pytest.mark.core
def test_an_evening_from_the_names_to_the_printed_page(page: Page) -> None:
    page.goto("/calculator/")
    for place, name in enumerate(("Anna", "Beni", "Carlo", "Doris")):
        page.locator("[name=p]").nth(place).fill(name)
    page.select_option("[name=dealer]", "4")
    page.locator("main .btn.wide").tap()
    expect(page.locator(".pot")).to_have_text("Fr. 0.80")

    tap(page, 0, 1, 2)
    page.locator('[data-seat="2"] [data-mark="no"]').tap()
    expect(page.locator("#preview .sum li b")).to_have_text(["+0.60", "+0.20", "−0.80"])
    pay(page)
    page.wait_for_url(re.compile(r"&h=d0-j12-m01$"))
    expect(page.locator(".coins li")).to_have_count(4)
    expect(page.locator("[data-balance]")).to_have_text([re.compile(x) for x in ("0.20", "−0.20", "−1.20", "−0.40")])
    expect(page.locator(".pot")).to_have_text("Fr. 1.60")

    page.locator("[data-counting]").tap()
    tap(page, 1, 3)
    page.locator('[data-seat="1"] [data-step="1"]').tap()
    pay(page)
    page.wait_for_url(re.compile(r"&h=d1-j3-t1331$"))
    page.locator("[data-pass]").tap()
    pay(page)
    page.wait_for_url(re.compile(r"&h=x$"))
    page.locator(".past .undo").tap()
    page.wait_for_url(re.compile(r"&h=d1-j3-t1331$"))
    assert not page.evaluate(WIDER)

    page.goto("/calculator/")
    page.locator("[data-continue] a").tap()
    page.wait_for_url(re.compile(r"&h=d1-j3-t1331$"))
    page.emulate_media(media="print")
    expect(page.locator(".past > li")).to_have_count(2)
    expect(page.locator(".sums .name")).to_have_text(["Anna", "Beni", "Carlo", "Doris"])
    expect(page.locator(".bar")).to_be_hidden()


def test_an_impossible_hand_marks_its_rows_and_is_not_paid(page: Page) -> None:
    page.goto(EVENING)
    tap(page, 0, 1)
    for seat in (0, 1):
        page.locator(f'[data-seat="{seat}"] [data-mark="no"]').tap()
    page.locator("#preview [data-refused]").wait_for()
    expect(page.locator(".seat.marked")).to_have_count(2)
    page.locator("[data-save]").tap(force=True)
    assert "&h=" not in page.url


def test_nothing_is_wider_than_a_phone(page: Page) -> None:
    for address in (
        "/calculator/",
        EVENING.replace("Anna", "W" * 40) + "&h=d0-j123-m01",
        EVENING + "&pot=9999999&setup=1",
    ):
        page.goto(address)
        assert not page.evaluate(WIDER), address


def test_an_evening_of_kratzen(page: Page) -> None:
    page.goto(EVENING + "&game=kratzen")
    expect(page.locator(".pot")).to_have_text("Fr. 0.50")
    for seat in (0, 0, 1, 2):
        page.locator(f'[data-seat="{seat}"] [data-step="1"]').tap()
    pay(page)
    page.wait_for_url(re.compile(r"&h=c-d3-j012-t02112130$"))
    expect(page.locator("[data-balance]").nth(3)).to_have_text(re.compile("−1.20"))

    page.locator("[data-cut-label]").tap()
    page.locator("[data-cut='A']").tap()
    page.locator("[data-cut='x']").tap()
    page.locator("#cuts .btn:not(.quiet)").tap()
    expect(page.locator("[data-turn]")).to_contain_text("Fürs Abheben: Beni 0.10.")
    tap(page, 0, 2)
    page.locator("[data-call=oder]").tap()
    page.locator('[data-seat="2"] [data-step="1"]').tap()
    pay(page)
    page.wait_for_url(re.compile(r"&h=cAx-d0-go-j2-t0321$"))
    expect(page.locator(".coins li").first).to_contain_text("0.10")
