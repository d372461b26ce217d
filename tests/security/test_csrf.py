"""Cross-site requests: every way that stores something wants the token of a page of ours, the API's session too."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from rest_framework.views import APIView

from tests.cast import Cast, cast
from tests.security.walking import Way, every_way

pytestmark = [pytest.mark.once, pytest.mark.django_db]

UNSAFE = ("post", "put", "patch", "delete")
API_CLUB = "/api/v1/clubs/roessli"
WAYS = list({way.path: way for way in reversed(list(every_way()))}.values())
"""By address: of two names for one, the first."""


@pytest.fixture
def people() -> Cast:
    return cast()


def browser(people: Cast, *, checks: bool = True) -> Client:
    """Whoever has most rights: what is refused is refused for want of the token alone."""
    person = people.home.owner
    person.is_staff = person.is_superuser = True
    person.save()
    client = Client(enforce_csrf_checks=checks)
    client.force_login(person)
    return client


def test_the_walk_finds_them_all() -> None:
    names = {way.name for way in WAYS}
    assert {"login", "table", "hand-void", "api-club", "admin:login", "admin:league_club_changelist"} <= names
    assert len(WAYS) > 150


def test_without_a_token_nothing_is_taken(people: Cast, settings: Any) -> None:
    # What is refused counts for the address, and so many in a minute would be told to wait.
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    client = browser(people)
    taken = [
        (method, way.path, answer.status_code)
        for way in WAYS
        for method in UNSAFE
        if (answer := getattr(client, method)(way.path, {"a": "b"}, content_type="application/json")).status_code != 403
    ]
    assert taken == []


def test_with_another_ones_token_neither(people: Cast) -> None:
    client = browser(people)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    sent: dict[str, Any] = {"headers": {"X-CSRFToken": "b" * 32}, "content_type": "application/json"}
    for path in ("/logout/", "/c/roessli/window/"):
        assert client.post(path, {}, **sent).status_code == 403, path
    assert client.patch(API_CLUB, {}, **sent).json()["code"] == "csrf"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example"])
def test_a_token_sent_from_elsewhere_is_none(people: Cast, origin: str) -> None:
    client = browser(people)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    answer = client.post("/logout/", {}, headers={"X-CSRFToken": "a" * 32, "Origin": origin})
    assert answer.status_code == 403


def test_the_middleware_is_what_refuses(people: Cast) -> None:
    """The twin: without the check no way answers 403 to whoever has all rights."""
    client = browser(people, checks=False)
    refused = [way.path for way in WAYS if way.name.startswith("admin:") and client.post(way.path).status_code == 403]
    assert client.post("/c/roessli/window/", {}).status_code == 422
    assert client.patch(API_CLUB, {}, content_type="application/json").status_code not in (403, 404)
    assert len(refused) < 20


def exempt(way: Way) -> bool:
    return bool(getattr(way.view, "csrf_exempt", False))


def test_only_the_api_is_exempt_and_asks_by_itself() -> None:
    others = [way.name for way in WAYS if exempt(way) and not issubclass(getattr(way.view, "cls", object), APIView)]
    assert others == []
