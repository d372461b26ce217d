"""Hands that a phone recorded without a network: stored by their keys, answered as data."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Revision, Table
from tests.cast import House
from tests.factories import MADE, create_table, enter
from tests.games.night_writes import hand, post, refused, stored, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


@pytest.mark.both_databases
def test_a_hand_is_stored_once_and_answered_with_the_state_after_it(recorder: Client, table: Table) -> None:
    write = hand(table)
    first, again = (post(recorder, write, table) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert first.json()["stored"] == again.json()["stored"]
    assert first.json()["stored"]["at"] == f"/c/roessli/t/{table.pk}/h/1/"
    assert first.json()["snapshot"]["table"]["hands"] == 1
    assert Revision.objects.count() == 1


def test_the_table_screen_has_the_snapshot_that_the_address_gives(recorder: Client, table: Table) -> None:
    enter(table, MADE)
    page = recorder.get(f"/c/roessli/t/{table.pk}/")
    text = page.content.decode().partition('<script id="night-snapshot" type="application/json">')[2]
    shown = json.loads(text.partition("</script>")[0])
    read = recorder.get(url(table)).json()
    assert shown | {"made_at": 0} == read | {"made_at": 0}


def test_a_taken_number_is_refused_with_the_way_to_both_stories(recorder: Client, table: Table) -> None:
    write = hand(table)
    enter(table, MADE)
    answer = post(recorder, write, table)
    assert answer.status_code == 409
    assert answer.json()["refused"]["code"] == "taken"
    assert answer.json()["stories"] == f"/c/roessli/t/{table.pk}/stories/?from=1"


def test_a_broken_clause_is_refused_with_its_number(recorder: Client, table: Table) -> None:
    three = {"declarer": 0, "joiners": [1], "made": [0, 1, 2]}
    answer = refused(post(recorder, hand(table, record=three), table), 422, "R5")
    assert (answer["refused"]["clause"], answer["refused"]["at"]) == ("R5", "made[2]")
    assert answer["stories"] is None
    assert answer["snapshot"]["table"]["hands"] == 0


def test_a_write_and_its_snapshot_have_the_same_queries_for_one_hand_and_many(
    recorder: Client, table: Table, on_sqlite: bool
) -> None:
    if not on_sqlite:
        pytest.skip("counted on one database")
    counts = []
    for number in range(1, 9):
        with CaptureQueriesContext(connection) as made:
            stored(post(recorder, hand(table, number), table))
        counts.append(len(made))
    assert set(counts[1:]) == {counts[1]}
    assert counts[1] <= 38


def test_a_write_handed_over_to_another_recorder_is_stored_once(recorder: Client, home: House, table: Table) -> None:
    write, other = hand(table), Client()
    other.force_login(home.owner)
    first = stored(post(recorder, write, table))
    assert stored(post(other, write, table)) == first
    assert [revision.author for revision in Revision.objects.all()] == [home.recorder]
