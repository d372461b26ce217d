"""A correction whose marks leave a result open is a question on its page, and nothing of it can be saved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Correction, Revision
from tests.cast import House
from tests.factories import FAILED, MADE, create_table, enter

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTION = re.compile(r"Wer hat keinen Stich\?|Who made no trick\?")


# The events of the form that would send something: a submission that is not cancelled, and a request for the preview.
SENDS = """() => {
  window.sends = [];
  window.addEventListener("submit", (event) => { if (!event.defaultPrevented) window.sends.push(event.type); });
  document.querySelector("#correction").addEventListener("hand-changed", (event) => window.sends.push(event.type));
}"""


def nothing_goes(page: Page, address: str) -> None:
    """The question is shown; neither the marks nor a tap on the button send anything."""
    save = page.locator("[data-save]")
    expect(page.locator("#preview")).to_contain_text(QUESTION)
    expect(save).to_have_attribute("aria-disabled", "true")
    save.evaluate("(button) => button.click()")
    assert page.evaluate("() => window.sends") == []
    assert page.url.endswith(address)
    expect(page.locator("#preview")).to_contain_text(QUESTION)
    assert not Correction.objects.exists()


def test_a_correction_that_the_rules_do_not_decide_cannot_be_saved(page: Page, home: House) -> None:
    """The declarer of a stored hand failed, and all others made it; now he is marked as having made it. For the three
    others two tricks are left."""
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=4)
    enter(table, FAILED | {"joiners": [1, 2, 3], "made": [1, 2, 3]}, author=home.recorder)
    sign_in_as(page, "recorder")
    address = f"/c/roessli/t/{table.pk}/h/1/edit/"
    page.goto(address)
    page.wait_for_selector("#preview [data-accepted]")
    rows = page.locator(".seat")
    page.evaluate(SENDS)
    rows.nth(0).locator('[data-mark="yes"]').tap()
    expect(page.locator(".made.undecided")).to_have_count(3)
    nothing_goes(page, address)
    rows.nth(2).locator('[data-mark="no"]').tap()
    page.wait_for_selector("#preview [data-accepted]")
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "false")
    page.locator("[data-save]").tap()
    page.locator('button[value="save"]').tap()
    page.wait_for_url("**/h/1/history/")
    assert Revision.objects.filter(hand__number=1).latest("number").record["made"] == [0, 1, 3]


def test_a_forgotten_hand_that_the_rules_do_not_decide_cannot_be_inserted(page: Page, home: House) -> None:
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=4)
    enter(table, MADE, author=home.recorder)
    sign_in_as(page, "recorder")
    address = f"/c/roessli/t/{table.pk}/h/1/insert/"
    page.goto(address)
    for row in range(4):
        if row == 3:
            page.evaluate(SENDS)
        page.locator(".seat").nth(row).locator("[data-tap]").tap()
    expect(page.locator(".made.undecided")).to_have_count(4)
    nothing_goes(page, address)
