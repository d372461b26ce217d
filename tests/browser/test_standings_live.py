"""The standings on a phone update themselves without moving anything on the page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Table
from league.models import SeasonCount
from league.standings.counting import count_season
from tests.cast import House, house
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOPS = """() => [...document.querySelectorAll("#standings, #standings tr, #course, #evenings")]
  .map((node) => Math.round(node.getBoundingClientRect().top + window.scrollY))"""


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    home.season.best_evenings = 8
    home.season.planned_evenings = 20
    home.season.save()
    table = create_table(season=home.season, club=home.club)
    for record in (MADE, FAILED, WALKOVER):
        enter(table, record)
    count_season(home.season.pk)
    return home


@pytest.fixture
def standings(page: Page, home: House) -> Page:
    """The season's page with a clock that the test controls; `window.answers` lists the answers to its polls."""
    page.clock.install()
    page.goto(f"/c/roessli/s/{home.season.slug}/")
    page.evaluate("""() => {
      window.answers = [];
      window.piece = document.getElementById("live");
      document.addEventListener("htmx:afterRequest", (event) => window.answers.push(event.detail.xhr.status));
    }""")
    return page


def poll(page: Page, times: int = 1) -> list[Any]:
    """Let the page poll, and wait for the answers."""
    for _ in range(times):
        before = page.evaluate("window.answers.length")
        page.clock.run_for(5100)
        page.wait_for_function("before => window.answers.length > before", arg=before)
    answers: list[Any] = page.evaluate("window.answers")
    return answers


def test_polls_without_news_change_nothing(standings, home):
    assert set(poll(standings, 2)) == {304}
    assert standings.evaluate("window.piece === document.getElementById('live')")


def test_ages_advance_without_the_server(standings, home):
    age = standings.locator("#standings time.age")
    first = age.text_content()
    # Each answer would tell the page the time of the server, which is not the test's.
    standings.context.set_offline(True)
    standings.clock.run_for(3000)
    assert age.text_content() != first
    standings.clock.run_for(3600_000)
    assert "1 h" in (age.text_content() or "")


@pytest.mark.core
def test_a_new_hand_updates_the_rows_in_place(standings, home):
    standings.locator("#course-table summary").tap()
    name = standings.locator("#standings tbody a").first
    name.focus()
    focused = name.get_attribute("id")
    tops = standings.evaluate(TOPS)
    enter(Table.objects.get(), WALKOVER)
    assert poll(standings)[-1] == 200
    expect(standings.locator("#standings .fresh b")).to_be_visible()
    assert standings.evaluate(TOPS) == tops
    assert standings.evaluate("document.activeElement.id") == focused
    assert standings.locator("#course-table").get_attribute("open") is not None

    hands = standings.locator("#standings tbody tr").first
    before = hands.text_content()
    count_season(home.season.pk)
    assert SeasonCount.objects.get().counted_mark == 4
    poll(standings)
    expect(standings.locator("#standings .fresh b")).to_have_count(0)
    assert hands.text_content() != before
    assert standings.evaluate(TOPS) == tops


def test_a_hidden_page_sends_no_polls(standings, home):
    standings.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    standings.clock.run_for(20_000)
    assert standings.evaluate("window.answers.length") == 0
    standings.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => false, configurable: true })")
    assert poll(standings) == [304]
