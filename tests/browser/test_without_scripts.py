"""A hand in a browser without scripts: its forms are visible and do everything.

The other pages without scripts need no browser: `tests/page_forms.py` fills in their forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Revision, Table
from tests.cast import House
from tests.factories import create_table

from .conftest import PHONE
from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def plain(chromium: Browser, live_server: Any, home: House) -> Iterator[Page]:
    context = chromium.new_context(
        viewport=PHONE,
        has_touch=True,
        java_script_enabled=False,
        locale="en-GB",
        base_url=live_server.url,
    )
    context.set_default_timeout(10_000)
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_server.url}])
    page = context.new_page()
    sign_in_as(page, "recorder")
    yield page
    context.close()


@pytest.mark.core
def test_a_hand_is_checked_saved_and_undone(plain: Page, home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=3)
    plain.goto(f"/c/roessli/t/{table.pk}/")
    plain.select_option("[name=role-0]", "declarer")
    plain.select_option("[name=role-1]", "joiner")
    plain.select_option("[name=made-1]", "no")
    plain.get_by_role("button", name="Check first").tap()
    expect(plain.locator("#preview")).to_contain_text("Anna takes")
    assert plain.locator("[name=role-1]").input_value() == "joiner"
    plain.tap("[data-save]")
    plain.wait_for_url(re.compile(r"/h/1/$"))
    expect(plain.locator(".coins")).to_contain_text("Beni pays in")
    assert Revision.objects.get().record["made"] == [0]
    plain.get_by_role("button", name="Undo").tap()
    plain.get_by_role("button", name="Undo hand 1").tap()
    plain.wait_for_url(re.compile(r"\?again=1$"))
    assert plain.locator("[name=made-1]").input_value() == "no"
    assert Table.objects.get().hands == 0
