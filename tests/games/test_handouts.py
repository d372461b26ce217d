"""The handouts: pages of A5 to print, for the table and for the players."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.help.examples import printed_hand
from league.models import Club
from league.money import format_money
from league.web.qr import qr
from tests.cast import House, house
from tests.clients import reader, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return house("roessli")


def handouts(home: House) -> str:
    address = reverse("club-handouts", kwargs={"club": home.club.slug})
    return reader(home.recorder).get(address).content.decode()


@pytest.mark.parametrize("game", ["chratze", "kratzen", "zwicken"])
def test_the_handout_has_six_pictures_of_a_hand_that_the_engine_settled(game: str) -> None:
    page = Client().get(reverse("help-handout", query={"game": game})).content.decode()
    assert page.count('<div class="shot" inert') == 6
    for coin in printed_hand(game):
        assert format_money(coin.amount_minor, plus="+") in page
    assert ("metcho" in shown(page)) == (game == "chratze")


def test_the_code_of_a_public_club_is_that_of_its_standings(home: House) -> None:
    page = handouts(home)
    assert qr(f"http://testserver/c/{home.club.slug}/standings/") in page
    assert f"testserver/c/{home.club.slug}/standings<" in page


def test_the_code_of_a_private_club_leads_there_by_the_sign_in(home: House) -> None:
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    page, standings = handouts(home), f"/c/{home.club.slug}/standings/"
    target = reverse("login", query={"next": standings})
    assert qr(f"http://testserver{target}") in page
    assert "Only people of the club read it" in page
    # A stranger gets the form, a person who is signed in the standings at once.
    assert Client().get(target).status_code == 200
    assert reader(home.recorder).get(target)["Location"] == standings


def test_the_page_of_the_club_leads_to_them_for_whoever_records(home: House) -> None:
    pages, link = reverse("club-pages", kwargs={"club": home.club.slug}), f"/c/{home.club.slug}/handouts/"
    assert link in reader(home.recorder).get(pages).content.decode()
    assert link not in reader(home.member).get(pages).content.decode()
    assert 'href="/help/handout/"' in Client().get("/help/at-the-table/").content.decode()
