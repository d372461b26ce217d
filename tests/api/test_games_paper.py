"""Typed lines, sheet codes, the pencil, the steps of a hand and the preview of a closing, through the API."""

from __future__ import annotations

import uuid

import pytest

from games.models import Hand
from games.paper import sheet_code
from league.models import Evening, Player
from tests.api.api_client import ApiClient, at, done, is_problem
from tests.factories import FAILED, MADE, WITH_CARDS, body, enter

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_all_lines_of_a_sheet_are_stored_or_none(api, table):
    sent = {"number": 1, "lines": ["Anna Beni", "Beni Carlo-", "0"]}
    looked = done(api.post(at(table, "/typed-lines/preview"), sent, key=""))
    assert [line["number"] for line in looked["lines"]] == [1, 2, 3]
    assert not Hand.objects.exists()
    players = body(table, MADE)["players"]
    wrong = sent | {"lines": ["Anna Beni", "Anna Nobody"], "players": players}
    answer = api.post(at(table, "/typed-lines"), wrong, Accept_Language="en")
    assert is_problem(answer, 422, "line")
    got = answer.json()
    assert (got["at"], got["details"]["number"], got["details"]["line"]) == ("lines[1]", 2, "Anna Nobody")
    assert not Hand.objects.exists()
    key = uuid.uuid4()
    first = api.post(at(table, "/typed-lines"), sent | {"players": players}, key=key)
    assert (first.status_code, first.json()["stored"]) == (201, [1, 2, 3])
    assert api.post(at(table, "/typed-lines"), sent | {"players": players}, key=key).content == first.content
    assert Hand.objects.count() == 3


def test_a_line_that_breaks_a_clause_names_it(api, table):
    answer = api.post(at(table, "/typed-lines/preview"), {"number": 1, "lines": ["Anna:3 Beni:3"]})
    assert answer.status_code == 422
    assert answer.json()["at"] == "lines[0]"


def test_lines_with_a_wrong_hand_number_are_refused(api, table):
    assert is_problem(api.post(at(table, "/typed-lines/preview"), {"number": 5, "lines": ["Anna"]}), 409, "number")


def test_a_sheet_code_leads_to_its_table(api, table):
    code = sheet_code.code(table.pk)
    assert done(api.get(f"clubs/roessli/sheet-codes/{code.lower()}")) == done(api.get(at(table)))
    assert is_problem(api.get("clubs/roessli/sheet-codes/nonsense"), 404)


@pytest.mark.both_databases
def test_the_pencil_goes_from_a_program_to_a_person(people, api, table):
    assert done(api.get(at(table, "/pencil")))["holder"] is None
    assert done(api.post(at(table, "/pencil"), {"action": "take"}, key=""))["mine"] is True
    browser = ApiClient(person=people.home.owner)
    seen = done(browser.get(at(table, "/pencil")))
    assert (seen["holder"], seen["mine"]) == ("Recorder", False)
    assert {recorder["name"] for recorder in seen["recorders"]} == {"Owner", "Treasurer", "Recorder"}
    handed = done(api.post(at(table, "/pencil"), {"action": "hand_over", "to": people.home.owner.pk}, key=""))
    assert (handed["holder"], handed["mine"]) == ("Owner", False)
    assert is_problem(api.post(at(table, "/pencil"), {"action": "hand_over", "to": people.home.owner.pk}, key=""), 409)
    assert done(api.post(at(table, "/pencil"), {"action": "take_over"}, key=""))["mine"] is True
    assert is_problem(api.post(at(table, "/pencil"), {"action": "hand_over", "to": people.away.owner.pk}, key=""), 422)
    assert done(api.post(at(table, "/pencil"), {"action": "put_down"}, key=""))["holder"] is None


def test_a_hand_with_its_cards_is_shown_step_by_step(api, table):
    enter(table, WITH_CARDS)
    got = done(api.get(at(table, "/hands/1/steps"), Accept_Language="en"))
    assert got["steps"][0]["sentence"] == "Emil deals."
    dealt = [sorted(cards) for cards in WITH_CARDS["deal"]["hands"]]
    assert [sorted(seat["cards"]) for seat in got["steps"][-1]["seats"]] == dealt
    assert got["steps"][-1]["seats"][0]["role"] == "chratze"
    Player.objects.update(publicity="initials")
    visitor = ApiClient().get(at(table, "/hands/1/steps"))
    assert "Anna" not in visitor.content.decode()
    enter(table, MADE)
    assert is_problem(api.get(at(table, "/hands/2/steps")), 404)


def test_the_preview_of_a_closing_equals_the_closing(api, table):
    enter(table, FAILED)
    players = body(table, MADE)["players"]
    sent = {"pot": "share", "present": players[:2]}
    url = f"clubs/roessli/evenings/{table.evening_id}/close"
    plan = done(api.post(f"{url}/preview", sent, key=""))
    assert Evening.objects.get().state == "open"
    settled = done(api.post(url, sent))
    assert {person["player"]: person["part_minor"] for person in plan["people"] if person["part_minor"]} == {
        share["player"]: share["amount_minor"] for share in settled["shares"]
    }
    assert [(payment["sentence"], payment["amount_minor"]) for payment in plan["payments"]] == [
        (payment["sentence"], payment["amount_minor"]) for payment in settled["payments"]
    ]
    assert is_problem(api.post(f"{url}/preview", sent, key=""), 409, "closed")
