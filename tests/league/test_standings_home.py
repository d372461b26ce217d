"""The start page: each public club with its leader and its last evening, a description, and explained words."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import Club, ClubRequest, Membership, Player, Season
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
    answer = reader(person).get("/?all=1")
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


def test_visitors_read_what_it_is_before_any_club(people):
    page = words(start_page())
    assert page.index("The pot, the standings and who pays whom follow") < page.index(people.home.club.name)
    assert "without a slip of paper" not in words(start_page(people.home.member))


def test_a_visitor_who_wants_a_club_finds_the_address_of_the_operator(people, settings):
    settings.CLUBS_OPEN = "no"
    settings.CONTACT_MAIL = "anna+club@example.org"
    page = start_page()
    assert 'href="mailto:anna%2Bclub@example.org">anna+club@example.org</a>' in page
    assert "manage.py" not in page
    settings.CONTACT_MAIL = ""
    assert "mailto:" not in start_page()


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


# --- Whoever has one club -------------------------------------------------------------------------------------


def test_whoever_has_one_club_comes_to_it_and_finds_the_first_page(people):
    browser = reader(people.home.member)
    answer = browser.get("/")
    assert (answer.status_code, answer["Location"]) == (302, people.home.club.get_absolute_url())
    assert 'href="/?all=1"' in browser.get("/account/").content.decode()
    page = browser.get("/?all=1").content.decode()
    assert people.home.club.name in page
    assert people.away.club.name in page


def test_whoever_has_several_clubs_or_none_chooses(people):
    assert reader(people.stranger).get("/").status_code == 200
    assert reader().get("/").status_code == 200
    Membership.objects.create(club=people.away.club, user=people.home.member, role="member")
    assert reader(people.home.member).get("/").status_code == 200


def test_a_page_of_the_list_stays_a_page_of_the_list(people):
    assert reader(people.home.member).get("/?after=roessli").status_code == 200


def test_an_operator_for_whom_a_club_waits_sees_the_first_page(people):
    Membership.objects.create(club=people.home.club, user=people.server_admin, role="member")
    assert reader(people.server_admin).get("/").status_code == 302
    ClubRequest.objects.create(user=people.stranger, name="Linde", game="chratze", currency="CHF", stake=20)
    assert "A club is waiting for you" in reader(people.server_admin).get("/").content.decode()
