"""Messages by push on a phone: the switch on the page; what the service worker shows, to whom, and where a tap leads.

A browser without a screen has no push service and asks nobody for a permission. So the page gets a stand-in for both,
whose subscription is one of the tests' own push service, and DevTools deliver the messages to the worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from league.models import Membership, MessageChoice, PushDevice
from league.player_messages import push_devices, push_key
from league.player_messages.push_devices import Owner, Subscription
from league.web.kept_pages import account_digest
from tests.cast import House
from tests.factories import PlayerFactory
from tests.league import push_service
from tests.league.player_messages import account, wants
from tests.processes import wait_until

from .conftest import new_phone
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STAND_IN = """() => {
  self.shown = new Map();
  registration.showNotification = async (title, { body, tag, data }) => {
    self.shown.set(tag, { title, body, url: new URL(data.url, location.origin).href, data });
  };
}"""
"""A browser without a screen refuses every notification: the worker gets a place to put them."""
SHOWN = "(tag) => self.shown.get(tag) ?? null"
ACCOUNT = """async () => {
  const found = await (await caches.open("chratzete-state")).match("/account");
  return found ? found.text() : "";
}"""
TAP = """async (tag) => {
  self.clients.openWindow = async (url) => { self.opened = url; };
  const tap = new Event("notificationclick");
  tap.notification = { data: self.shown.get(tag).data, close: () => self.shown.delete(tag) };
  tap.waitUntil = (work) => { self.done = work; };
  self.dispatchEvent(tap);
  await self.done;
  return self.opened;
}"""
HIDDEN = "Melde dich an"

BROWSER = """({ endpoint, p256dh, auth, answer }) => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const kept = globalThis.localStorage;
  const subscription = () => ({
    endpoint,
    getKey: (name) => bytes({ p256dh, auth }[name]).buffer,
    options: { applicationServerKey: new Uint8Array(JSON.parse(kept.getItem("subscribed"))).buffer },
    unsubscribe: async () => { kept.removeItem("subscribed"); return true; },
  });
  Object.defineProperty(Notification, "permission", { get: () => kept.getItem("permission") ?? "default" });
  Notification.requestPermission = async () => { kept.setItem("permission", answer); return answer; };
  PushManager.prototype.getSubscription = async () => (kept.getItem("subscribed") ? subscription() : null);
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly || Notification.permission !== "granted") throw new DOMException("no", "NotAllowedError");
    kept.setItem("subscribed", JSON.stringify([...applicationServerKey]));
    return subscription();
  };
}"""
"""A browser with one push service. A person answers its question with `answer`."""
SUBSCRIBED = "() => JSON.parse(localStorage.getItem('subscribed') ?? '[]')"
RENEWED = """async ({ old, fresh, given }) => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const made = ({ endpoint, ...keys }) => ({ endpoint, getKey: (name) => bytes(keys[name]).buffer });
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    self.subscribed = [...applicationServerKey];
    return made(fresh);
  };
  const change = new Event("pushsubscriptionchange");
  change.oldSubscription = old && made(old);
  change.newSubscription = given ? made(fresh) : null;
  change.waitUntil = (work) => { self.done = work; };
  self.dispatchEvent(change);
  await self.done;
  return self.subscribed ?? [];
}"""
"""The browser ends its subscription, with or without a new one; return the key by which the worker made one."""
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML) Version/18.5 Safari/604.1"


@pytest.fixture
def phone(chromium: Browser, live_server: Any) -> Iterator[BrowserContext]:
    context = new_phone(chromium, live_server.url, with_worker=True)
    yield context
    context.close()


@pytest.fixture
def service() -> Iterator[push_service.PushService]:
    with push_service.push_service() as server:
        yield server


@pytest.fixture
def own(home: House, settings: Any) -> str:
    """The page of the member, who plays as Anna and gets mails."""
    settings.MAIL_ON = settings.PUSH_PRIVATE = True
    wants(account(PlayerFactory(club=home.club, nickname="Anna"), home.member), home.member, "de")
    return f"/c/{home.club.slug}/messages/"


def give(context: BrowserContext, phone: push_service.Phone, answer: str = "granted") -> None:
    """Let the browser have this subscription."""
    context.add_init_script(f"({BROWSER})({json.dumps(phone.fields | {'answer': answer})})")


def part(page: Page, state: str) -> Any:
    """Return the part of the switch that is shown in a state; it is the only one that is shown."""
    expect(page.locator("#push [data-push]:visible")).to_have_count(1)
    return page.locator(f"#push [data-push={state}]:visible")


def test_a_device_is_switched_on_tried_and_switched_off(
    phone: BrowserContext, page: Page, service: push_service.PushService, home: House, own: str, settings: Any
) -> None:
    browser = service.phone()
    give(phone, browser)
    sign_in(page, own, "member")
    expect(part(page, "off")).to_contain_text("Aus.")
    # What the server refuses is said on the page, and a second try works.
    settings.PUSH_PRIVATE = False
    page.tap("[data-push-on]")
    expect(page.locator("[data-push-fault]")).to_contain_text("Push-Dienst")
    assert PushDevice.objects.count() == 0
    settings.PUSH_PRIVATE = True
    # What is not saved yet stays as it is.
    page.locator("[name=reminders]").uncheck()
    page.tap("[data-push-on]")
    expect(part(page, "on")).to_be_visible()
    expect(page.locator("[data-push-fault]")).to_be_hidden()
    assert push_service.text_of(bytes(page.evaluate(SUBSCRIBED))) == push_key.public_key()
    device = PushDevice.objects.get()
    assert {"endpoint": device.endpoint, "p256dh": device.p256dh, "auth": device.auth} == browser.fields
    assert (device.user, MessageChoice.objects.get().way) == (home.member, "push")
    expect(page.locator("[data-here]:visible")).to_have_count(1)
    expect(page.locator("[name=way][value=push]")).to_be_checked()
    expect(page.locator("[name=reminders]")).not_to_be_checked()

    browser.status = 503
    page.tap("[value=device-test]")
    expect(page.locator(".notes")).to_contain_text("hat die Nachricht nicht angenommen")
    browser.status = 201
    expect(part(page, "on")).to_be_visible()
    page.tap("[value=device-test]")
    expect(page.locator(".notes")).to_contain_text("Gesendet")
    assert [got["tag"] for got in browser.got] == ["test"]

    expect(part(page, "on")).to_be_visible()
    page.tap("[data-push-off]")
    expect(part(page, "off")).to_be_visible()
    assert PushDevice.objects.count() == 0
    assert page.evaluate(SUBSCRIBED) == []


def test_a_browser_that_refuses_says_what_to_do(
    phone: BrowserContext, page: Page, service: push_service.PushService, own: str
) -> None:
    give(phone, service.phone(), "denied")
    sign_in(page, own, "member")
    part(page, "off").locator("button").tap()
    expect(part(page, "refused")).to_contain_text("Einstellungen")
    page.reload()
    expect(part(page, "refused")).to_be_visible()
    assert PushDevice.objects.count() == 0


def test_an_iphone_outside_the_home_screen_says_the_way_there(chromium: Browser, live_server: Any, own: str) -> None:
    context = chromium.new_context(base_url=live_server.url, locale="de-CH", user_agent=IPHONE, service_workers="block")
    context.add_init_script("delete window.PushManager")
    page = context.new_page()
    sign_in(page, own, "member")
    expect(part(page, "home")).to_contain_text("Home-Bildschirm")
    context.close()


@pytest.mark.parametrize("given", [True, False])
def test_a_browser_with_another_subscription_tells_the_server(
    phone: BrowserContext, page: Page, service: push_service.PushService, home: House, own: str, given: bool
) -> None:
    old, fresh = service.phone().fields, service.phone().fields
    push_devices.device_on(Owner(home.member, None), Subscription(**old), "Firefox, Android")
    # Nobody is signed in any more: the secret of the old one is enough.
    page.goto("/login/")
    page.evaluate("navigator.serviceWorker.ready")
    (worker,) = phone.service_workers
    assert worker.evaluate(RENEWED, {"old": None, "fresh": fresh, "given": given}) == []
    assert PushDevice.objects.get().endpoint == old["endpoint"]
    made_by = worker.evaluate(RENEWED, {"old": old, "fresh": fresh, "given": given})
    assert push_service.text_of(bytes(made_by)) == ("" if given else push_key.public_key())
    device = PushDevice.objects.get()
    assert {"endpoint": device.endpoint, "p256dh": device.p256dh, "auth": device.auth} == fresh
    assert (device.user, device.label) == (home.member, "Firefox, Android")


class PushedTo:
    """Deliver messages to the service worker of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.registrations: list[str] = []
        self.session.on("ServiceWorker.workerRegistrationUpdated", self._seen)
        self.session.send("ServiceWorker.enable")
        wait_until(lambda: bool(page.evaluate("1") and self.registrations), 10, "the worker is registered")

    def _seen(self, event: dict[str, Any]) -> None:
        self.registrations += [registration["registrationId"] for registration in event["registrations"]]

    def deliver(self, text: str) -> None:
        about = {"origin": self.page.evaluate("location.origin"), "registrationId": self.registrations[0], "data": text}
        self.session.send("ServiceWorker.deliverPushMessage", about)

    def shown(self, tag: str) -> dict[str, Any]:
        """Return what is shown under a tag, once it is."""
        (worker,) = self.page.context.service_workers
        wait_until(lambda: worker.evaluate(SHOWN, tag) is not None, 10, f"{tag} is shown")
        notification: dict[str, Any] = worker.evaluate(SHOWN, tag)
        return notification


