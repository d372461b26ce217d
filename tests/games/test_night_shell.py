"""The table screen of an evening that is not stored yet: the data of the page for its scripts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from games import engine_bridge
from games.evening.house_rules import house_rules_set
from tests.cast import House
from tests.factories import create_table
from tests.imported import club_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return club_of("Anna", "Beni")


def read(home: House, game: str, who: str = "recorder") -> Any:
    client = Client()
    client.force_login(getattr(home, who))
    return client.get(f"/c/{home.club.slug}/night/{game}/")


def night_club(answer: Any) -> dict[str, Any]:
    match = re.search(r'<script id="night-club" type="application/json">(.+?)</script>', answer.content.decode())
    assert match
    known: dict[str, Any] = json.loads(match[1])
    return known


def test_the_page_brings_games_seasons_and_roster(home: House) -> None:
    house_rules_set(club=home.club, game="kratzen", values={"unit": 50}, author=home.owner)
    known = night_club(read(home, "chratze"))
    assert known["club"] == {"slug": "roessli", "name": home.club.name, "currency": "CHF", "counts_tricks": False}
    assert known["games"]["kratzen"]["rules"] == engine_bridge.house_rules("kratzen", {"unit": 50})
    assert (known["games"]["kratzen"]["rules_version"], known["games"]["chratze"]["rules_version"]) == (1, 1)
    assert (known["games"]["chratze"]["least"], known["games"]["chratze"]["most"]) == (2, 7)
    assert [season["id"] for season in known["seasons"]] == [home.season.pk]
    assert sorted(player["name"] for player in known["roster"]) == ["Anna", "Beni"]
    assert known["box"] == dict.fromkeys(engine_bridge.GAMES, 0)


def test_names_of_the_club_are_in_the_page_as_data_only(home: House) -> None:
    home.club.name = "</script><b>"
    home.club.save()
    answer = read(home, "chratze")
    assert night_club(answer)["club"]["name"] == "</script><b>"
    assert b"<b></b>" not in answer.content


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_the_form_belongs_to_no_table(home: House, game: str) -> None:
    create_table(club=home.club, season=home.season)
    page = read(home, game).content.decode()
    assert 'data-table=""' in page
    assert "/t/0/" not in page
    assert not re.search(r'href="[^"]*/t/\d', page)


def test_another_game_and_another_person_get_no_page(home: House) -> None:
    assert read(home, "jass").status_code == 404
    assert read(home, "chratze", "member").status_code == 403
    assert Client().get("/c/roessli/night/chratze/").status_code == 302
