"""A hand of Kratzen card by card in Chromium on a phone: tapped in, saved, played through."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Revision, Table
from tests.browser.test_full import card, recorder, sentence
from tests.cast import House, house
from tests.engine.kratzen_hands import FULL
from tests.factories import enter, open_table

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]
__all__ = ["recorder"]

MUSS = {"cuts": [["x"]], "declarer": 2, "joiners": [0, 1], "tricks": {"2": 2, "0": 1, "1": 1}}
"""The first hand of a table of three; the one after it is free, and Anna has the pack."""


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    table = open_table(club=home.club, season=home.season, seats=3, game="kratzen")
    enter(table, MUSS)
    return table


def asks(page: Page, *words: str) -> None:
    for word in words:
        expect(sentence(page)).to_contain_text(word)


def tick(page: Page, *cards: str) -> None:
    for each in cards:
        card(page, each).check()
    page.click("[data-go]")


def small(found: Locator) -> list[Any]:
    """The targets that a thumb misses."""
    sizes = "all => all.map(one => one.getBoundingClientRect()).filter(box => box.width < 44 || box.height < 44)"
    wrong: list[Any] = found.evaluate_all(sizes)
    return wrong


def test_a_hand_is_tapped_in_saved_and_played_through(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/cards/")
    asks(page, "Carlo", "hebt ab")
    card(page, "Ac").click()
    asks(page, "zuunterst")
    # An ace and a seven bring the pack back to Anna.
    card(page, "7c").click()
    asks(page, "Carlo", "hebt ab")
    card(page, "9c").click()
    for seat, name in ((1, "Beni"), (2, "Carlo"), (0, "Anna")):
        asks(page, name)
        assert not small(page.locator(".pickable"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        tick(page, *FULL["deal"]["hands"][seat])
    asks(page, "aufgedeckt")
    card(page, "Ts").click()
    for name, word in (("Anna", "weiter"), ("Beni", "schlagen"), ("Carlo", "mit"), ("Anna", "mit")):
        asks(page, name)
        card(page, word).click()
    asks(page, "Anna", "legt", "weg")
    tick(page, "9d", "7c")
    asks(page, "Anna", "zieht")
    tick(page, "Qs", "8h")
    asks(page, "Anna", "legt", "ab")
    card(page, "8h").click()
    asks(page, "Beni")
    tick(page, "8c")
    asks(page, "Beni", "zieht")
    card(page, "Ah").click()
    asks(page, "Carlo")
    tick(page)
    for trick in FULL["play"][:3]:
        for each in trick:
            expect(card(page, each)).to_be_visible()
            card(page, each).click()
    page.locator(".told-end [value=save]").click()
    page.wait_for_url(re.compile(r"/h/2/$"))
    assert Revision.objects.get(hand__number=2).record["play"] == FULL["play"]
    page.goto(f"/c/roessli/t/{table.pk}/h/2/through/")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".wind .at")).to_contain_text("1 /")
    page.keyboard.press("End")
    expect(page.locator(".said").first).to_contain_text("der Stich geht an Anna")


def test_a_greyed_card_says_why(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/paste/")
    text = '{"cuts": [["9c"]], "deal": {"hands": [["As","Kh","9d","7c"],["Ks","Qh","8c","Td"],["Js","9h","Ac","8d"]],'
    text += '"turned": ["Ts"]}, "calls": [[0,"schlagen"]], "answers": [[1,"mit"],[2,"mit"]],'
    text += '"exchanges": [{"seat": 0, "drop": ["9d"]}], "play": [["Ts", "Ks", "9h"]]}'
    page.fill("textarea", text)
    page.get_by_role("button").filter(has_text="prüfen").click()
    expect(page.locator("mark")).to_have_text('"9h"')
    expect(page.locator(".refused")).to_contain_text("Stich 1, Karte 3")
    page.locator("[value=go]").click()
    # Playwright takes a greyed card for one that nobody can tap.
    card(page, "9h").click(force=True)
    expect(page.locator("#refused")).to_contain_text("K7.2")


def test_a_pasted_tally_is_saved_from_the_page(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/paste/")
    page.fill("textarea", '{"cuts": [["x"]], "declarer": null}')
    page.get_by_role("button").filter(has_text="prüfen").click()
    page.locator(".told-end [value=save]").click()
    page.wait_for_url(re.compile(r"/h/2/$"))
    assert Revision.objects.get(hand__number=2).record["declarer"] is None
