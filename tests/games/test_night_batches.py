"""One request carries several writes of a phone: each is answered by itself, in order, up to the first refusal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Hand, Happening, Table
from games.night import views
from games.night.body import MOST_WRITES
from league.models import Submission
from tests.cast import House
from tests.factories import create_table
from tests.games.night_writes import begin, hand, post, refused, seats, stored, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


def batch(client: Client, table: Table | None, *writes: Any) -> dict[str, Any]:
    answer = post(client, {"format": 1, "writes": list(writes)}, table)
    assert answer.status_code == 200, answer.content.decode()[:500]
    body: dict[str, Any] = answer.json()
    assert len(body["answers"]) == len(writes)
    return body


def test_writes_are_stored_in_order_and_the_snapshot_is_the_last_one(recorder: Client, table: Table) -> None:
    come = write("come", table, guest="Rosa", after=seats(table)[-1])
    players = [*seats(table), come["key"]]
    entry = hand(table)
    body = batch(recorder, table, entry, come, hand(table, 2, players=players))
    first, second, third = (answer["stored"] for answer in body["answers"])
    assert (first["number"], second["number"], third["number"]) == (1, None, 2)
    assert second["players"][come["key"]]["name"] == "Rosa"
    assert body["snapshot"]["table"]["hands"] == 2
    assert [set(answer) for answer in body["answers"]] == [{"stored"}] * 3
    # As alone, but for the snapshot.
    assert stored(post(recorder, entry, table)) == first


def test_after_the_first_refusal_nothing_is_tried(recorder: Client, table: Table) -> None:
    wrong = hand(table, 2, record={"declarer": 0, "joiners": [1], "made": [0, 1, 2]})
    body = batch(recorder, table, hand(table), wrong, write("pause", table), hand(table, 2))
    assert body["answers"][1]["refused"]["code"] == "R5"
    assert body["answers"][2:] == [{"not_tried": True}] * 2
    assert body["snapshot"]["table"]["hands"] == Hand.objects.count() == 1
    assert not Happening.objects.filter(table=table, kind=Happening.Kind.PAUSED).exists()
    # The key of what was refused, or not tried, stays free.
    assert Submission.objects.filter(key=wrong["key"]).count() == 0


def test_the_same_writes_again_get_the_same_answers(recorder: Client, table: Table) -> None:
    """The answer was lost; or the phone was killed and other writes came behind."""
    writes = [hand(table), write("pause", table), write("resume", table), hand(table, 2)]
    first = batch(recorder, table, *writes)
    again = batch(recorder, table, *writes, hand(table, 3))
    assert again["answers"][:4] == first["answers"]
    assert Hand.objects.count() == 3


def test_an_evening_and_its_hands(recorder: Client, home: House, table: Table) -> None:
    begun = begin(home.season, [*seats(table)[:4], "Rosa"])
    key = begun["key"]
    players = [*seats(table)[:4], f"{key}:4"]
    body = batch(recorder, None, begun, hand(key, players=players), write("dealer", key, player=f"{key}:4"))
    assert [answer["stored"]["table"] for answer in body["answers"]] == [body["snapshot"]["table"]["id"]] * 3
    assert body["snapshot"]["table"]["hands"] == 1


def test_all_writes_of_a_request_are_of_one_table(recorder: Client, home: House, table: Table) -> None:
    other = create_table(club=home.club, season=home.season, author=home.recorder)
    body = batch(recorder, None, hand(table), hand(other))
    assert body["answers"][1]["refused"]["code"] == "write"
    assert body["snapshot"]["table"]["id"] == table.pk
    body = batch(recorder, None, hand(table, 2), begin(home.season, [*seats(table)]))
    assert body["answers"][1]["refused"]["code"] == "write"


def test_a_slow_server_leaves_the_rest_for_the_next_request(
    recorder: Client, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_SECONDS", -1)
    writes = [hand(table), hand(table, 2)]
    assert batch(recorder, table, *writes)["answers"][1] == {"not_tried": True}
    assert "stored" in batch(recorder, table, writes[1])["answers"][0]


@pytest.mark.parametrize(
    "sent",
    [
        {"format": 1, "writes": []},
        {"format": 1, "writes": {}},
        {"format": 1, "writes": [1] * (MOST_WRITES + 1)},
        {"format": 1, "writes": [], "club": "roessli"},
    ],
    ids=["none", "no list", "too many", "unknown field"],
)
def test_a_body_that_is_no_list_of_writes_is_refused_as_a_whole(
    recorder: Client, table: Table, sent: dict[str, Any]
) -> None:
    refused(post(recorder, sent, table), 422, "write")


def test_an_unknown_format_is_refused_as_a_whole(recorder: Client, table: Table) -> None:
    refused(post(recorder, {"format": 2, "writes": [hand(table)]}, table), 422, "format")
    assert Hand.objects.count() == 0


@pytest.mark.parametrize("wrong", [1, None, [], "x", {"format": 1, "writes": []}])
def test_what_is_no_write_is_refused_in_its_place(recorder: Client, table: Table, wrong: Any) -> None:
    body = batch(recorder, table, hand(table), wrong, hand(table, 2))
    assert body["answers"][1]["refused"]["code"] in ("write", "format")
    assert body["answers"][2] == {"not_tried": True}
    assert Hand.objects.count() == 1


def test_a_write_of_another_table_or_club_is_refused_in_its_place(recorder: Client, home: House, table: Table) -> None:
    other = create_table(club=home.club, season=home.season, author=home.recorder)
    body = batch(recorder, table, hand(other))
    assert body["answers"][0]["refused"]["code"] == "write"
    body = batch(recorder, table, hand(table) | {"club": "other"})
    assert body["answers"][0]["refused"]["code"] == "write"
    assert Hand.objects.count() == 0


def test_the_longest_request_of_a_phone_is_within_the_limit_of_a_body(table: Table) -> None:
    """A write of seven players, each named by a key, with all fields: fifty of them."""
    key = "0b0c7f3e-6f0e-4f8e-9a53-3d9d6e6c2f11"
    record = {"declarer": 6, "joiners": [*range(6)], "tricks": [5] * 7, "made": [*range(7)], "blind": "half"}
    expected = {"deltas": [-1_000_000] * 7, "pot_after": 1_000_000}
    long = hand(key, 100_000, record, players=[f"{key}:6"] * 7, expected=expected)
    assert len(json.dumps({"format": 1, "writes": [long] * MOST_WRITES})) < settings.MAX_BODY_BYTES


def test_a_write_of_several_needs_no_more_queries_than_one_alone(
    recorder: Client, table: Table, on_sqlite: bool
) -> None:
    if not on_sqlite:
        pytest.skip("counted on one database")
    for number in (1, 2):
        stored(post(recorder, hand(table, number), table))
    with CaptureQueriesContext(connection) as alone:
        stored(post(recorder, hand(table, 3), table))
    counts = []
    for size in (2, 12):
        first = Hand.objects.filter(table=table).count() + 1
        with CaptureQueriesContext(connection) as made:
            batch(recorder, table, *[hand(table, first + offset) for offset in range(size)])
        counts.append(len(made))
    each = (counts[1] - counts[0]) / 10
    assert each <= len(alone) * 0.75
    assert counts[1] < 12 * len(alone)
