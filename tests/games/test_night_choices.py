"""The choices of the page of two stories: the hands of a phone as corrections, or left out and named in the log."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.utils import translation

from games.corrections.edits import Change
from games.corrections.selectors import sentence_of
from games.corrections.services import correct as correct_one
from games.errors import Refused
from games.hands.why_revised import why_revised
from games.integrity.verify import differences
from games.models import Correction, Revision, Table
from games.night import choices
from league.audit import What, sentences
from league.models import AuditEntry, Closing, Evening, Submission
from tests.cast import House
from tests.factories import FAILED, FREE, MADE, MUSS, NO_CUT, PASSED_OUT, WALKOVER, create_table, enter, void

from .test_corrections import assert_as_entered, counts, played, seats, state

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def known(ref: Any) -> int | None:
    """The player of a reference, where no phone has made any."""
    return ref if isinstance(ref, int) else None


def one(table: Table, number: int, record: dict[str, Any], **other: Any) -> dict[str, Any]:
    revision = Revision.objects.filter(hand__table=table, hand__number=number).order_by("-number")[0].number
    return {
        "number": number,
        "revision": revision,
        "players": list(seats(table)),
        "record": record,
        "dealer": None,
    } | other


def write(table: Table, *hands: dict[str, Any]) -> dict[str, Any]:
    return {"hands": list(hands), "hands_seen": Table.objects.get(pk=table.pk).hands}


def correct(table: Table, sent: dict[str, Any], key: uuid.UUID | None = None) -> Correction:
    done = choices.correct(table=table, author=None, key=key or uuid.uuid4(), write=sent, player_of=known)
    assert list(differences()) == []
    return done


def refused(table: Table, sent: dict[str, Any], key: uuid.UUID | None = None) -> Refused:
    before = counts()
    with pytest.raises(Refused) as caught:
        correct(table, sent, key)
    assert counts() == before
    return caught.value


# --- Correct ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_hands_of_the_phone_replace_the_stored_ones_as_one_correction():
    table = played(MADE, FAILED, PASSED_OUT, WALKOVER)
    done = correct(table, write(table, one(table, 2, MADE), one(table, 3, FAILED)))
    assert_as_entered(table, MADE, MADE, FAILED, WALKOVER)
    assert (done.kind, done.number, sentence_of(done)) == ("changed", 2, "Hands 2, 3 corrected")
    assert why_revised([table.pk]) == {(table.pk, 2): "changed", (table.pk, 3): "changed", (table.pk, 4): "recounted"}


def test_hands_that_are_possible_only_together_are_replaced_together():
    """After a free hand that was made comes a Muss. On the phone the free hand failed, and the next was free, too."""
    failed = FREE | {"tricks": {"1": 1, "3": 3}}
    next_muss = {"cuts": NO_CUT, "declarer": 1, "joiners": [0, 2, 3], "tricks": {"0": 1, "1": 2, "2": 1}}
    table = played(MUSS, FREE, next_muss, game="kratzen", seats=4)
    for hand in (one(table, 2, failed), one(table, 3, FREE)):
        assert refused(table, write(table, hand)).status in (409, 422)
    correct(table, write(table, one(table, 2, failed), one(table, 3, FREE)))
    assert_as_entered(table, MUSS, failed, FREE, game="kratzen", seats=4)


def test_hands_of_zwicken_are_possible_only_together_too():
    """After a free hand that was won comes a forced one. On the phone one of the players had no trick."""
    forced = {"cuts": ["x"], "tricks": {"0": 2, "1": 1}}
    won = {"cuts": ["x"], "players": [1, 2], "tricks": {"1": 2, "2": 1}}
    lost = won | {"tricks": {"1": 3}, "seven_lost": 2}
    table = played(forced, won, forced, game="zwicken", seats=4)
    for hand in (one(table, 2, lost), one(table, 3, won)):
        assert refused(table, write(table, hand)).status in (409, 422)
    correct(table, write(table, one(table, 2, lost), one(table, 3, won)))
    assert_as_entered(table, forced, lost, won, game="zwicken", seats=4)


def test_the_players_and_the_dealer_are_those_of_the_phone():
    table = played(MADE, FAILED)
    others = [*seats(table)[1:], seats(table)[0]]
    correct(table, write(table, one(table, 2, MADE, players=others, dealer=others[2])))
    newest = Revision.objects.filter(hand__table=table, hand__number=2).latest("number")
    assert list(newest.seats.order_by("number").values_list("player_id", flat=True)) == others
    assert (newest.record["dealer"], newest.dealer_set) == (2, True)


def test_a_dealer_whose_turn_it_is_does_not_count_as_named():
    table = played(MADE, FAILED)
    turn = seats(table)[Revision.objects.get(hand__table=table, hand__number=2).record["dealer"]]
    correct(table, write(table, one(table, 2, MADE, dealer=turn)))
    assert not Revision.objects.filter(hand__table=table, hand__number=2).latest("number").dealer_set


@pytest.mark.both_databases
def test_the_same_write_twice_is_one_correction():
    table, key = played(MADE, FAILED), uuid.uuid4()
    sent = write(table, one(table, 2, MADE))
    first = correct(table, sent, key)
    assert correct(table, sent, key) == first
    assert Correction.objects.count() == 1


def test_the_key_of_another_write_is_refused():
    table, key = played(MADE, FAILED), uuid.uuid4()
    correct(table, write(table, one(table, 2, MADE)), key)
    assert refused(table, write(table, one(table, 2, WALKOVER)), key).code == "key_reused"


def third_phone_corrects(table: Table) -> None:
    correct_one(table=table, edit=Change(2, seats(table), WALKOVER), author=None, key=uuid.uuid4())


def third_phone_stores(table: Table) -> None:
    enter(table, MADE)


@pytest.mark.both_databases
@pytest.mark.parametrize("meanwhile", [third_phone_corrects, third_phone_stores, void])
def test_a_change_of_a_third_phone_is_never_replaced_unseen(meanwhile):
    table = played(MADE, FAILED)
    sent = write(table, one(table, 2, MADE))
    meanwhile(table)
    assert (caught := refused(table, sent)).code == "moved_on"
    assert caught.status == 409


@pytest.mark.parametrize("meanwhile", [third_phone_corrects, third_phone_stores, void])
def test_twin_without_the_look_at_the_revisions_the_third_phone_loses(meanwhile, monkeypatch):
    monkeypatch.setattr(choices, "_as_seen", lambda table, write: True)
    table = played(MADE, MADE, FAILED)
    sent = write(table, one(table, 2, PASSED_OUT))
    meanwhile(table)
    correct(table, sent)
    assert Revision.objects.filter(hand__table=table, hand__number=2).latest("number").record["declarer"] is None


def test_an_impossible_hand_is_refused_with_its_number():
    table = played(MADE, FAILED)
    caught = refused(table, write(table, one(table, 2, {"declarer": 0, "joiners": [0], "made": [0]})))
    assert (caught.status, caught.details["number"]) == (422, 2)


@pytest.mark.parametrize(
    "change",
    [
        {"players": "x"},
        {"players": [{}] * 5},
        {"players": ["unknown-key"] * 5},
        {"record": None},
        {"record": {"pot_before": 5, "declarer": None}},
        {"number": "2"},
        {"number": True},
    ],
)
def test_a_malformed_write_is_refused(change):
    table = played(MADE, FAILED)
    assert refused(table, write(table, one(table, 2, MADE) | change)).status == 422


@pytest.mark.parametrize("sent", [{}, {"hands": []}, {"hands": 7}, {"hands": [7], "hands_seen": 2}])
def test_a_write_without_hands_is_refused(sent):
    assert refused(played(MADE), sent).status == 422


# --- Leave out -------------------------------------------------------------------------------------------


def leave_out(
    home: House, table: Table, *hands: dict[str, Any], changes: Any = (), key: uuid.UUID | None = None
) -> None:
    choices.leave_out(
        table=table,
        author=home.recorder,
        key=key or uuid.uuid4(),
        write={"hands": list(hands), "changes": list(changes)},
        player_of=known,
    )


def logged() -> list[str]:
    entries = AuditEntry.objects.filter(what=What.HAND_LEFT_OUT).order_by("pk").select_related("actor")
    with translation.override("en"):
        return [line.sentence for line in sentences.lines_of(list(entries))]


@pytest.mark.both_databases
def test_each_hand_left_out_is_a_sentence_of_the_log(home):
    table = create_table(club=home.club, season=home.season)
    who = list(seats(table))
    counted = {"declarer": 1, "joiners": [0], "tricks": {"1": 3, "0": 1, "2": 0}}
    hands = [{"number": n, "players": who, "record": r} for n, r in enumerate((MADE, counted, WALKOVER, PASSED_OUT), 7)]
    change = {"kind": "come", "players": [None]}
    leave_out(home, table, *hands, changes=[change, {"kind": "pause"}])
    where = f"evening 1 ({home.season.name})"
    assert logged() == [
        f"Recorder left out hand 7 of a phone, {where}: Anna declared, Beni joined; made it: Anna, Beni.",
        f"Recorder left out hand 8 of a phone, {where}: Beni declared, Anna joined; tricks: Beni 3, Anna 1.",
        f"Recorder left out hand 9 of a phone, {where}: Anna declared, nobody joined.",
        f"Recorder left out hand 10 of a phone, {where}: nobody declared.",
        f"Recorder left out a seating change of a phone, {where}: somebody comes.",
        f"Recorder left out a seating change of a phone, {where}: pause.",
    ]
    assert not any("Anna" in str(entry.data) for entry in AuditEntry.objects.all())


@pytest.mark.both_databases
def test_the_same_key_writes_the_log_once(home):
    table, key = create_table(club=home.club, season=home.season), uuid.uuid4()
    hand = {"number": 7, "players": list(seats(table)), "record": MADE}
    for _ in range(2):
        leave_out(home, table, hand, key=key)
    assert len(logged()) == 1
    assert Submission.objects.filter(key=key).count() == 1


def test_nothing_else_changes_and_a_closed_evening_is_no_obstacle(home):
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    before = state(table)
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED)
    leave_out(home, table, {"number": 7, "players": list(seats(table)), "record": FAILED})
    assert state(table) == before
    assert len(logged()) == 1
    assert not Closing.objects.exists()


def test_the_players_of_another_club_get_no_name(home):
    table = create_table(club=home.club, season=home.season)
    strangers = list(seats(create_table()))
    leave_out(home, table, {"number": 7, "players": strangers, "record": WALKOVER})
    assert "somebody declared" in logged()[0]


@pytest.mark.parametrize(
    "hand",
    [
        7,
        {"number": 7},
        {"number": 7, "players": [1, 2], "record": {"declarer": 2}},
        {"number": 7, "players": [1, 2], "record": {"declarer": 0, "joiners": 3}},
        {"number": 7, "players": [1, 2], "record": {"declarer": 0, "tricks": {"a": 2}}},
        {"number": 7, "players": [1, 2], "record": {"declarer": 0, "tricks": {"1": "x"}}},
        {"number": -1, "players": [], "record": {}},
    ],
)
def test_a_malformed_hand_is_refused_and_not_logged(home, hand):
    table = create_table(club=home.club, season=home.season)
    with pytest.raises(Refused):
        leave_out(home, table, hand)
    assert logged() == []
