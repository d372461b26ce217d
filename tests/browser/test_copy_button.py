"""A tap copies the whole of a secret that is shown once, also where the phone shows only its beginning."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.cast import house

from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def new_key(page: Page) -> str:
    """Create an API key; return the text on the page."""
    house("roessli")
    sign_in(page, "/account/keys/")
    page.fill("[name=name]", "Tablet")
    page.locator("form .btn:not(.quiet)").tap()
    page.wait_for_selector("#key")
    return page.locator("#key").input_value()


def test_a_new_key_is_copied_whole(page: Page, phone: BrowserContext) -> None:
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = new_key(page)
    page.evaluate("navigator.clipboard.writeText('before')")
    button = page.locator("[data-copies]")
    label = button.inner_text()
    button.tap()
    expect(button).not_to_have_text(label)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == shown
    answer = page.request.get("/api/v1/me", headers={"Authorization": f"Bearer {copied}"})
    assert answer.status == 200


def test_without_a_clipboard_the_field_is_marked_to_be_copied_by_hand(page: Page) -> None:
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })")
    shown = new_key(page)
    expect(page.locator("[data-copies]")).to_be_hidden()
    page.locator("#key").tap()
    assert page.evaluate("window.getSelection().toString()") == shown
