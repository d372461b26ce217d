"""Any request of a phone: a sentence and the right status, nothing stored, nothing of another club, never a crash."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from games.errors import Refused
from games.models import Happening, Revision, Table
from games.night.writes import COMMON, KINDS, Write, read_write
from league.models import Evening, Player, Submission
from tests.cast import House
from tests.factories import PlayerFactory, create_table
from tests.games.night_writes import begin, hand, post, refused, seats, stored, write

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


def nothing_stored() -> bool:
    return not (Revision.objects.exists() or Happening.objects.exists() or Submission.objects.exists())


BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "half a surrogate pair": b'{"club": "\\ud800"}',
    "NUL": b'{"club": "\\u0000"}',
    "a number over 63 bits": b'{"at": 9223372036854775808}',
    "a number with 5000 digits": b'{"at": ' + b"9" * 5000 + b"}",
    "NaN": b'{"at": NaN}',
    "a field twice": b'{"format": 1, "format": 1}',
    "deep": b'{"record": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "no UTF-8": b'{"club": "\xff"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_cannot_be_read(recorder: Client, table: Table, body: bytes) -> None:
    for target in (table, None):
        assert refused(post(recorder, body, target), 422, "write")["refused"]["sentence"]


def test_a_body_that_is_too_large_is_no_answer_to_the_write(recorder: Client, table: Table) -> None:
    sent = json.dumps(hand(table) | {"record": {"x": "y" * settings.MAX_BODY_BYTES}})
    assert post(recorder, sent, table).status_code == 413
    assert nothing_stored()


WRONG: dict[str, dict[str, Any]] = {
    "no key": {"key": None},
    "a key in capitals": {"key": "0B0C7F3E-6F0E-4F8E-9A53-3D9D6E6C2F11"},
    "a key in braces": {"key": "{0b0c7f3e-6f0e-4f8e-9a53-3d9d6e6c2f11}"},
    "no kind": {"kind": "merge"},
    "a kind that is a list": {"kind": ["hand"]},
    "another club": {"club": "linde"},
    "a club that is none": {"club": 7},
    "another table": {"table": 10**9},
    "a table by a place": {"table": f"{uuid.uuid4()}:1"},
    "no time": {"at": "now"},
    "a number that is true": {"number": True},
    "hand 0": {"number": 0},
    "no players": {"players": []},
    "a hundred players": {"players": [1] * 100},
    "a player below 1": {"players": [0, 1]},
    "a player with a fraction": {"players": [1.5, 2]},
    "an eighth place": {"players": [f"{uuid.uuid4()}:7"]},
    "no record": {"record": None},
    "an unknown field": {"free_text": "hello"},
    "deltas that are text": {"expected": {"deltas": "12345", "pot_after": 0}},
    "deltas without a pot": {"expected": {"deltas": [0, 0]}},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_field_that_is_wrong(recorder: Client, table: Table, wrong: dict[str, Any]) -> None:
    refused(post(recorder, hand(table) | wrong, table), 422, "write")
    assert nothing_stored()


BEGINNINGS: dict[str, dict[str, Any]] = {
    "a table": {"table": 1},
    "no date": {"held_on": "20.11.2026"},
    "a week": {"held_on": "2026-W47-5"},
    "no such game": {"game": "jass"},
    "nobody": {"seating": []},
    "a name and an id": {"seating": [{"player": 1, "guest": "Fritz"}]},
    "a dealer who is not there": {"first_dealer": 9},
    "carry as text": {"carry": "yes"},
    "no such way": {"settling": "never"},
}


@pytest.mark.parametrize("wrong", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_beginning_that_is_wrong(recorder: Client, home: House, wrong: dict[str, Any]) -> None:
    two = [PlayerFactory(club=home.club).pk for _ in range(2)]
    refused(post(recorder, begin(home.season, two) | wrong), 422, "write")
    assert not Evening.objects.exists()


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
FIELDS = ("player", "guest", "after", "players", "number", "record", "expected", "seating", "hands", "season", *COMMON)


@how(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    kind=st.sampled_from(sorted(KINDS)),
    changed=st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=4),
)
def test_any_values_are_read_or_refused(kind: str, changed: dict[str, Any]) -> None:
    usual = {"format": 1, "key": str(uuid.uuid4()), "kind": kind, "club": "roessli", "table": 1, "at": 1}
    refusal = None
    try:
        assert isinstance(read_write(usual | changed), Write)
    except Refused as refused_one:
        refusal = refused_one
    assert refusal is None or (refusal.status == 422 and refusal.sentence)


def test_a_nickname_loses_unprintable_characters(recorder: Client, table: Table) -> None:
    comes = write("come", table, guest="  Fri\u200btz\u00a0\u202e von\tX " + "x" * 60, after=seats(table)[0])
    name = stored(post(recorder, comes, table))["players"][comes["key"]]["name"]
    assert name == ("Fri tz von X " + "x" * 60)[:40]
    refused(post(recorder, write("come", table, guest="\u200b \u00a0", after=seats(table)[0]), table), 422, "write")


def test_nobody_of_another_club_sits_down(recorder: Client, table: Table) -> None:
    stranger: Player = PlayerFactory()
    refused(post(recorder, write("come", table, player=stranger.pk, after=seats(table)[0]), table), 422, "player")
    refused(post(recorder, write("come", table, player=2**53, after=seats(table)[0]), table), 422, "player")
    refused(post(recorder, hand(table, players=[stranger.pk, *seats(table)[1:]]), table), 409, "seating")


def test_a_beginning_is_for_its_own_address(recorder: Client, home: House, table: Table) -> None:
    refused(post(recorder, begin(home.season, seats(table)), table), 422, "write")


def test_without_its_token_nothing_is_stored(home: House, table: Table) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(home.recorder)
    assert post(client, hand(table), table).status_code == 403
    assert post(client, begin(home.season, seats(table))).status_code == 403
    assert nothing_stored()


@pytest.mark.parametrize("role", ["member", "owner"])
def test_a_reader_without_the_right_to_record_stores_nothing(home: House, table: Table, role: str) -> None:
    client = Client()
    client.force_login(home.person(role))
    status = 403 if role == "member" else 200
    assert post(client, hand(table), table).status_code == status
    assert client.get(f"/c/roessli/t/{table.pk}/night/").status_code == status
