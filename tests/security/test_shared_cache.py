"""A private page from a shared cache. A plain model plays the cache between the server and several readers (a proxy)
and stores what HTTP allows (RFC 9111): it never gives one reader's answer to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.privacy.cache_headers import PrivateByDefault
from tests.cast import Cast, cast
from tests.factories import WITH_CARDS, create_table, enter
from tests.league.test_access_permissions import more_of, things
from tests.permissions import ROUTES, Anyone, Club, Own

pytestmark = [pytest.mark.django_db, pytest.mark.rest]

SAME_FOR_EVERYBODY = {"healthz", "readyz"}


@pytest.fixture
def everybody() -> Cast:
    people = cast()
    for home in (people.home, people.away):
        enter(create_table(club=home.club, season=home.season), WITH_CARDS)
    return people


def addresses(people: Cast) -> Iterator[tuple[str, str]]:
    """Return every page that needs no personal link, with its route."""
    known = things(people.home)
    for name, route in ROUTES.items():
        if isinstance(route, Club) and "GET" in route.rights and route.names in known:
            more = more_of(name)
            yield name, reverse(name, kwargs={"club": people.home.club.slug, **known[route.names], **more})
        elif isinstance(route, Anyone | Own) and "GET" in route.methods and not getattr(route, "names", ""):
            yield name, reverse(name)


class SharedCache:
    """Stores an answer by its address unless the answer forbids it, and gives it to the next reader."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    def get(self, client: Client, url: str) -> Any:
        """Return the answer, from the cache if allowed."""
        if url in self.kept:
            return self.kept[url]
        answer = client.get(url)
        directives = re.split(r"\s*,\s*", answer.headers.get("Cache-Control", "").lower())
        # Without Cache-Control a cache may guess how long an answer is valid; it does not distinguish cookies.
        if not {"private", "no-store"} & set(directives):
            self.kept[url] = answer
        return answer


def test_no_answer_that_depends_on_the_reader_is_cached(everybody):
    cache = SharedCache()
    owner = Client()
    owner.force_login(everybody.home.owner)
    asked = 0
    for name, url in addresses(everybody):
        first = cache.get(owner, url)
        asked += 1
        if name in SAME_FOR_EVERYBODY:
            continue
        assert "cookie" in first.headers.get("Vary", "").lower(), name
        # So the next reader's answer comes from the server.
        assert url not in cache.kept, name
    assert asked > 60


def test_without_the_guard_a_visitor_gets_an_owners_page(everybody, monkeypatch):
    monkeypatch.setattr(PrivateByDefault, "__call__", lambda self, request: self.get_response(request))
    cache = SharedCache()
    owner = Client()
    owner.force_login(everybody.home.owner)
    url = reverse("club", kwargs={"club": everybody.home.club.slug})
    assert cache.get(Client(), url) is cache.get(owner, url)


@pytest.mark.parametrize(("visibility", "noindex", "stored"), [("listed", 0, 1), ("unlisted", 1, 1), ("private", 1, 0)])
def test_the_visibility_of_a_club_decides_about_indexing_and_caching(everybody, visibility, noindex, stored):
    club = everybody.home.club
    club.visibility = visibility
    club.save()
    member = Client()
    member.force_login(everybody.home.member)
    for name in ("club", "season", "season-standings", "evening", "standings-csv"):
        route = ROUTES[name]
        assert isinstance(route, Club)
        answer = member.get(reverse(name, kwargs={"club": club.slug, **things(everybody.home)[route.names]}))
        assert answer.status_code == 200
        assert ("noindex" in answer.headers.get("X-Robots-Tag", "")) == bool(noindex), name
        assert ("no-store" in answer.headers["Cache-Control"]) == (not stored), name
        assert answer.headers["Referrer-Policy"] == "same-origin"


def test_an_unlisted_club_is_on_no_list_and_can_be_read(everybody):
    club = everybody.home.club
    club.visibility = "unlisted"
    club.save()
    assert club.name not in Client().get("/").content.decode()
    assert everybody.away.club.name in Client().get("/").content.decode()
    assert Client().get(club.get_absolute_url()).status_code == 200


def test_the_headers_of_a_private_club_are_not_on_the_next_answer(everybody):
    everybody.home.club.visibility = "unlisted"
    everybody.home.club.save()
    client = Client()
    assert "X-Robots-Tag" in client.get(everybody.home.club.get_absolute_url()).headers
    assert "X-Robots-Tag" not in client.get(everybody.away.club.get_absolute_url()).headers
    assert "X-Robots-Tag" not in client.get("/").headers
