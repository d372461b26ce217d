"""Putting a stored hand right: what it comes to, what is refused, what stays in the book."""

from __future__ import annotations

import random
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.audit import differences
from games.errors import Refused
from games.evenings import table_open
from games.mending import program
from games.mending.corrections import correct, plan
from games.mending.edits import Change, Edit, Move, PutIn, Reseat, TakeOut
from games.models import Correction, Hand, Revision, Table
from games.night.acts import Arrive, Leave, NameDealer, Order, Split
from games.night.services import carry_out
from league.models import Evening, Posting, ResultRow, Submission, Transfer
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, WALKOVER, PlayerFactory, enter, open_table

pytestmark = pytest.mark.django_db

BENI_ALONE: dict[str, Any] = {"declarer": 1, "joiners": [0, 2], "made": [1]}
BLIND: dict[str, Any] = {"declarer": 0, "joiners": [1], "made": [0, 1], "blind": "blind"}


def night(*records: dict[str, Any], **wants: Any) -> Table:
    table = open_table(**wants)
    for record in records:
        enter(table, record)
    return Table.objects.get(pk=table.pk)


def seats(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


def mend(table: Table, edit: Edit, **wants: Any) -> Correction:
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


def stands(table: Table) -> list[tuple[Any, ...]]:
    """What is in the book of a table: by hand who sat there by name, the record, and what it came to."""
    names = dict(table.evening.club.players.values_list("pk", "nickname"))
    return [
        (tuple(names[p] for p in one.entry.players), one.record, one.result)
        for one in program.play(table, program.read(table))
    ]


def state(table: Table) -> tuple[Any, ...]:
    fresh = Table.objects.get(pk=table.pk)
    return (fresh.hands, fresh.pot_minor, fresh.dealer.nickname, fresh.deal_number, fresh.dealer_set)


def assert_as_entered(table: Table, *records: dict[str, Any], **wants: Any) -> None:
    """The table is as one into which these hands were entered from the start."""
    right = night(*records, **wants)
    assert stands(table) == stands(right)
    assert state(table) == state(right)


# --- What comes of it ------------------------------------------------------------------------------------


def test_a_changed_hand_takes_the_later_ones_along():
    table = night(MADE, FAILED, PASSED_OUT, MADE)
    mend(table, Change(2, seats(table), BENI_ALONE))
    assert_as_entered(table, MADE, BENI_ALONE, PASSED_OUT, MADE)


def test_a_hand_taken_out():
    table = night(MADE, FAILED, PASSED_OUT, MADE)
    mend(table, TakeOut(2))
    assert_as_entered(table, MADE, PASSED_OUT, MADE)


def test_the_only_hand_taken_out():
    table = night(FAILED)
    mend(table, TakeOut(1))
    assert state(table) == (0, 0, "Emil", 1, False)
    enter(table, MADE)
    assert_as_entered(table, MADE)


def test_a_forgotten_hand_put_in_first_in_the_middle_and_last():
    table = night(MADE, PASSED_OUT)
    for place in (1, 3, 4, 5):
        assert mend(table, PutIn(place, seats(table), FAILED)).kind == Correction.Kind.INSERTED
    assert_as_entered(table, FAILED, MADE, FAILED, FAILED, FAILED, PASSED_OUT)


def test_a_hand_moved_down_and_up():
    table = night(MADE, FAILED, PASSED_OUT, BENI_ALONE)
    mend(table, Move(1, 3))
    assert_as_entered(table, FAILED, PASSED_OUT, MADE, BENI_ALONE)
    mend(table, Move(4, 2))
    assert_as_entered(table, FAILED, BENI_ALONE, PASSED_OUT, MADE)


def test_hands_that_come_out_the_same_are_not_touched():
    table = night(MADE, FAILED, MADE, MADE, BENI_ALONE)
    # Whoever made it alone takes the whole pot: nothing is left of the difference after that.
    before = set(Revision.objects.values_list("hand__number", "number"))
    mend(table, Change(4, seats(table), WALKOVER))
    written = set(Revision.objects.values_list("hand__number", "number")) - before
    assert written == {(4, 2), (4, 3)}


def test_a_named_dealer_moves_the_deal_of_the_hands_after_it():
    table = night(MADE, MADE, MADE)
    mend(table, Change(2, seats(table), MADE, dealer_id=seats(table)[3]))
    dealers = [record["dealer"] for _who, record, _result in stands(table)]
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
def test_each_hand_is_told_beside_what_itself_was(edit, keep):
    table = night(MADE, FAILED, BENI_ALONE, PASSED_OUT, MADE)
    made = edit(table, keep)
    stood = program.play(table, program.read(table))
    planned = plan(table=table, edit=made)
    told = {change.number: change for change in planned.told if change.after}
    for one in planned.played:
        own = stood[one.entry.number - 1] if one.entry.number else None
        change = told.get(one.number)
        if change is None:
            assert own is not None
            assert (own.record, own.result) == (one.record, one.result)
        elif own is not None:
            assert change.before == own
            assert own.entry.sent == one.entry.sent
        else:
            assert (change.before is None) == isinstance(made, PutIn)
    gone = [change.number for change in planned.told if change.after is None]
    assert gone == ([2] if isinstance(made, TakeOut) else [])
    moved = {TakeOut: [(3, 2), (4, 3), (5, 4)], PutIn: [(2, 3), (3, 4), (4, 5), (5, 6)], Change: []}
    later = {4: [(4, 2), (2, 3), (3, 4)], 1: [(2, 1), (3, 2), (4, 3), (1, 4)]}
    assert planned.renumbered == (later[made.number] if isinstance(made, Move) else moved[type(made)])


def test_hands_that_come_out_the_same_under_another_number_are_not_told():
    table = night(MADE, MADE, MADE, MADE)
    planned = plan(table=table, edit=TakeOut(2, keep=True))
    dealt = [change.number for change in planned.told if change.after]
    assert [change.number for change in planned.told if change.after is None] == [2]
    assert len(planned.rows) > len(planned.told)
    assert all(planned.played[number - 1].record["dealer"] is not None for number in dealt)
    assert planned.renumbered == [(3, 2), (4, 3)]


def test_where_the_dealers_are_kept_only_one_is_named():
    table = night(PASSED_OUT, MADE, MADE, MADE)
    edit = Change(1, seats(table), WALKOVER, keep=True)
    assert [change.number for change in plan(table=table, edit=edit).told] == [1, 2]
    mend(table, edit)
    assert [record["dealer"] for _who, record, _result in stands(table)] == [4, 4, 0, 1]
    assert state(table)[2:] == ("Carlo", 1, False)


def test_where_the_dealers_are_kept_the_next_one_to_deal_is_too():
    table = night(MADE, MADE)
    mend(table, TakeOut(2, keep=True))
    assert state(table) == (1, 0, "Beni", 1, True)
    enter(table, MADE)
    assert list(differences()) == []


def test_others_sat_there_over_a_range():
    table = night(MADE, FAILED, BENI_ALONE, MADE, WALKOVER)
    anna, beni, *_rest = seats(table)
    mend(table, Reseat(2, 3, ((anna, beni), (beni, anna))))
    told = stands(table)
    as_written, mixed = ("Anna", "Beni"), ("Beni", "Anna")
    assert [who[:2] for who, _record, _result in told] == [as_written, mixed, mixed, as_written, as_written]
    # Who dealt is a matter of the seat: the rows stand as they were.
    assert [record["dealer"] for _who, record, _result in told] == [4, 0, 1, 2, 3]
    assert seats(table)[:2] == (anna, beni)


def test_others_sit_there_still():
    table = night(MADE, FAILED, BENI_ALONE)
    anna, beni, *_rest = seats(table)
    mend(table, Reseat(2, 3, ((anna, beni), (beni, anna))))
    assert seats(table)[:2] == (beni, anna)
    enter(table, MADE)
    assert [who[:2] for who, _record, _result in stands(table)] == [("Anna", "Beni"), *[("Beni", "Anna")] * 3]
    assert list(differences()) == []


def test_somebody_else_sat_there():
    table = night(MADE, FAILED, BENI_ALONE)
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    anna = seats(table)[0]
    done = mend(table, Reseat(1, 2, ((anna, gian.pk),)))
    assert done.before.keys() | {str(gian.pk)} == done.after.keys()
    assert [who[0] for who, _record, _result in stands(table)] == ["Gian", "Gian", "Anna"]
    # Twice at one table he cannot sit.
    assert refused(table, Reseat(2, 3, ((seats(table)[1], gian.pk),))).code == "seating"


def test_a_hand_with_fewer_people():
    table = night(MADE, FAILED, MADE)
    mend(table, Change(2, seats(table)[:4], FAILED))
    told = stands(table)
    assert [len(who) for who, _record, _result in told] == [5, 4, 5]
    assert told[1][2]["pot"] == 80


def test_what_a_correction_tells_of_everybody():
    table = night(MADE, MADE)
    planned = plan(table=table, edit=TakeOut(1))
    done = mend(table, TakeOut(1))
    assert done.before == {str(player): amount for player, amount in planned.before.items()}
    anna = seats(table)[0]
    assert (planned.before[anna], planned.after[anna]) == (120, 60)
    assert planned.players[0][0] != anna
    assert (planned.pot_before_minor, planned.pot_after_minor) == (0, 0)


def test_a_table_of_kratzen():
    six = {"seats": 4, "game": "kratzen"}
    all_made = MUSS | {"tricks": {"3": 2, "0": 1, "1": 1}}
    table = night(all_made, FREE, **six)
    other = FREE | {"tricks": {"1": 2, "3": 2}}
    mend(table, Change(2, seats(table), other))
    assert_as_entered(table, all_made, other, **six)


def test_a_muss_follows_its_dealer():
    table = night(MUSS, FREE, seats=4, game="kratzen")
    # Without the first hand the second one is a Muss, in which nobody calls.
    problem = refused(table, TakeOut(1))
    assert (problem.status, problem.code, problem.details["number"]) == (409, "later", 2)
    assert "Hand 2 would no longer be possible" in problem.sentence


def test_a_second_table_of_the_evening_is_left_alone():
    table = night(MADE, FAILED)
    players = list(table.evening.club.players.order_by("pk"))[:3]
    other = table_open(evening=table.evening, players=players, first_dealer=players[0], number=2)
    enter(other, MADE)
    mend(table, TakeOut(1))
    assert state(other)[:2] == (1, 0)
    assert Revision.objects.filter(hand__table=other).count() == 1


# --- What is refused -------------------------------------------------------------------------------------


def test_a_later_hand_that_becomes_impossible_is_named():
    table = night(MADE, BLIND, rules={"blind": "both"})
    problem = refused(table, PutIn(1, seats(table), MADE))
    assert (problem.status, problem.code) == (409, "later")
    assert problem.details == {"number": 2, "clause": "C3.4"}
    assert "Only the dealer can play blind" in problem.sentence
    # Unless the hands were dealt as they are written down.
    mend(table, PutIn(1, seats(table), MADE, keep=True))
    assert [record["dealer"] for _who, record, _result in stands(table)] == [4, 4, 0]


def test_a_new_hand_that_breaks_a_rule_is_told_as_its_own_fault():
    table = night(MADE, MADE)
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
    table = night(MADE, FAILED)
    problem = refused(table, edit(seats(table)))
    assert (problem.status, problem.code) == (status, code)
    assert problem.sentence


def test_a_player_of_another_club_cannot_have_sat_there():
    table = night(MADE)
    stranger = PlayerFactory()
    assert refused(table, Change(1, (*seats(table)[:4], stranger.pk), FAILED)).code == "seating"


def test_a_final_evening_is_not_corrected():
    table = night(MADE)
    Evening.objects.update(state=Evening.State.CLOSED, final_at=timezone.now() - timedelta(minutes=1))
    assert refused(table, TakeOut(1)).code == "final"


def test_what_was_seen_must_still_hold():
    table = night(MADE)
    seen = plan(table=table, edit=TakeOut(1)).seen
    enter(table, FAILED)
    assert refused(table, TakeOut(1), seen=seen).code == "moved_on"
    mend(table, TakeOut(1), seen=plan(table=table, edit=TakeOut(1)).seen)


# --- Once, for ever, and not too dear --------------------------------------------------------------------


def test_one_key_is_one_correction():
    table = night(MADE, FAILED)
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


def test_everything_stays_in_the_book():
    table = night(MADE, FAILED)
    stood = list(Revision.objects.order_by("pk").values())
    done = mend(table, Change(1, seats(table), WALKOVER), reason="Beni was not in it")
    assert list(Revision.objects.filter(pk__in=[row["id"] for row in stood]).order_by("pk").values()) == stood
    new = Revision.objects.filter(correction=done).order_by("pk")
    assert [(r.hand.number, r.kind, r.reason) for r in new][-1] == (1, "entered", "Beni was not in it")
    assert {r.submission_id for r in new} == {None}
    voided, entered = new
    assert voided.posting.reverses_id == stood[0]["posting_id"]
    assert entered.number == 3


def test_queries_grow_with_the_hands_that_change_and_with_nothing_else():
    def queries(table: Table, number: int) -> int:
        edit = Change(number, seats(table), FAILED)
        with CaptureQueriesContext(connection) as context:
            correct(table=table, edit=edit, author=None, key=uuid.uuid4())
        return len(context.captured_queries)

    few, more, most = (queries(night(MADE, *[PASSED_OUT] * later), 1) for later in (1, 3, 7))
    assert most - more == 2 * (more - few)
    assert queries(night(*[MADE] * 12, PASSED_OUT), 13) < few


# --- With everything else that happens in a night ----------------------------------------------------------


def any_edit(rng: random.Random, table: Table) -> Edit:
    """Something that somebody may want to put right, possible or not."""
    entries = program.read(table)
    number = rng.randint(1, len(entries))
    players, keep = entries[number - 1].players, rng.random() < 0.5
    record = rng.choice([MADE, FAILED, WALKOVER, PASSED_OUT, MADE | {"made": [1]}])
    others = list(table.evening.club.players.exclude(pk__in=players).values_list("pk", flat=True))
    one, two = rng.sample(players, 2)
    return rng.choice(
        [
            TakeOut(number, keep),
            Change(number, players, record, rng.choice([None, one]), keep),
            Change(number, tuple(p for p in players if p != one), record, None, keep),
            PutIn(rng.randint(1, len(entries) + 1), players, record, None, rng.choice([None, one]), keep),
            Move(number, rng.randint(1, len(entries)), keep),
            Reseat(number, rng.randint(number, len(entries)), ((one, two), (two, one))),
            Reseat(number, len(entries), ((one, rng.choice(others)),)) if others else TakeOut(number),
        ]
    )


def any_act(rng: random.Random, table: Table) -> Any:
    """Something that happens at the table between two hands."""
    sits = list(seats(table))
    away = list(table.evening.club.players.exclude(pk__in=sits).values_list("pk", flat=True))
    acts = [Leave(rng.choice(sits)), NameDealer(rng.choice(sits)), Order(tuple(rng.sample(sits, len(sits))))]
    if len(sits) > 4 and table.number == 1:
        go = tuple(rng.sample(sits, 2))
        acts.append(Split(go, go[0], by_heads=True))
    return rng.choice([*acts, *(Arrive(player, rng.choice(sits)) for player in away)])


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_in_whatever_order_the_book_adds_up(seed: int):
    rng = random.Random(seed)
    table = night(MADE, FAILED, seats=6)
    PlayerFactory(club=table.evening.club, nickname="Gian")
    done = 0
    for step in range(24):
        fresh = Table.objects.select_related("evening__club").get(pk=rng.choice(tables_of(table.evening)))
        try:
            if rng.random() < 0.4:
                enter(fresh, rng.choice([MADE, FAILED, WALKOVER, PASSED_OUT]))
            elif rng.random() < 0.3:
                carry_out(table=fresh, act=any_act(rng, fresh), author=None, key=uuid.uuid4())
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
