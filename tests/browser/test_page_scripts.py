"""A page loads one file of scripts beside htmx, and runs as with the modules that it is made of."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from games.models import Hand, Table

from .sign_in import sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LOADED = """() => performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname)
  .filter((path) => path.endsWith(".js"))"""


def scripts_of(page: Page) -> list[str]:
    page.wait_for_load_state("load")
    return sorted(path.removeprefix("/static/") for path in page.evaluate(LOADED))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("address", "screen"),
    [("/calculator/", "pot_splitter"), ("/c/roessli/", "reader"), ("/c/roessli/t/{table}/", "table")],
)
def test_a_page_loads_one_file_of_scripts(page: Page, table: Table, settings: Any, address: str, screen: str) -> None:
    settings.BUNDLED = True
    sign_in(page, address.format(table=table.pk))
    first, *others = [path for path in scripts_of(page) if not path.startswith("django_htmx/")]
    assert (first, others) == (f"built/{screen}.js", ["js/first_paint.js"])


def test_while_they_are_worked_on_each_module_is_a_file(page: Page) -> None:
    page.goto("/calculator/")
    assert len(scripts_of(page)) > 30


@pytest.mark.core
@pytest.mark.usefixtures("home")
def test_a_hand_is_recorded_with_the_one_file(page: Page, table: Table, settings: Any) -> None:
    settings.BUNDLED = True
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = Screen(page)
    screen.tap(0, 1)
    screen.save()
    assert Hand.objects.filter(table=table).count() == 1
