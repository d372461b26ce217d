"""The house rules in a browser: printed on one sheet."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page

from games.evening.house_rules import house_rules_set
from tests.cast import House, house
from tests.factories import FAILED, MADE, create_table, enter

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

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
    table = create_table(club=home.club, season=home.season)
    for record in (MADE, FAILED):
        enter(table, record)
    return home


@pytest.mark.parametrize(
    ("game", "rules"),
    [("chratze", {}), ("chratze", LONGEST), ("kratzen", KRATZEN)],
    ids=["defaults", "longest", "kratzen"],
)
def test_the_printed_rules_fit_one_sheet(
    page: Page, home: House, live_server: Any, game: str, rules: dict[str, object]
) -> None:
    house_rules_set(club=home.club, game=game, values=rules, author=home.owner)
    sign_in_as(page, "member")
    for language in ("de", "en"):
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
        page.goto(f"/c/roessli/rules/?game={game}")
        assert page.locator("html").get_attribute("lang").startswith(language)
        paper = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1, language
