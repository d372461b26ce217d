"""Files for browsers and search engines: icons, robots.txt, a description of each page."""

from __future__ import annotations

import re
import struct
from typing import Any
from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client
from django.urls import reverse

from tests.cast import cast
from tests.factories import MADE, create_table, enter

pytestmark = pytest.mark.django_db


def body(answer: Any) -> bytes:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_the_icon_has_three_sizes():
    answer = Client().get("/favicon.ico")
    icon = body(answer)
    kind, count = struct.unpack_from("<HH", icon, 2)
    assert (kind, [icon[6 + 16 * number] for number in range(count)]) == (1, [16, 32, 48])
    assert answer["Content-Type"] in ("image/x-icon", "image/vnd.microsoft.icon")
    assert body(Client().get("/apple-touch-icon.png")).startswith(b"\x89PNG")


def test_robots_may_read_public_pages_only():
    robots = RobotFileParser()
    robots.parse(body(Client().get("/robots.txt")).decode().splitlines())
    for path in ("/", "/c/roessli/", "/c/roessli/s/2026/", "/calculator/", "/hand-worth/", "/api/docs/"):
        assert robots.can_fetch("Googlebot", path), path
    for path in ("/account/keys/", "/admin/", "/api/v1/clubs", "/login/?next=/"):
        assert not robots.can_fetch("Googlebot", path), path


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_public_page_describes_itself(language: str):
    home = cast().home
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    club = {"club": home.club.slug}
    player = table.places.first().player_id
    pages = [
        reverse("home"),
        reverse("club", kwargs=club),
        reverse("season", kwargs=club | {"season": "2026"}),
        reverse("player", kwargs=club | {"player": player}),
        reverse("evening", kwargs=club | {"evening": table.evening_id}),
        reverse("calculator"),
        reverse("hand-worth"),
        reverse("api-docs"),
    ]
    descriptions = []
    for page in pages:
        text = body(Client().get(page, headers={"Accept-Language": language})).decode()
        described = re.findall(r'<meta name="description" content="([^"]+)">', text)
        assert len(described) == 1, page
        descriptions += described
    assert len(set(descriptions)) == len(pages)
    assert all(40 <= len(text) <= 160 for text in descriptions), descriptions
    assert ("Saison" in descriptions[1]) == (language == "de")
