"""The frame of the API: refused bodies and queries, and the names of their faults."""

from __future__ import annotations

import base64
import io
import json

import pytest
from django.utils.translation import override
from rest_framework.exceptions import ParseError

from league.api.parsing import MAX_DEPTH, StrictJSONParser, check_depth
from league.models import Player
from tests.api.api_client import ApiClient, is_problem
from tests.cast import Cast
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db

PLAYERS = "clubs/roessli/players"
DEEP = b'{"nickname": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"


@pytest.fixture
def owner(people: Cast) -> ApiClient:
    return ApiClient(person=people.home.owner)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nothing",
        b"[1]",
        b'"Anna"',
        b"null",
        b'{"nickname": "Anna",}',
        b'{"nickname": "Anna", "nickname": "Beni"}',
        b'{"nickname": NaN}',
        b'{"nickname": "\\ud800"}',
        b'{"nickname": "a\\u0000b"}',
        b'{"nickname": "\xff"}',
        b'{"nickname": 1e999}',
        b'{"nickname": ' + b"9" * 5000 + b"}",
        b'{"nickname": 99999999999999999999}',
        DEEP,
    ],
)
def test_a_body_that_is_no_json_object_is_refused(owner, body):
    answer = owner.post(PLAYERS, body)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert not Player.objects.exists()


@pytest.mark.parametrize("text", ["1e999", "-1e999", "9" * 20, "-" + "9" * 20])
def test_a_number_that_no_database_stores_is_refused_whatever_its_field_is(text):
    with override("en"), pytest.raises(ParseError, match="too large"):
        StrictJSONParser().parse(io.BytesIO(f'{{"a": [{text}]}}'.encode()))


@pytest.mark.parametrize(("text", "number"), [("5.0", 5), ("5e0", 5), ("0.5E+1", 5), ("-0.0", 0), ("5.000", 5)])
def test_a_number_with_a_fraction_of_zero_is_whole(text, number):
    value = StrictJSONParser().parse(io.BytesIO(f'{{"a": [{text}]}}'.encode()))["a"][0]
    assert (value, type(value)) == (number, int)


@pytest.mark.parametrize("text", ["5.5", "0.99999999999999999999", "1e-400", "1e-99999999999999999999", "1e300"])
def test_another_number_is_not_whole(owner, text):
    answer = owner.post("clubs/roessli/invitations", b'{"player": %s}' % text.encode())
    assert is_problem(answer, 400, "invalid")
    assert answer.json()["errors"][0]["at"] == "player"


def test_a_whole_number_has_one_form_in_bodies_and_queries(owner, people):
    PlayerFactory.create_batch(3, club=people.home.club)
    pages = [owner.get(f"{PLAYERS}?limit={limit}").json()["items"] for limit in ("2", "2.0")]
    assert len(pages[0]) == 2
    assert pages[0] == pages[1]
    for wrong in ("2.5", "2.", "٢", "+2", "0.0", "2e0"):
        assert is_problem(owner.get(f"{PLAYERS}?limit={wrong}"), 400), wrong


def test_depth_is_checked_before_the_body_is_parsed():
    check_depth('{"a": "' + "[" * 99 + '"}')
    check_depth("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    with pytest.raises(ParseError):
        check_depth("[" * (MAX_DEPTH + 1))


@pytest.mark.parametrize(
    ("body", "location", "code"),
    [
        ({"nickname": "Anna", "club": "sternen"}, "club", "unknown_field"),
        ({"nickname": "Anna", "user": 1, "id": 7}, "id", "unknown_field"),
        ({"nickname": 7}, "nickname", "wrong_type"),
        ({"nickname": "Anna", "guest": "true"}, "guest", "wrong_type"),
        ({"nickname": "Anna", "guest": 1}, "guest", "wrong_type"),
        ({"nickname": "An\nna"}, "nickname", "wrong_type"),
        ({"nickname": ["Anna"]}, "nickname", "wrong_type"),
        ({}, "nickname", "required"),
        ({"nickname": None}, "nickname", "null"),
        ({"nickname": "x" * 41}, "nickname", "max_length"),
    ],
)
def test_an_unknown_field_or_one_of_another_type_is_named(owner, body, location, code):
    answer = owner.post(PLAYERS, body)
    assert is_problem(answer, 400, "invalid")
    assert {"at": location, "code": code} in [{"at": e["at"], "code": e["code"]} for e in answer.json()["errors"]]
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "query", ["page=2", "limit=0", "limit=101", "limit=x", "limit=²", "limit=5&limit=6", "after=x", "after=WzFd",
              "active=maybe", "q=a"],
)  # fmt: skip
def test_an_invalid_parameter_is_refused(owner, query):
    assert is_problem(owner.get(f"{PLAYERS}?{query}"), 400)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("url", "mark"),
    [
        ("clubs", ["\ud800"]),
        ("me/api-keys", ["0001-01-01T00:00:00+14:00", "x"]),
        ("me/api-keys", ["9999-12-31T23:59:59-14:00", "x"]),
        ("me/api-keys", ["2026-01-01", "x"]),
    ],
)
def test_a_page_after_an_impossible_value_is_refused(owner, url, mark):
    after = base64.urlsafe_b64encode(json.dumps(mark).encode()).decode()
    assert is_problem(owner.get(f"{url}?after={after}"), 400, "invalid")


def test_a_page_after_a_deeply_nested_value_is_refused(owner):
    after = base64.urlsafe_b64encode(b"[" * 3000).decode()
    assert is_problem(owner.get(f"{PLAYERS}?after={after}"), 400, "invalid")


@pytest.mark.both_databases
@pytest.mark.parametrize("number", [str(10**30), f"-{10**30}", "-1", "1.5", "1e3", "-1e99999999", "NaN", "9" * 5000])
def test_an_impossible_id_in_a_query_is_refused(owner, number):
    for query in ("ledger?player", "ledger?evening", "log?actor"):
        assert is_problem(owner.get(f"clubs/roessli/{query}={number}"), 400, "invalid")


@pytest.mark.both_databases
def test_a_person_with_a_huge_id_is_not_found(owner):
    for method, body in (("GET", None), ("PATCH", {"role": "member"}), ("DELETE", None)):
        assert is_problem(owner(method, f"clubs/roessli/people/{10**30}", body), 404)


def test_a_body_is_refused_where_none_is_expected(people, owner):
    url = f"clubs/roessli/people/{people.home.member.pk}"
    assert is_problem(owner("DELETE", url, {"reason": "x"}), 400, "unknown_field")
    assert people.home.member.memberships.exists()
