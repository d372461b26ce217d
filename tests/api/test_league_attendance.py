"""Who comes through the API: answers of a planned evening, the least number, and the reserves."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from league.attendance.reserves import reserves_set
from league.models import Attendance, PlannedEvening, Player, Reserve
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import PlayerFactory
from tests.planned import planned_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def planned(people: Cast) -> PlannedEvening:
    return planned_evening(people.home)


@pytest.fixture
def anna(people: Cast) -> Player:
    return PlayerFactory(club=people.home.club, nickname="Anna", user=people.home.member)


@pytest.fixture
def beni(people: Cast) -> Player:
    return PlayerFactory(club=people.home.club, nickname="Beni")


def url_of(planned: PlannedEvening, player: Player | None = None) -> str:
    url = f"clubs/roessli/seasons/{planned.season.slug}/plan/{planned.pk}/answers"
    return url if player is None else f"{url}/{player.pk}"


def client(who: Any, *scopes: str) -> ApiClient:
    return ApiClient(key=key_for(who, *scopes or ("read", "record")))


def test_a_member_sets_the_own_answer_and_a_recorder_that_of_any_player(people, planned, anna, beni):
    member, recorder = client(people.home.member), client(people.home.recorder)
    for answer in ("yes", "open", "open"):
        assert done(member("PUT", url_of(planned, anna), {"answer": answer}))["answer"] == answer
    assert is_problem(member("PUT", url_of(planned, beni), {"answer": "yes"}), 403)
    assert done(recorder("PUT", url_of(planned, beni), {"answer": "no"}))["player"] == beni.pk
    got = done(member.get(url_of(planned)))
    assert [(entry["player"], entry["answer"]) for entry in got["items"]] == [(anna.pk, "open"), (beni.pk, "no")]
    assert (got["coming"], got["least_players"], got["to_ask"]) == (0, None, [])
    assert is_problem(member("PUT", url_of(planned, anna), {"answer": "perhaps"}), 400)


def test_a_key_that_only_reads_sets_no_answer(people, planned, anna):
    url = url_of(planned, anna)
    for who in (people.home.member, people.home.recorder):
        assert is_problem(client(who, "read")("PUT", url, {"answer": "yes"}), 403)
    assert not Attendance.objects.exists()
    assert done(client(people.home.member, "read", "record")("PUT", url, {"answer": "yes"}))


def test_players_and_evenings_of_another_club_are_not_found(people, planned, anna):
    recorder = client(people.home.recorder)
    foreign = PlayerFactory(club=people.away.club)
    assert is_problem(recorder("PUT", url_of(planned, foreign), {"answer": "yes"}), 404)
    other = url_of(planned).replace(str(planned.pk), str(planned_evening(people.away).pk))
    assert is_problem(recorder.get(other), 404)
    assert is_problem(ApiClient().get(url_of(planned)), 401)
    assert is_problem(client(people.stranger).get(url_of(planned)), 403)


def test_an_evening_that_is_over_takes_no_answer(people, planned, anna):
    PlannedEvening.objects.update(held_on=timezone.localdate() - timedelta(days=1))
    refused = client(people.home.recorder)("PUT", url_of(planned, anna), {"answer": "yes"})
    assert is_problem(refused, 409, "attendance")


def test_the_least_number_is_part_of_the_plan(people, planned):
    recorder, plan = client(people.home.recorder), f"clubs/roessli/seasons/{planned.season.slug}/plan"
    assert done(recorder("PATCH", f"{plan}/{planned.pk}", {"least_players": 4}))["least_players"] == 4
    day = (planned.held_on + timedelta(days=7)).isoformat()
    made = done(recorder.post(plan, {"days": [day], "begins_at": "20:00", "least_players": 5}))["items"]
    assert [evening["least_players"] for evening in made] == [5]
    assert is_problem(recorder("PATCH", f"{plan}/{planned.pk}", {"least_players": 1}), 400)
    assert [evening["least_players"] for evening in done(ApiClient().get(plan))["items"]] == [None, None]
    assert done(recorder("PATCH", f"{plan}/{planned.pk}", {"least_players": None}))["least_players"] is None


def test_reserves_are_asked_in_turn(people, planned, anna, beni):
    PlannedEvening.objects.update(least_players=2)
    reserves_set(club=people.home.club, players=[anna.pk], actor=None)
    member, recorder = client(people.home.member), client(people.home.recorder)
    assert is_problem(member("PUT", url_of(planned, anna), {"answer": "yes"}), 409, "reserve")
    done(recorder("PUT", url_of(planned, beni), {"answer": "no"}))
    assert done(member.get(url_of(planned)))["to_ask"] == [anna.pk]
    assert done(member("PUT", url_of(planned, anna), {"answer": "yes"}))
    assert done(member.get(url_of(planned)))["to_ask"] == []


def test_a_recorder_sets_the_list_of_reserves_if_nobody_changed_it(people, anna, beni):
    recorder, url = client(people.home.recorder), "clubs/roessli/reserves"
    known = recorder.get(url)
    assert done(known) == {"items": []}
    assert is_problem(recorder("PUT", url, {"players": [beni.pk]}), 428)
    stored = recorder("PUT", url, {"players": [beni.pk, anna.pk]}, match=known["ETag"])
    assert [reserve["name"] for reserve in done(stored)["items"]] == ["Beni", "Anna"]
    assert is_problem(recorder("PUT", url, {"players": []}, match=known["ETag"]), 412)
    assert done(recorder.get(url)) == done(stored)
    foreign = PlayerFactory(club=people.away.club)
    for wrong in ([foreign.pk], [anna.pk, anna.pk]):
        assert is_problem(recorder("PUT", url, {"players": wrong}, match="*"), 422)
    assert is_problem(client(people.home.member).get(url), 403)
    assert Reserve.objects.count() == 2
