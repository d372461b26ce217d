"""Disputes through the API: said by who sat there, for oneself alone; settled by who records."""

from __future__ import annotations

import pytest

from games.models import Dispute, Table
from league.models import Player
from tests.api.asking import Asker, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import FAILED, enter, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(people: Cast) -> Table:
    table = open_table(club=people.home.club, season=people.home.season)
    enter(table, FAILED)
    return table


@pytest.fixture
def anna(people: Cast, table: Table) -> Player:
    player = Player.objects.get(club=people.home.club, nickname="Anna")
    player.user = people.home.member
    player.save()
    return player


def test_a_hand_is_disputed_by_who_sat_there_and_settled_by_who_records(people, table, anna):
    member = Asker(key=key_for(people.home.member, "read", "record"))
    recorder = Asker(key=key_for(people.home.recorder, "read", "record"))
    url = f"clubs/roessli/tables/{table.pk}/hands/1/disputes"
    said = done(member.post(url, {"player": anna.pk, "text": "I made it."}))
    assert (said["kind"], said["name"], said["revision"]) == ("raised", "Anna", 1)
    [waiting] = done(recorder.get("clubs/roessli/disputes"))["disputes"]
    assert (waiting["number"], waiting["text"], waiting["table"]) == (1, "I made it.", table.pk)
    assert is_problem(member.post(f"{url}/settle", {"player": anna.pk}), 403)
    assert done(recorder.post(f"{url}/settle", {"player": anna.pk, "text": "Put right."}))["kind"] == "settled"
    [told] = done(member.get(url))["disputes"]
    assert (told["open"], told["ended"], told["answer"], told["by"]) == (False, "settled", "Put right.", "Recorder")
    assert done(recorder.get("clubs/roessli/disputes"))["disputes"] == []
    assert is_problem(member.get("clubs/roessli/disputes"), 403)
    done(member.post(url, {"player": anna.pk, "text": "Still not so."}))
    assert done(member.post(f"{url}/withdraw", {"player": anna.pk}))["kind"] == "withdrawn"


def test_nobody_disputes_for_another_or_without_the_scope(people, table, anna):
    url = f"clubs/roessli/tables/{table.pk}/hands/1/disputes"
    beni = Player.objects.get(club=people.home.club, nickname="Beni")
    member = Asker(key=key_for(people.home.member, "read", "record"))
    assert is_problem(member.post(url, {"player": beni.pk, "text": "No."}), 403)
    assert is_problem(Asker(key=key_for(people.home.owner)).post(url, {"player": anna.pk, "text": "No."}), 403)
    assert is_problem(Asker(key=key_for(people.home.member, "read")).post(url, {"player": anna.pk, "text": "No."}), 403)
    assert is_problem(Asker().post(url, {"player": anna.pk, "text": "No."}), 401)
    assert is_problem(member.post(url, {"player": anna.pk, "text": ""}), 400)
    assert is_problem(
        member.post(f"clubs/roessli/tables/{table.pk}/hands/9/disputes", {"player": anna.pk, "text": "?"}), 404
    )
    assert not Dispute.objects.exists()
