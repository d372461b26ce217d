"""The start page: each public club with its leader and its last evening, a description, and explained words."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import Club, Player, Season
from league.standings.counting import count_season
from tests.cast import Cast, House
from tests.clients import reader
from tests.factories import MADE, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(people: Cast) -> House:
    house = people.home
    enter(create_table(season=house.season, club=house.club, held_on=timezone.localdate() - timedelta(days=9)), MADE)
    count_season(house.season.pk)
    return house


def start_page(person: object = None) -> str:
    answer = reader(person).get("/")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_a_public_club_shows_its_leader_and_its_last_evening(home):
    page = words(start_page())
    assert "Anna leads with 2 points" in page
    assert "Evening 1 " in page
    assert "running" not in page
    # The other club has no evening.
    assert "No evening yet" in page


def test_a_running_evening_is_marked(home):
    enter(create_table(season=home.season, club=home.club, held_on=timezone.localdate()), MADE)
    page = words(start_page())
    assert re.search(r"Evening 2 [^.]+ running", page)


def test_a_leader_is_shown_under_the_public_name(home):
    Player.objects.filter(nickname="Anna").update(publicity=Player.Publicity.INITIALS)
    assert "A. leads with 2 points" in words(start_page())
    assert "Anna" not in start_page()
    assert "Anna leads with 2 points" in words(start_page(home.member))


def test_a_season_of_money_shows_a_leader_without_an_amount(home):
    Season.objects.update(ranking=Season.Ranking.BALANCE)
    enter(create_table(season=home.season, club=home.club), MADE)
    count_season(home.season.pk)
    page = words(start_page())
    assert "Anna leads " in page
    assert "leads with" not in page
    assert "CHF" not in page


def test_all_who_share_the_first_rank_lead(home):
    beni_wins = {"declarer": 1, "joiners": [0], "made": [1]}
    enter(create_table(season=home.season, club=home.club), {**beni_wins, "made": [0, 1]})
    count_season(home.season.pk)
    assert "Anna, Beni lead with 3 points" in words(start_page())


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_club_that_is_not_listed_shows_nothing(home, visibility):
    Club.objects.filter(pk=home.club.pk).update(visibility=visibility)
    page = start_page()
    assert home.club.name not in page
    assert "Anna" not in page
    assert "Anna leads" in words(start_page(home.member))


def test_visitors_read_a_description_and_the_way_to_open_a_club(people):
    page = words(start_page())
    for text in ("What this is", "A club of your own", "Whoever runs this server opens it"):
        assert text in page
    assert "What this is" not in words(start_page(people.home.member))


def test_a_visitor_who_wants_a_club_finds_the_address_of_the_operator(people, settings):
    settings.CONTACT_MAIL = "anna+club@example.org"
    page = start_page()
    assert 'href="mailto:anna%2Bclub@example.org">anna+club@example.org</a>' in page
    assert "club_new" not in page
    assert 'href="#about-title"' in page
    settings.CONTACT_MAIL = ""
    page = start_page()
    assert "mailto:" not in page
    assert "ask the person from whom you have its link" in words(page)
    assert "manage.py club_new opens a club" in words(page)


@pytest.mark.parametrize(
    "where", ["/", "/c/roessli/", "/c/roessli/s/2026/", "/c/roessli/p/{player}/", "/c/roessli/e/{evening}/"]
)
def test_the_words_are_explained_where_they_are_used(home, where):
    evening = home.season.evenings.get()
    player = Player.objects.get(nickname="Anna")
    path = where.format(player=player.pk, evening=evening.pk)
    legend = reader().get(path).content.decode().split('id="legend"')[1].split("</details>")[0]
    for word in ("chratzt", "metcho", "Susi", "blind"):
        assert f"<dt>{word}</dt>" in legend


def test_an_evening_of_kratzen_explains_the_words_of_kratzen(home):
    table = create_table(season=home.season, club=home.club, game="kratzen", seats=4)
    page = reader().get(f"/c/{home.club.slug}/e/{table.evening_id}/").content.decode()
    legend = page.split('id="legend"')[1].split("</details>")[0]
    assert "Muss" in legend
    assert "metcho" not in legend
