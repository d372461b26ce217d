"""The rating on the page of a person: its value, its bounds in words, its course, and no rating from few evenings."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.career import rating
from league.career.rating import PersonRating, person_rating
from league.models import Club, Player, Rating
from league.money import format_count
from league.standings.counting import count_season
from league.standings.facts.rating_model import BEGINNER, LEAST, Skill
from tests.cast import House, cast
from tests.factories import MADE, create_table, enter

pytestmark = pytest.mark.django_db

FIRST = date(2026, 9, 1)


@pytest.fixture
def home() -> House:
    return cast().home


def play(house: House, evenings: int) -> None:
    """Anna declares and makes it on each evening."""
    for nth in range(evenings):
        table = create_table(season=house.season, club=house.club, held_on=FIRST + timedelta(7 * nth))
        for _ in range(2):
            enter(table, MADE)
    count_season(house.season.pk)


def anna(house: House) -> Player:
    return Player.objects.get(club=house.club, nickname="Anna")


def found(house: House) -> PersonRating:
    made = person_rating(anna(house).pk)
    assert made is not None
    return made


def page(house: House, client: Client | None = None) -> str:
    url = reverse("player", kwargs={"club": house.club.slug, "player": anna(house).pk})
    text: str = (client or Client()).get(url, headers={"accept-language": "en"}).content.decode()
    return text


def test_few_evenings_give_no_rating(home):
    play(home, LEAST - 1)
    assert (found(home).known, found(home).rows, found(home).chart) == (False, (), None)
    text = page(home)
    card = text.split('id="rating"')[1].split("</section>")[0]
    assert "Too few evenings to say" in card
    assert "<svg" not in card
    assert "±" not in card


def test_from_enough_evenings_on_the_value_has_bounds_and_words(home):
    play(home, LEAST)
    stored = Rating.objects.filter(player=anna(home)).latest("held_on")
    now = found(home).now
    assert now.skill == Skill(stored.mu, stored.sigma, LEAST)
    assert (now.low, now.high) == (now.skill.points - now.skill.spread, now.skill.points + now.skill.spread)
    card = page(home).split('id="rating"')[1].split("</section>")[0]
    assert f"in 95 of 100 cases between {format_count(now.low)} and {format_count(now.high)}" in card
    assert found(home).says in card
    # One evening is no course.
    assert found(home).chart is None
    assert "rating-table" not in card


def test_the_course_has_a_row_for_each_evening_from_the_fifth_on(home):
    play(home, LEAST + 2)
    made = found(home)
    assert [row.held_on for row in made.rows] == [FIRST + timedelta(7 * nth) for nth in (6, 5, 4)]
    newest, before, first = made.rows
    assert newest.change == newest.skill.points - before.skill.points
    assert first.change is None
    assert made.chart is not None
    # The line has a point for each evening, the band two.
    assert [len(re.findall(r"[ML]", path)) for path in (made.chart.line, made.chart.band)] == [3, 6]
    heights = [float(y) for y in re.findall(r" ([\d.]+)", made.chart.band)]
    assert 0 <= min(heights) <= made.chart.begin_y <= max(heights) <= made.chart.height
    table = page(home).split('id="rating-table"')[1].split("</table>")[0]
    assert table.count("<tr>") == 4


def test_a_long_course_has_its_newest_evenings(home, monkeypatch):
    monkeypatch.setattr(rating, "MOST", 2)
    play(home, LEAST + 2)
    assert len(found(home).rows) == 2
    assert found(home).rows[-1].change is None
    assert found(home).evenings == LEAST + 2


def test_a_player_without_rated_evenings_has_no_rating(home):
    assert person_rating(Player.objects.create(club=home.club, nickname="Neu").pk) is None
    assert 'id="rating"' not in page_of(home, Player.objects.get(nickname="Neu"))


def page_of(house: House, player: Player) -> str:
    url = reverse("player", kwargs={"club": house.club.slug, "player": player.pk})
    return Client().get(url).content.decode()


def test_visitors_see_the_rating_under_the_public_name(home):
    play(home, LEAST)
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS)
    text = page(home)
    assert format_count(found(home).now.skill.points) in text
    assert "Anna" not in text
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    url = reverse("player", kwargs={"club": home.club.slug, "player": anna(home).pk})
    assert Client().get(url).status_code == 404


@pytest.mark.parametrize(
    ("points", "spread", "words"),
    [
        (1000, 667, "Little is known yet. Nobody can say yet"),
        (1300, 200, "This is roughly known. Surely stronger"),
        (700, 120, "This is well known. Surely weaker"),
        (1050, 60, "This is well known. Nobody can say yet"),
    ],
)
def test_a_rating_in_words(home, en, points, spread, words):
    play(home, LEAST)
    thousandths = 1000 // 40
    Rating.objects.filter(player=anna(home)).update(mu=points * thousandths, sigma=spread * thousandths // 2)
    assert found(home).says.startswith(words)
    assert BEGINNER.points == 1000


def test_a_longer_course_needs_no_more_queries(home, django_assert_num_queries):
    play(home, LEAST + 3)
    player = anna(home).pk
    with django_assert_num_queries(1):
        person_rating(player)
