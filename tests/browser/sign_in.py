"""Sign in as a person of the cast."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import Page

PASSWORD = "kreuz-sieben"


def fill_in(page: Page, role: str = "recorder") -> None:
    """Fill in the open sign-in page as the Rössli's person with this role. The caller waits for the next page."""
    page.fill("[name=username]", f"{role}@roessli.example.org")
    page.fill("[name=password]", PASSWORD)
    page.tap("main .btn:not(.quiet)")


def sign_in_as(page: Page, role: str) -> None:
    """Sign in on the sign-in page; wait for the next page."""
    page.goto("/login/")
    fill_in(page, role)
    page.wait_for_url(lambda url: not url.endswith("/login/"))


def sign_in(page: Page, path: str, role: str = "recorder") -> None:
    """Open a page that leads through the sign-in; wait until it is there."""
    page.goto("/login/?next=" + quote(path, safe=""))
    fill_in(page, role)
    # The address of the sign-in page may end with the path as well.
    page.wait_for_url(lambda url: url.endswith(path) and "/login/" not in url)
