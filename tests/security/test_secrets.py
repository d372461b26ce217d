"""Secrets are never logged: a real server with full logging handles every secret, and its log is searched for them."""

from __future__ import annotations

import dataclasses
import http.client
import http.cookiejar
import io
import json
import re
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.urls.converters import PathConverter, StringConverter
from django.urls.resolvers import RegexPattern
from django.utils import timezone

from games.closing.receipts import token_for
from games.closing.services import evening_close
from league.config import logs
from league.models import ApiToken, PushDevice, PushKey, User, Webhook
from league.player_messages import push_crypto, push_key
from league.privacy import personal_data_export as export
from league.webhooks import signing
from tests.cast import House, cast
from tests.factories import MADE, create_table, enter
from tests.league.push_service import Phone
from tests.processes import Process
from tests.second_factors import with_factor

PASSWORD = "kreuz-sieben-canary-4711"
WRONG = "wrong-word-canary-0815"
JOIN = "join-canary-" + "j" * 32
RESET = "1-reset-canary-" + "r" * 24


class Browser:
    """A minimal browser: it keeps cookies and sends the CSRF token of the page."""

    def __init__(self, server: Process) -> None:
        self.server, self.jar = server, http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str, **headers: str) -> str:
        return self._ask(urllib.request.Request(self.server.url + path, headers=headers))

    def post(self, path: str, page: str = "", **fields: Any) -> str:
        match = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(page or path))
        sent = {"csrfmiddlewaretoken": match[1] if match else "", **fields}
        return self._ask(urllib.request.Request(self.server.url + path, urllib.parse.urlencode(sent, True).encode()))

    def send(self, path: str, data: dict[str, Any], **headers: str) -> str:
        token = next((cookie.value or "" for cookie in self.jar if cookie.name == "csrftoken"), "")
        known = {"Content-Type": "application/json", "X-CSRFToken": token, "Idempotency-Key": str(uuid.uuid4())}
        body = json.dumps(data).encode()
        return self._ask(urllib.request.Request(self.server.url + path, body, {**known, **headers}))

    def _ask(self, request: urllib.request.Request) -> str:
        try:
            with self._opener.open(request, timeout=60) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            return error.read().decode()


@pytest.fixture
def house(transactional_db: None) -> House:
    return cast().home


def receipt_of(house: House) -> str:
    table = create_table(club=house.club, season=house.season)
    enter(table, MADE)
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    return token_for(closing.pk, table.dealer_id)


def everything_with_a_secret(server: Process, house: House) -> dict[str, str]:
    """Send every request with a secret; return the secrets by their kind."""
    User.objects.filter(pk=house.owner.pk).update(password=make_password(PASSWORD))
    secrets = {"password": PASSWORD, "wrong password": WRONG, "invitation": JOIN, "new password's link": RESET}
    secrets |= {"receipt": receipt_of(house)}
    visitor = Browser(server)
    visitor.post("/login/", username=house.owner.email, password=WRONG)
    for path in (f"/r/{secrets['receipt']}/", f"/r/{secrets['receipt']}x/", f"/join/{JOIN}/", f"/password/{RESET}/"):
        visitor.get(path)
    owner = Browser(server)
    owner.post("/login/", username=house.owner.email, password=PASSWORD)
    secrets |= {f"cookie {cookie.name}": str(cookie.value) for cookie in owner.jar if cookie.name != "csrftoken"}
    page = owner.post(f"/c/{house.club.slug}/webhooks/", url="https://webhook.example/", events=["hand.stored"])
    webhook = Webhook.objects.get()
    assert webhook.secret in page
    secrets["webhook"] = webhook.secret
    answer = owner.send(
        reverse("api-keys"), {"name": "scoreboard", "scopes": ["read"], "club": house.club.slug, "days": 7}
    )
    assert "chz_" in answer, answer
    secrets["key"] = json.loads(answer)["key"]
    program = Browser(server)
    assert (
        "email" in program.get(reverse("api-me"), Authorization=f"Bearer {secrets['key']}") or ApiToken.objects.exists()
    )
    program.get("/api/v1/nothing", Authorization=f"Bearer {secrets['key']}")
    program.get(f"/c/{house.club.slug}/?key={secrets['key']}")
    return secrets | secrets_of_push(owner, house)


