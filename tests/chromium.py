"""The Chromium that all browser tests of a process share: Playwright cannot start twice in one thread."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import WSGIRequestHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from playwright.sync_api import Browser, expect, sync_playwright

# The shell has no windows, tabs and address bars of its own: a test takes half of the processor time.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Each window would load two pages for the address bar, in processes of their own: half of what a short test costs.
ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup"]
# Playwright's own list: Chromium takes the last one that is given, not both.
PLAYWRIGHTS = [
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    "ThirdPartyStoragePartitioning",
]
# There is no graphics card: drawing without an imitation of one is faster.
NO_GRAPHICS = ["--disable-gpu", "--disable-software-rasterizer"]
# All tabs of a phone share one process: to begin one takes a tenth of a second.
ONE_PROCESS = "--process-per-site"
ARGUMENTS = ["--no-sandbox", ONE_PROCESS, *NO_GRAPHICS, "--disable-features=" + ",".join([*PLAYWRIGHTS, *ADDRESS_BAR])]


def program() -> str | None:
    """Return the Chromium that the tests start; None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def kill_browser(profile: Path) -> int:
    """Kill the browser of this profile, as a flat battery does: it has no chance to write. Return the number of its
    processes."""
    killed = 0
    own = f"--user-data-dir={profile}".encode()
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if own in process.read_bytes().split(b"\0"):
                os.kill(int(process.parent.name), signal.SIGKILL)
                killed += 1
    return killed


@pytest.fixture(scope="session")
def orm_beside_playwright() -> Iterator[None]:
    """Allow the ORM: Playwright keeps an event loop in the test's thread, which Django takes for asynchronous code."""
    patch = pytest.MonkeyPatch()
    patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    yield
    patch.undo()


@pytest.fixture(scope="session")
def static_files_kept() -> Iterator[None]:
    """Let a browser keep static files, as it does in production: else it requests each one again for each page."""
    real = StaticFilesHandler.serve

    def serve(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
        answer = real(handler, request)
        answer["Cache-Control"] = "max-age=3600"
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve)
        # An answer is written in two pieces; without this the second one waits 40 ms for the receipt of the first.
        patch.setattr(WSGIRequestHandler, "disable_nagle_algorithm", True)
        yield


@pytest.fixture(scope="session")
def chromium(orm_beside_playwright: None, static_files_kept: None) -> Iterator[Browser]:
    executable = program()
    if executable is None:
        reason = "no Chromium here: no screen was tested; `apt-get install chromium-headless-shell`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        # The limit is long, so that a busy machine is slow but no test fails for it.
        expect.set_options(timeout=20_000)
        yield browser
        browser.close()
