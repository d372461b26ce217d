"""Refused requests count like answered ones: by key, by person, and by address for visitors."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.views import APIView

from league.api import refused_keys, throttles
from league.api.throttles import MinuteThrottle
from league.api.views import ApiView
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few(settings: Any) -> None:
    """Three requests a minute, two of them writes."""
    settings.API_LIMITS = {who: {"read": 3, "write": 2} for who in ("key", "person", "address")}


@pytest.fixture
def behind_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count where the base of the frame does it: after the gate."""
    monkeypatch.setattr(ApiView, "perform_authentication", APIView.perform_authentication)
    monkeypatch.setattr(ApiView, "check_throttles", APIView.check_throttles)


WRONG = {"Authorization": "Bearer chz_" + "0" * 60}
REFUSED: dict[str, tuple[str, str, dict[str, str], int, int]] = {
    "a key that may not": ("member", "GET clubs/roessli/invitations", {}, 403, 3),
    "a key that may not write": ("member", "POST clubs/roessli/players", {}, 403, 2),
    "a wrong key": ("", "GET me", WRONG, 401, 3),
    "a wrong key that writes": ("", "POST clubs/roessli/players", WRONG, 401, 2),
    "nobody": ("", "GET me", {}, 401, 3),
    "what there is not": ("", "GET clubs/nowhere", {}, 404, 3),
    "another method": ("", "PUT me", {}, 405, 2),
}


def statuses(people: Cast, case: str) -> tuple[list[int], Any]:
    """Return the statuses of five requests within a minute, and the last answer."""
    role, asked, headers, _status, _most = REFUSED[case]
    asks = ApiClient(key=key_for(people.home.person(role)) if role else "", REMOTE_ADDR="203.0.113.7")
    with time_machine.travel("2026-11-20 20:00:10+01:00", tick=False):
        answers = [asks(*asked.split(), **headers) for _ in range(5)]
    return [answer.status_code for answer in answers], answers[-1]


@pytest.mark.parametrize("case", REFUSED)
def test_refused_requests_count(people: Cast, case: str) -> None:
    status, most = REFUSED[case][3:]
    shown, last = statuses(people, case)
    assert shown == [status] * most + [429] * (5 - most)
    assert is_problem(last, 429, "throttled")
    assert last["Retry-After"] == "50"


@pytest.mark.parametrize("case", REFUSED)
def test_counted_after_the_gate_they_would_not(people: Cast, behind_the_gate: None, case: str) -> None:
    assert statuses(people, case)[0] == [REFUSED[case][3]] * 5


def test_an_answer_shows_the_limits_and_the_remaining_requests(people: Cast) -> None:
    asks = ApiClient(key=key_for(people.home.owner), REMOTE_ADDR="203.0.113.7")
    sent = {"nickname": "Anna"}
    with time_machine.travel("2026-11-20 20:00:10+01:00", tick=False):
        answers = [asks.get("me"), asks.post("clubs/roessli/players", sent), asks.get("clubs/nowhere"), asks.get("me")]
        visitor = ApiClient(REMOTE_ADDR="203.0.113.8").get("clubs/roessli")
    assert [answer.status_code for answer in answers] == [200, 201, 404, 429]
    reads = ", ".join(f'"{name}";q=3;w=60' for name in ("requests", "person-requests"))
    assert answers[0]["RateLimit-Policy"] == answers[3]["RateLimit-Policy"] == reads
    assert answers[1]["RateLimit"] == (
        '"requests";r=1;t=50, "writes";r=1;t=50, "person-requests";r=1;t=50, "person-writes";r=1;t=50'
    )
    assert [answer["RateLimit"].partition(",")[0] for answer in answers] == [
        f'"requests";r={left};t=50' for left in (2, 1, 0, 0)
    ]
    assert (visitor["RateLimit-Policy"], visitor["RateLimit"]) == ('"requests";q=3;w=60', '"requests";r=2;t=50')


def test_without_limits_an_answer_shows_none(people: Cast, settings: Any) -> None:
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    assert "RateLimit" not in ApiClient(key=key_for(people.home.owner)).get("me")


def test_a_form_without_its_token_counts_for_the_address(people: Cast, one_minute: None) -> None:
    client = Client(enforce_csrf_checks=True, REMOTE_ADDR="203.0.113.7")
    client.force_login(people.home.owner)
    shown = [client.post("/api/v1/clubs/roessli/players").status_code for _ in range(3)]
    assert shown == [403, 403, 429]


