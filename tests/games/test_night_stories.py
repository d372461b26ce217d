"""The data of the page of two stories: the stored hands of a table from one hand on."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.corrections.edits import Change
from games.corrections.services import correct
from games.models import Revision, Table
from games.seating.changes import Leave
from games.seating.services import carry_out
from league.models import Evening
from tests.cast import House
from tests.factories import FAILED, MADE, WALKOVER, WITH_CARDS, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def table(home: House) -> Table:
    """A table with three hands."""
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED, WALKOVER):
        enter(table, record, author=home.recorder)
    return Table.objects.get(pk=table.pk)


def address(table: Table, first: Any = 1) -> str:
    url = reverse("table-stories", kwargs={"club": table.evening.club.slug, "table": table.pk})
    return f"{url}?from={first}"


def story(client: Client, table: Table, first: Any = 1) -> dict[str, Any]:
    answer = client.get(address(table, first), headers={"Accept": "application/json"})
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def test_the_hands_from_one_on_with_the_state_before_it(client: Client, home: House, table: Table) -> None:
    client.force_login(home.recorder)
    body = story(client, table, 2)
    first = Revision.objects.get(hand__table=table, hand__number=1)
    assert body["was"]["pot"] == first.result["pot_after"]
    assert [(hand["number"], hand["record"]) for hand in body["hands"]] == [(2, FAILED), (3, WALKOVER)]
    assert [(hand["revision"], hand["by"], hand["voided"]) for hand in body["hands"]] == [(1, "Recorder", False)] * 2
    assert body["snapshot"]["table"]["hands"] == 3
    assert len(body["keys"]) == 2


@pytest.mark.parametrize(("sent", "first"), [(0, 1), (99, 4), ("x", 3), ("", 3), (-1, 3), ("9" * 30, 3)])
def test_a_number_beyond_the_table_is_the_nearest_one(
    client: Client, home: House, table: Table, sent: Any, first: int
) -> None:
    client.force_login(home.recorder)
    assert story(client, table, sent)["from"] == first


def test_before_the_first_hand_nobody_has_played(client: Client, home: House, table: Table) -> None:
    client.force_login(home.recorder)
    was = story(client, table)["was"]
    assert was == {"pot": 0, "dealer": table.first_dealer_id, "deal_number": 1, "players": []}


def test_undone_and_corrected_hands_and_seats_say_so(client: Client, home: House, table: Table) -> None:
    who = tuple(table.places.order_by("seat").values_list("player_id", flat=True))
    correct(table=table, edit=Change(2, who, MADE), author=home.owner, key=uuid.uuid4())
    void(table, author=home.recorder)
    carry_out(table=table, change=Leave(who[2]), author=home.recorder, key=uuid.uuid4())
    client.force_login(home.recorder)
    body = story(client, table, 2)
    assert [(hand["number"], hand["voided"]) for hand in body["hands"]] == [(2, False), (3, True)]
    assert body["hands"][0]["revised"]
    assert body["hands"][0]["by"] == "Owner"
    assert [happening["kind"] for happening in body["happenings"]] == ["left"]


def test_a_hand_with_cards_is_shown_as_its_tally(client: Client, home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    enter(table, WITH_CARDS)
    client.force_login(home.recorder)
    record = story(client, table)["hands"][0]["record"]
    assert record == {"declarer": Revision.objects.get().result["declarer"], "joiners": []}


def test_the_page_has_the_same_data_and_another_club_has_no_such_table(
    client: Client, home: House, table: Table
) -> None:
    client.force_login(home.recorder)
    assert 'id="night-story"' in client.get(address(table, 2)).content.decode()
    stranger = reverse("table-stories", kwargs={"club": home.club.slug, "table": create_table().pk})
    assert client.get(stranger).status_code == 404


def test_the_data_of_a_final_evening_are_not_for_recorders(client: Client, home: House, table: Table) -> None:
    client.force_login(home.recorder)
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED, final_at="2026-01-01T00:00:00Z")
    answer = client.get(address(table), headers={"Accept": "application/json"})
    page = client.get(address(table))
    assert answer.status_code == 403
    assert "night-story" not in page.content.decode()
