"""Entering and voiding a hand: stored rows, refusals, repeated requests."""

from __future__ import annotations

import uuid

import pytest
from django.db.models import Sum

from games.errors import Refused
from games.hands.services import hand_enter, hand_void_last
from games.models import Hand, Place, Revision, Table
from league.models import Evening, Posting, ResultRow, Season, Submission, Transfer
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, body, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def pot_in_ledger(table: Table) -> int:
    into = Transfer.objects.filter(to_account=table.pot_account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = Transfer.objects.filter(from_account=table.pot_account_id).aggregate(s=Sum("amount_minor"))["s"] or 0
    return into - out


def refused(table: Table, sent: dict, key: uuid.UUID | None = None) -> Refused:
    with pytest.raises(Refused) as caught:
        hand_enter(table=table, author=None, key=key or uuid.uuid4(), body=sent)
    return caught.value


def counts() -> tuple[int, ...]:
    return tuple(m.objects.count() for m in (Hand, Revision, Posting, Transfer, ResultRow, Submission))


@pytest.mark.both_databases
def test_a_hand_moves_pot_dealer_and_ledger():
    table = create_table()
    answer = enter(table, MADE)
    table.refresh_from_db()
    assert answer.result["deltas"] == [60, 0, -20, -20, -20]
    assert (table.hands, table.pot_minor, table.dealer.nickname) == (1, 0, "Anna")
    assert pot_in_ledger(table) == 0
    assert ResultRow.objects.aggregate(s=Sum("change_minor"))["s"] == 0
    assert Season.objects.get().ledger_mark == 1


@pytest.mark.both_databases
def test_penalties_are_in_the_next_pot():
    table = create_table()
    enter(table, FAILED)
    table.refresh_from_db()
    assert table.pot_minor == 200 == pot_in_ledger(table)
    assert enter(table, PASSED_OUT).result["pot_after"] == 300 == pot_in_ledger(table)


@pytest.mark.both_databases
def test_result_rows_have_roles_and_results():
    table = create_table()
    enter(table, FAILED)
    rows = {r.player.nickname: r for r in ResultRow.objects.select_related("player")}
    assert (rows["Anna"].role, rows["Anna"].made) == ("declarer", False)
    assert (rows["Beni"].role, rows["Beni"].made, rows["Beni"].pot_won_minor) == ("joiner", True, 50)
    assert (rows["Emil"].role, rows["Emil"].made, rows["Emil"].change_minor) == ("out", None, -20)


def test_a_walkover_names_susi_and_counts_as_no_goal():
    table = create_table()
    enter(table, WALKOVER)
    rows = {r.player.nickname: r for r in ResultRow.objects.select_related("player")}
    assert (rows["Anna"].walkover, rows["Anna"].made) == (True, None)
    assert rows["Emil"].susi
    assert not rows["Beni"].susi


@pytest.mark.both_databases
def test_the_same_key_and_body_gets_the_same_answer_once_stored():
    table = create_table()
    sent, key = body(table, MADE), uuid.uuid4()
    first = hand_enter(table=table, author=None, key=key, body=sent)
    before = counts()
    again = hand_enter(table=table, author=None, key=key, body=sent)
    assert again.repeated
    assert (again.number, again.revision, again.result) == (first.number, first.revision, first.result)
    assert counts() == before


@pytest.mark.both_databases
def test_the_same_key_with_another_body_is_refused():
    table = create_table()
    key = uuid.uuid4()
    hand_enter(table=table, author=None, key=key, body=body(table, MADE))
    assert refused(table, body(table, WALKOVER), key).status == 422


@pytest.mark.both_databases
def test_a_taken_number_is_a_conflict_that_names_the_stored_hand():
    table = create_table()
    late = body(table, WALKOVER)
    enter(table, FAILED)
    before = counts()
    conflict = refused(table, late)
    assert conflict.status == 409
    assert "Anna chratzt, metcho Beni, Carlo" in conflict.sentence
    assert counts() == before


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"number": 3}, 409),
        ({"number": 0}, 409),
        ({"number": "1"}, 422),
        ({"number": True}, 422),
        pytest.param({"number": 10**30}, 409, marks=pytest.mark.both_databases),
        ({"players": []}, 409),
        ({"players": [[1]]}, 409),
        ({"record": []}, 422),
        ({"record": {"declarer": 7}}, 422),
        ({"record": {"declarer": 0, "joiners": [1], "tricks": {"0": 3, "1": 2}}}, 422),
        ({"record": {"declarer": 0, "pot_before": -20}}, 409),
        ({"record": {"declarer": 0, "sixth": 1}}, 422),
        ({"record": {"declarer": 0, "game": "kratzen"}}, 409),
        ({"extra": 1}, 422),
    ],
)
def test_bad_input_is_refused_and_stores_nothing(change, status):
    table = create_table()
    before = counts()
    problem = refused(table, body(table, MADE) | change)
    assert problem.status == status
    assert problem.sentence
    assert counts() == before
    assert Table.objects.get().hands == 0


def test_a_changed_seating_is_a_conflict():
    table = create_table()
    sent = body(table, MADE)
    Place.objects.filter(table=table, seat=0).delete()
    assert refused(table, sent).code == "seating"


def test_a_closed_evening_takes_no_hand():
    table = create_table()
    Evening.objects.update(state="closed")
    assert refused(table, body(table, MADE)).status == 409


@pytest.mark.both_databases
def test_voiding_gives_the_money_back_and_frees_the_number():
    table = create_table()
    enter(table, PASSED_OUT)
    enter(table, FAILED)
    before = Table.objects.get()
    assert (before.hands, before.pot_minor, before.dealer.nickname) == (2, 400, "Anna")
    void(table)
    after = Table.objects.get()
    assert (after.hands, after.pot_minor, after.dealer.nickname, after.deal_number) == (1, 100, "Emil", 2)
    assert pot_in_ledger(table) == 100
    assert ResultRow.objects.count() == 5
    answer = enter(table, MADE)
    assert (answer.number, answer.revision) == (2, 3)
    assert list(Revision.objects.filter(hand__number=2).order_by("number").values_list("kind", flat=True)) == [
        "entered",
        "voided",
        "entered",
    ]


def test_only_the_last_hand_can_be_voided():
    table = create_table()
    with pytest.raises(Refused, match="no hand"):
        hand_void_last(table=table, author=None, key=uuid.uuid4(), number=1)
    enter(table, MADE)
    enter(table, MADE)
    with pytest.raises(Refused, match="hand 2"):
        hand_void_last(table=table, author=None, key=uuid.uuid4(), number=1)


@pytest.mark.both_databases
def test_voiding_twice_with_one_key_voids_once():
    table = create_table()
    enter(table, MADE)
    enter(table, MADE)
    key = uuid.uuid4()
    hand_void_last(table=table, author=None, key=key, number=2)
    assert hand_void_last(table=table, author=None, key=key, number=2).repeated
    assert Table.objects.get().hands == 1


@pytest.mark.both_databases
def test_recording_takes_a_fixed_number_of_queries(django_assert_num_queries):
    table = create_table(seats=7)
    sent = body(table, MADE)
    # Savepoint and release; key, table, evening, seats, and the rows of each model.
    with django_assert_num_queries(19):
        hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)
    for _ in range(5):
        enter(table, MADE)
    sent = body(table, MADE)
    with django_assert_num_queries(19):
        hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)
