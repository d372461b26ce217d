"""Disputes through the API: a player disputes a hand, a recorder settles it."""

from __future__ import annotations

import pytest

from games.models import Dispute, Table
from league.models import Player
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import FAILED, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(people: Cast) -> Table:
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, FAILED)
    return table


@pytest.fixture
def anna(people: Cast, table: Table) -> Player:
    player = Player.objects.get(club=people.home.club, nickname="Anna")
    player.user = people.home.member
    player.save()
    return player


@pytest.mark.both_databases
def test_a_player_disputes_a_hand_and_a_recorder_settles_it(people, table, anna):
    member = ApiClient(key=key_for(people.home.member, "read", "record"))
    recorder = ApiClient(key=key_for(people.home.recorder, "read", "record"))
    url = f"clubs/roessli/tables/{table.pk}/hands/1/disputes"
    said = done(member.post(url, {"player": anna.pk, "text": "I made it."}))
    assert (said["kind"], said["name"], said["revision"]) == ("raised", "Anna", 1)
    [waiting] = done(recorder.get("clubs/roessli/disputes"))["items"]
    assert (waiting["number"], waiting["text"], waiting["table"]) == (1, "I made it.", table.pk)
    assert is_problem(member.post(f"{url}/settle", {"player": anna.pk}), 403)
    assert done(recorder.post(f"{url}/settle", {"player": anna.pk, "text": "Corrected."}))["kind"] == "settled"
    [got] = done(member.get(url))["items"]
    assert (got["unsettled"], got["ended"], got["answer"], got["by"]) == (
        False,
        "settled",
        "Corrected.",
        "Recorder",
    )
    assert done(recorder.get("clubs/roessli/disputes"))["items"] == []
    assert is_problem(member.get("clubs/roessli/disputes"), 403)
    done(member.post(url, {"player": anna.pk, "text": "Still not so."}))
    assert done(member.post(f"{url}/withdraw", {"player": anna.pk}))["kind"] == "withdrawn"


def test_a_dispute_for_another_player_or_without_the_scope_is_refused(people, table, anna):
    url = f"clubs/roessli/tables/{table.pk}/hands/1/disputes"
    beni = Player.objects.get(club=people.home.club, nickname="Beni")
    member = ApiClient(key=key_for(people.home.member, "read", "record"))
    assert is_problem(member.post(url, {"player": beni.pk, "text": "No."}), 403)
    assert is_problem(ApiClient(key=key_for(people.home.owner)).post(url, {"player": anna.pk, "text": "No."}), 403)
    assert is_problem(
        ApiClient(key=key_for(people.home.member, "read")).post(url, {"player": anna.pk, "text": "No."}), 403
    )
    assert is_problem(ApiClient().post(url, {"player": anna.pk, "text": "No."}), 401)
    assert is_problem(member.post(url, {"player": anna.pk, "text": ""}), 400)
    assert is_problem(
        member.post(f"clubs/roessli/tables/{table.pk}/hands/9/disputes", {"player": anna.pk, "text": "?"}), 404
    )
    assert not Dispute.objects.exists()
