"""P4 and P5: one key, one hand, one answer, whoever presses how often; of two recorders one stores it."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from games.audit import differences
from games.models import Hand, Pencil, Revision, Table
from league.models import Posting, Submission, User
from league.triggers import LEAGUE_APPEND_ONLY, LEAGUE_CHECKS, create, drop
from tests.processes import Process

from .recorders import Recorder, together

# Both databases together make the 200 keys of every run; RACE_KEYS asks for more (or, for a quick look, fewer).
KEYS = int(os.environ.get("RACE_KEYS", "100"))
AT_ONCE = 32
# The same for recorders who mean different hands with one number: 200 races in every run.
RACES = int(os.environ.get("RACE_HANDS", "100"))
CROWDS = (2, 3, 5, 8)


@pytest.fixture
def recorders(web_server: Callable[..., Process], recorder: User, table: Table) -> Iterator[list[Recorder]]:
    server = web_server()
    crowd = [Recorder(server.url, recorder, table) for _ in range(AT_ONCE)]
    yield crowd
    for one in crowd:
        one.hang_up()


@contextlib.contextmanager
def without_the_unique_key() -> Iterator[None]:
    """The guard taken away for a while."""
    constraints = Submission._meta.constraints
    Submission._meta.constraints = []
    with connection.schema_editor() as editor:
        editor.remove_constraint(Submission, constraints[0])
    yield
    Submission._meta.constraints = constraints
    with connection.schema_editor() as editor:
        editor.add_constraint(Submission, constraints[0])
    # SQLite rebuilds the table for that, and its triggers go with it.
    drop(connection, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS)
    create(connection, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS)


def test_a_key_sent_32_times_at_once_is_one_hand_and_one_answer(recorders, table):
    rounds = [[body] * AT_ONCE for body in (recorders[0].form(n, uuid.uuid4()) for n in range(1, KEYS + 1))]
    for number, replies in enumerate(together(recorders, rounds), start=1):
        assert set(replies) == {replies[0]}, f"hand {number}"
        assert replies[0].status == 303
        assert replies[0].place.endswith(f"/h/{number}/")
    assert [m.objects.count() for m in (Hand, Revision, Posting, Submission)] == [KEYS] * 4
    assert Table.objects.get().hands == KEYS


def test_without_the_unique_key_the_answers_differ(recorders, table):
    with without_the_unique_key():
        rounds = [[body] * AT_ONCE for body in (recorders[0].form(n, uuid.uuid4()) for n in range(1, 6))]
        answered = together(recorders, rounds)
    assert any(len(set(replies)) > 1 for replies in answered)


def test_recorders_with_a_key_each_store_one_hand_and_the_others_are_told(recorders, table):
    rounds = [[r.form(n, uuid.uuid4()) for r in recorders] for n in range(1, KEYS // 10 + 1)]
    for replies in together(recorders, rounds):
        assert sorted(reply.status for reply in replies) == [303] + [409] * (AT_ONCE - 1)
    assert list(Hand.objects.order_by("number").values_list("number", flat=True)) == list(range(1, KEYS // 10 + 1))


def test_several_recorders_on_one_number_store_one_hand_and_the_others_are_shown_both(recorders, table):
    """Each means another hand: the first is stored, the others are told by whom, and what it is."""
    names = [seat.player.nickname for seat in table.places.select_related("player").order_by("seat")]
    number = 0
    for crowd in CROWDS:
        several = recorders[:crowd]
        numbers = range(number + 1, number + RACES // len(CROWDS) + 1)
        rounds = [
            [one.form(number, uuid.uuid4(), **_declared_by(nth % 4)) for nth, one in enumerate(several)]
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


def test_the_pencil_taken_by_several_devices_at_once_is_in_one_hand(recorders, table):
    body = f"csrfmiddlewaretoken={recorders[0].token}&act=beat".encode()
    for one in recorders:
        one.path += "pencil/"
    (replies,) = together(recorders, [[body] * AT_ONCE])
    assert sorted(reply.status for reply in replies) == [204] + [409] * (AT_ONCE - 1)
    assert Pencil.objects.count() == 1


def _declared_by(seat: int) -> dict[str, str]:
    return {f"role-{each}": "declarer" if each == seat else "out" for each in range(4)}


def test_an_answer_that_is_lost_after_the_commit_comes_again(recorders, table):
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


def test_a_hand_taken_back_twice_at_once_is_taken_back_once(recorders, table):
    for number in (1, 2):
        recorders[0].post(recorders[0].form(number, uuid.uuid4()))
    one = recorders[0]
    body = f"csrfmiddlewaretoken={one.token}&key={uuid.uuid4()}&number=2".encode()
    for each in recorders:
        each.path += "void/"
    (replies,) = together(recorders, [[body] * AT_ONCE])
    assert {reply.status for reply in replies} == {303}
    assert Table.objects.get().hands == 1
    assert Revision.objects.count() == 3
