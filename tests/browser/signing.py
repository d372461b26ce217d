"""Signing in as a person of the cast."""

from __future__ import annotations

from playwright.sync_api import Page

PASSWORD = "kreuz-sieben"


def sign_in_as(page: Page, role: str) -> None:
    """As whoever has this role at the Rössli; the page after the sign-in has come when this returns."""
    page.goto("/login/")
    page.fill("[name=username]", f"{role}@roessli.example.org")
    page.fill("[name=password]", PASSWORD)
    page.click("main .btn:not(.quiet)")
    page.wait_for_url(lambda url: not url.endswith("/login/"))
