"""A poisoned Host header: the request is refused, and no link contains the host that it names."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory
from django.urls import reverse

from games.closing.services import evening_close
from league.config import environment
from league.config.middleware import HeadersMiddleware
from tests.cast import Cast
from tests.factories import MADE, create_table, enter

EVIL = "evil.example"
OURS = "https://club.example"

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("host", [EVIL, f"localhost.{EVIL}", f"localhost@{EVIL}", "localhost:80@x", "", "a b", "[::1"])
@pytest.mark.parametrize("path", ["/", "/login/", "/api/v1/clubs/", "/nothing/"])
def test_an_unknown_host_is_refused(client: Client, host: str, path: str) -> None:
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 400
    assert EVIL not in answer.content.decode()


@pytest.mark.parametrize(
    "header", ["X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-Host", "X-HTTP-Host-Override"]
)
def test_no_other_header_changes_the_host(people: Cast, settings: Any, header: str) -> None:
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, MADE)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    client = Client()
    client.force_login(people.home.owner)
    url = reverse("receipts", kwargs={"club": people.home.club.slug, "evening": table.evening_id})
    page = client.get(url, headers={header: EVIL})
    assert page.status_code == 200
    assert EVIL not in page.content.decode()


def links_of(client: Client, people: Cast, settings: Any) -> dict[str, str]:
    """Return the texts with absolute links: pages, mails and API answers."""
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, MADE)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    where = {"club": people.home.club.slug}
    mail.outbox.clear()
    client.post(reverse("account_reset_password"), {"email": people.home.owner.email})
    client.post(reverse("account_request_login_code"), {"email": people.home.owner.email})
    texts = {f"mail {n}": str(message.body) for n, message in enumerate(mail.outbox)}
    client.force_login(people.home.owner)
    texts["receipts"] = client.get(reverse("receipts", kwargs={**where, "evening": table.evening_id})).content.decode()
    return texts


def test_absolute_links_begin_with_the_base_url(people: Cast, settings: Any) -> None:
    settings.BASE_URL = OURS
    texts = links_of(Client(), people, settings)
    whole = [link for text in texts.values() for link in re.findall(r"https?://[^\s\"'<>]+", text)]
    ours = [link for link in whole if "w3.org" not in link]
    assert ours
    assert [link for link in ours if not link.startswith(OURS + "/")] == []


def test_without_a_base_url_links_begin_with_the_host_of_the_request(people: Cast, settings: Any) -> None:
    """Here every host is allowed and no base URL is set."""
    settings.BASE_URL, settings.ALLOWED_HOSTS = "", [EVIL]
    texts = links_of(Client(headers={"host": EVIL}), people, settings)
    assert any(f"//{EVIL}/" in text for text in texts.values())


def test_absolute_links_of_packages_begin_with_the_base_url(settings: Any) -> None:
    settings.BASE_URL = OURS
    request = RequestFactory().get("/x/", headers={"host": EVIL})
    HeadersMiddleware(lambda asked: asked.build_absolute_uri("/y/") and _answer())(request)
    assert request.build_absolute_uri("/y/") == f"{OURS}/y/"


def _answer() -> Any:
    from django.http import HttpResponse

    return HttpResponse()


@pytest.mark.parametrize(
    ("configured", "hosts", "https", "wanted"),
    [
        ("", ["club.example", "other.example"], True, "https://club.example"),
        ("", [".club.example"], True, "https://club.example"),
        ("", ["localhost"], False, ""),
        ("https://club.example/", ["localhost"], False, "https://club.example"),
        ("http://box.local:8000", ["box.local"], False, "http://box.local:8000"),
    ],
)
def test_the_base_url_comes_from_the_settings(configured: str, hosts: list[str], https: bool, wanted: str) -> None:
    assert environment.base_url(configured, hosts, https=https) == wanted


@pytest.mark.parametrize(
    ("configured", "hosts"),
    [("club.example", ["x"]), ("ftp://x", ["x"]), ("https://x/y", ["x"]), ("", ["*"]), ("", ["x", "*"])],
)
def test_settings_without_a_definite_host_are_refused(configured: str, hosts: list[str]) -> None:
    with pytest.raises(ImproperlyConfigured):
        environment.base_url(configured, hosts, https=True)
