"""The house rules in a browser: one sheet of paper, and a change from the form to the next version by touch."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page

from games.evenings import house_rules_set
from league.models import HouseRules
from tests.browser.test_phone_width import WIDER
from tests.cast import House, house
from tests.factories import FAILED, MADE, enter, open_table

from .signing import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]

KRATZEN = {
    "pot_limit": 123_456_700,
    "split_over": 12_345_600,
    "unit": 12_500,
    "must_beat": "always",
    "seven_muss": "off",
}
LONGEST = {"pot_limit": 123_456_700, "stake": 1_234_500, "no_taker": "redeal", "susi": "forced", "blind": "both"}


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    table = open_table(club=home.club, season=home.season)
    for record in (MADE, FAILED):
        enter(table, record)
    return home


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    ("game", "rules"),
    [("chratze", {}), ("chratze", LONGEST), ("kratzen", KRATZEN)],
    ids=["defaults", "longest", "kratzen"],
)
def test_the_contract_is_one_sheet(
    page: Page, home: House, live_server: Any, language: str, game: str, rules: dict[str, object]
) -> None:
    house_rules_set(club=home.club, game=game, values=rules, author=home.owner)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    sign_in_as(page, "member")
    page.goto(f"/c/roessli/rules/?game={game}")
    assert page.locator("html").get_attribute("lang").startswith(language)
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_an_owner_changes_a_rule_by_touch(page: Page, home: House) -> None:
    sign_in_as(page, "owner")
    wide = {}
    page.goto("/c/roessli/rules/")
    wide["rules"] = page.evaluate(WIDER)
    page.locator("a[href*='/rules/change/']").tap()
    page.wait_for_url(re.compile(r"/change/\?game=chratze$"))
    wide["change"] = page.evaluate(WIDER)
    page.fill("[name=pot_limit]", "6.00")
    page.locator("form.rules-form button").tap()
    page.wait_for_selector(".situation.differs")
    wide["compare"] = page.evaluate(WIDER)
    assert page.locator(".situation.differs").evaluate_all("rows => rows.map((row) => row.id)") == ["case-limit"]
    page.locator("button[name=confirm]").tap()
    page.wait_for_url(re.compile(r"/rules/\?game=chratze$"))
    assert HouseRules.objects.get(version=2).values == {"pot_limit": 600}
    page.goto("/c/roessli/rules/replay/")
    page.fill("[name=pot_limit]", "1.00")
    page.locator("form.rules-form button").tap()
    page.wait_for_selector("#result")
    wide["replay"] = page.evaluate(WIDER)
    assert {name: nodes for name, nodes in wide.items() if nodes} == {}
