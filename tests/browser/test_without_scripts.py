"""The same evening in a browser that runs no scripts: plain forms do all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Revision, Table
from tests.cast import House, house
from tests.factories import PlayerFactory, open_table

from .signing import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    for name in ("Anna", "Beni", "Carlo"):
        PlayerFactory(club=home.club, nickname=name)
    return home


@pytest.fixture
def plain(chromium: Browser, live_server: Any, home: House) -> Iterator[Page]:
    context = chromium.new_context(
        viewport={"width": 360, "height": 640}, java_script_enabled=False, locale="en-GB", base_url=live_server.url
    )
    context.set_default_timeout(10_000)
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_server.url}])
    page = context.new_page()
    sign_in_as(page, "recorder")
    yield page
    context.close()


def test_an_evening_is_begun_with_ticks_and_numbers(plain: Page) -> None:
    plain.goto("/c/roessli/e/new/")
    for place, name in enumerate(("Carlo", "Anna"), start=1):
        box = plain.locator(f'[data-name="{name}"]')
        box.check()
        plain.select_option(f"[name=order-{box.get_attribute('data-key')}]", str(place))
    plain.locator("[name=guest]").first.fill("Fritz")
    plain.locator('[name=first_dealer][value="g#0"]').check()
    plain.click("[data-start]")
    plain.wait_for_url(re.compile(r"/t/\d+/$"))
    table = Table.objects.get()
    assert [place.player.nickname for place in table.places.select_related("player")] == ["Carlo", "Anna", "Fritz"]
    assert table.dealer.nickname == "Fritz"


def test_a_hand_is_checked_saved_and_undone(plain: Page, home: House) -> None:
    table = open_table(club=home.club, season=home.season, seats=3)
    plain.goto(f"/c/roessli/t/{table.pk}/")
    plain.select_option("[name=role-0]", "declarer")
    plain.select_option("[name=role-1]", "joiner")
    plain.select_option("[name=made-1]", "no")
    plain.get_by_role("button", name="Check first").click()
    expect(plain.locator("#told")).to_contain_text("Anna takes")
    assert plain.locator("[name=role-1]").input_value() == "joiner"
    plain.click("[data-save]")
    plain.wait_for_url(re.compile(r"/h/1/$"))
    expect(plain.locator(".coins")).to_contain_text("Beni pays in")
    assert Revision.objects.get().record["made"] == [0]
    plain.get_by_role("button", name="Undo").click()
    plain.get_by_role("button", name="Undo hand 1").click()
    plain.wait_for_url(re.compile(r"\?again=1$"))
    assert plain.locator("[name=made-1]").input_value() == "no"
    assert Table.objects.get().hands == 0


def test_a_refused_hand_keeps_every_choice(plain: Page, home: House) -> None:
    table = open_table(club=home.club, season=home.season, seats=3)
    plain.goto(f"/c/roessli/t/{table.pk}/")
    plain.select_option("[name=role-2]", "declarer")
    plain.select_option("[name=role-0]", "joiner")
    plain.select_option("[name=mode]", "tricks")
    plain.select_option("[name=tricks-2]", "4")
    plain.select_option("[name=tricks-0]", "2")
    plain.select_option("[name=blind]", "blind")
    plain.click("[data-save]")
    expect(plain.locator("#told")).to_contain_text("four in all")
    kept = {name: plain.locator(f"[name={name}]").input_value() for name in ("role-2", "mode", "tricks-0", "blind")}
    assert kept == {"role-2": "declarer", "mode": "tricks", "tricks-0": "2", "blind": "blind"}
    assert not Revision.objects.exists()
