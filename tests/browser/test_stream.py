"""A phone that looks on sees a new hand by the event stream, and by its polls once the stream is cut."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import Table
from games.table import pencil
from league import news
from league.models import User
from tests.cast import House
from tests.factories import MADE, create_table, enter
from tests.nginx import nginx
from tests.processes import Process
from tests.streams import Stream, publishing, start_stream

from .conftest import new_phone

pytestmark = [pytest.mark.browser, pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

NOTE = """
window.polls = 0;
document.addEventListener("stream-changed", (event) => { window.streamIsOpen = event.detail.open; });
document.addEventListener("htmx:afterRequest", (event) => { window.polls += event.target.id === "live"; });
"""
POLLED = "count => window.polls >= count"
IS_OPEN, IS_CUT = "() => window.streamIsOpen === true", "() => window.streamIsOpen === false"
BEHIND = {"BEHIND_PROXY": "1", "ALLOWED_HOSTS": "127.0.0.1"}
HEARD_MS = 5000
"""A hand is shown in this time: far sooner than the next poll beside a stream."""


@dataclass
class Looker:
    """A phone with a page that looks on, and the errors of its console."""

    page: Page
    stream: Stream
    faults: list[str] = field(default_factory=list)

    def opens(self, path: str, person: User | None = None) -> None:
        if person is not None:
            client = Client()
            client.force_login(person)
            address = self.page.context.pages[0].evaluate("location.origin")
            self.page.context.add_cookies(
                [{"name": name, "value": cookie.value, "url": address} for name, cookie in client.cookies.items()]
            )
        self.page.goto(path)
        self.page.wait_for_function(IS_OPEN)
        # The first poll after the beginning of the stream.
        self.page.wait_for_function(POLLED, arg=1)

    @property
    def polls(self) -> int:
        return int(self.page.evaluate("window.polls"))


@pytest.fixture
def table(home: House) -> Table:
    """A table of this evening: the page of an earlier one does not poll."""
    today = timezone.localdate()
    return create_table(club=home.club, season=home.season, author=home.recorder, held_on=today)


@pytest.fixture
def looker(
    table: Table,
    chromium: Browser,
    web_server: Callable[..., Process],
    start_process: Callable[..., Process],
    settings: Any,
    tmp_path: Path,
) -> Iterator[Looker]:
    """A phone behind the documented nginx, with the web server and the stream."""
    stream = start_stream(start_process, **BEHIND)
    web = urlsplit(web_server(**BEHIND, STREAM="1").url).port or 0
    with nginx(tmp_path, web, stream=stream.port) as proxy, publishing(settings):
        phone = new_phone(chromium, f"http://127.0.0.1:{proxy.port}")
        looker = Looker(phone.new_page(), stream)
        looker.page.add_init_script(NOTE)
        looker.page.goto("/healthz")
        looker.page.on("console", lambda line: looker.faults.append(line.text) if line.type == "error" else None)
        looker.page.on("pageerror", lambda fault: looker.faults.append(str(fault)))
        yield looker
        phone.close()
    assert looker.faults == []


def evening(table: Table) -> str:
    return f"/c/roessli/e/{table.evening_id}/"


def hands(looker: Looker, count: int) -> None:
    expect(looker.page.locator("[id^=hand-]")).to_have_count(count, timeout=HEARD_MS)


def test_a_visitor_sees_a_hand_by_the_stream_and_without_it(looker: Looker, table: Table) -> None:
    looker.opens(evening(table))
    asked = looker.polls
    enter(table, MADE)
    hands(looker, 1)
    assert looker.polls <= asked + 2
    looker.stream.process.kill()
    looker.page.wait_for_function(IS_CUT)
    enter(table, MADE)
    hands(looker, 2)
    # At the usual pace again.
    looker.page.wait_for_function(POLLED, arg=looker.polls + 3)


def test_without_the_news_the_hand_would_not_be_seen(
    looker: Looker, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin of the test above: the polls beside a stream are too rare to show it."""
    monkeypatch.setattr(news, "tell", lambda *_topics: None)
    looker.opens(evening(table))
    enter(table, MADE)
    with pytest.raises(AssertionError):
        hands(looker, 1)


def test_a_viewer_of_the_table_sees_a_hand_by_the_stream(looker: Looker, table: Table, home: House) -> None:
    pencil.take(table, home.recorder, str(uuid.uuid4()))
    looker.opens(f"/c/roessli/t/{table.pk}/", home.owner)
    enter(table, MADE, author=home.recorder)
    expect(looker.page.locator("#live")).to_contain_text("Spiel 2", timeout=HEARD_MS)


def test_a_page_that_is_left_and_found_again_has_its_stream(looker: Looker, table: Table) -> None:
    looker.opens(evening(table))
    looker.page.goto("/c/roessli/")
    looker.page.go_back()
    looker.page.wait_for_function(IS_OPEN)
    enter(table, MADE)
    hands(looker, 1)


def test_a_club_that_becomes_private_ends_the_stream(looker: Looker, table: Table, home: House) -> None:
    looker.opens(evening(table))
    home.club.visibility = home.club.Visibility.PRIVATE
    home.club.save()
    looker.page.wait_for_function(IS_CUT)
    with looker.page.expect_console_message(lambda line: "404" in line.text):
        pass
    looker.page.close()
    looker.faults.clear()