def secrets_of_push(owner: Browser, house: House) -> dict[str, str]:
    """Switch a device on, try it in vain, and replace it, with right and with wrong keys."""
    page, with_form = f"/c/{house.club.slug}/messages/", f"/c/{house.club.slug}/webhooks/"
    old, new = (Phone(f"https://push.example/canary-{name}").fields for name in ("old", "new"))
    owner.post(page, with_form, do="device-on", **old | {"p256dh": "canary"})
    owner.post(page, with_form, do="device-on", **old)
    owner.post(page, with_form, do="device-test", device=PushDevice.objects.get().pk)
    owner.post("/push/renew/", with_form, old=old["endpoint"], old_auth=new["auth"], **new)
    assert PushDevice.objects.get().endpoint == old["endpoint"]
    owner.post("/push/renew/", with_form, old=old["endpoint"], old_auth=old["auth"], **new)
    assert PushDevice.objects.get().endpoint == new["endpoint"]
    number = push_key.private_key().private_numbers().private_value
    secrets = {f"push {name} {age}": keys[name] for age, keys in (("old", old), ("new", new)) for name in keys}
    secrets |= {"sealed push key": PushKey.objects.get().sealed, "push key": push_crypto.to_text(number.to_bytes(32))}
    return secrets | {"push key in hexadecimal": f"{number:x}", "push key as a number": str(number)}


def test_no_secret_is_in_the_logs(house: House, web_server: Callable[..., Process]) -> None:
    server = web_server(LOG_LEVEL="DEBUG", WEB_PROCESSES="1")
    secrets = everything_with_a_secret(server, house)
    log = server.output()
    assert len(secrets) >= 18
    assert "Not Found" in log
    assert [what for what, secret in secrets.items() if secret in log] == []
    assert house.owner.email not in log


@pytest.mark.parametrize(
    "text",
    [
        "Not Found: /r/canary/",
        "Method Not Allowed: /api/v1/receipts/canary",
        "Not Found: /join/canary/",
        "Not Found: /login/link/canary/",
        "Gone: /password/1-canary/",
        "Not Found: /t/9canary/",
        "Not Found: /screen/1-2.canary/",
        "Not Found: /c/roessli/coming/12.canary/",
        "Not Found: /c/roessli/coming/12.canary/messages/",
        "Not Found: /c/roessli/messages/off/12.canary/",
        "Not Found: /c/roessli/messages/confirm/canary:1a:b/",
        "chz_canary is no key",
        "chzs_canary signs",
        "Authorization: Bearer canary",
        "Authorization: vapid t=canary.canary.canary-_, k=key",
    ],
)
def test_a_secret_is_removed_from_a_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "canary" not in json.dumps(logs.withhold(None, "info", {"event": text}))
    # Without the patterns it stays.
    monkeypatch.setattr(logs, "PRIVATE_TEXTS", ())
    assert "canary" in json.dumps(logs.withhold(None, "info", {"event": text}))


@pytest.mark.parametrize("key", ["endpoint", "auth", "p256dh", "sealed"])
def test_a_secret_of_push_is_removed_from_a_field(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"event": "odd", key: "canary", "more": {key: "canary"}}
    assert "canary" not in json.dumps(logs.withhold(None, "info", dict(said)))
    # Without the keys it stays.
    monkeypatch.setattr(logs, "PRIVATE_KEYS", frozenset())
    assert "canary" in json.dumps(logs.withhold(None, "info", dict(said)))


def test_the_number_of_a_table_stays() -> None:
    text = "Not Found: /c/roessli/t/12/void/"
    assert logs.withhold(None, "info", {"event": text}) == {"event": text}


CANARY = "1a-canary-" + "c" * 24
NAMES = {"api-key", "api-sheet-code", "sheet-code"}
"""Routes with a text in their address that is no secret: the first letters of an API key, the code of a sheet."""


def addresses_with_a_secret(resolver: URLResolver, before: str = "") -> dict[str, str]:
    """Return each address with a secret parameter by the name of its route, with a canary as the secret."""
    addresses: dict[str, str] = {}
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            addresses |= (
                {} if entry.namespace == "admin" else addresses_with_a_secret(entry, f"{before}{entry.pattern}")
            )
        elif isinstance(entry.pattern, RegexPattern):
            addresses[str(entry.name)] = "/password/" + CANARY + "/"
        elif any(
            type(converter) in (StringConverter, PathConverter) for converter in entry.pattern.converters.values()
        ):
            addresses[str(entry.name)] = "/" + re.sub(r"<(?:str|path):\w+>", CANARY, f"{before}{entry.pattern}")
    return {name: address for name, address in addresses.items() if name not in NAMES}


