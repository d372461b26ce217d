"""A phone with Chromium that fails its test on any word of the content security policy and on any script's fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

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
