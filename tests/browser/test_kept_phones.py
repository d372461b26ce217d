"""A phone that is used by one test after the other has nothing of the test before."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from tests.cast import House

from .conftest import new_phone
from .kept_phones import KeptPhones
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STORE = """async () => {
  localStorage.setItem("mine", "1");
  await new Promise((done) => { indexedDB.open("mine").onsuccess = done; });
  await caches.open("mine");
}"""
STORED = """async () => [
  ...Object.keys(localStorage),
  ...(await indexedDB.databases()).map((one) => one.name),
  ...(await caches.keys()),
]"""
ANSWER = "() => fetch('/c/roessli/').then((answer) => answer.ok, () => false)"
PERMISSION = "async () => (await navigator.permissions.query({ name: 'clipboard-read' })).state"


def use(phone: BrowserContext) -> None:
    """Sign in, store something of each kind, refuse the next page, and go offline."""
    page = phone.new_page()
    sign_in(page, "/healthz", "owner")
    page.evaluate(STORE)
    phone.grant_permissions(["clipboard-read"])
    phone.route("**/c/roessli/", lambda route: route.abort())
    phone.set_offline(True)


def found_on(phone: BrowserContext) -> list[Any]:
    """Return what the next test would find: tabs, cookies, and on a page: stored data, a permission, an answer."""
    remains: list[Any] = [len(phone.pages), len(phone.cookies())]
    page = phone.new_page()
    # Without a network no page opens.
    with contextlib.suppress(Error):
        page.goto("/healthz")
        remains += [page.evaluate(each) for each in (STORED, PERMISSION, ANSWER)]
    return remains


@pytest.fixture
def phones(chromium: Browser, live_server: Any) -> Iterator[KeptPhones]:
    kept_phones = KeptPhones(lambda: new_phone(chromium, live_server.url), live_server.url)
    yield kept_phones
    kept_phones.close()


def test_the_next_test_finds_nothing_of_the_one_before(phones: KeptPhones, home: House) -> None:
    with phones.one() as first:
        new = found_on(first)
    with phones.one() as phone:
        assert phone is first
        use(phone)
        assert found_on(phone) != new
    with phones.one() as phone:
        assert phone is first
        assert found_on(phone) == new


STEPS = [
    (Page, "close"),
    (BrowserContext, "unroute_all"),
    (BrowserContext, "set_offline"),
    (BrowserContext, "clear_cookies"),
    (BrowserContext, "clear_permissions"),
    (CDPSession, "send"),
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[1])
def test_without_one_step_the_next_test_finds_something(
    phones: KeptPhones, home: House, step: tuple[type, str]
) -> None:
    with phones.one() as phone:
        new = found_on(phone)
    with pytest.MonkeyPatch.context() as patch, phones.one() as phone:
        use(phone)
        patch.setattr(*step, lambda *_arguments: None)
    with phones.one() as phone:
        assert found_on(phone) != new


def test_a_phone_with_a_clock_of_a_test_is_not_used_again(phones: KeptPhones) -> None:
    with phones.one() as first:
        first.new_page().clock.install()
    with phones.one() as second:
        assert second is not first
        assert second.new_page().evaluate("() => Math.abs(Date.now() - performance.timeOrigin) < 1e9")
