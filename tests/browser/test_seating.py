"""Seating changes on a phone: from the table screen to the seating page and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Table
from tests.cast import House, house
from tests.factories import FAILED, create_table, enter

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(transactional_db: None) -> Table:
    home: House = house("roessli")
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    enter(table, FAILED, author=home.recorder)
    return table


def seated(table: Table) -> list[str]:
    return list(table.places.order_by("seat").values_list("player__nickname", flat=True))


def names(page: Page) -> list[str]:
    return [name.split(",")[0].strip() for name in page.locator(".sits .name").all_inner_texts()]


@pytest.mark.core
def test_a_guest_is_seated_from_the_menu_and_moved_by_an_arrow(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/")
    page.locator("[popovertarget=more]").tap()
    page.get_by_role("link", name="Kommt / geht").tap()
    page.get_by_placeholder("Spitzname").fill("Zoé")
    page.get_by_role("button", name="Kommt").tap()
    expect(page.locator("h1")).to_have_text("Zoé kommt und sitzt nach Emil")
    expect(page.locator(".will")).to_contain_text("Alle 6 zahlen je Fr. 0.20")
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="Zoé: einen Platz nach oben").tap()
    expect(page.locator("h1")).to_have_text("Zoé kommt und sitzt nach Doris")
    # The page did not scroll: the arrow is still under the thumb.
    assert page.evaluate("window.kept") is True
    assert page.evaluate("document.activeElement.id") == "up-0"
    page.get_by_role("button", name="Zoé setzt sich").tap()
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    expect(page.locator("#preview")).to_contain_text("Zoé kommt und sitzt nach Doris.")
    assert page.locator("[data-seat] .js-only .name").all_inner_texts() == seated(table)
    expect(page.locator("#tonight")).to_contain_text("Zoé kommt und sitzt nach Doris")


def test_seats_are_ordered_step_by_step_before_they_are_saved(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/seating/")
    for title in ("Anna und Beni tauschen die Plätze", "Neue Reihenfolge: Beni, Carlo, Anna, Doris, Emil"):
        page.get_by_role("link", name="Anna: einen Platz nach unten").tap()
        expect(page.locator("h1")).to_have_text(title)
    assert names(page)[:3] == ["Beni", "Carlo", "Anna"]
    assert seated(table)[0] == "Anna"
    page.go_back()
    expect(page.locator("h1")).to_have_text("Anna und Beni tauschen die Plätze")
    page.get_by_role("button", name="So sitzen sie").tap()
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    assert seated(table)[:2] == ["Beni", "Anna"]


def test_an_arrow_without_network_says_so(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/seating/")
    page.context.set_offline(True)
    page.get_by_role("link", name="Anna: einen Platz nach unten").tap()
    expect(page.locator("[data-no-answer]")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Anna: einen Platz nach unten").tap()
    expect(page.locator("h1")).to_have_text("Anna und Beni tauschen die Plätze")
    expect(page.locator("[data-no-answer]")).to_be_hidden()


def test_an_entry_is_adapted_to_the_new_seats_and_says_so(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/")
    page.locator('[data-seat="4"] [data-tap]').tap()
    page.goto(f"/c/roessli/t/{table.pk}/seating/?do=leave&player={table.places.get(seat=0).player_id}")
    page.locator("[data-do]").tap()
    # Anna has open coins: her page to settle up comes first, and leads back to the table.
    page.wait_for_url(re.compile(r"/cash-out/"))
    page.locator(".actions a").tap()
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    # Emil sat at seat 4, and at 3 after Anna has left.
    expect(page.locator("#changed")).to_be_visible()
    expect(page.locator('[data-tap][aria-pressed="true"]')).to_have_count(1)
    expect(page.locator('[data-seat="3"] [data-tap]')).to_have_attribute("aria-pressed", "true")
