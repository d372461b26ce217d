"""Hands through the API: entered, refused, looked at, taken back; and who may see what of them."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest
from django.urls import reverse

from games import recording
from games.audit import differences
from games.forms import HandForm
from games.models import Hand, Revision, Table
from league.models import Player, Posting, Submission
from tests.api.asking import Asker, at, done, is_problem, key_for
from tests.factories import FAILED, FREE, MADE, MUSS, TOLD, WALKOVER, body, enter, open_table, void

pytestmark = pytest.mark.django_db


# --- Entered ---------------------------------------------------------------------------------------------


def test_a_hand_is_stored_and_says_how_the_coins_move_and_what_comes_next(asks, table):
    answer = asks.post(at(table, "/hands"), body(table, FAILED), Accept_Language="en")
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/v1/{at(table, '/hands/1')}"
    told = answer.json()
    assert told["hand"]["told"] == "Anna chratzt, metcho Beni, Carlo; failed: Anna"
    assert [seat["change_minor"] for seat in told["hand"]["seats"]] == [-220, 30, 30, -20, -20]
    assert [(step["name"], step["kind"], step["amount_minor"]) for step in told["cash"]["steps"]] == [
        ("Beni", "payout", 50),
        ("Carlo", "payout", 50),
        ("Anna", "penalty", -200),
    ]
    assert (told["cash"]["pot_after_minor"], told["cash"]["next_pot_minor"]) == (200, 300)
    # What the answer says of the next hand is what the table says then.
    assert told["next"] == asks.get(at(table)).json()["next"]
    assert told["next"]["pot_minor"] == 300
    assert list(differences()) == []


def test_a_hand_with_every_card_is_stored_as_it_is(asks, table):
    told = done(asks.post(at(table, "/hands"), body(table, TOLD)))
    assert told["hand"]["has_cards"] is True
    assert told["hand"]["record"]["deal"] == TOLD["deal"]
    assert asks.get(at(table, "/hands/1")).json()["record"] == told["hand"]["record"]


def test_kratzen_is_entered_the_same_way(people, asks):
    table = open_table(club=people.home.club, season=people.home.season, seats=4, game="kratzen")
    muss = done(asks.post(at(table, "/hands"), body(table, MUSS)))
    assert muss["hand"]["muss"] is True
    free = done(asks.post(at(table, "/hands"), body(table, FREE)))
    assert free["hand"]["game_type"] == "schlagen"
    assert {step["kind"] for step in muss["cash"]["steps"]} <= {"cut", "payout", "penalty"}


def test_a_preview_is_what_storing_comes_to_and_stores_nothing(asks, table):
    before = done(asks.post(at(table, "/hands/preview"), {"record": FAILED}, key=""))
    assert Hand.objects.count() == 0
    assert before["hand"]["revision"] == 0
    stored = done(asks.post(at(table, "/hands"), body(table, FAILED)))
    assert (before["cash"], before["next"]) == (stored["cash"], stored["next"])
    assert done(asks.get(at(table, "/hands/1/cash"))) == stored


REFUSED = [
    ({"declarer": 0, "joiners": [0], "made": [0]}, "R3", "joiners[0]", 0),
    ({"declarer": 0, "joiners": [1, 1], "made": [0]}, "R3", "joiners[1]", 1),
    ({"declarer": 0, "joiners": [1], "tricks": {"0": 3, "1": 3}}, "R5", "tricks", None),
    ({"declarer": 0, "joiners": [1], "tricks": {"3": 4}}, "R5", "tricks.3", 3),
    ({"declarer": 1, "blind": "blind"}, "C3.4", "declarer", 1),
    ({"declarer": 0, "joiners": [1], "made": [0, 1], "colour": "red"}, "R1", "colour", None),
    ({}, "R1", "declarer", None),
    (TOLD | {"calls": [[1, "chratze"]]}, "C3.1", "calls[0][0]", 1),
    (TOLD | {"deal": TOLD["deal"] | {"turned": ["As"]}}, "R2", "deal.turned[0]", None),
]


@pytest.mark.parametrize(("record", "clause", "where", "seat"), REFUSED)
def test_what_the_rulebook_refuses_names_clause_place_and_seat(asks, table, record, clause, where, seat):
    for path, sent in (("/hands", body(table, record)), ("/hands/preview", {"record": record})):
        answer = asks.post(at(table, path), sent, Accept_Language="en")
        assert is_problem(answer, 422, clause)
        told = answer.json()
        assert (told["clause"], told["at"], told.get("seat")) == (clause, where, seat), path
    assert not Hand.objects.exists()
    assert not Submission.objects.filter(hand_revision__isnull=True, evening__isnull=True).exists()


def test_a_card_out_of_turn_names_the_seat_whose_card_it_is(asks, table):
    """Seat 0 leads as declarer; then seat 1 must follow, and plays what it has not."""
    record = json.loads(json.dumps(TOLD))
    record["calls"] = [[0, "chratze"], [1, "metcho"], [2, "weg"], [3, "weg"], [4, "weg"]]
    record["exchanges"] = [
        {"seat": 0, "discard": [], "draw": []},
        {"seat": 1, "discard": [], "draw": []},
    ]
    record["play"] = [["As", "Js"]]
    told = asks.post(at(table, "/hands"), body(table, record)).json()
    assert (told["clause"], told["at"], told["seat"]) == ("C5.1", "play[0][1]", 1)


def test_a_key_of_a_refused_hand_is_free_for_the_right_one(asks, table):
    key = uuid.uuid4()
    assert asks.post(at(table, "/hands"), body(table, {"declarer": 0, "joiners": [0]}), key=key).status_code == 422
    assert asks.post(at(table, "/hands"), body(table, MADE), key=key).status_code == 201


def test_a_number_that_is_taken_says_by_whom_and_what(people, asks, table):
    other = Asker(key=key_for(people.home.owner))
    assert other.post(at(table, "/hands"), body(table, FAILED)).status_code == 201
    answer = asks.post(at(table, "/hands"), body(table, MADE, number=1), Accept_Language="en")
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")
    told = answer.json()["details"]
    assert (told["number"], told["author"]) == (1, "Owner")
    assert told["record"]["made"] == FAILED["made"]
    assert told["told"] == "Anna chratzt, metcho Beni, Carlo; failed: Anna"
    assert Hand.objects.count() == 1


def test_another_number_another_seating_and_a_record_of_another_table_are_refused(asks, table):
    sent = body(table, MADE)
    assert is_problem(asks.post(at(table, "/hands"), sent | {"number": 2}), 409, "number")
    assert is_problem(asks.post(at(table, "/hands"), sent | {"players": sent["players"][::-1]}), 409, "seating")
    chain = asks.post(at(table, "/hands"), sent | {"record": MADE | {"pot_before": 20}})
    assert is_problem(chain, 409, "chain")
    assert (chain.json()["at"], chain.json()["details"]["due"]) == ("pot_before", 0)
    assert not Hand.objects.exists()


# --- One key, one hand -----------------------------------------------------------------------------------


def test_the_same_key_gets_the_same_answer_also_when_the_night_went_on(asks, table):
    sent, key = body(table, FAILED), uuid.uuid4()
    first = asks.post(at(table, "/hands"), sent, key=key)
    enter(table, MADE)
    again = asks.post(at(table, "/hands"), sent, key=key)
    assert (again.status_code, again.content, again["Location"]) == (201, first.content, first["Location"])
    assert (again["Idempotency-Replayed"], first.headers.get("Idempotency-Replayed")) == ("true", None)
    assert Hand.objects.count() == 2


def test_the_same_key_with_another_hand_is_refused(asks, table):
    key = uuid.uuid4()
    asks.post(at(table, "/hands"), body(table, FAILED), key=key)
    assert is_problem(asks.post(at(table, "/hands"), body(table, MADE), key=key), 422, "key_reused")
    assert Hand.objects.count() == 1


PAGE = {"role-0": "declarer", "role-1": "joiner", "made-0": "yes", "made-1": "yes"}


def page_form(table: Table, key: uuid.UUID) -> dict[str, str]:
    sent = body(table, MADE)
    return {**PAGE, "key": str(key), "number": "1", "players": ",".join(map(str, sent["players"]))}


def test_a_key_used_on_the_page_gives_the_same_hand_here(people, asks, table):
    key, sent = uuid.uuid4(), body(table, MADE)
    browser = Asker(person=people.home.recorder).client
    page = browser.post(reverse("table", kwargs={"club": "roessli", "table": table.pk}), page_form(table, key))
    assert page.status_code == 303
    stored = Revision.objects.get().record
    sent["record"] = {name: value for name, value in stored.items() if name in ("declarer", "joiners", "made", "blind")}
    answer = asks.post(at(table, "/hands"), sent, key=key)
    assert answer.status_code == 201, answer.content
    assert answer["Idempotency-Replayed"] == "true"
    assert Revision.objects.count() == Submission.objects.filter(hand_revision__isnull=False).count() == 1


def test_a_key_used_here_gives_the_same_hand_on_the_page(people, asks, table):
    key = uuid.uuid4()
    browser = Asker(person=people.home.recorder).client
    url = reverse("table", kwargs={"club": "roessli", "table": table.pk})
    form = page_form(table, key)
    # What the page makes of its form.
    read = HandForm(form, seats=5)
    assert read.problem() is None
    assert asks.post(at(table, "/hands"), read.body(), key=key).status_code == 201
    page = browser.post(url, form)
    assert (page.status_code, page["Location"]) == (303, f"{url}h/1/")
    assert Revision.objects.count() == 1


# --- Taken back, read, looked back at --------------------------------------------------------------------


def test_the_last_hand_is_taken_back_and_its_number_is_free(asks, table):
    enter(table, FAILED)
    enter(table, MADE)
    assert is_problem(asks.post(at(table, "/hands/1/void"), {}), 409, "number")
    answer = asks.post(at(table, "/hands/2/void"), {"reason": "twice"})
    assert (answer.status_code, answer.json()["revision"]) == (201, 2)
    assert asks.get(at(table)).json()["next"]["number"] == 2
    anew = done(asks.post(at(table, "/hands"), body(table, WALKOVER)))
    assert (anew["hand"]["number"], anew["hand"]["revision"]) == (2, 3)
    told = done(asks.get(at(table, "/hands/2/history")))["events"]
    assert [event["kind"] for event in told] == ["entered", "undone", "entered"]
    assert told[1]["reason"] == "twice"


def test_hands_come_page_by_page_the_newest_first(asks, table, django_assert_max_num_queries):
    for _ in range(7):
        enter(table, WALKOVER)
    void(table)
    asks.get(at(table))  # from now on the key was used this minute
    url, numbers, counts = at(table, "/hands?limit=3"), [], []
    while url:
        with django_assert_max_num_queries(8) as queries:
            told = done(asks.get(url))
        counts.append(len(queries))
        numbers += [(hand["number"], hand["state"]) for hand in told["items"]]
        url = told["next"]
    assert numbers == [(7, "voided"), *((n, "entered") for n in range(6, 0, -1))]
    assert len(set(counts)) == 1


def test_entering_a_hand_takes_as_many_queries_however_many_are_stored(asks, table, django_assert_max_num_queries):
    counts = []
    for number in range(1, 12):
        sent = body(table, MADE)
        with django_assert_max_num_queries(60) as queries:
            assert asks.post(at(table, "/hands"), sent).status_code == 201
        counts.append(len(queries)) if number in (2, 11) else None
    assert counts[0] == counts[1]


# --- Who sees what ---------------------------------------------------------------------------------------


def test_who_writes_down_sees_the_amounts_of_the_table(asks, table):
    enter(table, FAILED)
    told = done(asks.get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in told["seats"]] == [-220, 30, 30, -20, -20]
    assert told["pot_minor"] == 100
    assert told["record"]["pot_before"] == 0


def test_a_member_sees_own_amounts_and_a_visitor_none_and_initials(people, table):
    enter(table, FAILED)
    Player.objects.update(publicity="initials")
    Player.objects.filter(club=people.home.club, nickname="Beni").update(user=people.home.member)
    member = done(Asker(key=key_for(people.home.member)).get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in member["seats"]] == [None, 30, None, None, None]
    assert (member["pot_minor"], member["lines"]) == (None, None)
    assert not {"pot_before", "rules", "claimed"} & set(member["record"])
    visitor = done(Asker().get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in visitor["seats"]] == [None] * 5
    assert [seat["name"] for seat in visitor["seats"]] == ["A.", "B.", "C.", "D.", "E."]
    assert visitor["entered_by"] is None
    assert "Anna" not in json.dumps(visitor)
    for url in (
        at(table),
        at(table, "/hands"),
        at(table, "/hands/1/history"),
        f"clubs/roessli/evenings/{table.evening_id}",
    ):
        text = Asker().get(url).content.decode()
        assert "Anna" not in text, url
        assert "220" not in text, url


def test_a_key_without_the_scope_for_money_shows_its_owner_no_amount(people, table):
    enter(table, FAILED)
    Player.objects.filter(club=people.home.club, nickname="Beni").update(user=people.home.member)
    told = done(Asker(key=key_for(people.home.member, "read")).get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in told["seats"]] == [None] * 5
    told = done(Asker(key=key_for(people.home.owner, "read")).get(at(table, "/hands/1")))
    assert told["pot_minor"] is None


def test_a_season_in_points_shows_a_member_no_amount(people, table):
    enter(table, FAILED)
    people.home.season.points_only = True
    people.home.season.save()
    told = done(Asker(key=key_for(people.home.member)).get(at(table, "/hands/1")))
    assert told["pot_minor"] is None
    evening = done(Asker(key=key_for(people.home.owner)).get(f"clubs/roessli/evenings/{table.evening_id}"))
    assert [line["change_minor"] for line in evening["totals"]] == [None] * 5


# --- The stateless check ---------------------------------------------------------------------------------

EXAMPLES = [json.loads(line) for line in Path("tests/data/examples.jsonl").read_text().splitlines() if line.strip()]


def test_replay_settles_every_example_as_the_engine_does(settings):
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    asks = Asker()
    for example in EXAMPLES:
        record = example.get("record", example)
        result = recording.replay(record)
        answer = asks.post("replay", {"record": record}, key="")
        if result["ok"]:
            assert answer.json() == result
        else:
            assert is_problem(answer, 422, result["error"]["clause"])
            assert answer.json().get("at", "") == result["error"]["at"]
    assert not Posting.objects.exists()


def test_replay_is_for_anybody_so_many_times_a_minute(settings):
    settings.API_LIMITS = settings.API_LIMITS | {"address": {"read": 100, "write": 3}}
    asks, sent = Asker(REMOTE_ADDR="192.0.2.77"), {"record": MADE | {"game": "chratze", "seats": 4, "dealer": 3}}
    sent["record"] |= {"pot_before": 0}
    assert [asks.post("replay", sent, key="").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert Asker(REMOTE_ADDR="192.0.2.78").post("replay", sent, key="").status_code == 200
