"""P4 and P5: one key stores one hand and gets one answer; of two recorders with one hand number one stores it."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection

from games.integrity.verify import differences
from games.models import Hand, Pencil, Revision, Table
from league.models import Posting, Submission, User
from league.triggers import GAMES_APPEND_ONLY, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS, create, drop
from tests.processes import Process
from tests.sizes import sized

from .simultaneous_saves import Recorder, together

APPEND_ONLY = ((LEAGUE_APPEND_ONLY, LEAGUE_CHECKS), (GAMES_APPEND_ONLY,))

pytestmark = pytest.mark.both_databases

# The full runs on both databases together use 200 keys, the small ones 30; RACE_KEYS changes that.
KEYS = int(os.environ.get("RACE_KEYS", sized("15", "100")))
AT_ONCE = 32
# Each refusal is a whole page, which takes time: few numbers with many recorders.
NUMBERS = sized(1, 4)
# Also 200 races in a full run, 32 in a small one: recorders who send different hands with one number.
RACES = int(os.environ.get("RACE_HANDS", sized("16", "100")))
CROWDS = (2, 3, 5, 8)


@pytest.fixture
def recorders(kept_web_server: Process, recorder: User, table: Table) -> Iterator[list[Recorder]]:
    crowd = [Recorder(kept_web_server.url, recorder, table) for _ in range(AT_ONCE)]
    yield crowd
    for device in crowd:
        device.hang_up()


@contextlib.contextmanager
def without_the_unique_key() -> Iterator[None]:
    """Remove the unique key of submissions, and put it back afterwards, also after a failed test."""
    constraints = Submission._meta.constraints
    Submission._meta.constraints = []
    # On SQLite a table that triggers refer to is not rebuilt.
    for tables in APPEND_ONLY:
        drop(connection, *tables)
    with connection.schema_editor() as editor:
        editor.remove_constraint(Submission, constraints[0])
    try:
        yield
    finally:
        Submission._meta.constraints = constraints
        with connection.schema_editor() as editor:
            editor.add_constraint(Submission, constraints[0])
        for tables in APPEND_ONLY:
            create(connection, *tables)


@pytest.mark.sized
@pytest.mark.long
def test_a_key_sent_32_times_at_once_is_one_hand_and_one_answer(recorders, table):
    rounds = [[body] * AT_ONCE for body in (recorders[0].form(n, uuid.uuid4()) for n in range(1, KEYS + 1))]
    for number, replies in enumerate(together(recorders, rounds), start=1):
        assert set(replies) == {replies[0]}, f"hand {number}"
        assert replies[0].status == 303
        assert replies[0].place.endswith(f"/h/{number}/")
    assert [m.objects.count() for m in (Hand, Revision, Posting, Submission)] == [KEYS] * 4
    assert Table.objects.get().hands == KEYS


@pytest.mark.rest
@pytest.mark.needs_postgres
def test_without_the_unique_key_the_answers_differ(recorders, table):
    """SQLite carries out one write at a time: there the look for the key before it is stored is enough."""
    with without_the_unique_key():
        rounds = [[body] * AT_ONCE for body in (recorders[0].form(n, uuid.uuid4()) for n in range(1, 6))]
        answered = together(recorders, rounds)
    assert any(len(set(replies)) > 1 for replies in answered)


@pytest.mark.sized
@pytest.mark.long
def test_of_recorders_with_different_keys_one_stores_the_hand_and_the_others_are_refused(recorders, table):
    rounds = [[r.form(n, uuid.uuid4()) for r in recorders] for n in range(1, NUMBERS + 1)]
    for replies in together(recorders, rounds):
        assert sorted(reply.status for reply in replies) == [303] + [409] * (AT_ONCE - 1)
    assert list(Hand.objects.order_by("number").values_list("number", flat=True)) == list(range(1, NUMBERS + 1))


@pytest.mark.sized
@pytest.mark.long
def test_of_recorders_with_one_number_one_stores_its_hand_and_the_others_see_both(recorders, table):
    """Each sends a different hand: the first is stored, and the others are shown its recorder and the hand."""
    names = [seat.player.nickname for seat in table.places.select_related("player").order_by("seat")]
    number = 0
    for crowd in CROWDS:
        several = recorders[:crowd]
        numbers = range(number + 1, number + RACES // len(CROWDS) + 1)
        rounds = [
            [recorder.form(number, uuid.uuid4(), **_declared_by(nth % 4)) for nth, recorder in enumerate(several)]
            for number in numbers
        ]
        for replies in together(several, rounds):
            number += 1
            assert sorted(reply.status for reply in replies) == [303] + [409] * (crowd - 1)
            stored = names[next(nth for nth, reply in enumerate(replies) if reply.status == 303) % 4]
            for nth, reply in enumerate(replies):
                if reply.status == 409:
                    assert f"<b>{stored}</b> chratzt" in reply.page, f"hand {number}"
                    assert f"{names[nth % 4]} chratzt" in reply.page
    assert Revision.objects.count() == number == RACES
    assert list(differences()) == []


def test_of_several_devices_that_take_the_pencil_at_once_one_holds_it(recorders, table):
    body = f"csrfmiddlewaretoken={recorders[0].token}&act=beat".encode()
    for recorder in recorders:
        recorder.path += "pencil/"
    (replies,) = together(recorders, [[body] * AT_ONCE])
    assert sorted(reply.status for reply in replies) == [204] + [409] * (AT_ONCE - 1)
    assert Pencil.objects.count() == 1


def _declared_by(seat: int) -> dict[str, str]:
    return {f"role-{each}": "declarer" if each == seat else "out" for each in range(4)}


def test_a_repeated_request_gets_the_answer_that_was_lost(recorders, table):
    for number in range(1, 21):
        lost, body = recorders[number % AT_ONCE], recorders[0].form(number, uuid.uuid4())
        lost.send(body)
        lost.hang_up()
        reply = recorders[0].post(body)
        assert (reply.status, reply.place[-len(f"/h/{number}/") :]) == (303, f"/h/{number}/")
    assert Revision.objects.count() == 20


def test_the_same_key_with_another_hand_is_refused(recorders, table):
    key = uuid.uuid4()
    assert recorders[0].post(recorders[0].form(1, key)).status == 303
    assert recorders[0].post(recorders[0].form(1, key, **{"made-0": "no"})).status == 422
    assert Revision.objects.count() == 1


def test_a_hand_voided_twice_at_once_is_voided_once(recorders, table):
    for number in (1, 2):
        recorders[0].post(recorders[0].form(number, uuid.uuid4()))
    recorder = recorders[0]
    body = f"csrfmiddlewaretoken={recorder.token}&key={uuid.uuid4()}&number=2".encode()
    for each in recorders:
        each.path += "void/"
    (replies,) = together(recorders, [[body] * AT_ONCE])
    assert {reply.status for reply in replies} == {303}
    assert Table.objects.get().hands == 1
    assert Revision.objects.count() == 3
