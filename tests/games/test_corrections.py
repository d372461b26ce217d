"""Corrections of stored hands: their effects, refusals, and the revisions that stay."""

from __future__ import annotations

import random
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.corrections import replay
from games.corrections.edits import Change, Edit, Move, PutIn, Reseat, TakeOut
from games.corrections.services import correct, plan
from games.errors import Refused
from games.hands.tables import table_create
from games.integrity.verify import differences
from games.models import Correction, Hand, Revision, Table
from games.seating.changes import Arrive, Leave, NameDealer, Order, Split
from games.seating.services import carry_out
from league.models import Evening, Posting, ResultRow, Submission, Transfer
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, WALKOVER, PlayerFactory, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BENI_ALONE: dict[str, Any] = {"declarer": 1, "joiners": [0, 2], "made": [1]}
BLIND: dict[str, Any] = {"declarer": 0, "joiners": [1], "made": [0, 1], "blind": "blind"}


def played(*records: dict[str, Any], **wants: Any) -> Table:
    table = create_table(**wants)
    for record in records:
        enter(table, record)
    return Table.objects.get(pk=table.pk)


def seats(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


def make_correction(table: Table, edit: Edit, **wants: Any) -> Correction:
    done = correct(table=table, edit=edit, author=None, key=uuid.uuid4(), **wants)
    assert list(differences()) == []
    return done


def refused(table: Table, edit: Edit, **wants: Any) -> Refused:
    before = counts()
    with pytest.raises(Refused) as caught:
        correct(table=table, edit=edit, author=None, key=uuid.uuid4(), **wants)
    assert counts() == before
    return caught.value


def counts() -> tuple[int, ...]:
    kinds = (Hand, Revision, Correction, Posting, Transfer, ResultRow, Submission)
    return tuple(kind.objects.count() for kind in kinds)


def recorded(table: Table) -> list[tuple[Any, ...]]:
    """The valid hands of a table: the names of the players, the record and the result of each."""
    names = dict(table.evening.club.players.values_list("pk", "nickname"))
    return [
        (tuple(names[p] for p in hand.entry.players), hand.record, hand.result)
        for hand in replay.play(table, replay.read(table))
    ]


def state(table: Table) -> tuple[Any, ...]:
    fresh = Table.objects.get(pk=table.pk)
    return (fresh.hands, fresh.pot_minor, fresh.dealer.nickname, fresh.deal_number, fresh.dealer_set)


def assert_as_entered(table: Table, *records: dict[str, Any], **wants: Any) -> None:
    """Check that the table is like one into which these hands were entered from the start."""
    right = played(*records, **wants)
    assert recorded(table) == recorded(right)
    assert state(table) == state(right)


# --- Effects ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_changed_hand_changes_the_later_ones():
    table = played(MADE, FAILED, PASSED_OUT, MADE)
    make_correction(table, Change(2, seats(table), BENI_ALONE))
    assert_as_entered(table, MADE, BENI_ALONE, PASSED_OUT, MADE)


@pytest.mark.both_databases
def test_a_hand_is_taken_out():
    table = played(MADE, FAILED, PASSED_OUT, MADE)
    make_correction(table, TakeOut(2))
    assert_as_entered(table, MADE, PASSED_OUT, MADE)


def test_the_only_hand_is_taken_out():
    table = played(FAILED)
    make_correction(table, TakeOut(1))
    assert state(table) == (0, 0, "Emil", 1, False)
    enter(table, MADE)
    assert_as_entered(table, MADE)


@pytest.mark.both_databases
def test_a_forgotten_hand_is_inserted_first_in_the_middle_and_last():
    table = played(MADE, PASSED_OUT)
    for place in (1, 3, 4, 5):
        assert make_correction(table, PutIn(place, seats(table), FAILED)).kind == Correction.Kind.INSERTED
    assert_as_entered(table, FAILED, MADE, FAILED, FAILED, FAILED, PASSED_OUT)


@pytest.mark.both_databases
def test_a_hand_is_moved_down_and_up():
    table = played(MADE, FAILED, PASSED_OUT, BENI_ALONE)
    make_correction(table, Move(1, 3))
    assert_as_entered(table, FAILED, PASSED_OUT, MADE, BENI_ALONE)
    make_correction(table, Move(4, 2))
    assert_as_entered(table, FAILED, BENI_ALONE, PASSED_OUT, MADE)


def test_hands_that_do_not_change_get_no_revision():
    table = played(MADE, FAILED, MADE, MADE, BENI_ALONE)
    # A player who made it alone takes the whole pot, so the difference ends there.
    before = set(Revision.objects.values_list("hand__number", "number"))
    make_correction(table, Change(4, seats(table), WALKOVER))
    written = set(Revision.objects.values_list("hand__number", "number")) - before
    assert written == {(4, 2), (4, 3)}


def test_a_named_dealer_moves_the_deal_of_the_hands_after_it():
    table = played(MADE, MADE, MADE)
    make_correction(table, Change(2, seats(table), MADE, dealer_id=seats(table)[3]))
    dealers = [record["dealer"] for _who, record, _result in recorded(table)]
    assert dealers == [4, 3, 4]
    assert state(table)[2:] == ("Anna", 1, False)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize(
    "edit",
    [
        lambda table, keep: TakeOut(2, keep),
        lambda table, keep: PutIn(2, seats(table), WALKOVER, keep=keep),
        lambda table, keep: Move(4, 2, keep),
        lambda table, keep: Move(1, 4, keep),
        lambda table, keep: Change(2, seats(table), WALKOVER, keep=keep),
    ],
)
def test_each_changed_hand_is_compared_with_its_own_state_before(edit, keep):
    table = played(MADE, FAILED, BENI_ALONE, PASSED_OUT, MADE)
    made = edit(table, keep)
    stood = replay.play(table, replay.read(table))
    planned = plan(table=table, edit=made)
    changes = {change.number: change for change in planned.changed if change.after}
    for hand in planned.played:
        own = stood[hand.entry.number - 1] if hand.entry.number else None
        change = changes.get(hand.number)
        if change is None:
            assert own is not None
            assert (own.record, own.result) == (hand.record, hand.result)
        elif own is not None:
            assert change.before == own
            assert own.entry.sent == hand.entry.sent
        else:
            assert (change.before is None) == isinstance(made, PutIn)
    gone = [change.number for change in planned.changed if change.after is None]
    assert gone == ([2] if isinstance(made, TakeOut) else [])
    moved = {TakeOut: [(3, 2), (4, 3), (5, 4)], PutIn: [(2, 3), (3, 4), (4, 5), (5, 6)], Change: []}
    later = {4: [(4, 2), (2, 3), (3, 4)], 1: [(2, 1), (3, 2), (4, 3), (1, 4)]}
    assert planned.renumbered == (later[made.number] if isinstance(made, Move) else moved[type(made)])


def test_hands_that_only_get_another_number_are_not_listed():
    table = played(MADE, MADE, MADE, MADE)
    planned = plan(table=table, edit=TakeOut(2, keep=True))
    dealt = [change.number for change in planned.changed if change.after]
    assert [change.number for change in planned.changed if change.after is None] == [2]
    assert len(planned.rows) > len(planned.changed)
    assert all(planned.played[number - 1].record["dealer"] is not None for number in dealt)
    assert planned.renumbered == [(3, 2), (4, 3)]


def test_with_kept_dealers_only_one_is_named():
    table = played(PASSED_OUT, MADE, MADE, MADE)
    edit = Change(1, seats(table), WALKOVER, keep=True)
    assert [change.number for change in plan(table=table, edit=edit).changed] == [1, 2]
    make_correction(table, edit)
    assert [record["dealer"] for _who, record, _result in recorded(table)] == [4, 4, 0, 1]
    assert state(table)[2:] == ("Carlo", 1, False)


def test_with_kept_dealers_the_next_dealer_is_kept_too():
    table = played(MADE, MADE)
    make_correction(table, TakeOut(2, keep=True))
    assert state(table) == (1, 0, "Beni", 1, True)
    enter(table, MADE)
    assert list(differences()) == []


@pytest.mark.both_databases
def test_players_are_reseated_in_a_range_of_hands():
    table = played(MADE, FAILED, BENI_ALONE, MADE, WALKOVER)
    anna, beni, *_rest = seats(table)
    make_correction(table, Reseat(2, 3, ((anna, beni), (beni, anna))))
    hands = recorded(table)
    as_written, mixed = ("Anna", "Beni"), ("Beni", "Anna")
    assert [who[:2] for who, _record, _result in hands] == [as_written, mixed, mixed, as_written, as_written]
    # The deal belongs to the seat, so the dealers' seats stay.
    assert [record["dealer"] for _who, record, _result in hands] == [4, 0, 1, 2, 3]
    assert seats(table)[:2] == (anna, beni)


def test_players_reseated_in_the_last_hand_sit_so_for_the_next_one():
    table = played(MADE, FAILED, BENI_ALONE)
    anna, beni, *_rest = seats(table)
    make_correction(table, Reseat(2, 3, ((anna, beni), (beni, anna))))
    assert seats(table)[:2] == (beni, anna)
    enter(table, MADE)
    assert [who[:2] for who, _record, _result in recorded(table)] == [("Anna", "Beni"), *[("Beni", "Anna")] * 3]
    assert list(differences()) == []


@pytest.mark.both_databases
def test_another_player_is_put_into_a_seat():
    table = played(MADE, FAILED, BENI_ALONE)
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    anna = seats(table)[0]
    done = make_correction(table, Reseat(1, 2, ((anna, gian.pk),)))
    assert done.before.keys() | {str(gian.pk)} == done.after.keys()
    assert [who[0] for who, _record, _result in recorded(table)] == ["Gian", "Gian", "Anna"]
    # Twice at one table he cannot sit.
    assert refused(table, Reseat(2, 3, ((seats(table)[1], gian.pk),))).code == "seating"


@pytest.mark.both_databases
def test_a_hand_with_fewer_people():
    table = played(MADE, FAILED, MADE)
    make_correction(table, Change(2, seats(table)[:4], FAILED))
    hands = recorded(table)
    assert [len(who) for who, _record, _result in hands] == [5, 4, 5]
    assert hands[1][2]["pot"] == 80


@pytest.mark.both_databases
def test_a_correction_stores_the_sums_of_all_players():
    table = played(MADE, MADE)
    planned = plan(table=table, edit=TakeOut(1))
    done = make_correction(table, TakeOut(1))
    assert done.before == {str(player): amount for player, amount in planned.before.items()}
    anna = seats(table)[0]
    assert (planned.before[anna], planned.after[anna]) == (120, 60)
    assert planned.players[0][0] != anna
    assert (planned.pot_before_minor, planned.pot_after_minor) == (0, 0)


def test_a_table_of_kratzen():
    six = {"seats": 4, "game": "kratzen"}
    all_made = MUSS | {"tricks": {"3": 2, "0": 1, "1": 1}}
    table = played(all_made, FREE, **six)
    other = FREE | {"tricks": {"1": 2, "3": 2}}
    make_correction(table, Change(2, seats(table), other))
    assert_as_entered(table, all_made, other, **six)


def test_a_muss_follows_its_dealer():
    table = played(MUSS, FREE, seats=4, game="kratzen")
    # Without the first hand the second one is a Muss, in which nobody calls.
    problem = refused(table, TakeOut(1))
    assert (problem.status, problem.code, problem.details["number"]) == (409, "later", 2)
    assert "Hand 2 would no longer be possible" in problem.sentence


def test_a_second_table_of_the_evening_does_not_change():
    table = played(MADE, FAILED)
    players = list(table.evening.club.players.order_by("pk"))[:3]
    other = table_create(evening=table.evening, players=players, first_dealer=players[0], number=2)
    enter(other, MADE)
    make_correction(table, TakeOut(1))
    assert state(other)[:2] == (1, 0)
    assert Revision.objects.filter(hand__table=other).count() == 1


# --- Refusals --------------------------------------------------------------------------------------------


def test_a_later_hand_that_becomes_impossible_is_named():
    table = played(MADE, BLIND, rules={"blind": "both"})
    problem = refused(table, PutIn(1, seats(table), MADE))
    assert (problem.status, problem.code) == (409, "later")
    assert problem.details == {"number": 2, "clause": "C3.4"}
    assert "Only the dealer can play blind" in problem.sentence
    # It is possible if the hands keep their dealers.
    make_correction(table, PutIn(1, seats(table), MADE, keep=True))
    assert [record["dealer"] for _who, record, _result in recorded(table)] == [4, 4, 0]


def test_a_new_hand_that_breaks_a_rule_gets_its_own_error():
    table = played(MADE, MADE)
    problem = refused(table, Change(1, seats(table), MADE | {"made": [2]}))
    assert (problem.status, problem.details["number"]) == (422, 1)


@pytest.mark.parametrize(
    ("edit", "status", "code"),
    [
        (lambda s: TakeOut(3), 404, "number"),
        (lambda s: TakeOut(0), 404, "number"),
        (lambda s: Move(1, 3), 404, "number"),
        (lambda s: PutIn(4, s, MADE), 404, "number"),
        (lambda s: Reseat(1, 9, ()), 404, "number"),
        (lambda s: Change(1, s, MADE), 409, "same"),
        (lambda s: Move(1, 1), 409, "same"),
        (lambda s: Change(1, (), MADE), 422, "seating"),
        (lambda s: Change(1, (s[0],), {"declarer": 0}), 422, "seating"),
        (lambda s: Change(1, (s[0], s[0], *s[1:]), MADE), 422, "seating"),
        (lambda s: Change(1, (*s[:4], 10**9), MADE), 422, "seating"),
        (lambda s: Change(1, (*s, *s), MADE), 422, "seating"),
    ],
)
def test_refusals(edit: Any, status: int, code: str):
    table = played(MADE, FAILED)
    problem = refused(table, edit(seats(table)))
    assert (problem.status, problem.code) == (status, code)
    assert problem.sentence


def test_a_player_of_another_club_cannot_have_sat_there():
    table = played(MADE)
    stranger = PlayerFactory()
    assert refused(table, Change(1, (*seats(table)[:4], stranger.pk), FAILED)).code == "seating"


def test_a_final_evening_is_not_corrected():
    table = played(MADE)
    Evening.objects.update(state=Evening.State.CLOSED, final_at=timezone.now() - timedelta(minutes=1))
    assert refused(table, TakeOut(1)).code == "final"


def test_the_hands_must_be_those_that_were_seen():
    table = played(MADE)
    seen = plan(table=table, edit=TakeOut(1)).seen
    enter(table, FAILED)
    assert refused(table, TakeOut(1), seen=seen).code == "moved_on"
    make_correction(table, TakeOut(1), seen=plan(table=table, edit=TakeOut(1)).seen)


# --- Keys, revisions, queries ----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_one_key_is_one_correction():
    table = played(MADE, FAILED)
    key = uuid.uuid4()
    wants: dict[str, Any] = {"table": table, "edit": TakeOut(1), "author": None, "key": key, "reason": "twice"}
    first = correct(**wants)
    before = counts()
    assert correct(**wants) == first
    assert counts() == before
    with pytest.raises(Refused) as caught:
        correct(**wants | {"reason": "another"})
    assert caught.value.status == 422
    assert counts() == before


@pytest.mark.both_databases
def test_all_revisions_stay():
    table = played(MADE, FAILED)
    stood = list(Revision.objects.order_by("pk").values())
    done = make_correction(table, Change(1, seats(table), WALKOVER), reason="Beni was not in it")
    assert list(Revision.objects.filter(pk__in=[row["id"] for row in stood]).order_by("pk").values()) == stood
    new = Revision.objects.filter(correction=done).order_by("pk")
    assert [(r.hand.number, r.kind, r.reason) for r in new][-1] == (1, "entered", "Beni was not in it")
    assert {r.submission_id for r in new} == {None}
    voided, entered = new
    assert voided.posting.reverses_id == stood[0]["posting_id"]
    assert entered.number == 3


def test_queries_grow_only_with_the_hands_that_change():
    def queries(table: Table, number: int) -> int:
        edit = Change(number, seats(table), FAILED)
        with CaptureQueriesContext(connection) as context:
            correct(table=table, edit=edit, author=None, key=uuid.uuid4())
        return len(context.captured_queries)

    few, more, most = (queries(played(MADE, *[PASSED_OUT] * later), 1) for later in (1, 3, 7))
    assert most - more == 2 * (more - few)
    assert queries(played(*[MADE] * 12, PASSED_OUT), 13) < few


# --- Together with seating changes and closings ------------------------------------------------------------


def any_edit(rng: random.Random, table: Table) -> Edit:
    """A random edit, possible or not."""
    entries = replay.read(table)
    number = rng.randint(1, len(entries))
    players, keep = entries[number - 1].players, rng.random() < 0.5
    record = rng.choice([MADE, FAILED, WALKOVER, PASSED_OUT, MADE | {"made": [1]}])
    others = list(table.evening.club.players.exclude(pk__in=players).values_list("pk", flat=True))
    first, two = rng.sample(players, 2)
    return rng.choice(
        [
            TakeOut(number, keep),
            Change(number, players, record, rng.choice([None, first]), keep),
            Change(number, tuple(p for p in players if p != first), record, None, keep),
            PutIn(rng.randint(1, len(entries) + 1), players, record, None, rng.choice([None, first]), keep),
            Move(number, rng.randint(1, len(entries)), keep),
            Reseat(number, rng.randint(number, len(entries)), ((first, two), (two, first))),
            Reseat(number, len(entries), ((first, rng.choice(others)),)) if others else TakeOut(number),
        ]
    )


def any_seating_change(rng: random.Random, table: Table) -> Any:
    """A random seating change."""
    sits = list(seats(table))
    away = list(table.evening.club.players.exclude(pk__in=sits).values_list("pk", flat=True))
    acts = [Leave(rng.choice(sits)), NameDealer(rng.choice(sits)), Order(tuple(rng.sample(sits, len(sits))))]
    if len(sits) > 4 and table.number == 1:
        go = tuple(rng.sample(sits, 2))
        acts.append(Split(go, go[0], by_heads=True))
    return rng.choice([*acts, *(Arrive(player, rng.choice(sits)) for player in away)])


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.both_databases), 1, 2, 3])
def test_after_random_writes_in_random_order_all_sums_agree(seed: int):
    rng = random.Random(seed)
    table = played(MADE, FAILED, seats=6)
    PlayerFactory(club=table.evening.club, nickname="Gian")
    done = 0
    for step in range(24):
        fresh = Table.objects.select_related("evening__club").get(pk=rng.choice(tables_of(table.evening)))
        try:
            if rng.random() < 0.4:
                enter(fresh, rng.choice([MADE, FAILED, WALKOVER, PASSED_OUT]))
            elif rng.random() < 0.3:
                carry_out(table=fresh, change=any_seating_change(rng, fresh), author=None, key=uuid.uuid4())
            elif fresh.hands:
                edit = any_edit(rng, fresh)
                before = plan(table=fresh, edit=edit)
                correct(table=fresh, edit=edit, author=None, key=uuid.uuid4(), seen=before.seen)
                done += 1
                assert Table.objects.get(pk=fresh.pk).pot_minor == before.pot_after_minor
        except Refused:
            continue
        if step % 4 == 3:
            assert list(differences()) == []
    assert list(differences()) == []
    assert done > 2


def tables_of(evening: Evening) -> list[int]:
    return list(evening.tables.filter(dissolved=False).values_list("pk", flat=True))
