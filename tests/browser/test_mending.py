"""Putting a hand right on a phone: tapped as on the table screen, looked at, saved; and the difference found."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.audit import differences
from games.models import Correction, Revision, Table
from tests.browser.test_phone_width import WIDER
from tests.cast import House, house
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, PlayerFactory, enter, open_table

from .signing import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


def night(home: House, *records: dict[str, Any], **wants: Any) -> Table:
    table = open_table(club=home.club, season=home.season, author=home.recorder, **wants)
    for record in records:
        enter(table, record, author=home.recorder)
    return table


def test_a_hand_is_put_right_by_touch(page: Page, home: House) -> None:
    table = night(home, FAILED, PASSED_OUT, MADE)
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/")
    page.locator('.past .mend[href$="/h/1/edit/"]').tap()
    rows = page.locator(".seat")
    expect(rows.nth(0)).to_have_class("seat declarer")
    expect(rows.nth(2)).to_have_class("seat joiner")
    expect(rows.nth(0).locator('[data-mark="no"]')).to_have_attribute("aria-pressed", "true")
    page.wait_for_selector("#told [data-accepted]")
    rows.nth(2).locator("[data-tap]").tap()
    page.wait_for_selector("#told [data-accepted]")
    assert page.evaluate(WIDER) == []
    page.locator("[data-save]").tap()
    page.wait_for_selector("[name=seen]", state="attached")
    assert page.evaluate(WIDER) == []
    page.fill("[name=reason]", "Carlo war nicht dabei")
    page.locator('button[value="save"]').tap()
    page.wait_for_url("**/h/1/history/")
    expect(page.locator("main")).to_contain_text("Carlo war nicht dabei")
    done = Correction.objects.get()
    assert done.author == home.recorder
    assert Revision.objects.filter(hand__number=1).latest("number").record["joiners"] == [1]
    assert list(differences()) == []


def test_others_sat_there(page: Page, home: House) -> None:
    table = night(home, MADE)
    gian = PlayerFactory(club=home.club, nickname="Gian")
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/h/1/edit/")
    page.locator(".who-sat summary").tap()
    page.select_option("[name=player-0]", str(gian.pk))
    page.locator('button[value="seats"]').tap()
    expect(page.locator(".seat").nth(0)).to_contain_text("Gian")
    expect(page.locator(".seat").nth(0)).to_have_class("seat declarer")


def test_a_hand_of_kratzen_is_put_right(page: Page, home: House) -> None:
    table = night(home, MUSS, FREE, seats=4, game="kratzen")
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/h/2/edit/")
    page.wait_for_selector("#told [data-accepted]")
    page.locator('[data-call="oder"]').tap()
    page.locator('.seat >> nth=1 >> [data-step="-1"]').tap()
    page.wait_for_selector("#told [data-accepted]")
    page.locator("[data-save]").tap()
    page.locator('button[value="save"]').tap()
    page.wait_for_url("**/h/2/history/")
    stored = Revision.objects.filter(hand__number=2).latest("number").record
    assert (stored["game_type"], stored["tricks"]) == ("oder", {"1": 2, "3": 2})


def test_the_coins_lead_to_the_mistake(page: Page, home: House) -> None:
    table = night(home, MADE, FAILED, PASSED_OUT)
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/difference/")
    # In truth everybody made it in hand 2: two antes of five lie there and those of the next hand.
    page.fill("[name=pot]", "2.00")
    page.locator("main form .btn:not(.quiet)").tap()
    page.wait_for_selector(".guesses")
    assert page.evaluate(WIDER) == []
    page.locator("a.guess").first.tap()
    page.locator('button[value="save"]').tap()
    page.wait_for_url("**/history/")
    assert list(differences()) == []
    page.goto(f"/c/roessli/t/{table.pk}/difference/?pot=2.00")
    assert page.locator(".guesses").count() == 0
