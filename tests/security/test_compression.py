"""Answers are compressed, but no other site can learn a secret from the length of an answer (BREACH)."""

from __future__ import annotations

import gzip
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from league.accounts.invitations import invitation_create
from league.models import Role
from league.web import compression
from league.web.compression import CompressionMiddleware, is_secret
from tests.api.api_client import key_for
from tests.cast import Cast, cast
from tests.factories import PlayerFactory
from tests.second_factors import signed_in_now
from tests.security.addresses import every_address

pytestmark = pytest.mark.django_db

GZIP = {"Accept-Encoding": "br, gzip"}
ADDRESSES = {
    "page": "/c/roessli/",
    "CSV": "/c/roessli/s/2026/standings.csv",
    "API": "/api/v1/clubs/roessli/players",
    "description": "/api/v1/openapi.json",
}
CAUSES = {"another site": "cross-site", "another subdomain": "same-site", "a browser that does not say": None}


@pytest.fixture
def people() -> Cast:
    everybody = cast()
    PlayerFactory.create_batch(9, club=everybody.home.club)
    # Django leaves an answer of less than 200 bytes as it is.
    for _nth in range(3):
        invitation_create(club=everybody.home.club, author=everybody.home.owner, role=Role.MEMBER)
    return everybody


def is_compressed(client: Client, path: str, site: str | None = "same-origin", **more: str) -> bool:
    headers = GZIP | more | ({"Sec-Fetch-Site": site} if site else {})
    return bool(client.get(path, headers=headers).get("Content-Encoding") == "gzip")


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_answer_is_compressed(people: Cast, name: str) -> None:
    client = signed_in_now(Client(), people.home.owner)
    plain = client.get(ADDRESSES[name], headers={"Sec-Fetch-Site": "same-origin"})
    packed = client.get(ADDRESSES[name], headers=GZIP | {"Sec-Fetch-Site": "same-origin"})
    assert ("Content-Encoding" in plain, packed["Content-Encoding"]) == (False, "gzip")
    assert "Accept-Encoding" in packed["Vary"]
    body = gzip.decompress(content(packed))
    if name != "page":  # its CSRF token differs
        assert body == content(plain)
    assert (plain.get("ETag") or "").removeprefix("W/") == (packed.get("ETag") or "").removeprefix("W/")


@pytest.mark.parametrize("cause", CAUSES)
def test_an_answer_to_a_cross_site_request_is_not_compressed(people: Cast, cause: str) -> None:
    client = signed_in_now(Client(), people.home.owner)
    for path in ADDRESSES.values():
        assert not is_compressed(client, path, CAUSES[cause])


@pytest.mark.parametrize("cause", CAUSES)
def test_without_that_rule_it_would_be(people: Cast, cause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "caused_by_this_site", lambda request: True)
    assert is_compressed(signed_in_now(Client(), people.home.owner), ADDRESSES["page"], CAUSES[cause])


def test_a_visitor_and_a_program_without_cookies_get_compressed_answers(people: Cast) -> None:
    assert is_compressed(Client(), ADDRESSES["page"], None)
    assert is_compressed(Client(), ADDRESSES["API"], None, Authorization=f"Bearer {key_for(people.home.owner)}")


@pytest.mark.parametrize(
    ("cause", "compressed"),
    [
        ({"Referer": "http://testserver/c/roessli/"}, True),
        ({"Referer": "http://testserver.example/c/roessli/"}, False),
        ({"Referer": "http://elsewhere.example/?http://testserver/"}, False),
        ({"Referer": "http://[testserver"}, False),
        ({"Referer": "http://testserver/", "Sec-Fetch-Site": "cross-site"}, False),
    ],
)
def test_an_older_browser_names_the_page_with_the_link(people: Cast, cause: dict[str, str], compressed: bool) -> None:
    client = signed_in_now(Client(), people.home.owner)
    assert is_compressed(client, ADDRESSES["page"], None, **cause) is compressed


SECRETS = ["/account/keys/", "/c/roessli/people/", "/c/roessli/webhooks/", "/api/v1/clubs/roessli/invitations"]


@pytest.mark.parametrize("path", SECRETS)
def test_a_page_that_shows_a_secret_is_not_compressed(people: Cast, path: str) -> None:
    client = signed_in_now(Client(), people.home.owner)
    assert client.get(path).status_code == 200
    assert not is_compressed(client, path)


@pytest.mark.parametrize("path", SECRETS)
def test_without_the_declaration_it_would_be(people: Cast, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "is_secret", lambda view: False)
    assert is_compressed(signed_in_now(Client(), people.home.owner), path)


SHOW_SECRETS = {
    "keys of the API and of webhooks": ("account-keys", "api-keys", "webhook", "api-webhook-secret"),
    "codes of a second factor": (
        *("mfa_activate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"),
        "mfa_download_recovery_codes",
    ),
    "links that let their reader in": ("join", "api-invitations", "account_reset_password_from_key"),
    "receipts": ("receipts", "receipt", "api-receipts", "api-receipt"),
}


@pytest.mark.parametrize("kind", SHOW_SECRETS)
def test_no_answer_with_a_secret_is_compressed(rf: Any, kind: str) -> None:
    views = {address.name: address.view for address in every_address()}

    def encoding_of(route: str) -> str | None:
        request = rf.get("/", headers=GZIP)
        request.resolver_match = SimpleNamespace(func=views[route])
        answer = HttpResponse("a" * 1000)
        return CompressionMiddleware(lambda _request: answer)(request).get("Content-Encoding")

    assert encoding_of("club") == "gzip"
    for route in SHOW_SECRETS[kind]:
        assert encoding_of(route) is None, route


def test_few_views_declare_it() -> None:
    declared = {address.name for address in every_address() if is_secret(address.view)}
    others = {"webhooks", "api-webhooks", "api-webhook", "club-people", "join-opened"}
    assert declared == {route for routes in SHOW_SECRETS.values() for route in routes} | others


def test_the_length_of_an_answer_varies(people: Cast) -> None:
    lengths = {len(Client().get(ADDRESSES["description"], headers=GZIP).content) for _ in range(12)}
    assert len(lengths) > 1
    assert CompressionMiddleware.max_random_bytes >= 100


def test_a_known_answer_stays_known_when_it_is_compressed(people: Cast) -> None:
    key = {"Authorization": f"Bearer {key_for(people.home.owner)}"}
    etag = Client().get(ADDRESSES["API"], headers=GZIP | key)["ETag"]
    assert etag.startswith("W/")
    assert Client().get(ADDRESSES["API"], headers=key | {"If-None-Match": etag}).status_code == 304
