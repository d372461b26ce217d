"""Waits of browser tests for what has no locator: the next frames, and the last line of the console."""

from __future__ import annotations

from playwright.sync_api import Page

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LAST_LINE = "This is the last line of the console."


def next_frame_shown(page: Page) -> None:
    """Return when the browser has shown a frame that was made after this call."""
    page.evaluate(TWO_FRAMES)


def console_read(page: Page) -> None:
    """Return when every line that the console has by the next frame was given to the listeners."""
    next_frame_shown(page)
    with page.expect_console_message(lambda message: message.text == LAST_LINE):
        page.evaluate("(line) => console.info(line)", LAST_LINE)


def calls_from_page_answered(page: Page) -> bool:
    """Let the handlers of routes and events run, which a plain sleep would hold up; return True."""
    return bool(page.evaluate("true"))
