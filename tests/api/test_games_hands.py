"""Hands through the API: enter, refuse, preview, undo; and the visible amounts."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import engine_bridge
from games.chratze.hand_form import ChratzeForm
from games.integrity.verify import differences
from games.models import Hand, Revision, Table
from league.models import Player, Posting, Submission
from tests.api.api_client import ApiClient, at, done, is_problem, key_for
from tests.factories import FAILED, FORCED, FREE, MADE, MIT, MUSS, WALKOVER, WITH_CARDS, body, create_table, enter, void

pytestmark = pytest.mark.django_db


# --- Enter ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_stored_hand_is_answered_with_coin_movements_and_the_next_hand(api, table):
    answer = api.post(at(table, "/hands"), body(table, FAILED), Accept_Language="en")
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/v1/{at(table, '/hands/1')}"
    got = answer.json()
    assert got["hand"]["sentence"] == "Anna chratzt, metcho Beni, Carlo; failed: Anna"
    assert [seat["change_minor"] for seat in got["hand"]["seats"]] == [-220, 30, 30, -20, -20]
    assert [(step["name"], step["kind"], step["amount_minor"]) for step in got["cash"]["steps"]] == [
        ("Beni", "payout", 50),
        ("Carlo", "payout", 50),
        ("Anna", "penalty", -200),
    ]
    assert (got["cash"]["pot_after_minor"], got["cash"]["next_pot_minor"]) == (200, 300)
    # The answer and the table agree about the next hand.
    assert got["next"] == api.get(at(table)).json()["next"]
    assert got["next"]["pot_minor"] == 300
    assert list(differences()) == []


@pytest.mark.both_databases
def test_a_hand_with_every_card_is_stored_as_it_is(api, table):
    got = done(api.post(at(table, "/hands"), body(table, WITH_CARDS)))
    assert got["hand"]["has_cards"] is True
    assert got["hand"]["record"]["deal"] == WITH_CARDS["deal"]
    assert api.get(at(table, "/hands/1")).json()["record"] == got["hand"]["record"]


@pytest.mark.both_databases
def test_kratzen_is_entered_the_same_way(people, api):
    table = create_table(club=people.home.club, season=people.home.season, seats=4, game="kratzen")
    muss = done(api.post(at(table, "/hands"), body(table, MUSS)))
    assert muss["hand"]["muss"] is True
    free = done(api.post(at(table, "/hands"), body(table, FREE)))
    assert free["hand"]["game_type"] == "schlagen"
    assert {step["kind"] for step in muss["cash"]["steps"]} <= {"cut", "payout", "penalty"}


@pytest.mark.both_databases
def test_zwicken_is_entered_the_same_way(people, api):
    table = create_table(club=people.home.club, season=people.home.season, seats=4, game="zwicken")
    assert done(api.get(at(table)))["next"]["muss"] is True
    before = done(api.post(at(table, "/hands/preview"), {"record": FORCED}, key=""))
    forced = done(api.post(at(table, "/hands"), body(table, FORCED)))
    assert (before["cash"], before["next"]) == (forced["cash"], forced["next"])
    assert (forced["hand"]["muss"], forced["hand"]["game_type"]) == (True, None)
    free = done(api.post(at(table, "/hands"), body(table, MIT)))
    assert [seat["role"] for seat in free["hand"]["seats"]] == ["out", "joiner", "out", "joiner"]
    assert [step["kind"] for step in free["cash"]["steps"]] == ["cut", "payout", "penalty", "seven"]
    assert done(api.get(at(table, "/hands/2")))["record"] == free["hand"]["record"]
    assert list(differences()) == []


@pytest.mark.parametrize(
    ("record", "clause", "place", "seat"),
    [
        (MIT | {"players": [1, 1]}, "R3", "players[1]", 1),
        (MIT | {"seven_lost": 2}, "Z7.3", "seven_lost", 2),
        (MIT | {"cuts": ["A"]}, "Z2.4", "cuts[0]", None),
        (MIT | {"declarer": 1}, "R1", "declarer", 1),
    ],
)
def test_a_hand_of_zwicken_that_breaks_a_clause_names_its_seat(people, api, record, clause, place, seat):
    table = create_table(club=people.home.club, season=people.home.season, seats=4, game="zwicken")
    enter(table, FORCED)
    answer = api.post(at(table, "/hands"), body(table, record))
    assert is_problem(answer, 422, clause)
    assert (answer.json().get("at"), answer.json().get("seat")) == (place, seat)


def test_a_preview_equals_the_stored_hand_and_stores_nothing(api, table):
    before = done(api.post(at(table, "/hands/preview"), {"record": FAILED}, key=""))
    assert Hand.objects.count() == 0
    assert before["hand"]["revision"] == 0
    stored = done(api.post(at(table, "/hands"), body(table, FAILED)))
    assert (before["cash"], before["next"]) == (stored["cash"], stored["next"])
    assert done(api.get(at(table, "/hands/1/cash"))) == stored


REFUSED = [
    ({"declarer": 0, "joiners": [0], "made": [0]}, "R3", "joiners[0]", 0),
    ({"declarer": 0, "joiners": [1, 1], "made": [0]}, "R3", "joiners[1]", 1),
    ({"declarer": 0, "joiners": [1], "tricks": {"0": 3, "1": 3}}, "R5", "tricks", None),
    ({"declarer": 0, "joiners": [1], "tricks": {"3": 4}}, "R5", "tricks.3", 3),
    ({"declarer": 1, "blind": "blind"}, "C3.4", "declarer", 1),
    ({"declarer": 0, "joiners": [1], "made": [0, 1], "colour": "red"}, "R1", "colour", None),
    ({}, "R1", "declarer", None),
    (WITH_CARDS | {"calls": [[1, "chratze"]]}, "C3.1", "calls[0][0]", 1),
    (WITH_CARDS | {"deal": WITH_CARDS["deal"] | {"turned": ["As"]}}, "R2", "deal.turned[0]", None),
]


@pytest.mark.parametrize(("record", "clause", "where", "seat"), REFUSED)
def test_a_refusal_by_the_rulebook_names_clause_place_and_seat(api, table, record, clause, where, seat):
    for path, sent in (("/hands", body(table, record)), ("/hands/preview", {"record": record})):
        answer = api.post(at(table, path), sent, Accept_Language="en")
        assert is_problem(answer, 422, clause)
        got = answer.json()
        assert (got["clause"], got["at"], got.get("seat")) == (clause, where, seat), path
    assert not Hand.objects.exists()
    assert not Submission.objects.filter(hand_revision__isnull=True, evening__isnull=True).exists()


def test_a_wrong_card_names_the_seat_that_played_it(api, table):
    """Seat 0 leads as declarer; seat 1 follows with a card that it does not have."""
    record = json.loads(json.dumps(WITH_CARDS))
    record["calls"] = [[0, "chratze"], [1, "metcho"], [2, "weg"], [3, "weg"], [4, "weg"]]
    record["exchanges"] = [
        {"seat": 0, "discard": [], "draw": []},
        {"seat": 1, "discard": [], "draw": []},
    ]
    record["play"] = [["As", "Js"]]
    got = api.post(at(table, "/hands"), body(table, record)).json()
    assert (got["clause"], got["at"], got["seat"]) == ("C5.1", "play[0][1]", 1)


def test_the_key_of_a_refused_hand_can_be_used_again(api, table):
    key = uuid.uuid4()
    assert api.post(at(table, "/hands"), body(table, {"declarer": 0, "joiners": [0]}), key=key).status_code == 422
    assert api.post(at(table, "/hands"), body(table, MADE), key=key).status_code == 201


@pytest.mark.both_databases
def test_a_taken_number_is_refused_with_author_and_hand(people, api, table):
    other = ApiClient(key=key_for(people.home.owner))
    assert other.post(at(table, "/hands"), body(table, FAILED)).status_code == 201
    answer = api.post(at(table, "/hands"), body(table, MADE, number=1), Accept_Language="en")
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")
    got = answer.json()["details"]
    assert (got["number"], got["author"]) == (1, "Owner")
    assert got["record"]["made"] == FAILED["made"]
    assert got["sentence"] == "Anna chratzt, metcho Beni, Carlo; failed: Anna"
    assert Hand.objects.count() == 1


def test_a_wrong_number_seating_or_record_is_refused(api, table):
    sent = body(table, MADE)
    assert is_problem(api.post(at(table, "/hands"), sent | {"number": 2}), 409, "number")
    assert is_problem(api.post(at(table, "/hands"), sent | {"players": sent["players"][::-1]}), 409, "seating")
    chain = api.post(at(table, "/hands"), sent | {"record": MADE | {"pot_before": 20}})
    assert is_problem(chain, 409, "chain")
    assert (chain.json()["at"], chain.json()["details"]["expected"]) == ("pot_before", 0)
    assert not Hand.objects.exists()


# --- One key, one hand -----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_same_key_gets_the_same_answer_after_later_hands(api, table):
    sent, key = body(table, FAILED), uuid.uuid4()
    first = api.post(at(table, "/hands"), sent, key=key)
    enter(table, MADE)
    again = api.post(at(table, "/hands"), sent, key=key)
    assert (again.status_code, again.content, again["Location"]) == (201, first.content, first["Location"])
    assert (again["Idempotency-Replayed"], first.headers.get("Idempotency-Replayed")) == ("true", None)
    assert Hand.objects.count() == 2


def test_the_same_key_with_another_hand_is_refused(api, table):
    key = uuid.uuid4()
    api.post(at(table, "/hands"), body(table, FAILED), key=key)
    assert is_problem(api.post(at(table, "/hands"), body(table, MADE), key=key), 422, "key_reused")
    assert Hand.objects.count() == 1


@pytest.mark.both_databases
def test_the_key_of_another_write_stores_no_hand(api, table):
    key = uuid.uuid4()
    api.post(at(table, "/hands"), body(table, FAILED), key=key)
    done(api.post(at(table, "/hands"), body(table, MADE)))
    assert is_problem(api.post(at(table, "/hands/2/void"), {}, key=key), 422, "key_reused")
    used = uuid.uuid4()
    done(api.post(at(table, "/hands/2/void"), {}, key=used))
    assert is_problem(api.post(at(table, "/hands"), body(table, MADE), key=used), 422, "key_reused")
    assert Table.objects.get(pk=table.pk).hands == 1


@pytest.mark.both_databases
def test_a_new_hand_is_answered_without_reading_it_again(api, table):
    api.post(at(table, "/hands"), body(table, FAILED))
    path, sent = at(table, "/hands"), body(table, MADE)
    with CaptureQueriesContext(connection) as captured:
        done(api.post(path, sent))
    reads = [query["sql"] for query in captured if query["sql"].startswith(("SELECT", "WITH"))]
    # The API key, the club, the role, the table; the idempotency key; under its lock the table, its evening and its
    # seats; the mark of the season.
    assert len(reads) == 9, reads


PAGE = {"role-0": "declarer", "role-1": "joiner", "made-0": "yes", "made-1": "yes"}


def page_form(table: Table, key: uuid.UUID) -> dict[str, str]:
    sent = body(table, MADE)
    return {**PAGE, "key": str(key), "number": "1", "players": ",".join(map(str, sent["players"]))}


@pytest.mark.both_databases
def test_a_key_used_on_the_page_gives_the_same_hand_in_the_api(people, api, table):
    key, sent = uuid.uuid4(), body(table, MADE)
    browser = ApiClient(person=people.home.recorder).client
    page = browser.post(reverse("table", kwargs={"club": "roessli", "table": table.pk}), page_form(table, key))
    assert page.status_code == 303
    stored = Revision.objects.get().record
    sent["record"] = {name: value for name, value in stored.items() if name in ("declarer", "joiners", "made", "blind")}
    answer = api.post(at(table, "/hands"), sent, key=key)
    assert answer.status_code == 201, answer.content
    assert answer["Idempotency-Replayed"] == "true"
    assert Revision.objects.count() == Submission.objects.filter(hand_revision__isnull=False).count() == 1


@pytest.mark.both_databases
def test_a_key_used_in_the_api_gives_the_same_hand_on_the_page(people, api, table):
    key = uuid.uuid4()
    browser = ApiClient(person=people.home.recorder).client
    url = reverse("table", kwargs={"club": "roessli", "table": table.pk})
    form = page_form(table, key)
    # The body that the page reads from its form.
    read = ChratzeForm(form, seats=5)
    assert read.problem() is None
    assert api.post(at(table, "/hands"), read.body(), key=key).status_code == 201
    page = browser.post(url, form)
    assert (page.status_code, page["Location"]) == (303, f"{url}h/1/")
    assert Revision.objects.count() == 1


# --- Undo, list, history --------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_last_hand_is_undone_and_its_number_is_free(api, table):
    enter(table, FAILED)
    enter(table, MADE)
    assert is_problem(api.post(at(table, "/hands/1/void"), {}), 409, "number")
    answer = api.post(at(table, "/hands/2/void"), {"reason": "twice"})
    assert (answer.status_code, answer.json()["revision"]) == (201, 2)
    assert api.get(at(table)).json()["next"]["number"] == 2
    again = done(api.post(at(table, "/hands"), body(table, WALKOVER)))
    assert (again["hand"]["number"], again["hand"]["revision"]) == (2, 3)
    got = done(api.get(at(table, "/hands/2/history")))["items"]
    assert [event["kind"] for event in got] == ["entered", "undone", "entered"]
    assert got[1]["reason"] == "twice"


@pytest.mark.both_databases
def test_hands_are_listed_by_page_newest_first(api, table, django_assert_max_num_queries):
    for _ in range(7):
        enter(table, WALKOVER)
    void(table)
    api.get(at(table))  # the time of use of the key, once a minute
    url, numbers, counts = at(table, "/hands?limit=3"), [], []
    while url:
        with django_assert_max_num_queries(8) as queries:
            got = done(api.get(url))
        counts.append(len(queries))
        numbers += [(hand["number"], hand["state"]) for hand in got["items"]]
        url = got["next"]
    assert numbers == [(7, "voided"), *((n, "entered") for n in range(6, 0, -1))]
    assert len(set(counts)) == 1


def test_entering_a_hand_takes_as_many_queries_with_more_hands(api, table, django_assert_max_num_queries):
    counts = []
    for number in range(1, 12):
        sent = body(table, MADE)
        with django_assert_max_num_queries(24) as queries:
            assert api.post(at(table, "/hands"), sent).status_code == 201
        counts.append(len(queries)) if number in (2, 11) else None
    assert counts[0] == counts[1]


# --- Visibility ---------------------------------------------------------------------------------------


def test_a_recorder_sees_the_amounts_of_the_table(api, table):
    enter(table, FAILED)
    got = done(api.get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in got["seats"]] == [-220, 30, 30, -20, -20]
    assert got["pot_minor"] == 100
    assert got["record"]["pot_before"] == 0


def test_a_member_sees_own_amounts_and_a_visitor_only_initials(people, table):
    enter(table, FAILED)
    Player.objects.update(publicity="initials")
    Player.objects.filter(club=people.home.club, nickname="Beni").update(user=people.home.member)
    member = done(ApiClient(key=key_for(people.home.member)).get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in member["seats"]] == [None, 30, None, None, None]
    assert (member["pot_minor"], member["lines"]) == (None, None)
    assert not {"pot_before", "rules", "claimed"} & set(member["record"])
    visitor = done(ApiClient().get(at(table, "/hands/1")))
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
        text = ApiClient().get(url).content.decode()
        assert "Anna" not in text, url
        # As a number: ids and times may have these digits.
        assert not re.search(r"[:,[]-220\b", text), url


def test_a_key_without_the_scope_for_money_shows_its_owner_no_amount(people, table):
    enter(table, FAILED)
    Player.objects.filter(club=people.home.club, nickname="Beni").update(user=people.home.member)
    got = done(ApiClient(key=key_for(people.home.member, "read")).get(at(table, "/hands/1")))
    assert [seat["change_minor"] for seat in got["seats"]] == [None] * 5
    got = done(ApiClient(key=key_for(people.home.owner, "read")).get(at(table, "/hands/1")))
    assert got["pot_minor"] is None


def test_a_season_in_points_shows_a_member_no_amount(people, table):
    enter(table, FAILED)
    people.home.season.points_only = True
    people.home.season.save()
    got = done(ApiClient(key=key_for(people.home.member)).get(at(table, "/hands/1")))
    assert got["pot_minor"] is None
    evening = done(ApiClient(key=key_for(people.home.owner)).get(f"clubs/roessli/evenings/{table.evening_id}"))
    assert [line["change_minor"] for line in evening["totals"]] == [None] * 5


# --- The check of a hand record ---------------------------------------------------------------------------------

EXAMPLES = [json.loads(line) for line in Path("tests/data/examples.jsonl").read_text().splitlines() if line.strip()]


def test_the_check_settles_every_example_as_the_engine_does(settings):
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    api = ApiClient()
    for example in EXAMPLES:
        record = example.get("record", example)
        result = engine_bridge.replay(record)
        answer = api.post("hand-records/check", {"record": record}, key="")
        if result["ok"]:
            assert answer.json() == result
        else:
            assert is_problem(answer, 422, result["error"]["clause"])
            assert answer.json().get("at", "") == result["error"]["at"]
    assert not Posting.objects.exists()


def test_the_check_is_for_anybody_within_the_limits(settings, one_minute):
    settings.API_LIMITS = settings.API_LIMITS | {"address": {"read": 100, "write": 3}}
    api, sent = ApiClient(REMOTE_ADDR="192.0.2.77"), {"record": MADE | {"game": "chratze", "seats": 4, "dealer": 3}}
    sent["record"] |= {"pot_before": 0}
    assert [api.post("hand-records/check", sent, key="").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert ApiClient(REMOTE_ADDR="192.0.2.78").post("hand-records/check", sent, key="").status_code == 200
