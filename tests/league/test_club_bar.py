"""The bar of a club: the same four places on each page, with the mark where the reader is."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Club, Role, Season
from league.web.club_bar import PLACE_OF, ROUTES, WITHOUT_BAR, Place
from tests.cast import Cast
from tests.clients import reader
from tests.permissions import ROUTES as ALL_ROUTES
from tests.permissions import Club as ClubRoute

PARTS_AND_FILES = re.compile(r".*(-csv|-pdf|-picture|-json|-live|-preview|-atom|-file|-sample|-calendar|-paper)$")
NO_PAGE = {"season-standings", "evening-sheet", "table-pencil", "night"}
"""Routes of a club that answer with a part of a page, a file, or to a program."""


def links(page: str) -> list[tuple[str, str]]:
    """Return the links of the bar with their marks."""
    bar = re.search(r'<nav class="club-bar".*?</nav>', page, re.DOTALL)
    return re.findall(r'href="([^"]+)"(?: aria-current="(\w+)")?', bar[0]) if bar else []


def test_each_route_of_a_club_has_a_place_or_is_named_as_without_a_bar():
    of_club = {name for name, route in ALL_ROUTES.items() if isinstance(route, ClubRoute)}
    pages = {name for name in of_club if not PARTS_AND_FILES.match(name)} - NO_PAGE
    assert pages - set(PLACE_OF) - WITHOUT_BAR == set()
    assert (set(PLACE_OF) | WITHOUT_BAR) - of_club == set()
    assert set(PLACE_OF) & WITHOUT_BAR == set()
    assert sum(len(routes) for routes in ROUTES.values()) == len(PLACE_OF)


def test_the_address_of_each_place_is_a_route_of_that_place():
    assert {PLACE_OF[place.value] for place in Place} == set(Place)
    assert all(PLACE_OF[place.value] is place for place in Place)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("route", "marks"),
    [
        ("club", ["page", "", "", ""]),
        ("debts", ["", "", "page", ""]),
        ("bill-mine", ["", "", "true", ""]),
        ("club-pages", ["", "", "", "page"]),
        ("club-settings", ["", "", "", "true"]),
        ("club-visibility", ["", "", "", "true"]),
    ],
)
def test_the_bar_is_the_same_on_each_page_and_marks_the_place(people: Cast, route: str, marks: list[str]):
    club = people.home.club.slug
    bar_links = links(reader(people.home.owner).get(reverse(route, kwargs={"club": club})).content.decode())
    assert [href for href, _mark in bar_links] == [
        f"/c/{club}/",
        f"/c/{club}/standings/",
        f"/c/{club}/debts/",
        f"/c/{club}/club/",
    ]
    assert [mark for _href, mark in bar_links] == marks


@pytest.mark.django_db
def test_a_visitor_has_no_payments(people: Cast):
    club = people.home.club.slug
    hrefs = [href for href, _mark in links(reader().get(f"/c/{club}/").content.decode())]
    assert hrefs == [f"/c/{club}/", f"/c/{club}/standings/", f"/c/{club}/club/"]


@pytest.mark.django_db
def test_pages_outside_a_club_and_of_hidden_clubs_have_no_bar(people: Cast):
    Club.objects.filter(pk=people.away.club.pk).update(visibility=Club.Visibility.PRIVATE)
    client = reader(people.home.owner)
    client.get(people.home.club.get_absolute_url())
    assert links(client.get("/").content.decode()) == []
    assert links(client.get(people.away.club.get_absolute_url()).content.decode()) == []


@pytest.mark.django_db
def test_the_standings_lead_to_the_current_season(people: Cast):
    club, today = people.home.club, timezone.localdate()
    Season.objects.filter(club=club).update(starts_on=today - timedelta(days=30), ends_on=None)
    now = Season.objects.create(club=club, name="Now", slug="now", starts_on=today - timedelta(days=3))
    Season.objects.create(club=club, name="Later", slug="later", starts_on=today + timedelta(days=300))
    answer = Client().get(f"/c/{club.slug}/standings/")
    assert (answer.status_code, answer["Location"]) == (302, now.get_absolute_url())


@pytest.mark.django_db
def test_without_a_season_the_standings_lead_to_the_club(people: Cast):
    Season.objects.filter(club=people.away.club).delete()
    answer = reader(people.away.owner).get(f"/c/{people.away.club.slug}/standings/")
    assert answer["Location"] == people.away.club.get_absolute_url()


@pytest.mark.django_db
def test_the_page_of_a_club_lists_what_each_person_may_open(people: Cast):
    house = people.home

    def rows(person: object) -> set[str]:
        page = reader(person).get(f"/c/{house.club.slug}/club/").content.decode()
        return set(re.findall(r'class="value-row" href="/c/[^/]+/([^"]*)"', page))

    to_read = {"privacy/", "tournaments/", "cups/", "records/", "screen/", "feeds/"}
    to_read |= {f"s/{house.season.slug}/statistics/", f"s/{house.season.slug}/luck/"}
    set_up = {"settings/", "window/", "logo/", "faces/", "imports/", "webhooks/", "log/", "seasons/", "people/"}
    set_up |= {"features/", "settings/table/", "settings/readers/", f"s/{house.season.slug}/edit/"}
    assert rows(None) == to_read
    assert rows(house.member) == to_read | {"rules/"}
    assert rows(house.recorder) == to_read | {"rules/", "handouts/"}
    assert rows(house.treasurer) == to_read | {"rules/", "roster/", "treasury/", "handouts/"}
    assert rows(house.owner) == to_read | {"rules/", "roster/", "treasury/", "handouts/"} | set_up


@pytest.mark.django_db
def test_each_row_opens(people: Cast):
    client = reader(people.home.owner)
    page = client.get(f"/c/{people.home.club.slug}/club/").content.decode()
    hrefs = re.findall(r'class="value-row" href="([^"]+)"', page)
    assert {href: code for href in hrefs if (code := client.get(href).status_code) != 200} == {}


@pytest.mark.django_db
def test_rows_have_their_present_values(people: Cast):
    house = people.home
    assert house.club.memberships.filter(role=Role.OWNER).exists()
    page = reader(house.owner).get(f"/c/{house.club.slug}/club/").content.decode()
    values = dict(re.findall(r"<b>([^<]+)</b> <span class=\"soft num\">([^<]+)</span>", page))
    assert values["Seasons"] == house.season.name
    assert values["Correction period"] == "48 hours"
    assert values["Who sees what"] == "everybody"


@pytest.mark.django_db
def test_the_bar_costs_no_query(people: Cast, monkeypatch: pytest.MonkeyPatch):
    client, address = reader(people.home.owner), reverse("club-settings", kwargs={"club": people.home.club.slug})
    client.get(address)

    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            client.get(address)
        return len(made)

    with_bar = queries()
    monkeypatch.setattr("games.templatetags.club_bar.bar.club_bar", lambda *_args: [])
    assert queries() == with_bar
