"""Sign in as a person of the cast."""

from __future__ import annotations

import re

from playwright.sync_api import Page

PASSWORD = "kreuz-sieben"


def fill_in(page: Page, role: str = "recorder") -> None:
    """Fill in the open sign-in page as the Rössli's person with this role. The caller waits for the next page."""
    page.fill("[name=username]", f"{role}@roessli.example.org")
    page.fill("[name=password]", PASSWORD)
    page.tap("main .btn:not(.quiet)")


def sign_in_as(page: Page, role: str) -> None:
    """Sign in without the page of the form: most tests begin with this, and its page takes as long as the rest."""
    form = page.request.get("/login/").text()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
    assert token, form
    fields = {"username": f"{role}@roessli.example.org", "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    answer = page.request.post("/login/", form=fields, max_redirects=0)
    assert answer.status == 302, answer.text()


def sign_in(page: Page, path: str, role: str = "recorder") -> None:
    """Sign in and open a page."""
    sign_in_as(page, role)
    page.goto(path)
