"""The links to scripts in a page are exactly the scripts that it loads."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Page

from games.models import Table
from league.templatetags import scripts as tags

from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINKED = """() => [...document.querySelectorAll("link[rel=modulepreload], script[type=module]")]
  .map((node) => new URL(node.href ?? node.src).pathname)"""
LOADED = """() => performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname)
  .filter((path) => path.startsWith("/static/js/") && !path.endsWith("/first_paint.js"))"""


def scripts_of(page: Page) -> tuple[Counter[str], set[str]]:
    page.wait_for_load_state("load")
    return Counter(page.evaluate(LINKED)), set(page.evaluate(LOADED))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("address", ["/calculator/", "/c/roessli/", "/c/roessli/t/{table}/"])
def test_each_script_of_a_page_has_one_link(page: Page, table: Table, address: str) -> None:
    sign_in(page, address.format(table=table.pk))
    linked, loaded = scripts_of(page)
    assert set(linked) == loaded
    assert set(linked.values()) == {1}


def test_without_the_links_a_page_names_few_of_its_scripts(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tags, "loaded_with", lambda name: ())
    monkeypatch.setattr(tags, "_linked_at_start", tags._linked)
    page.goto("/calculator/")
    linked, loaded = scripts_of(page)
    assert len(loaded) > 2 * len(linked)
