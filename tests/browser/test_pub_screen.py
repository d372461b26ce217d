"""The pub screen on a television whose line is cut: it continues with its last state, also after a restart of the
browser, and recovers by itself; after the end of its link nothing is left."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.models import Table
from league.models import Club
from league.pub_screen.link import link_end, link_renew, token_of
from league.standings.counting import count_season
from tests.cast import House
from tests.chromium import ARGUMENTS, PROGRAMS
from tests.factories import FAILED, MADE, create_table, enter
from tests.faulty_line import FaultyLine, faulty_line
from tests.processes import wait_until

from .test_app_worker import AGED, KEPT, worker_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NET = "[data-offline]"


class Television:
    """A browser with a profile on the disk, behind a line that can be cut."""

    def __init__(self, chromium: Browser, line: FaultyLine, profile: Path) -> None:
        self.chromium, self.line, self.profile = chromium, line, profile
        self.start()

    def start(self) -> None:
        self.context: BrowserContext = self.chromium.browser_type.launch_persistent_context(
            self.profile,
            executable_path=next(filter(None, map(shutil.which, PROGRAMS))),
            args=ARGUMENTS,
            base_url=f"http://127.0.0.1:{self.line.port}",
            viewport={"width": 1280, "height": 720},
            locale="de-CH",
            service_workers="allow",
        )
        self.context.set_default_timeout(20_000)
        self.page: Page = self.context.pages[0] if self.context.pages else self.context.new_page()

    def open(self, path: str) -> None:
        """Open a screen, and wait until it is kept and follows its club through the service worker."""
        self.page.goto(path)
        wait_until(lambda: path in self.page.evaluate(KEPT), 20, "the screen is kept")
        wait_until(
            lambda: self.page.evaluate("navigator.serviceWorker.controller !== null"), 20, "the worker answers the page"
        )

    def start_again(self, path: str) -> None:
        """Close the browser and start it with the same profile, as after switching a television off."""
        self.context.close()
        self.start()
        self.page.goto(path)

    def hand(self) -> str:
        """The number of the hand that is played, in the first scene."""
        match = re.search(r"Spiel (\d+)", self.page.locator("[data-scene].table").first.inner_text())
        return match[1] if match else ""


@pytest.fixture
def television(chromium: Browser, live_server: Any, tmp_path: Path) -> Iterator[Television]:
    address = urlsplit(live_server.url)
    with faulty_line(address.hostname or "127.0.0.1", address.port or 80) as line:
        screen = Television(chromium, line, tmp_path / "profile")
        yield screen
        screen.context.close()


@pytest.fixture
def table(home: House) -> Table:
    """A table that is played today."""
    return create_table(club=home.club, season=home.season, author=home.recorder, held_on=timezone.localdate())


@pytest.fixture
def link(table: Table) -> str:
    """The link of a private club's screen, on the evening of a table with one hand."""
    played(table)
    Club.objects.filter(pk=table.evening.club_id).update(visibility=Club.Visibility.PRIVATE)
    made = link_renew(club=table.evening.club, actor=None)
    return reverse("screen-link", kwargs={"token": token_of(made)})


def played(table: Table, record: dict[str, Any] = MADE) -> None:
    """One more hand of the table."""
    enter(table, record)
    count_season(table.evening.season_id)


def shows_hand(television: Television, number: str) -> None:
    wait_until(lambda: television.hand() == number, 20, f"the screen shows hand {number}")


