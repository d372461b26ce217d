"""Signing in as a person of the cast."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import Page

PASSWORD = "kreuz-sieben"


def fill_in(page: Page, role: str = "recorder") -> None:
    """The sign-in that is open, as whoever has this role at the Rössli. What comes then is waited for by the caller."""
    page.fill("[name=username]", f"{role}@roessli.example.org")
    page.fill("[name=password]", PASSWORD)
    page.click("main .btn:not(.quiet)")


def sign_in_as(page: Page, role: str) -> None:
    """Through the page of the sign-in; the one after it has come when this returns."""
    page.goto("/login/")
    fill_in(page, role)
    page.wait_for_url(lambda url: not url.endswith("/login/"))


def sign_in(page: Page, path: str, role: str = "recorder") -> None:
    """Through the sign-in to this page, which has come when this returns."""
    page.goto("/login/?next=" + quote(path, safe=""))
    fill_in(page, role)
    # The sign-in's own address may end with the path as well.
    page.wait_for_url(lambda url: url.endswith(path) and "/login/" not in url)
