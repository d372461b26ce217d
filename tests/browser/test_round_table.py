"""A table of a tournament's round on a phone of 360 × 640: whole chips, and an end after the last hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Table
from tests.cast import House
from tests.factories import enter
from tests.tournaments.rounds import create_round, create_tournament, entrants_of, table_of

from .sign_in import sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MONEY = re.compile(r"\d\.\d\d")


def drawn_table(home: House, game: str, seats: int) -> Table:
    """Return a table of a round of two hands."""
    tournament = create_tournament(home.club, game=game, hands=2)
    tournament.name = "Grosses Klausturnier der Chratzer vom oberen Toggenburg"
    tournament.save()
    entrants_of(tournament, seats)
    return table_of(create_round(tournament, {1: tuple(range(1, seats + 1))}))


def at(table: Table) -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/"


@pytest.mark.core
def test_two_hands_in_chips_and_the_table_is_done(home: House, page: Page) -> None:
    table = drawn_table(home, "chratze", 5)
    sign_in(page, at(table))
    screen = Screen(page)
    expect(page.locator("h1")).to_contain_text("Klausturnier")
    screen.tap(1, 2)
    expect(page.locator("#preview")).to_contain_text(re.compile("Anna|Beni|Carlo"))
    assert not MONEY.search(page.locator("main").inner_text())
    screen.save()
    expect(page.locator(".potline .pot")).to_have_text("100")
    page.goto(at(table))
    assert not MONEY.search(page.locator("main").inner_text())
    screen.check_layout()
    screen.tap(1, 2)
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/2/$"))
    expect(page.locator("[data-go]")).to_have_count(0)
    assert not MONEY.search(page.locator("main").inner_text())
    page.goto(at(table))
    expect(page.locator("[data-why]")).to_be_visible()
    expect(page.locator("#hand")).to_have_count(0)


def test_the_script_counts_chips_for_a_cut_in_kratzen(home: House, page: Page) -> None:
    table = drawn_table(home, "kratzen", 4)
    muss = {"cuts": [["x"]], "declarer": 0, "joiners": [1, 2, 3], "tricks": {"0": 2, "1": 1, "2": 1}}
    enter(table, muss)
    sign_in(page, at(table))
    pot = int(page.locator(".potline .pot").inner_text())
    page.locator("[data-cut-label]").tap()
    page.locator('[data-cut="A"]').tap()
    page.locator('[data-cut="x"]').tap()
    page.locator("#cuts .btn:not(.quiet)").tap()
    expect(page.locator(".potline .pot")).not_to_have_text(str(pot))
    assert int(page.locator(".potline .pot").inner_text()) > pot
    assert not MONEY.search(page.locator("main").inner_text())
