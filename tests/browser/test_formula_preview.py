"""The preview of a formula renews itself while the fields change; nothing is stored that it does not show."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from league.models import SeasonAdjustment, SeasonFormula
from league.standings.counting import count_season
from league.standings.formula.services import formula_set
from tests.cast import House, house
from tests.factories import FAILED, MADE, create_table, enter

from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOP = "document.querySelector('[name=best]').getBoundingClientRect().top"


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    for records in ((MADE, MADE), (FAILED,)):
        table = create_table(season=home.season, club=home.club)
        for record in records:
            enter(table, record)
    count_season(home.season.pk)
    return home


@pytest.mark.core
def test_the_preview_follows_the_fields_and_storing_waits_for_it(page: Page, home: House) -> None:
    sign_in(page, f"/c/roessli/s/{home.season.slug}/formula/", "owner")
    store = page.locator("[data-store]")
    page.fill("[name=drop]", "1")
    expect(page.locator("#preview")).to_contain_text("gestrichen werden: 1 statt 0")
    expect(page.locator(".preview-bar")).to_contain_text("wechseln den Rang")
    expect(store).to_be_enabled()
    page.locator("[name=best]").scroll_into_view_if_needed()
    top = page.evaluate(TOP)
    # No answer arrives: the preview is older than the fields.
    page.context.set_offline(True)
    page.fill("[name=drop]", "0")
    expect(store).to_be_disabled()
    expect(page.locator(".preview-bar")).to_contain_text("Kein Netz")
    page.context.set_offline(False)
    page.fill("[name=best]", "1")
    expect(page.locator("#preview")).to_contain_text("beste Abende, die zählen: 1 statt alle")
    assert page.evaluate(TOP) == top
    store.tap()
    page.wait_for_selector("text=Version 1")
    assert SeasonFormula.objects.get().values["best"] == 1


def test_a_penalty_is_stored_with_the_preview_that_its_page_shows(page: Page, home: House) -> None:
    formula_set(season=home.season, actor=None, values={"best": 3})
    sign_in(page, f"/c/roessli/s/{home.season.slug}/adjustments/", "owner")
    page.fill("[name=points]", "-9")
    expect(page.locator("#preview-add")).to_contain_text("sobald die Felder ausgefüllt sind")
    page.select_option("[name=player]", label="Carlo")
    store = page.locator("[data-store]")
    expect(page.locator("#preview-add")).to_contain_text("Strafen und Zuschläge −9")
    expect(page.locator(".preview-bar")).to_contain_text("den Rang")
    # A reason changes no rank; until its answer is there nothing can be stored.
    page.fill("[name=reason]", "zu spät")
    expect(store).to_be_disabled()
    expect(store).to_be_enabled()
    store.tap()
    page.wait_for_selector("text=zu spät")
    assert SeasonAdjustment.objects.get().points == -9


def test_enter_in_a_field_stores_nothing(page: Page, home: House) -> None:
    sign_in(page, f"/c/roessli/s/{home.season.slug}/formula/?preset=best", "owner")
    expect(page.locator("[data-store]")).to_be_enabled()
    page.press("[name=best]", "Enter")
    page.wait_for_url("**/formula/?preset=best#preview")
    expect(page.locator("#preview-title")).to_be_visible()
    assert not SeasonFormula.objects.exists()
