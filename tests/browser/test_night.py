"""Who sits at a table, on a phone: from the table's screen to the page and back, with scripts and without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Table
from tests.cast import House, house
from tests.factories import FAILED, enter, open_table

from .signing import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(transactional_db: None) -> Table:
    home: House = house("roessli")
    table = open_table(club=home.club, season=home.season, author=home.recorder)
    enter(table, FAILED, author=home.recorder)
    return table


@pytest.fixture
def plain(chromium: Browser, live_server: Any, table: Table) -> Iterator[Page]:
    """A phone that runs no scripts."""
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, java_script_enabled=False, locale="de-CH", base_url=live_server.url
    )
    context.set_default_timeout(10_000)
    page = context.new_page()
    sign_in_as(page, "recorder")
    yield page
    context.close()


def seated(table: Table) -> list[str]:
    return list(table.places.order_by("seat").values_list("player__nickname", flat=True))


def names(page: Page) -> list[str]:
    return [name.split(",")[0].strip() for name in page.locator(".sits .name").all_inner_texts()]


def test_a_guest_comes_from_the_menu_of_the_table_and_moves_up_by_an_arrow(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/")
    page.locator("[popovertarget=more]").tap()
    page.get_by_role("link", name="Wer hier sitzt").tap()
    page.get_by_placeholder("Spitzname").fill("Zoé")
    page.get_by_role("button", name="Kommt").tap()
    expect(page.locator("h1")).to_have_text("Zoé kommt und sitzt nach Emil")
    expect(page.locator(".will")).to_contain_text("Alle 6 zahlen je 0.20")
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="Zoé: einen Platz nach oben").tap()
    expect(page.locator("h1")).to_have_text("Zoé kommt und sitzt nach Doris")
    # The page stayed, and so did the arrow under the thumb.
    assert page.evaluate("window.kept") is True
    assert page.evaluate("document.activeElement.id") == "up-0"
    page.get_by_role("button", name="Zoé setzt sich").tap()
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    expect(page.locator("#told")).to_contain_text("Zoé kommt und sitzt nach Doris.")
    assert page.locator("[data-seat] .js-only .name").all_inner_texts() == seated(table)
    expect(page.locator("#tonight")).to_contain_text("Zoé kommt und sitzt nach Doris")


def test_seats_are_put_in_order_step_by_step_before_they_are_kept(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/night/")
    for said in ("Anna und Beni tauschen die Plätze", "Neue Reihenfolge: Beni, Carlo, Anna, Doris, Emil"):
        page.get_by_role("link", name="Anna: einen Platz nach unten").tap()
        expect(page.locator("h1")).to_have_text(said)
    assert names(page)[:3] == ["Beni", "Carlo", "Anna"]
    assert seated(table)[0] == "Anna"
    page.go_back()
    expect(page.locator("h1")).to_have_text("Anna und Beni tauschen die Plätze")
    page.get_by_role("button", name="So sitzen sie").tap()
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    assert seated(table)[:2] == ["Beni", "Anna"]


def test_an_arrow_without_network_says_so(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/night/")
    page.context.set_offline(True)
    page.get_by_role("link", name="Anna: einen Platz nach unten").tap()
    expect(page.locator("[data-no-answer]")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Anna: einen Platz nach unten").tap()
    expect(page.locator("h1")).to_have_text("Anna und Beni tauschen die Plätze")
    expect(page.locator("[data-no-answer]")).to_be_hidden()


def test_a_draft_of_a_hand_goes_along_with_its_player_and_says_so(page: Page, table: Table) -> None:
    sign_in_as(page, "recorder")
    page.goto(f"/c/roessli/t/{table.pk}/")
    page.locator('[data-seat="4"] [data-tap]').tap()
    page.goto(f"/c/roessli/t/{table.pk}/night/?do=leave&player={table.places.get(seat=0).player_id}")
    page.locator("[data-do]").tap()
    page.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    # Emil sat at 4, and at 3 once Anna has left.
    expect(page.locator("#changed")).to_be_visible()
    expect(page.locator('[data-tap][aria-pressed="true"]')).to_have_count(1)
    expect(page.locator('[data-seat="3"] [data-tap]')).to_have_attribute("aria-pressed", "true")


def test_without_scripts_a_table_is_divided_and_joined_again(plain: Page, table: Table) -> None:
    plain.goto(f"/c/roessli/t/{table.pk}/night/")
    plain.get_by_text("Einige gehen an einen eigenen Tisch").click()
    for name in ("Anna", "Beni"):
        plain.get_by_role("checkbox", name=name).check()
    plain.get_by_role("button", name="Zeigen, was das bewirkt").click()
    expect(plain.locator("h1")).to_have_text("Anna und Beni gehen an Tisch 2")
    plain.get_by_role("button", name="Tisch teilen").click()
    plain.wait_for_url(re.compile(r"/t/\d+/$"))
    other = Table.objects.get(evening=table.evening, number=2)
    assert (seated(table), seated(other)) == (["Carlo", "Doris", "Emil"], ["Anna", "Beni"])
    plain.goto(f"/c/roessli/t/{other.pk}/night/")
    plain.get_by_text("Alle gehen an Tisch 1").click()
    plain.get_by_role("button", name="Zeigen, was das bewirkt").click()
    plain.get_by_role("button", name="Tische zusammenlegen").click()
    plain.wait_for_url(re.compile(rf"/t/{table.pk}/$"))
    assert seated(table) == ["Carlo", "Doris", "Emil", "Anna", "Beni"]


def test_without_scripts_somebody_leaves_and_the_next_one_deals(plain: Page, table: Table) -> None:
    plain.goto(f"/c/roessli/t/{table.pk}/night/")
    plain.get_by_role("link", name="Anna geht").click()
    expect(plain.locator(".will")).to_contain_text("Beni gibt Spiel 2, weil Anna geht.")
    plain.get_by_role("button", name="Anna geht").click()
    plain.wait_for_url(re.compile(r"/t/\d+/$"))
    assert seated(table) == ["Beni", "Carlo", "Doris", "Emil"]
    table.refresh_from_db()
    assert table.dealer.nickname == "Beni"
