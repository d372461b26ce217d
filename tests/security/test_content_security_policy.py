"""The content security policy in a real browser, on the pages of the admin: it allows only files of the product, and no
page needs more. Every other page is opened by `tests/browser/test_phone_width.py`, where a violation is a fault too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser

from tests.cast import Cast
from tests.page_events import console_read
from tests.second_factors import with_factor
from tests.security.test_script_injection import fill

pytestmark = [pytest.mark.django_db(transaction=True)]

OF_THE_POLICY = ("Content Security Policy", "Content-Security-Policy", "Permissions-Policy", "Refused to")


@pytest.fixture
def console_lines(chromium: Browser, live_server: Any) -> Iterator[Any]:
    """Give a function that opens addresses with a client's session and returns the console's lines by address."""
    contexts = []

    def open_all(client: Client, urls: list[str]) -> dict[str, list[str]]:
        context = chromium.new_context(base_url=live_server.url, service_workers="block")
        contexts.append(context)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        page = context.new_page()
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text))
        found = {}
        for url in urls:
            heard.clear()
            page.goto(url, wait_until="load")
            console_read(page)
            found[url] = [text for text in heard if any(word in text for word in OF_THE_POLICY)]
        return found

    yield open_all
    for context in contexts:
        context.close()


def html(client: Client, urls: list[str]) -> list[str]:
    """Return those addresses that answer with a page."""
    answers = {url: client.get(url) for url in dict.fromkeys(urls)}
    found = [url for url, each in answers.items() if each.headers.get("Content-Type", "").startswith("text/html")]
    return [url for url in found if answers[url].status_code == 200]


def broken(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {url: texts for url, texts in found.items() if texts}


def admin_pages() -> list[str]:
    """Return the admin's own pages, and list and form of each of its models."""
    found = [reverse("admin:index"), reverse("admin:app_list", kwargs={"app_label": "league"})]
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        found += [reverse(f"admin:{name}_changelist"), reverse(f"admin:{name}_add")]
        first = model._default_manager.first()
        if first is not None:
            found.append(reverse(f"admin:{name}_change", args=[first.pk]))
    return found


def test_no_page_of_the_admin_violates_the_policy(people: Cast, console_lines: Any) -> None:
    fill(people.home)
    client = with_factor(Client(), people.server_admin)
    urls = html(client, admin_pages())
    assert len(urls) > 25, urls
    assert broken(console_lines(client, urls)) == {}


def test_a_violation_of_the_policy_is_noticed(
    people: Cast, console_lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A style and a script inside the page violate the policy."""
    from django.http import HttpResponse

    inline = "<!doctype html><p style='color: red'>x</p><script>1</script>"
    monkeypatch.setattr("league.standings.views.render", lambda *args, **more: HttpResponse(inline))
    client = Client()
    client.force_login(people.home.owner)
    assert len(console_lines(client, ["/"])["/"]) == 2
