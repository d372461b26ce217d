"""Planned evenings: a series, changes, visibility, the evening that takes their place, calendar, chances, API."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from icalendar import Calendar

from league.access import ClubAccess
from league.audit import sentences
from league.chances.selectors import evenings_left
from league.errors import Refused
from league.models import AuditEntry, Club, Evening, PlannedEvening, Season
from league.pub_screen.scenes import coming_scene
from league.reports.feeds.link import key_of
from league.standings import plan_services
from league.standings.day_limits import AHEAD
from league.standings.plan import next_evenings
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import House
from tests.clients import reader
from tests.factories import create_table
from tests.page_forms import page_forms

pytestmark = pytest.mark.django_db


@pytest.fixture
def recorder(people) -> Client:
    client = Client()
    client.force_login(people.home.recorder)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def planned(home: House, days: int = 14, **texts: str) -> PlannedEvening:
    texts = {"place": "Sternensaal", "note": "It was Wendelin"} | texts
    day = timezone.localdate() + timedelta(days=days)
    made = plan_services.evenings_plan(season=home.season, actor=home.recorder, days=[day], begins_at=time(20), **texts)
    return made[0]


def at(name: str, home: House, **more: Any) -> str:
    return reverse(name, kwargs={"club": home.club.slug, "season": home.season.slug, **more})


def days_of(home: House) -> list[date]:
    return list(PlannedEvening.objects.filter(season=home.season).order_by("held_on").values_list("held_on", flat=True))


# --- Planning ----------------------------------------------------------------------------------------------


def test_a_series_is_shown_day_by_day_and_one_day_left_out(recorder, home):
    first = timezone.localdate() + timedelta(days=7)
    sent = {"held_on": str(first), "begins_at": "20:00", "weeks": "2", "until": str(first + timedelta(days=42))}
    url = at("season-plan", home)
    looked = recorder.post(url, sent)
    days = [first + timedelta(days=14 * nth) for nth in range(4)]
    assert (looked.status_code, days_of(home)) == (200, [])
    (form,) = (page_form for page_form in page_forms(looked) if any(each.name == "day" for each in page_form.controls))
    offered = [each.value for each in form.controls if each.name == "day"]
    assert offered == [str(day) for day in days]
    series = next(each.value for each in form.controls if each.name == "series")
    kept = [str(day) for day in days if day != days[1]]
    # Days of another series than the shown one are shown first.
    other = recorder.post(url, {**sent, "weeks": "1", "series": series, "day": kept})
    assert (other.status_code, days_of(home)) == (200, [])
    for _twice in range(2):
        recorder.post(url, {**sent, "series": series, "day": kept})
    assert days_of(home) == [days[0], *days[2:]]
    none = recorder.post(url, {**sent, "series": series})
    assert (none.status_code, b"Choose at least one day" in none.content) == (422, True)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"held_on": "2020-01-01"}, "is not within the season"),
        ({"weeks": "1"}, "Until when is the evening repeated?"),
        ({"weeks": "1", "until": "2026-08-02", "held_on": "2026-08-03"}, "The last day is before the first one."),
        ({"weeks": "1", "until": "2036-08-02"}, "A series has at most 100 evenings."),
        ({"begins_at": "25:00"}, "errorlist"),
        ({"note": "x" * 201}, "errorlist"),
    ],
)
def test_a_refused_plan_is_explained_at_its_field(recorder, home, wrong, sentence):
    sent = {"held_on": "2026-12-04", "begins_at": "20:00", "weeks": ""} | wrong
    answer = recorder.post(at("season-plan", home), sent)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert days_of(home) == []


def test_a_day_of_a_mistyped_year_is_not_planned(home):
    Season.objects.filter(pk=home.season.pk).update(starts_on=date(1, 1, 1))
    today, about = timezone.localdate(), {"season": home.season, "actor": home.recorder, "begins_at": time(20)}
    evening = planned(home)
    for day in (date(1899, 12, 31), today + AHEAD + timedelta(days=1), date.max):
        with translation.override("en"), pytest.raises(Refused, match="more than 3 years ahead") as refused:
            plan_services.evenings_plan(days=[today, day], **about)
        assert (refused.value.status, refused.value.at) == (422, "held_on")
        with pytest.raises(Refused):
            plan_services.planned_change(planned=evening, actor=None, changes={"held_on": day})
    assert days_of(home) == [evening.held_on]
    plan_services.evenings_plan(days=[date(1900, 1, 1), today + AHEAD], **about)
    assert len(days_of(home)) == 3


@pytest.mark.both_databases
def test_a_planned_evening_is_changed_cancelled_restored_and_removed_with_a_line_in_the_log(recorder, home):
    evening, other = planned(home), planned(home, 21)
    url = at("planned-evening", home, planned=evening.pk)
    changed = {"held_on": str(evening.held_on), "begins_at": "19:30", "place": "", "note": ""}
    recorder.post(url, changed)
    evening.refresh_from_db()
    assert (evening.begins_at, evening.place, evening.sequence) == (time(19, 30), "", 1)
    taken = recorder.post(url, {**changed, "held_on": str(other.held_on)})
    assert (taken.status_code, b"An evening is planned on" in taken.content) == (422, True)
    for do, sequence in (("cancel", 2), ("cancel", 2), ("restore", 3), ("remove", None)):
        recorder.post(url, {"do": do})
        assert PlannedEvening.objects.filter(pk=evening.pk).values_list("sequence", flat=True).first() == sequence
    with translation.override("en"):
        said = [line.sentence for line in sentences.lines_of(AuditEntry.objects.select_related("actor").order_by("pk"))]
    assert [" ".join(sentence.split()[1:3]) for sentence in said if "planned" in sentence or "plan" in sentence] == [
        *("planned evenings", "planned evenings", "changed the", "cancelled the", "took back", "removed the"),
    ]


def test_nothing_is_planned_in_a_closed_season(recorder, home):
    evening = planned(home)
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now())
    answer = recorder.post(at("season-plan", home), {"held_on": "2026-12-04", "begins_at": "20:00", "weeks": ""})
    assert answer.status_code == 422
    with pytest.raises(Refused):
        plan_services.planned_cancel(planned=evening, actor=None)


# --- Visibility --------------------------------------------------------------------------------------------


def seen(home: House, person: object = None) -> tuple[bool, bool]:
    """Whether place and note are on the page of the club, and on that of the season."""
    shown = {
        name: reader(person).get(url).content.decode()
        for name, url in (("club", home.club.get_absolute_url()), ("season", home.season.get_absolute_url()))
    }
    answers = {("Sternensaal" in text, "Wendelin" in text) for text in shown.values()}
    assert len(answers) == 1
    return answers.pop()


def test_everybody_reads_place_and_people_of_the_club_the_note(home):
    planned(home)
    assert seen(home) == (True, False)
    assert seen(home, home.member) == (True, True)


def test_in_an_unlisted_club_visitors_see_nothing_that_is_planned(home):
    evening = planned(home)
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.UNLISTED)
    assert seen(home) == (False, False)
    assert seen(home, home.member) == (True, True)
    path = f"clubs/{home.club.slug}/seasons/{home.season.slug}/plan"
    assert done(ApiClient()("GET", path))["items"] == []
    assert [item["id"] for item in done(ApiClient(key=key_for(home.member))("GET", path))["items"]] == [evening.pk]
    calendar = reverse("club-calendar", kwargs={"club": home.club.slug})
    club = Club.objects.get(pk=home.club.pk)
    assert b"Sternensaal" not in Client().get(calendar).content
    assert b"Sternensaal" in Client().get(f"{calendar}?key={key_of(club)}").content
    # The page of the feeds gives its people that link, and visitors another one.
    feeds = reverse("club-feeds", kwargs={"club": home.club.slug})
    assert key_of(club) not in reader().get(feeds).content.decode()
    assert key_of(club) in reader(home.member).get(feeds).content.decode()


# --- Effects -----------------------------------------------------------------------------------------------


def access(home: House) -> ClubAccess:
    return ClubAccess(club=Club.objects.get(pk=home.club.pk), role=None, player_ids=frozenset())


def test_an_evening_that_is_opened_on_the_day_takes_its_place(home):
    sooner, later = planned(home), planned(home, 21)
    evening = create_table(season=home.season, club=home.club, held_on=sooner.held_on).evening
    coming = next_evenings(access(home))
    assert [(each.evening, each.planned) for each in coming] == [(evening, None), (None, later)]


def events(home: House) -> dict[str, Any]:
    answer = Client().get(reverse("club-calendar", kwargs={"club": home.club.slug}))
    return {str(event["uid"]): event for event in Calendar.from_ical(answer.content).walk("VEVENT")}


def test_the_calendar_has_a_timed_entry_that_stays_the_same_one(home):
    upcoming = planned(home)
    uid = f"planned-{upcoming.pk}@testserver"
    answer = Client().get(reverse("club-calendar", kwargs={"club": home.club.slug}))
    (zone,) = Calendar.from_ical(answer.content).walk("VTIMEZONE")
    assert str(zone["tzid"]) == str(timezone.get_default_timezone())
    event = events(home)[uid]
    assert event.decoded("dtstart").astimezone(timezone.get_default_timezone()).time() == time(20)
    assert (event["sequence"], str(event["status"]), str(event["location"])) == (0, "CONFIRMED", "Sternensaal")
    assert b"Wendelin" not in answer.content
    plan_services.planned_cancel(planned=upcoming, actor=None)
    event = events(home)[uid]
    assert (event["sequence"], str(event["status"])) == (1, "CANCELLED")
    plan_services.planned_cancel(planned=upcoming, actor=None, cancelled=False)
    evening = create_table(season=home.season, club=home.club, held_on=upcoming.held_on).evening
    entries = events(home)
    assert list(entries) == [uid]
    assert str(entries[uid]["url"]).endswith(f"/e/{evening.pk}/")
    assert entries[uid].decoded("dtstart").hour == 20


def test_the_pub_screen_shows_it_among_coming_evenings(home):
    evening = planned(home)
    (scene,) = coming_scene(access(home))
    assert [(date["day"], date["name"], date["time"]) for date in scene.data["dates"]] == [
        (evening.held_on, "Sternensaal", time(20))
    ]


def test_the_plan_gives_the_number_of_evenings_to_come_if_the_season_has_none(home):
    last = timezone.localdate()
    held = [last - timedelta(days=14), last]
    Season.objects.filter(pk=home.season.pk).update(ends_on=last + timedelta(days=140), planned_evenings=None)
    home.season.refresh_from_db()
    assert evenings_left(home.season, held) == 10
    mark = home.season.ledger_mark
    evening = planned(home)
    planned(home, 21)
    home.season.refresh_from_db()
    assert (evenings_left(home.season, held), home.season.ledger_mark) == (2, mark + 2)
    tonight = Evening(held_on=last)
    assert evenings_left(home.season, held[:1], tonight) == 3
    plan_services.planned_cancel(planned=evening, actor=None)
    assert evenings_left(home.season, held) == 1
    home.season.planned_evenings = 9
    assert evenings_left(home.season, held) == 7


# --- Programs ----------------------------------------------------------------------------------------------


def test_a_program_plans_changes_cancels_and_removes(home):
    ask = ApiClient(key=key_for(home.recorder))
    path = f"clubs/{home.club.slug}/seasons/{home.season.slug}/plan"
    days = [str(timezone.localdate() + timedelta(days=after)) for after in (7, 14)]
    made = done(ask("POST", path, {"days": days, "begins_at": "20:00", "note": "It was Wendelin"}))["items"]
    assert [(entry["held_on"], entry["begins_at"], entry["note"]) for entry in made] == [
        (day, "20:00", "It was Wendelin") for day in days
    ]
    assert is_problem(ask("POST", path, {"days": days, "begins_at": "21:00"}), 409)
    assert {entry["note"] for entry in done(ApiClient()("GET", path))["items"]} == {""}
    url = f"{path}/{made[0]['id']}"
    changed = done(ask("PATCH", url, {"place": "Saal", "cancelled": True}))
    assert (changed["place"], changed["cancelled_at"] is None) == ("Saal", False)
    assert ask("DELETE", url).status_code == 204
    items = done(ask("GET", f"{path}?since={days[1]}"))["items"]
    assert [item["id"] for item in items] == [made[1]["id"]]
