"""Calendar, Atom feed and standings for other sites: their content, their readers, links that are renewed."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from itertools import product
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games.models import Table
from league.models import AuditEntry, Club, Evening, PlannedEvening, Player, Season, Tournament
from league.reports.feeds.link import key_of
from league.standings.counting import count_season
from tests.cast import House, house
from tests.factories import MADE, create_table, enter
from tests.tournaments.rounds import close, create_round, create_tournament, entrants_of, table_of

pytestmark = pytest.mark.django_db
FEEDS = ("club-calendar", "club-results-atom", "standings-json", "standings-embed")
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def home() -> House:
    roessli = house("roessli")
    table = create_table(season=roessli.season, club=roessli.club)
    enter(table, MADE)
    count_season(roessli.season.pk)
    # Nobody agreed to be named.
    Player.objects.filter(club=roessli.club).update(publicity=Player.Publicity.INITIALS)
    return roessli


def address(name: str, home: House) -> str:
    season = {"season": home.season.slug} if name.startswith("standings") else {}
    return reverse(name, kwargs={"club": home.club.slug, **season})


def member(home: House) -> Client:
    client = Client()
    client.force_login(home.member)
    return client


def make_private(home: House) -> None:
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    home.club.refresh_from_db()


def test_a_feed_shows_public_names_and_no_amount_also_to_members(home):
    nicknames = list(Player.objects.filter(club=home.club).values_list("nickname", flat=True))
    for name, client in product(FEEDS, (Client(), member(home))):
        text = client.get(address(name, home)).content.decode()
        assert not [nickname for nickname in nicknames if nickname in text]
        assert "CHF" not in text
        assert "balance_minor" not in text


def test_the_feed_of_a_private_club_needs_its_members_or_its_newest_link(home):
    make_private(home)
    before = key_of(home.club)
    for name in FEEDS:
        assert Client().get(address(name, home)).status_code == 404
        assert Client().get(f"{address(name, home)}?key=wrong").status_code == 404
        assert member(home).get(address(name, home)).status_code == 200
        answer = Client().get(f"{address(name, home)}?key={before}")
        assert answer.status_code == 200
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
    owner = Client()
    owner.force_login(home.owner)
    assert owner.post(address("club-feeds-renew", home)).status_code == 303
    home.club.refresh_from_db()
    for name in FEEDS:
        assert Client().get(f"{address(name, home)}?key={before}").status_code == 404
        assert Client().get(f"{address(name, home)}?key={key_of(home.club)}").status_code == 200


def test_a_link_opens_no_other_club(home):
    other = house("sternen")
    for each in (home, other):
        make_private(each)
    assert Client().get(f"{address('club-calendar', other)}?key={key_of(home.club)}").status_code == 404


def test_the_calendar_has_a_whole_day_for_each_evening(home):
    table = Table.objects.select_related("evening").get()
    answer = Client().get(address("club-calendar", home))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    day = table.evening.held_on
    assert (event.decoded("dtstart"), (event.decoded("dtend") - day).days) == (day, 1)
    assert str(event["uid"]) == f"evening-{table.evening_id}@testserver"
    assert str(event["url"]) == f"http://testserver/c/roessli/e/{table.evening_id}/"


def test_the_last_day_of_the_calendar_breaks_no_feed(home):
    """Of an evening, a planned evening and a tournament."""
    Evening.objects.update(held_on=date.max)
    last = {"held_on": date.max - timedelta(days=1), "begins_at": time(23)}
    PlannedEvening.objects.create(club=home.club, season=home.season, **last)
    PlannedEvening.objects.create(club=home.club, season=home.season, **last | {"held_on": date.max})
    tournament = create_tournament(home.club)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.OPEN, ends_on=date.max)
    answer = member(home).get(address("club-calendar", home))
    assert answer.status_code == 200
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    # An evening takes the place of the planned one of its day.
    assert len(events) == 3
    assert all(event.decoded("dtend") >= event.decoded("dtstart") for event in events if "dtend" in event)


def test_the_atom_feed_has_an_entry_for_each_evening_with_its_winner(home):
    answer = Client().get(address("club-results-atom", home))
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    (entry,) = ElementTree.fromstring(answer.content).iter(f"{ATOM}entry")
    standings = Client().get(address("standings-json", home)).json()["standings"]
    assert standings[0]["player"] in entry.findtext(f"{ATOM}title")
    assert entry.findtext(f"{ATOM}id") == f"tag:testserver,2026:evening-{Table.objects.get().evening_id}"


def test_other_sites_may_fetch_the_json_and_show_the_page_in_a_frame(home):
    json = Client().get(address("standings-json", home))
    assert json["Access-Control-Allow-Origin"] == "*"
    assert json.json()["standings"][0]["rank"] == 1
    # The first answer is rendered, the second one kept.
    for _time in range(2):
        page = Client().get(address("standings-embed", home))
        assert "frame-ancestors *" in page["Content-Security-Policy"]
        assert "X-Frame-Options" not in page
    assert Client().get(home.season.get_absolute_url())["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in page["Content-Security-Policy"]
    assert "unsafe" not in page["Content-Security-Policy"]
    assert b"<form" not in page.content
    assert b"csrf" not in page.content


def test_amounts_are_in_the_feeds_of_a_club_that_publishes_them(home):
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    assert "balance_minor" in Client().get(address("standings-json", home)).json()["standings"][0]


@pytest.mark.parametrize("name", ["club-results-atom", "standings-embed", "standings-json"])
def test_a_season_by_balance_has_amounts_in_its_feeds_only_where_the_club_publishes_them(home, name):
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    amount = re.compile(r"CHF|Fr\.|balance_minor|\d\.\d\d<")
    for client in (Client(), member(home)):
        assert not amount.search(client.get(address(name, home)).content.decode())
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    assert amount.search(Client().get(address(name, home)).content.decode())


def test_a_tournament_in_preparation_is_in_no_calendar(home):
    tournament = create_tournament(home.club)
    Tournament.objects.filter(pk=tournament.pk).update(name="Secret cup", state=Tournament.State.DRAFT)
    assert b"Secret cup" not in Client().get(address("club-calendar", home)).content
    assert b"Secret cup" not in member(home).get(address("club-calendar", home)).content
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.OPEN)
    assert b"Secret cup" in Client().get(address("club-calendar", home)).content


def test_the_results_of_a_round_are_in_no_feed_of_evenings(home):
    tournament = create_tournament(home.club, rounds=1, hide_last=True)
    entrants_of(tournament, 5)
    played = create_round(tournament, {1: (1, 2, 3, 4, 5)})
    enter(table_of(played), MADE)
    close(played)
    count_season(tournament.season_id)
    where = f"/e/{played.evening_id}/"
    for name in ("club-calendar", "club-results-atom"):
        assert where not in Client().get(address(name, home)).content.decode()


def test_a_season_of_another_club_is_not_found_also_with_a_key(home):
    other = house("sternen")
    make_private(home)
    for name in ("standings-json", "standings-embed"):
        where = reverse(name, kwargs={"club": home.club.slug, "season": other.season.slug})
        if other.season.slug == home.season.slug:
            Season.objects.filter(pk=other.season.pk).update(slug="theirs")
            where = reverse(name, kwargs={"club": home.club.slug, "season": "theirs"})
        assert member(home).get(where).status_code == 404
        assert Client().get(f"{where}?key={key_of(home.club)}").status_code == 404


def test_the_page_lists_the_secret_links_to_members_and_renewing_is_logged(home):
    make_private(home)
    text = member(home).get(address("club-feeds", home)).content.decode()
    assert text.count(key_of(home.club)) >= 4
    assert address("club-feeds-renew", home) not in text
    owner = Client()
    owner.force_login(home.owner)
    assert address("club-feeds-renew", home) in owner.get(address("club-feeds", home)).content.decode()
    owner.post(address("club-feeds-renew", home))
    assert AuditEntry.objects.get(what="club_changed").data == {"fields": ["feeds_mark"]}
