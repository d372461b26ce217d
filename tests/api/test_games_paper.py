"""The rest of what the pages of a night do, through the API: typing a sheet back, its code, the pencil, a hand card by
card, what closing would do."""

from __future__ import annotations

import uuid

import pytest

from games.models import Hand
from games.paper import nights
from league.models import Evening, Player
from tests.api.asking import Asker, at, done, is_problem
from tests.factories import FAILED, MADE, TOLD, body, enter

pytestmark = pytest.mark.django_db


def test_a_sheet_is_typed_back_all_of_it_or_none(asks, table):
    sent = {"number": 1, "lines": ["Anna Beni", "Beni Carlo-", "0"]}
    looked = done(asks.post(at(table, "/lines/preview"), sent, key=""))
    assert [one["number"] for one in looked["lines"]] == [1, 2, 3]
    assert not Hand.objects.exists()
    players = body(table, MADE)["players"]
    wrong = sent | {"lines": ["Anna Beni", "Anna Nobody"], "players": players}
    answer = asks.post(at(table, "/lines"), wrong, Accept_Language="en")
    assert is_problem(answer, 422, "line")
    told = answer.json()
    assert (told["at"], told["details"]["number"], told["details"]["line"]) == ("lines[1]", 2, "Anna Nobody")
    assert not Hand.objects.exists()
    key = uuid.uuid4()
    first = asks.post(at(table, "/lines"), sent | {"players": players}, key=key)
    assert (first.status_code, first.json()["stored"]) == (201, [1, 2, 3])
    assert asks.post(at(table, "/lines"), sent | {"players": players}, key=key).content == first.content
    assert Hand.objects.count() == 3


def test_a_line_that_breaks_a_clause_names_it(asks, table):
    answer = asks.post(at(table, "/lines/preview"), {"number": 1, "lines": ["Anna:3 Beni:3"]})
    assert answer.status_code == 422
    assert answer.json()["at"] == "lines[0]"


def test_lines_of_a_hand_that_is_not_due_are_refused(asks, table):
    assert is_problem(asks.post(at(table, "/lines/preview"), {"number": 5, "lines": ["Anna"]}), 409, "number")


def test_the_code_of_a_sheet_leads_to_its_table(asks, table):
    code = nights.code(table.pk)
    assert done(asks.get(f"clubs/roessli/codes/{code.lower()}")) == done(asks.get(at(table)))
    assert is_problem(asks.get("clubs/roessli/codes/nonsense"), 404)


def test_the_pencil_goes_from_a_program_to_a_person(people, asks, table):
    assert done(asks.get(at(table, "/pencil")))["holder"] is None
    assert done(asks.post(at(table, "/pencil"), {"act": "take"}, key=""))["mine"] is True
    browser = Asker(person=people.home.owner)
    seen = done(browser.get(at(table, "/pencil")))
    assert (seen["holder"], seen["mine"]) == ("Recorder", False)
    assert {one["name"] for one in seen["recorders"]} == {"Owner", "Treasurer", "Recorder"}
    handed = done(asks.post(at(table, "/pencil"), {"act": "give", "to": people.home.owner.pk}, key=""))
    assert (handed["holder"], handed["mine"]) == ("Owner", False)
    assert is_problem(asks.post(at(table, "/pencil"), {"act": "give", "to": people.home.owner.pk}, key=""), 409)
    assert done(asks.post(at(table, "/pencil"), {"act": "over"}, key=""))["mine"] is True
    assert is_problem(asks.post(at(table, "/pencil"), {"act": "give", "to": people.away.owner.pk}, key=""), 422)
    assert done(asks.post(at(table, "/pencil"), {"act": "down"}, key=""))["holder"] is None


def test_a_hand_with_its_cards_is_told_step_by_step(asks, table):
    enter(table, TOLD)
    told = done(asks.get(at(table, "/hands/1/steps"), Accept_Language="en"))
    assert told["steps"][0]["told"] == "Emil deals."
    dealt = [sorted(cards) for cards in TOLD["deal"]["hands"]]
    assert [sorted(seat["cards"]) for seat in told["steps"][-1]["seats"]] == dealt
    assert told["steps"][-1]["seats"][0]["role"] == "chratze"
    Player.objects.update(publicity="initials")
    visitor = Asker().get(at(table, "/hands/1/steps"))
    assert "Anna" not in visitor.content.decode()
    enter(table, MADE)
    assert is_problem(asks.get(at(table, "/hands/2/steps")), 404)


def test_what_closing_would_do_is_what_it_does(asks, table):
    enter(table, FAILED)
    players = body(table, MADE)["players"]
    sent = {"pot": "share", "present": players[:2]}
    url = f"clubs/roessli/evenings/{table.evening_id}/close"
    plan = done(asks.post(f"{url}/preview", sent, key=""))
    assert Evening.objects.get().state == "open"
    settled = done(asks.post(url, sent))
    assert {one["player"]: one["part_minor"] for one in plan["people"] if one["part_minor"]} == {
        one["player"]: one["amount_minor"] for one in settled["shares"]
    }
    assert [(one["told"], one["amount_minor"]) for one in plan["payments"]] == [
        (one["told"], one["amount_minor"]) for one in settled["payments"]
    ]
    assert is_problem(asks.post(f"{url}/preview", sent, key=""), 409, "closed")
