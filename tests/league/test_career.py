"""The page of a person: what is new since the last look, rivals and form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import signing
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from league.access import access_to
from league.career import last_look
from league.career.last_look import Seen, news_since
from league.career.person import form, rivals
from league.models import Player
from league.standings.counting import count_season
from league.standings.nights import nights_of
from tests.cast import House, cast
from tests.factories import FAILED, MADE, create_table, enter
from tests.league.test_statistics import night

NOW = datetime(2026, 11, 23, 20, tzinfo=UTC)


def seen(hours_ago: int, points: int = 10, rank: int = 3, newest: tuple[str, int] = ("2026-01-01", 1)) -> Seen:
    return Seen(NOW - timedelta(hours=hours_ago), points, 1, rank, newest)


def looked(*kept: Seen) -> Any:
    request = RequestFactory().get("/")
    request.COOKIES[last_look.COOKIE] = signing.dumps([one.packed() for one in kept], salt=last_look.SALT)
    return request


def test_the_first_look_has_no_news_and_is_kept():
    now = seen(0)
    assert last_look.read(RequestFactory().get("/"), now) == (None, [now])


def test_a_new_visit_compares_with_the_one_before_and_reloading_loses_nothing():
    week, now = seen(24 * 7), seen(0)
    assert last_look.read(looked(week), now) == (week, [week, now])
    assert last_look.read(looked(week, seen(1)), now) == (week, [week, seen(1)])
    assert last_look.read(looked(week, seen(48)), now) == (seen(48), [seen(48), now])


BROKEN_COOKIES = {
    "empty": lambda: "",
    "no signature": lambda: "x",
    "another shape": lambda: signing.dumps([[1]], salt=last_look.SALT),
    "another salt": lambda: signing.dumps(7, salt="other"),
}


@pytest.mark.parametrize("broken", BROKEN_COOKIES)
def test_a_broken_cookie_is_none(broken):
    request = RequestFactory().get("/")
    request.COOKIES[last_look.COOKIE] = BROKEN_COOKIES[broken]()
    assert last_look.read(request, seen(0))[0] is None


def test_news_are_new_evenings_the_rank_and_what_corrections_changed():
    before = seen(100, points=5, rank=3)
    nights = [night(1, 1, 4), night(2, 1, 6)]
    now = last_look.seen_now(NOW, nights, 1, 1)
    news = news_since(before, now, nights)
    assert [one.evening_id for one in news.evenings] == [2]
    assert (news.points, news.corrected, news.rank_before, news.rank) == (6, -1, 3, 1)
    same = news_since(now, now, nights)
    assert not same.any


def test_the_cookie_is_for_its_page_alone():
    response = HttpResponse()
    last_look.keep(response, "/c/x/p/1/", [seen(0)])
    cookie = response.cookies[last_look.COOKIE]
    assert cookie["path"] == "/c/x/p/1/"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


@pytest.fixture
def home(db: None) -> House:
    house = cast().home
    table = create_table(season=house.season, club=house.club)
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    count_season(house.season.pk)
    return house


def address(house: House, name: str) -> str:
    player = Player.objects.get(club=house.club, nickname=name)
    return reverse("player", kwargs={"club": house.club.slug, "player": player.pk})


@pytest.mark.django_db
def test_only_the_own_page_notes_a_look(home):
    Player.objects.filter(club=home.club, nickname="Anna").update(user=home.member)
    client = Client()
    client.force_login(home.member)
    assert last_look.COOKIE in client.get(address(home, "Anna")).cookies
    assert last_look.COOKIE not in client.get(address(home, "Beni")).cookies
    assert last_look.COOKIE not in Client().get(address(home, "Anna")).cookies


@pytest.mark.django_db
def test_form_and_rivals_of_one_evening(home):
    nights = nights_of([home.season])
    anna = Player.objects.get(club=home.club, nickname="Anna").pk
    (last,) = form(nights, anna)
    # 2 - 2 + 2 for Anna, 1 + 1 + 1 for Beni.
    assert (last.rank, last.points) == (2, 2)
    found = {one.name: (one.ahead, one.behind) for one in rivals(access_to(home.owner, home.club), nights, anna)}
    assert found["Beni"] == (0, 1)
    assert found["Emil"] == (1, 0)
