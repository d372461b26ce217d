"""The calendar of a player's link: its entries with the address to answer, its gate, and no link in a club's feed."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event

from league.attendance.link import link_end, link_renew, token_of
from league.attendance.reserves import reserves_set
from league.attendance.services import answer_set
from league.club_admin.services import feature_switch
from league.models import Club, PlannedEvening, Player
from tests.cast import Cast, House
from tests.clients import reader
from tests.factories import PlayerFactory, create_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(people: Cast) -> House:
    return people.home


@pytest.fixture
def beni(home: House) -> Player:
    return PlayerFactory(club=home.club, nickname="Beni")


def planned(home: House, days: int, **more: Any) -> PlannedEvening:
    day = timezone.localdate() + timedelta(days=days)
    values = {"club": home.club, "season": home.season, "held_on": day, "begins_at": time(20)} | more
    return PlannedEvening.objects.create(**values)


def addresses(player: Player) -> tuple[str, str]:
    """Return the address of a new link of the player, and that of its calendar."""
    where = {"club": player.club.slug, "token": token_of(link_renew(player=player, actor=None))}
    return reverse("coming-link", kwargs=where), reverse("coming-calendar", kwargs=where)


def events(url: str) -> dict[str, Event]:
    answer = Client(headers={"accept-language": "en"}).get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    return {str(event["uid"]).partition("@")[0]: event for event in Calendar.from_ical(answer.content).walk("VEVENT")}


def test_each_evening_to_come_has_the_address_to_answer_and_the_answer(home, beni):
    evening = planned(home, 7, note="Wendelin brings cake", place="Waldhütte")
    page, url = addresses(beni)
    event = events(url)[f"planned-{evening.pk}"]
    to_answer = f"http://testserver{page}#evening-{evening.pk}"
    assert (str(event["url"]), str(event["location"])) == (to_answer, "Waldhütte")
    assert str(event["description"]).splitlines() == [
        evening.season.name,
        f"Are you coming? Answer here: {to_answer}",
    ]
    answer_set(planned=evening, player=beni, answer="no", actor=None)
    answered = events(url)[f"planned-{evening.pk}"]
    assert "Your answer: not coming" in str(answered["description"])
    assert answered.decoded("last-modified") >= event.decoded("last-modified")
    assert "Wendelin" not in Client().get(url).content.decode()


@pytest.mark.parametrize("why", ["over", "cancelled", "opened", "closed season"])
def test_an_evening_that_takes_no_answer_has_no_address(home, beni, why):
    evening = planned(home, -1 if why == "over" else 7)
    _page, url = addresses(beni)
    if why == "cancelled":
        PlannedEvening.objects.update(cancelled_at=timezone.now())
    elif why == "opened":
        create_table(club=home.club, season=home.season, held_on=evening.held_on)
    elif why == "closed season":
        home.season.closed_at = timezone.now()
        home.season.save()
    event = events(url)[f"planned-{evening.pk}"]
    assert ("url" in event, "Answer here" in str(event["description"])) == (False, False)
    assert str(event["status"]) == ("CANCELLED" if why == "cancelled" else "CONFIRMED")


def test_a_reserve_has_only_the_evenings_for_which_the_player_is_asked(home, beni):
    reserves_set(club=home.club, players=[beni.pk], actor=None)
    planned(home, -1)
    evening, anna = planned(home, 7, least_players=2), PlayerFactory(club=home.club, nickname="Anna")
    _page, url = addresses(beni)
    assert events(url) == {}
    answer_set(planned=evening, player=anna, answer="no", actor=None)
    assert list(events(url)) == [f"planned-{evening.pk}"]


def test_a_link_that_is_over_or_of_another_club_opens_no_calendar(people: Cast, home, beni):
    planned(home, 7)
    _page, url = addresses(beni)
    foreign = url.replace(f"/c/{home.club.slug}/", f"/c/{people.away.club.slug}/")
    for wrong in (foreign, url.replace("/coming/", "/coming/1"), f"/c/{home.club.slug}/coming/1.x/evenings.ics"):
        assert Client().get(wrong).status_code == 404
    other = planned(people.away, 7)
    assert f"planned-{other.pk}" not in events(url)
    Club.objects.filter(pk=home.club.pk).update(visibility="private")
    assert len(events(url)) == 1
    feature_switch(club=home.club, actor=None, key="attendance", on=False)
    assert Client().get(url).status_code == 404
    feature_switch(club=home.club, actor=None, key="attendance", on=True)
    link_end(player=beni, actor=None)
    assert Client().get(url).status_code == 404


def test_the_feed_of_the_club_has_no_personal_link(home, beni):
    planned(home, 7)
    page, url = addresses(beni)
    assert page in Client().get(url).content.decode().replace("\r\n ", "")
    for client in (Client(), reader(home.member), reader(home.owner)):
        feed = client.get(reverse("club-calendar", kwargs={"club": home.club.slug})).content.decode()
        assert ("BEGIN:VEVENT" in feed, "coming" in feed.replace("\r\n ", "")) == (True, False)


def test_the_page_of_the_link_offers_the_calendar(home, beni):
    planned(home, 7)
    page, url = addresses(beni)
    text = Client().get(page).content.decode()
    assert (f"http://testserver{url}" in text, f"webcal://testserver{url}" in text) == (True, True)
