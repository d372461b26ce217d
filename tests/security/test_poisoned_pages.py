"""Kept pages and poison: what one visitor sends in a host, a language, a query or a header is in no other's page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.cast import Cast
from tests.clients import forget_pages
from tests.factories import MADE, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.rest]

EVIL = "evil.example"
POISONS: dict[str, dict[str, str]] = {
    "another allowed host": {"host": f"second.{EVIL}"},
    "the host of a proxy": {"x-forwarded-host": EVIL, "x-forwarded-server": EVIL, "forwarded": f"host={EVIL}"},
    "another scheme and port": {"x-forwarded-proto": "https", "x-forwarded-port": "666", "x-forwarded-ssl": "on"},
    "another address": {"x-original-url": f"/{EVIL}", "x-rewrite-url": f"/{EVIL}", "x-forwarded-prefix": f"/{EVIL}"},
    "a long language": {"accept-language": "de-" + "x" * 4000},
    "another language": {"accept-language": "en"},
    "a language with markup": {"accept-language": f"de;q=0.9,{EVIL}<script>"},
    "another method": {"x-http-method-override": "POST", "x-method-override": "DELETE"},
    "a look": {"look": f"{EVIL}:forged"},
    "a part of a page": {"hx-request": "true", "hx-boosted": "true", "hx-current-url": f"https://{EVIL}/"},
    "a range": {"range": "bytes=0-9"},
    "an ETag": {"if-none-match": f'"{EVIL}"', "if-modified-since": "Sat, 01 Jan 2050 00:00:00 GMT"},
    "an encoding": {"accept-encoding": f"gzip;q=0, {EVIL}"},
    "a format": {"accept": f"application/{EVIL}"},
    "a referrer": {"referer": f"https://{EVIL}/", "origin": f"https://{EVIL}", "user-agent": f"{EVIL} Edge/12"},
    "a cookie": {"cookie": f"language={EVIL}; theme={EVIL}; csrftoken={EVIL}"},
}
QUERIES = (f"?{EVIL}=1", f"?season={EVIL}", f"?player={EVIL}", f"?language={EVIL}", f"?next=//{EVIL}/", f"?key={EVIL}")


@pytest.fixture
def urls(people: Cast, settings: Any) -> Iterator[list[str]]:
    settings.BASE_URL, settings.ALLOWED_HOSTS = "", ["testserver", f"second.{EVIL}"]
    # The picture is drawn again for each of them.
    settings.DRAWN_LIMITS = dict.fromkeys(settings.DRAWN_LIMITS, 1000)
    home = people.home
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    season = {"club": home.club.slug, "season": home.season.slug}
    named: list[tuple[str, dict[str, Any]]] = [
        *((name, {"club": home.club.slug}) for name in ("club", "club-records", "club-champions", "club-picture")),
        *((name, season) for name in ("season", "season-standings", "season-records", "season-statistics")),
        *((name, season) for name in ("season-champions", "standings-json", "standings-embed")),
        ("player", {"club": home.club.slug, "player": table.dealer_id}),
        ("evening", {"club": home.club.slug, "evening": table.evening_id}),
    ]
    forget_pages()
    yield [reverse(name, kwargs=names) for name, names in named]
    forget_pages()


def plain(url: str) -> tuple[int, bytes, str]:
    answer = Client(headers={"accept-language": "de"}).get(url)
    return answer.status_code, answer.content, answer["Content-Type"]


def test_what_a_visitor_sends_is_in_no_page_of_another(urls: list[str]) -> None:
    wanted = {url: plain(url) for url in urls}
    assert {status for status, _body, _type in wanted.values()} == {200}
    for name, headers in POISONS.items():
        forget_pages()
        for url in urls:
            poisoned = Client(headers={"accept-language": "de", **headers}).get(url)
            assert poisoned.status_code < 500, (name, url)
        for url in urls:
            assert plain(url) == wanted[url], (name, url)
    for query in QUERIES:
        forget_pages()
        for url in urls:
            assert Client(headers={"accept-language": "de"}).get(url + query).status_code < 500, (query, url)
        for url in urls:
            assert plain(url) == wanted[url], (query, url)
    assert all(EVIL.encode() not in body for _status, body, _type in wanted.values())


def test_an_unknown_host_leaves_nothing_behind(urls: list[str]) -> None:
    for url in urls:
        assert Client(headers={"host": EVIL}).get(url).status_code == 400
        assert plain(url)[0] == 200
