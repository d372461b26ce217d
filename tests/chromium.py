"""The one Chromium of a test process: Playwright cannot be started twice in one thread."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright


@pytest.fixture(scope="session")
def orm_beside_playwright() -> Iterator[None]:
    """Playwright keeps an event loop in the test's thread; Django takes that for asynchronous code."""
    patch = pytest.MonkeyPatch()
    patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    yield
    patch.undo()


@pytest.fixture(scope="session")
def chromium(orm_beside_playwright: None) -> Iterator[Browser]:
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
