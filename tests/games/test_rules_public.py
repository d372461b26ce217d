"""House rules that a club publishes: visitors read them, without an amount unless the club publishes amounts."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games import engine_bridge
from games.evening.house_rules import house_rules_set
from games.game.amounts import Antes
from league.models import Club
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import UserFactory, create_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    house = cast().home
    rules = {"stake": 40, "rounding": 40, "pot_limit": 600}
    house_rules_set(club=house.club, game="chratze", values=rules, author=house.owner)
    return house


def publish(home: House, **more: object) -> None:
    Club.objects.filter(pk=home.club.pk).update(publishes_rules=True, **more)


def path(home: House, game: str = "chratze") -> str:
    return reverse("rules", kwargs={"club": home.club.slug}) + f"?game={game}"


def test_house_rules_are_for_people_of_the_club_unless_it_publishes_them(home):
    page = reader().get(path(home))
    assert page.status_code == 302
    assert "/login/" in page["Location"]
    publish(home)
    assert reader().get(path(home)).status_code == 200
    assert reader(UserFactory()).get(path(home)).status_code == 200


def test_a_stranger_is_refused_until_they_are_public(home):
    stranger = UserFactory()
    assert reader(stranger).get(path(home)).status_code == 403
    publish(home)
    assert reader(stranger).get(path(home)).status_code == 200


def test_a_private_club_publishes_nothing(home):
    publish(home, visibility=Club.Visibility.PRIVATE)
    assert reader().get(path(home)).status_code == 302
    assert reader(UserFactory()).get(path(home)).status_code == 404


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_visitors_read_antes_and_people_of_the_club_amounts(home, game):
    publish(home)
    page = reader().get(path(home, game)).content.decode()
    assert "CHF" not in page
    assert "1 ante" in page
    assert "Amounts are numbers of antes." in page
    assert "CHF" in reader(home.member).get(path(home, game)).content.decode()
    publish(home, publishes_money=True)
    assert "CHF" in reader().get(path(home, game)).content.decode()


def test_the_situations_name_antes(home):
    publish(home)
    answer = reader().get(path(home))
    pair = next(situation.now for situation in answer.context["situations"] if situation.case.key == "pair")
    # Five antes are in the pot; two thirds of it, rounded up to an ante, are four.
    assert (pair.pot_minor, [share.amount_minor for share in pair.shares]) == (500, [400, 100])
    lines = [line.choice for line in answer.context["lines"]]
    assert lines[0] == "1 ante each, every hand"
    assert any("15 antes" in choice for choice in lines)


def test_visitors_do_not_read_the_author_of_a_version(home):
    publish(home)
    assert "Owner" not in reader().get(path(home)).content.decode()
    assert "Owner" in reader(home.member).get(path(home)).content.decode()


def test_the_pages_of_the_club_lead_to_its_public_rules(home):
    table = create_table(season=home.season, club=home.club)
    pages = [f"/c/{home.club.slug}/club/", f"/c/{home.club.slug}/e/{table.evening_id}/"]
    link = re.compile(f'href="/c/{home.club.slug}/rules/')
    assert not any(link.search(reader().get(page).content.decode()) for page in pages)
    publish(home)
    assert all(link.search(reader().get(page).content.decode()) for page in pages)


@pytest.mark.parametrize(
    ("amount", "said"), [(20, "1 ante"), (5, "0.25 antes"), (300, "15 antes"), (250, "12.5 antes"), (0, "0 antes")]
)
def test_an_amount_is_a_number_of_antes(amount, said):
    assert Antes(20).show(amount) == said
