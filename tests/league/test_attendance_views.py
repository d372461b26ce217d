"""The pages of who comes: by role, by link without an account, on the club's page, and the ticks of a new evening."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.attendance.link import link_renew, token_of
from league.attendance.services import answer_set
from league.club_admin.services import feature_switch
from league.models import Attendance, AttendanceLink, Club, PlannedEvening, Player
from tests.cast import Cast, House
from tests.clients import reader, shown
from tests.factories import PlayerFactory, create_table
from tests.page_forms import page_forms

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(home: House) -> PlannedEvening:
    return planned(home, 7)


@pytest.fixture
def anna(home: House) -> Player:
    return PlayerFactory(club=home.club, nickname="Anna", user=home.member)


@pytest.fixture
def beni(home: House) -> Player:
    return PlayerFactory(club=home.club, nickname="Beni")


def planned(home: House, days: int, **more: Any) -> PlannedEvening:
    day = timezone.localdate() + timedelta(days=days)
    values = {"club": home.club, "season": home.season, "held_on": day, "begins_at": time(20)} | more
    return PlannedEvening.objects.create(**values)


def page_of(evening: PlannedEvening) -> str:
    where = {"club": evening.club.slug, "season": evening.season.slug, "planned": evening.pk}
    return reverse("planned-coming", kwargs=where)


def link_of(player: Player) -> str:
    token = token_of(link_renew(player=player, actor=None))
    return reverse("coming-link", kwargs={"club": player.club.slug, "token": token})


def answers() -> dict[str, str]:
    return dict(Attendance.objects.values_list("player__nickname", "answer"))


# --- The page of an evening --------------------------------------------------------------------------------


def test_a_member_answers_for_the_own_player_and_for_nobody_else(home, evening, anna, beni):
    member, url = reader(home.member), page_of(evening)
    forms = [form for form in page_forms(member.get(url)) if form.buttons and form.buttons[0].attributes.get("name")]
    asked = [form for form in forms if form.buttons[0].attributes["name"] == "answer"]
    assert [form.control("player").value for form in asked] == [str(anna.pk)]
    answer = member.post(url, {"player": anna.pk, "answer": "yes"})
    assert (answer.status_code, answer["Location"]) == (303, url)
    refused = member.post(url, {"player": beni.pk, "answer": "yes"})
    assert (refused.status_code, answers()) == (403, {"Anna": "yes"})


def test_without_the_right_to_record_being_asked_a_member_answers_for_anybody(home, evening, beni, monkeypatch):
    monkeypatch.setattr("league.access.ClubAccess.may", lambda _access, _right: True)
    assert reader(home.member).post(page_of(evening), {"player": beni.pk, "answer": "yes"}).status_code == 303
    assert answers() == {"Beni": "yes"}


def test_a_recorder_enters_the_answers_of_those_who_ring_up(home, evening, anna, beni):
    recorder, url = reader(home.recorder), page_of(evening)
    asked = [
        form for form in page_forms(recorder.get(url)) if any(control.name == "player" for control in form.controls)
    ]
    assert [form.control("player").value for form in asked] == [str(anna.pk), str(beni.pk)]
    answer = recorder.post(url, {"player": beni.pk, "answer": "no"})
    assert answer["Location"] == f"{url}#player-{beni.pk}"
    page = shown(recorder.get(url).content.decode())
    assert page.count('aria-pressed="true"') == 1
    assert Attendance.objects.get().author == home.recorder


def test_people_of_the_club_read_names_and_nobody_else_reads_anything(people, home, evening, anna, beni):
    answer_set(planned=evening, player=beni, answer="yes", actor=None)
    url = page_of(evening)
    page = shown(reader(home.member).get(url).content.decode())
    assert ("Beni" in page, "1 is coming" in page) == (True, True)
    assert reader(people.stranger).get(url).status_code == 403
    assert reader().get(url).status_code == 302
    for visited in (home.club.get_absolute_url(), home.season.get_absolute_url()):
        page = shown(reader().get(visited).content.decode())
        assert ("coming" in page, "/coming/" in page) == (False, False)


def test_an_evening_of_another_club_is_not_found(people, home, evening, anna):
    foreign = planned(people.away, 7)
    url = reverse("planned-coming", kwargs={"club": home.club.slug, "season": "2026", "planned": foreign.pk})
    recorder = reader(home.recorder)
    assert recorder.get(url).status_code == 404
    assert recorder.post(url, {"player": anna.pk, "answer": "yes"}).status_code == 404
    other = PlayerFactory(club=people.away.club)
    for player in (other.pk, "x", "", 10**9):
        assert recorder.post(page_of(evening), {"player": player, "answer": "yes"}).status_code == 422
    assert answers() == {}


def test_a_cancelled_evening_has_no_choices_and_says_why(home, evening, anna):
    PlannedEvening.objects.update(cancelled_at=timezone.now())
    client, url = reader(home.member), page_of(evening)
    page = client.get(url).content.decode()
    assert ('name="answer"' in page, "The evening is cancelled." in page) == (False, True)
    answer = client.post(url, {"player": anna.pk, "answer": "yes"})
    assert (answer.status_code, "Answers can no longer be changed." in answer.content.decode()) == (409, True)


# --- The club's page ---------------------------------------------------------------------------------------


def test_the_page_of_the_club_has_the_own_answer_in_one_tap(home, evening, anna, beni):
    later = planned(home, 14)
    answer_set(planned=evening, player=beni, answer="yes", actor=None)
    club = home.club.get_absolute_url()
    member = reader(home.member)
    page = member.get(club)
    (form,) = (page_form for page_form in page_forms(page) if any(each.name == "player" for each in page_form.controls))
    assert "1 is coming" in page.content.decode()
    sent = {each.name: each.value for each in form.controls if each.name != "csrfmiddlewaretoken"}
    answer = member.post(form.attributes["action"], {**sent, "answer": "yes"})
    assert (answer.status_code, answer["Location"]) == (303, f"{club}#next")
    page = member.get(club).content.decode()
    assert ("2 are coming" in page, page_of(later) in page) == (True, True)


def test_where_the_feature_is_off_nobody_is_asked(home, evening, anna):
    def seen(client: Client) -> tuple[bool, bool, int, int]:
        plan = reverse("season-plan", kwargs={"club": home.club.slug, "season": "2026"})
        pages = [client.get(url).content.decode() for url in (home.club.get_absolute_url(), plan)]
        return (
            page_of(evening) in pages[0],
            "least_players" in pages[1],
            client.get(page_of(evening)).status_code,
            reader().get(url).status_code,
        )

    url = link_of(anna)
    assert seen(reader(home.recorder)) == (True, True, 200, 200)
    feature_switch(club=home.club, actor=None, key="attendance", on=False)
    assert seen(reader(home.recorder)) == (False, False, 404, 404)
    assert AttendanceLink.objects.exists()


def test_the_least_number_is_planned_and_the_last_one_is_offered(home):
    recorder = reader(home.recorder)
    plan = reverse("season-plan", kwargs={"club": home.club.slug, "season": "2026"})
    day = timezone.localdate() + timedelta(days=7)
    recorder.post(plan, {"held_on": str(day), "begins_at": "20:00", "weeks": "", "least_players": "4"})
    assert PlannedEvening.objects.get().least_players == 4
    (form,) = (
        page_form
        for page_form in page_forms(recorder.get(plan))
        if any(each.name == "held_on" for each in page_form.controls)
    )
    assert form.control("least_players").value == "4"
    wrong = recorder.post(plan, {"held_on": str(day), "begins_at": "20:00", "weeks": "", "least_players": "1"})
    assert wrong.status_code == 422


# --- The link ----------------------------------------------------------------------------------------------


def test_a_player_answers_by_link_without_an_account_also_in_a_private_club(home, evening, beni):
    Club.objects.filter(pk=home.club.pk).update(visibility="private")
    url, phone = link_of(beni), Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    page = phone.get(url)
    assert (page.status_code, page["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert "no-store" in page["Cache-Control"]
    assert phone.post(url, {"planned": evening.pk, "answer": "yes"}).status_code == 403
    (form,) = (
        page_form for page_form in page_forms(page) if any(each.name == "planned" for each in page_form.controls)
    )
    sent = {each.name: each.value for each in form.controls}
    answer = phone.post(url, {**sent, "answer": "yes"})
    assert (answer.status_code, answer["Location"]) == (303, f"{url}#evening-{evening.pk}")
    assert "no-store" in answer["Cache-Control"]
    assert (answers(), Attendance.objects.get().author) == ({"Beni": "yes"}, None)


def test_the_page_of_a_link_has_numbers_and_no_name_of_others(home, evening, anna, beni):
    PlannedEvening.objects.update(note="Wendelin brings cake")
    answer_set(planned=evening, player=anna, answer="yes", actor=None)
    page = shown(reader().get(link_of(beni)).content.decode())
    assert [text in page for text in ("1 is coming", "Beni", "Anna", "Wendelin")] == [True, True, False, False]


def test_a_wrong_a_renewed_and_an_ended_link_are_not_found(people, home, evening, beni):
    old = link_of(beni)
    url = link_of(beni)
    foreign = url.replace(f"/c/{home.club.slug}/", f"/c/{people.away.club.slug}/")
    for wrong in (old, foreign, f"/c/{home.club.slug}/coming/1.x/", f"/c/nowhere/coming/{url.split('/')[-2]}/"):
        assert reader().get(wrong).status_code == 404
        assert reader().post(wrong, {"planned": evening.pk, "answer": "yes"}).status_code == 404
    assert reader().get(url).status_code == 200
    ended = reader().post(url, {"do": "end"})
    assert (ended.status_code, "The link is switched off" in ended.content.decode()) == (200, True)
    assert reader().get(url).status_code == 404
    assert answers() == {}


def test_a_link_answers_for_evenings_of_its_club_alone(people, home, evening, beni):
    foreign = planned(people.away, 7)
    url = link_of(beni)
    for wrong in (foreign.pk, "x", ""):
        assert reader().post(url, {"planned": wrong, "answer": "yes"}).status_code == 422
    assert reader().post(url, {"planned": evening.pk, "answer": "perhaps"}).status_code == 422
    PlannedEvening.objects.filter(pk=evening.pk).update(cancelled_at=timezone.now())
    refused = reader().post(url, {"planned": evening.pk, "answer": "yes"})
    assert (refused.status_code, "The evening is cancelled." in refused.content.decode()) == (409, True)
    assert answers() == {}


def test_a_link_writes_nothing_in_a_suspended_club(home, evening, beni):
    url = link_of(beni)
    Club.objects.filter(pk=home.club.pk).update(suspended_at=timezone.now())
    assert reader().get(url).status_code == 200
    assert reader().post(url, {"planned": evening.pk, "answer": "yes"}).status_code == 403
    assert answers() == {}


def test_a_recorder_makes_renews_and_ends_the_link_of_a_player(people, home, beni):
    url = reverse("player-coming", kwargs={"club": home.club.slug, "player": beni.pk})
    recorder = reader(home.recorder)
    assert "No link yet" in recorder.get(url).content.decode()
    recorder.post(url, {"do": "renew"})
    made = AttendanceLink.objects.get()
    page = recorder.get(url).content.decode()
    assert (f"/coming/{token_of(made)}/" in page, "<svg" in page) == (True, True)
    recorder.post(url, {"do": "end"})
    assert not AttendanceLink.objects.exists()
    assert reader(home.member).post(url, {"do": "renew"}).status_code == 403
    foreign = PlayerFactory(club=people.away.club)
    assert (
        recorder.get(reverse("player-coming", kwargs={"club": home.club.slug, "player": foreign.pk})).status_code == 404
    )
    assert not AttendanceLink.objects.exists()


def test_the_page_of_a_player_leads_to_the_link_for_recorders(home, anna):
    edit = reverse("player-edit", kwargs={"club": home.club.slug, "player": anna.pk})
    url = reverse("player-coming", kwargs={"club": home.club.slug, "player": anna.pk})
    assert [url in reader(who).get(edit).content.decode() for who in (home.owner, home.member)] == [True, False]


# --- A new evening -----------------------------------------------------------------------------------------


def ticked(client: Client, query: str = "") -> tuple[list[str], bool]:
    """Return the ticked players of the page of a new evening in their order, and whether the page says why."""
    page = client.get(f"/c/roessli/e/new/{query}")
    sitting = [candidate.nickname for candidate in page.context["form"].sitting()]
    return sitting, "Whoever said yes is ticked." in page.content.decode()


def test_a_new_evening_begins_with_those_who_said_yes(home, anna, beni):
    tonight = planned(home, 0)
    recorder = reader(home.recorder)
    assert ticked(recorder) == ([], False)
    for player, answer in ((beni, "yes"), (anna, "yes"), (PlayerFactory(club=home.club, nickname="Carlo"), "no")):
        answer_set(planned=tonight, player=player, answer=answer, actor=None)
    assert ticked(recorder) == (["Anna", "Beni"], True)
    assert ticked(recorder, "?like=nobody") == ([], False)
    feature_switch(club=home.club, actor=None, key="attendance", on=False)
    assert ticked(recorder) == ([], False)


def test_after_the_evening_is_opened_nobody_is_ticked(home, anna):
    tonight = planned(home, 0)
    answer_set(planned=tonight, player=anna, answer="yes", actor=None)
    assert ticked(reader(home.recorder)) == (["Anna"], True)
    create_table(club=home.club, season=home.season, held_on=timezone.localdate())
    assert ticked(reader(home.recorder)) == ([], False)


def test_those_who_come_on_another_day_are_not_ticked(people: Cast, home, anna):
    answer_set(planned=planned(home, 1), player=anna, answer="yes", actor=None)
    away = PlayerFactory(club=people.away.club, nickname="Foreign")
    answer_set(planned=planned(people.away, 0), player=away, answer="yes", actor=None)
    assert ticked(reader(home.recorder)) == ([], False)