CUT_NAMES = """() => [...document.querySelectorAll('.scene.table .seats b')]
    .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""
BESIDE = "(seats) => { seats.style.display = 'grid'; }"


def test_the_names_at_a_table_are_whole(television: Television, link: str) -> None:
    page = television.page
    page.goto(link)
    expect(page.locator(".scene.table .seats b").first).to_be_visible()
    assert page.evaluate(CUT_NAMES) == []
    # Twin: beside each other they have no room.
    page.locator(".scene.table .seats").first.evaluate(BESIDE)
    assert page.evaluate(CUT_NAMES) != []


def test_a_screen_restarted_without_a_network_shows_its_last_state_and_recovers(
    television: Television, link: str, table: Table
) -> None:
    television.open(link)
    shows_hand(television, "2")
    played(table, FAILED)
    shows_hand(television, "3")
    television.line.cut()
    played(table)
    television.page.evaluate(AGED, 2)
    television.start_again(link)
    assert television.hand() == "3"
    notice = television.page.locator(NET)
    expect(notice).to_be_visible()
    expect(notice).to_contain_text(re.compile(r"Kein Netz.*\d+\. \w+.*\d\d:\d\d"))
    before = television.page.locator("[data-scene]:visible").get_attribute("class")
    television.page.keyboard.press("ArrowRight")
    assert television.page.locator("[data-scene]:visible").get_attribute("class") != before
    television.line.repair()
    shows_hand(television, "4")
    expect(notice).to_be_hidden()


def test_without_a_network_a_screen_asks_for_nothing(television: Television, link: str) -> None:
    page, tried = television.page, []
    page.clock.install()
    television.open(link)
    television.context.set_offline(True)
    page.on("request", lambda request: tried.append(request.url))
    page.clock.run_for(60_000)
    expect(page.locator(NET)).to_be_visible()
    assert tried == []
    with page.expect_request("**"):
        television.context.set_offline(False)


def test_without_the_kept_updates_a_screen_would_show_its_first_state(
    television: Television, link: str, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker_with(monkeypatch, {'request.headers.has("To-Keep")': "false"})
    television.open(link)
    played(table, FAILED)
    shows_hand(television, "3")
    television.line.cut()
    television.start_again(link)
    assert television.hand() == "2"


def ended_while_away(television: Television, link: str, table: Table) -> None:
    """End the link while the line is cut, and start the screen again: it does not have the news."""
    television.open(link)
    shows_hand(television, "2")
    television.line.cut()
    link_end(club=table.evening.club, actor=None)
    television.start_again(link)
    assert television.hand() == "2"


def test_a_link_that_is_over_is_gone_at_the_next_contact(television: Television, link: str, table: Table) -> None:
    ended_while_away(television, link, table)
    television.line.repair()
    expect(television.page.locator("[data-pub-screen]")).to_have_count(0)
    wait_until(lambda: link not in television.page.evaluate(KEPT), 20, "nothing of the screen is kept")
    television.line.cut()
    television.start_again(link)
    expect(television.page.locator("h1").first).to_contain_text("Kein Netz")
    expect(television.page.locator("[data-pub-screen]")).to_have_count(0)


def test_without_the_removal_of_refused_pages_an_ended_link_would_be_shown_again(
    television: Television, link: str, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker_with(monkeypatch, {"(await caches.open(name)).delete(path)": "null"})
    ended_while_away(television, link, table)
    television.line.repair()
    expect(television.page.locator("[data-pub-screen]")).to_have_count(0)
    television.line.cut()
    television.start_again(link)
    assert television.hand() == "2"


@pytest.mark.core
def test_an_ended_link_with_parameters_is_gone_as_well(television: Television, link: str, table: Table) -> None:
    television.open(link)
    link_end(club=table.evening.club, actor=None)
    television.page.goto(f"{link}?x=1")
    wait_until(lambda: link not in television.page.evaluate(KEPT), 20, "nothing of the screen is kept")


class Portal(BaseHTTPRequestHandler):
    """The answer of a pub's network before its conditions are accepted."""

    answered = 0

    def do_GET(self) -> None:
        type(self).answered += 1
        body = b"<p>Welcome to the network of the pub</p>"
        self.send_response(404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""


def pub_answers(television: Television) -> None:
    """Let another server answer in place of ours, until it was asked for a page twice."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Portal) as portal:
        threading.Thread(target=portal.serve_forever, daemon=True).start()
        Portal.answered = 0
        television.line.lead_to(portal.server_port)
        television.line.cut()
        television.line.repair()
        wait_until(lambda: Portal.answered > 1, 40, "the network answered in place of the server")
        television.page.wait_for_load_state()
        portal.shutdown()


def test_an_answer_of_the_pubs_network_does_not_replace_the_screen(
    television: Television, link: str, table: Table
) -> None:
    television.open(link)
    shows_hand(television, "2")
    pub_answers(television)
    assert television.hand() == "2"
    assert link in television.page.evaluate(KEPT)