def test_wrong_keys_of_an_address_do_not_block_a_valid_one(people: Cast, one_minute: None) -> None:
    here = {"REMOTE_ADDR": "203.0.113.7"}
    shown = [ApiClient(**here).get("me", **WRONG).status_code for _ in range(5)]
    assert shown == [401, 401, 401, 429, 429]
    assert ApiClient(key=key_for(people.home.owner), **here).get("me").status_code == 200
    assert ApiClient(REMOTE_ADDR="203.0.113.8").get("me", **WRONG).status_code == 401


def test_without_the_limit_of_a_person_more_keys_allow_more(
    people: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_LIMITS = {**settings.API_LIMITS, "person": {"read": 4, "write": 9}}
    first, second = (ApiClient(key=key_for(people.home.owner)) for _ in range(2))
    with time_machine.travel("2026-11-20 20:00:10+01:00", tick=False):
        assert [asks.get("me").status_code for asks in (first, second) * 3] == [200] * 4 + [429] * 2
    monkeypatch.setattr(ApiView, "throttle_classes", [MinuteThrottle])
    with time_machine.travel("2026-11-20 20:01:10+01:00", tick=False):
        assert [asks.get("me").status_code for asks in (first, second) * 3] == [200] * 6


def test_all_counters_of_a_request_are_asked_for_at_once(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    trips: list[int] = []
    monkeypatch.setattr(throttles, "count", lambda keys, _seconds: trips.append(len(keys)) or [1] * len(keys))
    asks = ApiClient(key=key_for(people.home.owner))
    assert asks.get("me").status_code == 200
    assert asks.post("clubs/roessli/players", {"nickname": "Anna"}).status_code == 201
    assert trips == [2, 4]


def refused_again(people: Cast, settings: Any) -> tuple[ApiClient, Any, Any, int]:
    """Let a key reach its limit of writes; return its client, the refusal, the next one and the queries of that."""
    settings.API_LIMITS = {who: {"read": 9, "write": 2} for who in settings.API_LIMITS}
    asks = ApiClient(key=key_for(people.home.owner))
    german = {"Accept-Language": "de"}
    with time_machine.travel("2026-11-20 20:00:10+01:00", tick=False) as clock:
        answers = [asks.post("clubs/roessli/players", {}, **german) for _ in range(3)]
        assert answers[1].status_code != 429
        clock.shift(20)
        with CaptureQueriesContext(connection) as queries:
            again = asks.post("clubs/roessli/players", {}, **german)
    return asks, answers[2], again, len(queries)


def test_a_key_that_reached_its_limit_is_refused_again_without_a_query(people: Cast, settings: Any) -> None:
    asks, first, again, queries = refused_again(people, settings)
    assert queries == 0
    assert is_problem(again, 429, "throttled")
    assert again.content == first.content
    assert (first["Retry-After"], again["Retry-After"]) == ("50", "30")
    assert again["RateLimit"] == first["RateLimit"].replace("t=50", "t=30")
    assert {*again.headers} == {*first.headers}
    with time_machine.travel("2026-11-20 20:00:40+01:00", tick=False):
        # A read is not a write, another language not this one, and another key has its own limit.
        assert asks.get("me").status_code == 200
        assert "Too many" in asks.post("clubs/roessli/players", {}, Accept_Language="en").json()["detail"]
        assert ApiClient(key=key_for(people.home.member)).get("me").status_code == 200
    with time_machine.travel("2026-11-20 20:01:00+01:00", tick=False):
        assert asks.post("clubs/roessli/players", {}).status_code != 429


def test_without_the_memory_each_refusal_reads_the_key(
    people: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refused_keys, "MOST", 0)
    _asks, first, again, queries = refused_again(people, settings)
    assert queries == 1
    assert (again.content, again["Retry-After"]) == (first.content, "30")


def test_a_reached_limit_hides_the_other_one_of_the_same_client(people: Cast) -> None:
    asks = ApiClient(key=key_for(people.home.owner))
    with time_machine.travel("2026-11-20 20:00:10+01:00", tick=False):
        answers = [asks.get("me"), asks.get("me"), asks.get("me"), asks.post("clubs/roessli/players", {})]
    assert is_problem(answers[3], 429, "throttled")
    assert answers[3]["RateLimit-Policy"] == '"requests";q=3;w=60, "person-requests";q=3;w=60'
