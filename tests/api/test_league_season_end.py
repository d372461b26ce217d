"""Chances of a season and champions for programs: the same as on the pages, by consent."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from league.chances import services
from league.config import celery
from league.models import Season
from league.standings.counting import count_season
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import House
from tests.factories import MADE, enter
from tests.league.test_chances import home as home  # a fixture

pytestmark = pytest.mark.django_db

CLUB = "clubs/roessli"
SEASON = f"{CLUB}/seasons/2026"
CHANCES = f"{SEASON}/chances"


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seasons for which a worker was woken."""
    seasons: list[int] = []
    monkeypatch.setattr(celery, "wake", lambda task, *args: seasons.append(args[0]) or True)
    return seasons


def by_name(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(item for item in data["items"] if item["name"] == name)


# --- Chances -----------------------------------------------------------------------------------------------


def test_a_request_wakes_a_worker_once_and_waits_for_nothing(home, woken):
    for _ in range(2):
        chances = done(ApiClient().get(CHANCES))
        assert (chances["state"], chances["items"], chances["computed_at"]) == ("waiting", [], None)
    assert woken == [home.season.pk]
    services.chances_compute(home.season.pk)
    chances = done(ApiClient().get(CHANCES))
    assert (chances["state"], chances["held"], chances["left"]) == ("computed", 4, 3)
    assert chances["running"] == home.season.evenings.order_by("held_on").last().pk
    assert chances["seed"] == chances["counted_mark"] == Season.objects.get(pk=home.season.pk).ledger_mark


def test_chances_are_those_of_the_page_with_bounds_and_needs(home):
    services.chances_compute(home.season.pk)
    anna = by_name(done(ApiClient(person=home.member).get(CHANCES)), "Anna")
    assert anna["evenings"] == 4
    for which in ("next", "end"):
        for aim in ("first", "first_three"):
            chance = anna[which][aim]
            assert 0 <= chance["low_permille"] <= chance["permille"] <= chance["high_permille"] <= 1000
    needs = anna["needs"]
    assert (needs["unit"], needs["so_far"]) == ("points", 2)
    assert all(
        (needs[aim]["value"] is None) == (needs[aim]["enough"] != "at_least") for aim in ("first", "first_three")
    )


def test_visitors_read_no_name_without_consent(home):
    services.chances_compute(home.season.pk)
    text = ApiClient().get(CHANCES).content.decode()
    assert "Anna" not in text
    assert '"A."' in text


def test_needs_in_amounts_are_for_those_who_see_them(home):
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE, ledger_mark=1000)
    count_season(home.season.pk)
    services.chances_compute(home.season.pk)
    assert {chance["needs"] for chance in done(ApiClient().get(CHANCES))["items"]} == {None}
    seen = by_name(done(ApiClient(key=key_for(home.owner, "read", "money")).get(CHANCES)), "Anna")
    assert seen["needs"]["unit"] == "minor"
    # A key without the scope for money has the view of a visitor.
    assert by_name(done(ApiClient(key=key_for(home.owner, "read")).get(CHANCES)), "Anna")["needs"] is None


def test_the_etag_of_chances_changes_with_each_count(home):
    services.chances_compute(home.season.pk)
    api = ApiClient()
    first = api.get(CHANCES)
    assert api("GET", CHANCES, if_none_match=first["ETag"]).status_code == 304
    enter(home.season.evenings.order_by("held_on").first().tables.get(), MADE)
    count_season(home.season.pk)
    again = api("GET", CHANCES, if_none_match=first["ETag"])
    assert (again.status_code, again.json()["state"]) == (200, "waiting")
    assert again.json()["items"] == first.json()["items"]
    services.chances_compute(home.season.pk)
    assert api("GET", CHANCES, if_none_match=again["ETag"]).json()["state"] == "computed"


def test_too_few_evenings_and_a_closed_season_have_no_chances(home, woken):
    services.chances_compute(home.season.pk)
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now())
    closed = done(ApiClient().get(CHANCES))
    assert (closed["state"], closed["items"], closed["left"]) == ("closed", [], None)
    other = cast_season_without_evenings(home)
    assert done(ApiClient().get(f"{CLUB}/seasons/{other.slug}/chances"))["state"] == "too_few"
    assert woken == []


def cast_season_without_evenings(house: House) -> Season:
    return Season.objects.create(club=house.club, slug="next", name="Next", starts_on=timezone.localdate())


def test_chances_take_no_parameter_and_belong_to_the_club(home):
    assert is_problem(ApiClient().get(f"{CHANCES}?player=1"), 400)
    assert is_problem(ApiClient().get(f"{CLUB}/seasons/none/chances"), 404)


# --- Champions ---------------------------------------------------------------------------------------------


def close(house: House) -> None:
    Season.objects.filter(pk=house.season.pk).update(closed_at=timezone.now())


def test_a_season_has_champions_once_it_is_closed(home):
    empty = done(ApiClient().get(f"{SEASON}/champions"))
    assert (empty["closed_at"], empty["champions"], empty["podium"], empty["played"]) == (None, [], [], None)
    assert done(ApiClient().get(f"{CLUB}/champions")) == {"seasons": [], "titles": []}
    close(home)
    honours = done(ApiClient(person=home.member).get(f"{SEASON}/champions"))
    standings = done(ApiClient(person=home.member).get(f"{SEASON}/standings"))["items"]
    podium = [standing for standing in standings if standing["rank"] <= 3]
    assert [(winner["rank"], winner["player"], winner["points"]) for winner in honours["podium"]] == [
        (standing["rank"], standing["player"], standing["points"]) for standing in podium
    ]
    assert [champion["name"] for champion in honours["champions"]] == [
        standing["name"] for standing in podium if standing["rank"] == 1
    ]
    assert (honours["played"]["evenings"], honours["played"]["hands"], honours["played"]["players"]) == (5, 15, 5)
    assert {record["kind"] for record in honours["records"]} >= {"pot", "goals"}
    assert honours["rules"]
    (past,) = done(ApiClient(person=home.member).get(f"{CLUB}/champions"))["seasons"]
    assert (past["season"], past["closed"], past["champions"]) == ("2026", True, honours["champions"])
    titles = done(ApiClient(person=home.member).get(f"{CLUB}/champions"))["titles"]
    assert [(holder["name"], holder["titles"]) for holder in titles] == [
        (champion["name"], 1) for champion in honours["champions"]
    ]


def test_visitors_read_champions_without_names_or_amounts(home):
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE, ledger_mark=1000)
    count_season(home.season.pk)
    close(home)
    for path in (f"{SEASON}/champions", f"{CLUB}/champions"):
        assert "Anna" not in ApiClient().get(path).content.decode(), path
    assert {winner["amount_minor"] for winner in done(ApiClient().get(f"{SEASON}/champions"))["podium"]} == {None}
    seen = done(ApiClient(person=home.treasurer).get(f"{SEASON}/champions"))["podium"]
    assert all(isinstance(winner["amount_minor"], int) and winner["points"] is None for winner in seen)


def test_champions_have_an_etag(home):
    close(home)
    for path in (f"{SEASON}/champions", f"{CLUB}/champions"):
        first = ApiClient().get(path)
        assert ApiClient()("GET", path, if_none_match=first["ETag"]).status_code == 304
