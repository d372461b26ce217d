"""The app on a phone, as the server serves it: worker, manifest, offline page, and the keeping of pages by account."""

from __future__ import annotations

import json
import re
import struct
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games.models import Table
from league.web import app_version
from tests.cast import House, house
from tests.factories import create_table

pytestmark = pytest.mark.django_db

OTHER_VERSION = "0" * 16


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(table: Table) -> str:
    return reverse("table", kwargs={"club": table.evening.club.slug, "table": table.pk})


def shell() -> dict[str, Any]:
    """Return the lines that the server puts in front of the worker."""
    first = Client().get("/worker.js").content.decode().partition("\n")[0]
    return json.loads(first.removeprefix("const APP = ").removesuffix(";"))


def test_the_worker_is_of_the_version_of_the_pages():
    page = Client().get("/offline/")
    version = shell()["version"]
    assert version == page["App-Version"] == app_version.version()
    assert f'<meta name="app-version" content="{version}">' in page.content.decode()


def test_the_browser_checks_the_worker_each_time():
    answer = Client().get("/worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    assert answer["Service-Worker-Allowed"] == "/"


def test_every_file_of_the_worker_exists():
    files = shell()["files"]
    assert len(files) > 20
    assert [url for url in files if not finders.find(url.removeprefix("/static/"))] == []


@pytest.mark.parametrize("name", ["table", "evening-new", "night-table", "offline"])
def test_the_worker_has_every_file_of_a_kept_page(name: str, home: House, table: Table):
    club = {"club": home.club.slug}
    more = {"table": club | {"table": table.pk}, "evening-new": club, "night-table": club | {"game": "chratze"}}
    html = signed_in(home.recorder).get(reverse(name, kwargs=more.get(name))).content.decode()
    used = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))
    assert len(used) > 5
    assert used - set(shell()["files"]) == set()


def test_a_changed_file_is_another_version(monkeypatch: pytest.MonkeyPatch):
    before = app_version._digest()
    assert app_version._digest() == before
    monkeypatch.setattr("league.web.app_version.SOURCES", {"static": ("*.css",)})
    assert app_version._digest() != before


def test_the_manifest_can_be_installed():
    answer = Client().get("/manifest.webmanifest", headers={"Accept-Language": "en"})
    assert answer["Content-Type"] == "application/manifest+json"
    shell = answer.json()
    assert (shell["start_url"], shell["scope"], shell["display"]) == ("/", "/", "standalone")
    assert shell["background_color"] == shell["theme_color"] == "#f6f1e7"
    assert {(icon["sizes"], icon["purpose"]) for icon in shell["icons"]} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    assert shell["shortcuts"][0]["url"] == "/?all=1"
    for icon in shell["icons"]:
        with open(finders.find(icon["src"].removeprefix("/static/")), "rb") as file:
            width, height = struct.unpack(">II", file.read(24)[16:24])
        assert f"{width}x{height}" == icon["sizes"]


def test_the_manifest_speaks_the_language_of_the_reader():
    def shell(language: str) -> dict[str, str]:
        return Client().get("/manifest.webmanifest", headers={"Accept-Language": language}).json()

    assert (shell("de")["lang"], shell("en")["lang"]) == ("de", "en")
    assert shell("de")["description"] != shell("en")["description"]


def test_a_table_that_is_played_may_be_kept(home: House, table: Table):
    page = signed_in(home.recorder).get(address(table))
    assert home.club.name in unquote(page["Keep"])
    assert reverse("evening-new", kwargs={"club": home.club.slug}) in page["Keep-Also"].split()


def test_a_table_of_a_closed_evening_may_not_be_kept(home: House, table: Table):
    table.evening.state = "closed"
    table.evening.save()
    assert "Keep" not in signed_in(home.recorder).get(address(table))


def test_a_refused_form_may_not_be_kept(home: House, table: Table):
    answer = signed_in(home.recorder).post(address(table), {})
    assert answer.status_code == 422
    assert "Keep" not in answer


def test_each_account_has_its_own_mark(home: House, table: Table):
    recorder = signed_in(home.recorder).get(address(table))["Account"]
    owner = signed_in(home.owner).get(address(table))["Account"]
    visitor = Client().get("/")["Account"]
    assert visitor == "none"
    assert len({recorder, owner, visitor}) == 3
    assert str(home.recorder.pk) != recorder
    assert signed_in(home.recorder).get("/outbox/")["Account"] == recorder


def test_the_page_names_the_account_of_its_answer(home: House, table: Table):
    page = signed_in(home.recorder).get(address(table))
    assert f'<meta name="app-account" content="{page["Account"]}">' in page.content.decode()


def test_a_notice_is_not_kept(home: House, table: Table):
    """A page that is requested to be kept leaves the notice for the next one."""
    client = signed_in(home.recorder)
    session_notice(client, "Said once")
    kept = client.get(address(table), headers={"To-Keep": "1"})
    assert "Said once" not in kept.content.decode()
    assert "Keep-Again" not in kept
    page = client.get(address(table))
    assert "Said once" in page.content.decode()
    assert page["Keep-Again"] == "1"
    assert "Keep-Again" not in client.get(address(table))


def session_notice(client: Client, text: str) -> None:
    """Let the next page of this client have a notice."""
    from django.contrib.messages.storage.base import Message
    from django.contrib.messages.storage.cookie import CookieStorage
    from django.http import HttpResponse
    from django.test import RequestFactory

    answer = HttpResponse()
    store = CookieStorage(RequestFactory().get("/"))
    store._store([Message(25, text)], answer)
    client.cookies["messages"] = answer.cookies["messages"].value


def test_a_part_of_a_page_names_no_account(home: House, table: Table):
    url = reverse("table-live", kwargs={"club": home.club.slug, "table": table.pk})
    assert "Account" not in signed_in(home.recorder).get(url, headers={"HX-Request": "true"})
