"""A phone in Chromium; its test fails on any script error and any violation of the content security policy."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page

from games.models import Table
from tests import chromium as browsers
from tests.cast import House, house
from tests.factories import PlayerFactory, create_table

from .kept_phones import KeptPhones

PHONE = {"width": 360, "height": 640}
# Console lines that are no error: a refused hand (a 4xx answer), a network that the test cuts off, and a
# preview that a newer tap replaced.
EXPECTED = (
    "Failed to load resource: the server responded with a status of 4",
    "net::ERR_INTERNET_DISCONNECTED",
    "htmx:sendAbort",
    "htmx:sendError",
    "htmx:afterRequest",
    "Service Worker registration blocked by Playwright",
)


def new_phone(chromium: Browser, address: str, *, with_worker: bool = False) -> BrowserContext:
    """Return a phone. Without the service worker, which only its own tests need: it would request pages of its own."""
    context = chromium.new_context(
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        locale="de-CH",
        base_url=address,
        reduced_motion="reduce",
        service_workers="allow" if with_worker else "block",
    )
    context.set_default_timeout(20_000)
    return context


def phone_on_disk(chromium: Browser, address: str, profile: Path, *, with_worker: bool = False) -> BrowserContext:
    """Return a phone with a profile on the disk, which another one can take up (`battery_ends`)."""
    context = chromium.browser_type.launch_persistent_context(
        profile,
        executable_path=browsers.program(),
        args=browsers.ARGUMENTS,
        base_url=address,
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        locale="de-CH",
        reduced_motion="reduce",
        service_workers="allow" if with_worker else "block",
    )
    context.set_default_timeout(20_000)
    return context


def battery_ends(phone: BrowserContext, profile: Path) -> None:
    """Kill all processes of a phone, with no chance to write; its profile is free then."""
    assert browsers.kill_browser(profile)
    with contextlib.suppress(Error):
        phone.close()
    (profile / "SingletonLock").unlink(missing_ok=True)


def house_with_five_players() -> House:
    """Return a club that publishes money, with five players."""
    home = house("roessli")
    for name in ("Anna", "Beni", "Carlo", "Doris", "Emil"):
        PlayerFactory(club=home.club, nickname=name)
    home.club.publishes_money = True
    home.club.save()
    return home


@pytest.fixture
def home(transactional_db: None) -> House:
    """A club without a table. A test file whose club differs has a fixture of its own."""
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    """A table of five, opened by the recorder, without a hand."""
    return create_table(club=home.club, season=home.season, author=home.recorder)


@pytest.fixture
def console() -> list[str]:
    """The errors and warnings of the browser's console."""
    return []


@pytest.fixture
def expected() -> tuple[str, ...]:
    """Parts of console lines that are no fault. A test file that cuts the network off adds its own."""
    return EXPECTED


@pytest.fixture(scope="session")
def kept_phones(chromium: Browser, live_server: Any) -> Iterator[KeptPhones]:
    phones = KeptPhones(lambda: new_phone(chromium, live_server.url), live_server.url)
    yield phones
    phones.close()


@pytest.fixture
def phone(kept_phones: KeptPhones, console: list[str], expected: tuple[str, ...]) -> Iterator[BrowserContext]:
    with kept_phones.one() as context:
        yield context
    # A request under way may still write to the console while the tabs of the phone are closed.
    faults = [line for line in console if not any(known in line for known in expected)]
    assert not faults, faults


@pytest.fixture
def page(phone: BrowserContext, console: list[str]) -> Page:
    page = phone.new_page()

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            console.append(f"{message.type}: {message.text}")

    page.on("console", note)
    page.on("pageerror", lambda fault: console.append(f"fault: {fault}"))
    return page
