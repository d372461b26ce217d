"""No page is wider than a phone, with the longest names and sums that a club may have."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from games.evenings import house_rules_set
from games.models import Table
from league.standings import count_season
from tests.cast import House, house
from tests.factories import FAILED, MADE, PASSED_OUT, PlayerFactory, enter, open_table, void

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDER = """() => [...document.querySelectorAll("body *")]
  .filter((node) => node.checkVisibility() && !node.closest("svg, .scroll-x, .visually-hidden, .skip"))
  .filter((node) => node.getBoundingClientRect().right > window.innerWidth + 1)
  .map((node) => `${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 40)}`)"""


@pytest.fixture
def table(transactional_db: None) -> Table:
    home: House = house("roessli")
    home.club.publishes_money = True
    home.club.name = "Chratzclub zum goldenen Rössli in Trubschachen"
    home.club.save()
    names = ["Bartholomäus Christoph von Arx-Oberdorf", "Maximiliana-Theresia", "W" * 40, "Jo", "Ueli"]
    players = [PlayerFactory(club=home.club, nickname=name) for name in names]
    house_rules_set(club=home.club, game="chratze", values={"stake": 50_000}, author=None)
    table = open_table(club=home.club, season=home.season, players=players, author=home.owner)
    for record in (MADE, PASSED_OUT, FAILED, FAILED, MADE):
        enter(table, record)
    void(table)
    count_season(home.season.pk)
    return table


PAGES: dict[str, str] = {
    "home": "/",
    "club": "/c/roessli/",
    "season": "/c/roessli/s/2026/",
    "player": "/c/roessli/p/{player}/",
    "evening": "/c/roessli/e/{evening}/",
    "new evening": "/c/roessli/e/new/",
    "table": "/c/roessli/t/{table}/",
    "coins": "/c/roessli/t/{table}/h/4/",
    "undone": "/c/roessli/t/{table}/h/5/",
    "not found": "/nothing-here/",
}


def test_no_page_scrolls_sideways(page: Page, table: Table) -> None:
    page.goto("/login/")
    page.fill("[name=username]", "owner@roessli.example.org")
    page.fill("[name=password]", "kreuz-sieben")
    page.locator("main .btn").tap()
    page.wait_for_url(lambda url: not url.endswith("/login/"))
    ids: dict[str, Any] = {"player": table.dealer_id, "evening": table.evening_id, "table": table.pk}
    wide = {}
    for name, address in PAGES.items():
        page.goto(address.format(**ids))
        if page.evaluate(WIDER):
            wide[name] = page.evaluate(WIDER)
    assert wide == {}
