"""The public pages of a tournament in a browser: a seat that is found and remembered, a screen that turns by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from league.models import Player, Tournament
from league.tournaments import entries, rounds
from tests.cast import House
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHERE = "/c/roessli/tournaments/cup/"
HD = ViewportSize(width=1920, height=1080)


@pytest.fixture
def cup(home: House) -> Tournament:
    """A tournament of 13 people whose second round is played."""
    made = made_tournament(home.club, None, rounds=4, minutes=40)
    with_entrants(made, None, 13)
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.NICKNAME)
    play_round(made, None)
    drawn_round(made, None, seed=2)
    rounds.round_start(tournament=made, author=None, number=2)
    return made


def table_of(tournament: Tournament, number: int) -> int:
    """Return the number of the table of an entrant in the last round."""
    plan = tournament.rounds.order_by("number").last().draw.plan  # type: ignore[union-attr]
    return next(int(table["number"]) for table in plan["tables"] if number in table["seats"])


def ask(page: Page, who: str) -> None:
    page.fill("#who", who)
    page.press("#who", "Enter")


def test_a_seat_is_found_without_an_account_and_remembered_on_the_phone(page: Page, cup: Tournament) -> None:
    page.goto(f"{WHERE}seat/")
    ask(page, "G1")
    expect(page.locator(".fits button")).to_have_count(0)
    expect(page.locator("[data-me]")).to_contain_text("1, G1")
    expect(page.locator(".plan .number")).to_have_text(str(table_of(cup, 1)))
    page.reload()
    expect(page.locator(".plan .number")).to_have_text(str(table_of(cup, 1)))
    expect(page.locator("#who")).to_be_hidden()
    page.tap("[data-other]")
    ask(page, "12")
    expect(page.locator("[data-me]")).to_contain_text("12, G12")
    # Somebody whose name the page has not: the server knows it, and answers the number.
    Player.objects.filter(nickname="G3").update(nickname="Wendelin Graf", publicity=Player.Publicity.INITIALS)
    page.reload()
    page.tap("[data-other]")
    ask(page, "wendelin  gräf")
    expect(page.locator("[data-me]")).to_contain_text("3, W. G.")


@pytest.mark.parametrize("link", ["#11", "?who=11"])
def test_a_link_chooses_somebody_and_leaves_the_address_that_is_kept(page: Page, cup: Tournament, link: str) -> None:
    page.goto(f"{WHERE}seat/{link}")
    expect(page.locator("[data-me]")).to_contain_text("11, G11")
    assert page.url.endswith("/seat/")


def test_several_matches_are_offered_without_a_choice(page: Page, cup: Tournament) -> None:
    page.goto(f"{WHERE}seat/")
    ask(page, "G")
    expect(page.locator(".fits button")).to_have_count(13)
    page.tap(".fits button:has-text('7 · G7')")
    expect(page.locator("[data-me]")).to_contain_text("7, G7")
    page.tap("[data-other]")
    ask(page, "Nobody")
    expect(page.locator("[data-fits-says]")).not_to_be_empty()
    expect(page.locator(".fits li")).to_have_count(0)
    expect(page.locator("[data-answer]")).to_be_hidden()


@pytest.mark.core
def test_the_next_draw_appears_by_itself(page: Page, cup: Tournament) -> None:
    page.clock.install()
    page.goto(f"{WHERE}seat/")
    ask(page, "5")
    first = page.locator(".plan .number")
    expect(first).to_have_text(str(table_of(cup, 5)))
    rounds.round_finish(tournament=cup, author=None, number=2, despite_open=True)
    page.clock.run_for(13_000)
    expect(page.locator(".plan")).to_have_count(0)
    expect(page.locator("[data-say]")).to_have_class(re.compile("alone"))
    drawn_round(cup, None, seed=33)
    page.clock.run_for(13_000)
    expect(first).to_have_text(str(table_of(cup, 5)))


def test_the_clock_counts_on_between_two_polls_and_stands_when_it_is_stopped(page: Page, cup: Tournament) -> None:
    page.clock.install()
    page.goto(f"{WHERE}seat/")
    ask(page, "5")
    face = page.locator(".rows [data-clock-face]")
    expect(face).to_have_text(re.compile(r"(40:00|39:5\d)"))
    page.clock.run_for(5_000)
    expect(face).to_have_text(re.compile(r"39:5[0-6]"))
    rounds.clock_pause(tournament=cup, author=None, number=2)
    page.clock.run_for(13_000)
    expect(face).to_have_class(re.compile("stands"))
    shown = face.text_content()
    page.clock.run_for(5_000)
    expect(face).to_have_text(shown or "")


def test_a_notice_appears_five_minutes_before_the_end(page: Page, cup: Tournament) -> None:
    cup.rounds.filter(number=2).update(elapsed_seconds=2090)
    page.clock.install()
    page.goto(WHERE)
    says = page.locator("[data-clock-says]")
    expect(page.locator("[data-clock-face]")).to_have_text(re.compile("5:0"))
    expect(says).to_be_empty()
    page.clock.run_for(12_000)
    expect(says).to_contain_text("5")


def test_the_screen_turns_by_itself_until_somebody_stops_it(phone: BrowserContext, page: Page, cup: Tournament) -> None:
    page.set_viewport_size(HD)
    page.clock.install()
    page.goto(f"{WHERE}screen/")
    shown = "[...document.querySelectorAll('[data-scene]')].findIndex((page) => !page.hidden)"
    assert page.evaluate(shown) == 0
    page.clock.run_for(25_000)
    assert page.evaluate(shown) == 1
    page.keyboard.press(" ")
    page.clock.run_for(60_000)
    assert page.evaluate(shown) == 1
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(shown) == 0
    page.keyboard.press(" ")
    page.clock.run_for(25_000)
    assert page.evaluate(shown) == 1


@pytest.mark.parametrize("count", [8, 120])
def test_nothing_on_the_screen_is_cut_off_or_scrolls(page: Page, home: House, count: int) -> None:
    made = made_tournament(home.club, None, minutes=40)
    with_entrants(made, None, count)
    long = "Maximiliana-Theresia von Arx-Oberdorf"
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.NICKNAME)
    Player.objects.filter(nickname="G2").update(nickname=long)
    play_round(made, None)
    drawn_round(made, None)
    page.set_viewport_size(HD)
    for _state in ("drawn", "playing"):
        page.goto(f"{WHERE}screen/")
        scenes = page.locator("[data-scene]").count()
        assert scenes >= 2
        for scene in range(scenes):
            too_low = page.evaluate(OVERFLOWS, scene)
            assert too_low == [], f"{_state} {scene}"
        rounds.round_start(tournament=made, author=None, number=2)


@pytest.mark.parametrize("high", [720, 768, 1080])
def test_the_buttons_of_the_screen_leave_the_address_of_the_seats_free(page: Page, cup: Tournament, high: int) -> None:
    page.set_viewport_size(ViewportSize(width=high * 16 // 9, height=high))
    page.goto(f"{WHERE}screen/")
    page.mouse.move(300, 300)
    page.mouse.move(400, 300)
    tools, foot = page.locator("[data-tools]"), page.locator(".foot .where")
    expect(tools).to_be_visible()
    above, below = tools.bounding_box(), foot.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]


def test_a_long_name_is_cut_with_an_ellipsis_on_the_screen(page: Page, cup: Tournament) -> None:
    """In the strip of tables, in the ranking and in the list of names: one line each, the end is cut."""
    long = "Maximiliana-Theresia Bartholomäa von Arx-Oberdorf zu Unterdorf"
    Player.objects.filter(club=cup.club, nickname="G2").update(nickname=long)
    page.set_viewport_size(HD)
    page.goto(f"{WHERE}screen/")
    nodes = page.evaluate(CUT, long)
    assert len(nodes) >= 3
    assert all(node["cut"] and node["lines"] == 1 for node in nodes), nodes


CUT = """(name) => {
  for (const part of document.querySelectorAll("[data-scene], [data-strip]")) part.hidden = false;
  return [...document.querySelectorAll(".seats li, .st b, .nm span")]
    .filter((node) => node.textContent.trim() === name)
    .map((node) => ({
      what: node.tagName,
      cut: node.scrollWidth > node.clientWidth && getComputedStyle(node).textOverflow === "ellipsis",
      lines: Math.round(node.clientHeight / parseFloat(getComputedStyle(node).lineHeight)),
    }));
}"""
"""Each place where a name is shown, on all pages of the screen."""


OVERFLOWS = """(scene) => {
  const all = [...document.querySelectorAll("[data-scene]")];
  all.forEach((page, n) => { page.hidden = n !== scene; });
  const root = document.documentElement;
  const foot = document.querySelector(".foot").getBoundingClientRect().top;
  const low = [...all[scene].querySelectorAll("li, .tb, .seats, .clock")]
    .filter((node) => node.checkVisibility() && node.getBoundingClientRect().bottom > foot + 1)
    .map((node) => node.textContent.trim().slice(0, 30));
  const strip = all[scene].querySelector(".strip");
  const top = strip ? strip.getBoundingClientRect().top : Infinity;
  const under = [...all[scene].querySelectorAll(".beside li, .tick > *")]
    .filter((node) => node.getBoundingClientRect().bottom > top + 1)
    .map((node) => node.textContent.trim().slice(0, 30));
  const names = [...all[scene].querySelectorAll(".tb")]
    .filter((node) => node.scrollHeight > node.clientHeight + 1)
    .map((node) => node.textContent);
  const wide = root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight ? ["scrolls"] : [];
  return [...low, ...under, ...names, ...wide];
}"""


def test_without_a_network_the_screen_keeps_its_content_and_recovers(
    phone: BrowserContext, page: Page, cup: Tournament
) -> None:
    page.set_viewport_size(HD)
    page.clock.install()
    page.goto(f"{WHERE}screen/")
    net = page.locator("[data-offline]")
    expect(net).to_be_hidden()
    phone.set_offline(True)
    tried: list[str] = []
    page.on("request", lambda request: tried.append(request.url))
    page.clock.run_for(40_000)
    expect(net).to_be_visible()
    # Each request would be an error in the console.
    assert tried == []
    assert page.locator("[data-scene]").count() > 1
    entries.enter(tournament=cup, author=None, people=[entries.Newcomer(nickname="Late", here=True)])
    version = page.get_attribute("[data-tournament]", "data-version")
    phone.set_offline(False)
    page.clock.run_for(8_000)
    expect(net).to_be_hidden()
    expect(page.locator("[data-tournament]")).not_to_have_attribute("data-version", version or "")
