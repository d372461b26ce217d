"""The content security policy in a real browser, on the pages of the admin: it allows only files of the product, and no
page needs more. Every other page is opened by `tests/browser/test_phone_width.py`, where a violation is a fault too."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser

from tests.cast import Cast
from tests.clients import keep_admin_models
from tests.page_events import console_read
from tests.second_factors import with_factor
from tests.security.test_script_injection import fill

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True)]

OF_THE_POLICY = ("Content Security Policy", "Content-Security-Policy", "Permissions-Policy", "Refused to")
# The admin's classes that only name an app, a model or a column.
NAMES_OF_DATA = ("app-", "model-", "field-", "column-")


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
        messages = {}
        for url in urls:
            heard.clear()
            page.goto(url, wait_until="load")
            console_read(page)
            messages[url] = [text for text in heard if any(word in text for word in OF_THE_POLICY)]
        return messages

    yield open_all
    for context in contexts:
        context.close()


class Markup(HTMLParser):
    """What the policy and the scripts of a page can meet: each tag with its attributes, its classes and its address."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[tuple[str, ...]] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        loads = [] if tag in ("a", "form") else [given.get(name) or "" for name in ("src", "href", "type")]
        classes = [name for name in (given.get("class") or "").split() if not name.startswith(NAMES_OF_DATA)]
        self.found.add((tag, *sorted(given), *sorted(classes), *loads))


def html(client: Client, urls: list[str]) -> dict[str, set[tuple[str, ...]]]:
    """Return the markup of those addresses that answer with a page."""
    markup = {}
    for url in dict.fromkeys(urls):
        answer = client.get(url)
        if answer.status_code == 200 and answer.headers.get("Content-Type", "").startswith("text/html"):
            markup[url] = Markup(answer.content.decode()).found
    return markup


def with_new_markup(pages: dict[str, set[tuple[str, ...]]]) -> list[str]:
    """Return the pages that have, together, all the markup: the others have nothing for the policy to refuse."""
    known: set[tuple[str, ...]] = set()
    needed = []
    for url, markup in sorted(pages.items(), key=lambda page: -len(page[1])):
        if not markup <= known:
            known |= markup
            needed.append(url)
    return needed


def broken(messages: dict[str, list[str]]) -> dict[str, list[str]]:
    return {url: texts for url, texts in messages.items() if texts}


def admin_pages() -> list[str]:
    """Return the admin's own pages, and list and form of each of its models."""
    urls = [reverse("admin:index"), reverse("admin:app_list", kwargs={"app_label": "league"})]
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        urls += [reverse(f"admin:{name}_changelist"), reverse(f"admin:{name}_add")]
        first = model._default_manager.first()
        if first is not None:
            urls.append(reverse(f"admin:{name}_change", args=[first.pk]))
    return urls


def test_no_page_of_the_admin_violates_the_policy(
    people: Cast, console_lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser opens a page for each markup: the admin makes most of its pages from the same parts."""
    fill(people.home)
    client = with_factor(Client(), people.server_admin)
    keep_admin_models(monkeypatch)
    with monkeypatch.context() as patch:
        # The same on every page, and half of the time; the browser opens pages with it.
        patch.setattr(admin.site, "enable_nav_sidebar", False)
        pages = html(client, admin_pages())
    assert len(pages) > 125, [*pages]
    opened = with_new_markup(pages)
    assert len(opened) > 12, opened
    assert broken(console_lines(client, opened)) == {}


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
