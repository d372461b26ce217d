"""Features that a club has switched off: no page of it has a link to one; with one alone, its entrance is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from league.features.routes import feature_of
from league.features.table import ALL, BY_KEY
from league.models import Club
from tests.screens.clubs import build
from tests.screens.pages import SCREENS
from tests.screens.screen import Screen, World
from tests.screens.test_rendered import reader_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

MAIN = {"club", "club-pages", "season", "evening", "table", "debts", "season-edit", "club-settings"}
"""The pages on which a feature may have its entrance."""
OFF = {"feature-off", "feature-off-visitor"}
"""The screens of a feature that is switched off."""


@pytest.fixture
def world() -> World:
    return build(hands=144)


class Links(HTMLParser):
    """The addresses in a page, whatever attribute has them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for _name, value in attrs if value and re.match(r"(https?:/)?/|[?]", value)}


def links_to_features(body: str, here: str) -> Iterator[tuple[str, str]]:
    """Yield the feature and the address of each link of a page to one."""
    links = Links()
    links.feed(body)
    for address in links.found:
        url = urlsplit(urljoin(f"http://testserver{here}", address))
        try:
            feature = feature_of(resolve(url.path).view_name) if url.netloc == "testserver" else None
        except Resolver404:
            continue
        if feature is not None:
            yield feature.key, url.path


def pages(world: World, routes: set[str] | None = None) -> Iterator[tuple[Screen, str, Client]]:
    """Yield each screen once with its address and its reader; only those of some routes, if they are given."""
    seen: set[tuple[str, str, str]] = set()
    for screen in SCREENS:
        address = screen.address.format(**world).partition("#")[0]
        key = (address, screen.who, screen.session)
        if key not in seen and (routes is None or screen.route in routes):
            seen.add(key)
            yield screen, address, reader_of(screen, world)


def switch(*keys: str) -> None:
    for club in Club.objects.all():
        club.features = list(keys)
        club.save(update_fields=["features"])


@pytest.mark.rest
def test_with_everything_off_no_page_has_a_link_to_a_feature(world: World) -> None:
    switch()
    wrong, read = set(), 0
    for screen, address, client in pages(world):
        answer = client.get(address)
        if feature_of(screen.route):
            if answer.status_code not in (302, 404):
                wrong.add(f"{screen.name}: {answer.status_code}")
        elif answer.status_code == 200 and not answer.streaming:
            read += 1
            wrong |= {f"{screen.name}: {link}" for _of, link in links_to_features(answer.content.decode(), address)}
    assert read > 100
    assert sorted(wrong) == []


@pytest.mark.rest
def test_a_feature_alone_has_its_entrance_and_its_pages(world: World) -> None:
    for key in ALL:
        switch(key)
        assert sorted(alone(world, key)) == []


def alone(world: World, key: str) -> set[str]:
    """Return what is wrong with one feature alone: on the main pages, and on its own."""
    wrong, entrances = set(), set()
    own = {screen.route for screen in SCREENS if feature_of(screen.route) == BY_KEY[key]}
    for screen, address, client in pages(world, own | MAIN):
        answer = client.get(address)
        if answer.status_code not in (screen.status, 302, 303) and screen.name not in OFF:
            wrong.add(f"{key}, {screen.name}: {answer.status_code}")
        if answer.streaming or not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for of, link in links_to_features(answer.content.decode(), address):
            if of != key:
                wrong.add(f"{key}, {screen.name}: {link}")
            elif screen.route in MAIN:
                entrances.add(link)
    return wrong if entrances else {*wrong, f"{key}: no entrance"}
