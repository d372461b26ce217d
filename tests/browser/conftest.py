"""A phone with Chromium that fails its test on any word of the content security policy and on any script's fault."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

PHONE = {"width": 360, "height": 640}
# What the browser writes down though all is well: a refused hand (a 4xx answer), a network that a test took away, and a
# preview that a newer tap overtook. Everything else is a fault.
EXPECTED = (
    "Failed to load resource: the server responded with a status of 4",
    "net::ERR_INTERNET_DISCONNECTED",
    "htmx:sendAbort",
    "htmx:sendError",
    "htmx:afterRequest",
)


@pytest.fixture(scope="session", autouse=True)
def orm_beside_playwright() -> Iterator[None]:
    """Playwright keeps an event loop in the test's thread; Django takes that for asynchronous code."""
    patch = pytest.MonkeyPatch()
    patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    yield
    patch.undo()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        told = "no Chromium here: nothing of the screens was tested; `apt-get install chromium`"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        # The limits are for what never comes: a machine that does much else at the same time is slow, not wrong.
        expect.set_options(timeout=20_000)
        yield browser
        browser.close()


@pytest.fixture
def said() -> list[str]:
    """What the browser's console said."""
    return []


@pytest.fixture
def phone(chromium: Browser, said: list[str], live_server: Any) -> Iterator[BrowserContext]:
    context = chromium.new_context(
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        locale="de-CH",
        base_url=live_server.url,
        reduced_motion="reduce",
    )
    context.set_default_timeout(20_000)
    yield context
    context.close()
    faults = [line for line in said if not any(known in line for known in EXPECTED)]
    assert not faults, faults


@pytest.fixture
def page(phone: BrowserContext, said: list[str]) -> Page:
    page = phone.new_page()

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(f"{message.type}: {message.text}")

    page.on("console", heard)
    page.on("pageerror", lambda fault: said.append(f"fault: {fault}"))
    return page
