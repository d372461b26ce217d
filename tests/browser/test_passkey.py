"""Passkeys in a browser with a virtual authenticator: created, used to sign in and as a second factor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.cast import House

from .sign_in import PASSWORD, fill_in

pytestmark = pytest.mark.browser


@pytest.fixture
def base(live_server: Any) -> str:
    # A passkey belongs to a host name; an IP address cannot have one.
    return str(live_server.url).replace("127.0.0.1", "localhost")


@pytest.fixture
def authenticator(page: Page) -> Iterator[CDPSession]:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield session
    session.detach()


def sign_in(page: Page, base: str, onward: str = "") -> None:
    page.goto(f"{base}/login/" + (f"?next={onward}" if onward else ""))
    fill_in(page, "member")
    page.wait_for_url(lambda url: urlsplit(url).path != "/login/")


def sign_out(page: Page, base: str) -> None:
    page.goto(f"{base}/account/")
    page.tap("form[action='/logout/'] button")
    page.wait_for_url(f"{base}/")


def add_passkey(page: Page, base: str, name: str, *, alone: bool) -> None:
    page.goto(f"{base}/account/passkeys/add/")
    page.fill("[name=name]", name)
    page.locator("[name=passwordless]").set_checked(alone)
    page.tap("main .btn:not(.quiet)")
    page.wait_for_url(re.compile("/account/factors/"))


@pytest.mark.core
def test_a_passkey_is_created_and_signs_in_without_a_password(
    page: Page, base: str, home: House, authenticator: CDPSession
) -> None:
    sign_in(page, base)
    add_passkey(page, base, "Handy von Anna", alone=True)
    page.goto(f"{base}/account/passkeys/")
    expect(page.get_by_text("Handy von Anna")).to_be_visible()
    sign_out(page, base)
    page.goto(f"{base}/login/?next=/c/roessli/")
    page.tap("[data-passkey='sign-in'] button")
    page.wait_for_url(f"{base}/c/roessli/")
    page.goto(f"{base}/account/")
    expect(page.locator("main")).to_contain_text(home.member.email)


def test_a_passkey_is_the_second_factor_beside_the_password(
    page: Page, base: str, home: House, authenticator: CDPSession
) -> None:
    sign_in(page, base)
    add_passkey(page, base, "Schlüssel", alone=False)
    sign_out(page, base)
    sign_in(page, base, "/c/roessli/")
    page.wait_for_url(f"{base}/login/factor/")
    page.tap("[data-passkey=show] button")
    page.wait_for_url(f"{base}/c/roessli/")


def test_without_a_known_passkey_the_page_says_so_and_the_password_works(
    page: Page, base: str, home: House, authenticator: CDPSession, console: list[str]
) -> None:
    page.goto(f"{base}/login/")
    page.tap("[data-passkey='sign-in'] button")
    expect(page.locator("[data-fault]")).to_be_visible()
    sign_in(page, base)
    page.wait_for_url(f"{base}{home.club.get_absolute_url()}")


def test_a_new_password_can_be_seen_while_it_is_typed(page: Page, base: str, home: House) -> None:
    sign_in(page, base)
    page.goto(f"{base}/account/password/")
    field = page.locator("[name=password1]")
    field.fill("fahrrad lampe regen")
    expect(field).to_have_attribute("type", "password")
    page.tap(".secret button")
    expect(field).to_have_attribute("type", "text")
    page.fill("[name=oldpassword]", PASSWORD)
    page.tap("main .btn")
    expect(page.locator(".note")).to_be_visible()
