"""Corrections on a phone: tapped as on the table screen, previewed, saved."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.integrity.verify import differences
from games.models import Correction, Revision, Table
from tests.browser.test_phone_width import WIDER
from tests.cast import House
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, create_table, enter

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def play(home: House, *records: dict[str, Any], **wants: Any) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder, **wants)
    for record in records:
        enter(table, record, author=home.recorder)
    return table


@pytest.mark.core
def test_a_hand_is_corrected_by_touch(page: Page, home: House) -> None:
    table = play(home, FAILED, PASSED_OUT, MADE)
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/")
    page.locator('.past .correct[href$="/h/1/edit/"]').tap()
    rows = page.locator(".seat")
    expect(rows.nth(0)).to_have_class("seat declarer")
    expect(rows.nth(2)).to_have_class("seat joiner")
    expect(rows.nth(0).locator('[data-mark="no"]')).to_have_attribute("aria-pressed", "true")
    page.wait_for_selector("#preview [data-accepted]")
    rows.nth(2).locator("[data-tap]").tap()
    page.wait_for_selector("#preview [data-accepted]")
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


def test_a_hand_of_kratzen_is_corrected(page: Page, home: House) -> None:
    table = play(home, MUSS, FREE, seats=4, game="kratzen")
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/h/2/edit/")
    page.wait_for_selector("#preview [data-accepted]")
    page.locator('[data-call="oder"]').tap()
    page.locator('.seat >> nth=1 >> [data-step="-1"]').tap()
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    page.wait_for_selector("#preview [data-accepted]")
    page.locator("[data-save]").tap()
    page.locator('button[value="save"]').tap()
    page.wait_for_url("**/h/2/history/")
    stored = Revision.objects.filter(hand__number=2).latest("number").record
    assert (stored["game_type"], stored["tricks"]) == ("oder", {"1": 2, "3": 2})