def test_no_refusal_logs_the_secret_in_its_address(house: House, web_server: Callable[..., Process]) -> None:
    addresses = addresses_with_a_secret(get_resolver())
    known = {"login-link", "account_reset_password_from_key", "join", "receipt", "api-receipt", "table-card"}
    assert set(addresses) == known | {
        "screen-link",
        "coming-link",
        "coming-calendar",
        "coming-messages",
        "messages-confirm",
        "messages-off",
    }
    server = web_server(LOG_LEVEL="DEBUG", WEB_PROCESSES="1", TEST_API_WRITES="1")
    methods = ("GET", "OPTIONS", "PUT", "PUT")
    statuses = {name: [status(server, method, url) for method in methods] for name, url in addresses.items()}
    assert statuses["api-receipt"] == [404, 405, 405, 429]
    assert statuses["receipt"] == [404, 405, 403, 403]
    assert all(statuses[name][1] == 405 for name in ("login-link", "join"))
    log = server.output()
    assert "Method Not Allowed: /api/v1/receipts/" in log
    assert "canary" not in log


def status(server: Process, method: str, path: str) -> int:
    where = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_a_new_secret_has_the_prefix_that_the_logs_search_for() -> None:
    assert "[withheld]" in str(logs.withhold(None, "info", {"event": signing.new_secret()})["event"])


def test_secrets_are_stored_as_hashes(house: House, web_server: Callable[..., Process]) -> None:
    """API keys and passwords are stored as hashes. A webhook's secret is stored itself, as it signs."""
    server = web_server(WEB_PROCESSES="1")
    secrets = everything_with_a_secret(server, house)
    token = ApiToken.objects.get()
    assert secrets["key"] not in (token.digest, token.token_key)
    assert token.expiry is not None
    assert token.expiry < timezone.now() + timedelta(days=8)
    assert PASSWORD not in User.objects.get(pk=house.owner.pk).password


@pytest.mark.django_db
def test_the_admin_shows_no_secret_of_a_webhook() -> None:
    people = cast()
    made = {"club": people.home.club, "url": "https://webhook.example/", "events": ["hand.stored"]}
    webhook = Webhook.objects.create(**made, secret="canary-new", old_secret="canary-old")
    page = with_factor(Client(), people.server_admin).get(reverse("admin:league_webhook_change", args=[webhook.pk]))
    assert page.status_code == 200
    assert "canary" not in page.content.decode()


def device_with_canaries(user: User) -> PushDevice:
    return PushDevice.objects.create(
        user=user, endpoint="https://push.example/canary", p256dh="canary", auth="canary", label="Firefox, Android"
    )


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["pushdevice", "pushkey"])
def test_the_admin_shows_no_secret_of_push(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    people = cast()
    rows = {"pushdevice": device_with_canaries(people.home.member), "pushkey": PushKey.objects.create(sealed="canary")}
    reader = with_factor(Client(), people.server_admin)
    addresses = [
        reverse(f"admin:league_{kind}_changelist"),
        reverse(f"admin:league_{kind}_change", args=[rows[kind].pk]),
    ]
    pages = [reader.get(address) for address in addresses]
    assert [page.status_code for page in pages] == [200, 200]
    assert not any("canary" in page.content.decode() for page in pages)
    # Without the guard it does.
    monkeypatch.setattr(admin.site._registry[type(rows[kind])], "exclude", ())
    assert "canary" in reader.get(addresses[1]).content.decode()


def exported(user: User, parts: list[export.Part] | None = None) -> str:
    with zipfile.ZipFile(io.BytesIO(b"".join(export.archive(user, parts)))) as files:
        return "".join(files.read(name).decode() for name in files.namelist())


@pytest.mark.django_db
def test_the_personal_data_export_has_no_secret_of_push() -> None:
    home = cast().home
    device_with_canaries(home.member)
    PushKey.objects.create(sealed="canary")
    text = exported(home.member)
    assert "Firefox, Android" in text
    assert "canary" not in text
    # With one more column it has.
    (devices,) = (part for part in export.PARTS if part.name == "push_devices")
    for column in ("endpoint", "p256dh", "auth"):
        more = dataclasses.replace(devices, columns={**devices.columns, column: column})
        assert "canary" in exported(home.member, [more])
