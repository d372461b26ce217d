"""A hand of Kratzen card by card in Chromium on a phone: tapped in, saved, played through."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Revision, Table
from tests.browser.test_cards import card, recorder, sentence
from tests.cast import House
from tests.engine.kratzen_hands import FULL
from tests.factories import create_table, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
__all__ = ["recorder"]

MUSS = {"cuts": [["x"]], "declarer": 2, "joiners": [0, 1], "tricks": {"2": 2, "0": 1, "1": 1}}
"""The first hand of a table of three; the one after it is free, and Anna has the pack."""


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(club=home.club, season=home.season, seats=3, game="kratzen")
    enter(table, MUSS)
    return table


def expect_question(page: Page, *words: str) -> None:
    for word in words:
        expect(sentence(page)).to_contain_text(word)


def tick(page: Page, *cards: str) -> None:
    for each in cards:
        card(page, each).check()
    page.tap("[data-go]")


def small(locator: Locator) -> list[Any]:
    """Return the targets that are too small for a thumb."""
    sizes = "all => all.map(one => one.getBoundingClientRect()).filter(box => box.width < 44 || box.height < 44)"
    wrong: list[Any] = locator.evaluate_all(sizes)
    return wrong


def test_a_hand_is_tapped_in_saved_and_played_through(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/cards/")
    expect_question(page, "Carlo", "hebt ab")
    card(page, "Ac").tap()
    expect_question(page, "zuunterst")
    # After an ace and a seven Anna has the pack again.
    card(page, "7c").tap()
    expect_question(page, "Carlo", "hebt ab")
    card(page, "9c").tap()
    for seat, name in ((1, "Beni"), (2, "Carlo"), (0, "Anna")):
        expect_question(page, name)
        assert not small(page.locator(".pickable"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        tick(page, *FULL["deal"]["hands"][seat])
    expect_question(page, "aufgedeckt")
    card(page, "Ts").tap()
    for name, word in (("Anna", "weiter"), ("Beni", "schlagen"), ("Carlo", "mit"), ("Anna", "mit")):
        expect_question(page, name)
        card(page, word).tap()
    expect_question(page, "Anna", "legt", "weg")
    tick(page, "9d", "7c")
    expect_question(page, "Anna", "zieht")
    tick(page, "Qs", "8h")
    expect_question(page, "Anna", "legt", "ab")
    card(page, "8h").tap()
    expect_question(page, "Beni")
    tick(page, "8c")
    expect_question(page, "Beni", "zieht")
    card(page, "Ah").tap()
    expect_question(page, "Carlo")
    tick(page)
    for trick in FULL["play"][:3]:
        for each in trick:
            expect(card(page, each)).to_be_visible()
            card(page, each).tap()
    page.locator(".hand-end [value=save]").tap()
    page.wait_for_url(re.compile(r"/h/2/$"))
    assert Revision.objects.get(hand__number=2).record["play"] == FULL["play"]
    page.goto(f"/c/roessli/t/{table.pk}/h/2/through/")
    # It opens on the full table, before the first card.
    opened = int((page.locator(".wind .at").text_content() or "").split("/")[0])
    page.keyboard.press("ArrowRight")
    expect(page.locator(".wind .at")).to_contain_text(f"{opened + 1} /")
    page.keyboard.press("End")
    expect(page.locator(".said").first).to_contain_text("der Stich geht an Anna")