def test_a_message_is_shown_to_its_account_alone_and_a_tap_stays_on_this_server(
    phone: BrowserContext, home: House, live_server: Any
) -> None:
    page = phone.new_page()
    sign_in(page, "/account/", "member")
    page.evaluate("navigator.serviceWorker.ready")
    user = Membership.objects.get(club=home.club, role="member").user_id
    wait_until(lambda: page.evaluate(ACCOUNT) == account_digest(user), 10, "the account is known")
    to = PushedTo(page)
    (worker,) = phone.service_workers
    worker.evaluate(STAND_IN)
    sent = {"title": "Dein Resultat", "body": "+5 Punkte", "url": "/c/roessli/", "account": account_digest(user)}
    sent["hidden"] = "Melde dich an"

    to.deliver(json.dumps(sent | {"tag": "own"}))
    own = to.shown("own")
    assert (own["title"], own["body"]) == ("Dein Resultat", "+5 Punkte")
    assert own["url"].endswith("/c/roessli/")
    to.deliver(json.dumps(sent | {"tag": "foreign", "url": "https://elsewhere.example/"}))
    assert to.shown("foreign")["url"] == f"{live_server.url}/"
    to.deliver(json.dumps(sent | {"tag": "other", "account": account_digest(user + 1)}))
    other = to.shown("other")
    assert (other["title"], other["body"]) == ("Chratzete", HIDDEN)
    to.deliver("no JSON")
    assert to.shown("message")["title"] == "Chratzete"

    assert worker.evaluate(TAP, "own") == own["url"]
    assert worker.evaluate(SHOWN, "own") is None, "a tap closes it"
    assert worker.evaluate(TAP, "foreign") == f"{live_server.url}/"

    page.goto("/account/")
    page.request.post(
        "/logout/", form={"csrfmiddlewaretoken": page.locator("[name=csrfmiddlewaretoken]").first.input_value()}
    )
    page.goto("/")
    expect(page.locator("#main")).to_be_visible()
    to.deliver(json.dumps(sent | {"tag": "signed out"}))
    assert to.shown("signed out")["body"] == HIDDEN
