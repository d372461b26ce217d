"""Cross-site requests: every write needs the token of one of our pages, also an API write with a session."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponseForbidden
from django.test import Client
from rest_framework.views import APIView

from tests.cast import Cast
from tests.security.addresses import Address, every_address

pytestmark = [pytest.mark.django_db]

UNSAFE = ("post", "put", "patch", "delete")
API_CLUB = "/api/v1/clubs/roessli"
ADDRESSES = list({address.path: address for address in reversed(list(every_address()))}.values())
"""Each path once; if it has two names, with the first one."""

HEALTH = ("/healthz", "/readyz", "/metrics")
"""The addresses that answer before the token is looked at, and only to GET and HEAD."""


BY_A_MAIL_PROGRAM = "messages-off"
"""The address that a mail program sends a POST to, without a cookie (RFC 8058). Its signed token is what it takes."""


def browser(people: Cast, *, checks: bool = True) -> Client:
    """Return a browser of the person with most rights: a refusal is then due to the missing token alone."""
    person = people.home.owner
    person.is_staff = person.is_superuser = True
    person.save()
    client = Client(enforce_csrf_checks=checks)
    client.force_login(person)
    return client


def plain_refusal(request: HttpRequest, reason: str = "") -> HttpResponseForbidden:
    return HttpResponseForbidden(reason)


def test_all_addresses_are_found() -> None:
    names = {address.name for address in ADDRESSES}
    assert {"login", "table", "hand-void", "api-club", "admin:login", "admin:league_club_changelist"} <= names
    assert len(ADDRESSES) > 150


def test_a_write_without_a_token_is_refused(people: Cast, settings: Any) -> None:
    # Refused requests count towards the limit of the address, which so many in a minute would exceed.
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    # The page of a refusal takes three quarters of the time; the next tests show it.
    settings.CSRF_FAILURE_VIEW = f"{__name__}.{plain_refusal.__name__}"
    client = browser(people)
    taken = [
        (method, address.path, answer.status_code)
        for address in ADDRESSES
        if address.name != BY_A_MAIL_PROGRAM
        for method in UNSAFE
        if (answer := getattr(client, method)(address.path, {"a": "b"}, content_type="application/json")).status_code
        != (405 if address.path in HEALTH else 403)
    ]
    assert taken == []


def test_a_write_with_the_token_of_another_session_is_refused(people: Cast) -> None:
    client = browser(people)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    sent: dict[str, Any] = {"headers": {"X-CSRFToken": "b" * 32}, "content_type": "application/json"}
    for path in ("/logout/", "/c/roessli/window/"):
        assert client.post(path, {}, **sent).status_code == 403, path
    assert client.patch(API_CLUB, {}, **sent).json()["code"] == "csrf"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example"])
def test_a_write_with_a_token_from_another_origin_is_refused(people: Cast, origin: str) -> None:
    client = browser(people)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    answer = client.post("/logout/", {}, headers={"X-CSRFToken": "a" * 32, "Origin": origin})
    assert answer.status_code == 403


def test_without_the_middleware_nothing_is_refused(people: Cast) -> None:
    """Without the check no address answers 403 to a person with all rights."""
    client = browser(people, checks=False)
    refused = [
        address.path
        for address in ADDRESSES
        if address.name.startswith("admin:") and client.post(address.path).status_code == 403
    ]
    assert client.post("/c/roessli/window/", {}).status_code == 422
    assert client.patch(API_CLUB, {}, content_type="application/json").status_code not in (403, 404)
    assert len(refused) < 20


def exempt(address: Address) -> bool:
    return bool(getattr(address.view, "csrf_exempt", False))


def test_a_mail_program_ends_nothing_without_a_signed_token(people: Cast) -> None:
    (address,) = (candidate for candidate in ADDRESSES if candidate.name == BY_A_MAIL_PROGRAM)
    assert browser(people).post(address.path, {"List-Unsubscribe": "One-Click"}).status_code == 404


def test_only_the_api_is_exempt_and_checks_the_token_itself() -> None:
    others = [
        address.name
        for address in ADDRESSES
        if exempt(address) and not issubclass(getattr(address.view, "cls", object), APIView)
    ]
    assert others == [BY_A_MAIL_PROGRAM]
