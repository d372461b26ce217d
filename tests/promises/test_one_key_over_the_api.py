"""P4 and P5 by the API: one key stores one hand and gets one answer; of two programs with one number one stores it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games.integrity.verify import differences
from games.models import Hand, Revision, Table
from league.models import Invitation, KeptAnswer, Membership, Posting, Submission, User
from tests.api.api_client import key_for
from tests.factories import UserFactory
from tests.processes import Process
from tests.sizes import sized

from .simultaneous_saves import together

pytestmark = pytest.mark.both_databases

# In addition to the 200 keys of the pages; RACE_KEYS changes that.
KEYS = max(1, int(os.environ.get("RACE_KEYS", sized("15", "100"))) // 5)
RACES = max(4, int(os.environ.get("RACE_HANDS", sized("16", "100"))) // 5)
AT_ONCE = 32
CROWDS = (2, 3, 5, 8)


@dataclass(frozen=True)
class Reply:
    """The answer to a program."""

    status: int
    text: bytes
    place: str
    replayed: bool = field(compare=False)

    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.text)
        return data


class Program:
    """A program with an API key and its own connection."""

    def __init__(self, url: str, key: str, table: Table) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self.table_id = table.pk
        self.path = f"/api/v1/clubs/{table.evening.club.slug}/tables/{table.pk}/hands"
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.players = list(table.places.order_by("seat").values_list("player_id", flat=True))

    def hand(self, number: int, declarer: int = 0) -> dict[str, Any]:
        joiner = (declarer + 1) % 4
        record = {"declarer": declarer, "joiners": [joiner], "made": [declarer, joiner]}
        return {"number": number, "players": self.players, "record": record}

    def send(self, body: dict[str, Any], key: uuid.UUID) -> None:
        headers = self.headers | {"Idempotency-Key": str(key)}
        self.connection.request("POST", self.path, json.dumps(body), headers)

    def post(self, sent: tuple[dict[str, Any], uuid.UUID]) -> Reply:
        self.send(*sent)
        answer = self.connection.getresponse()
        text = answer.read()
        replayed = answer.headers.get("Idempotency-Replayed") == "true"
        return Reply(answer.status, text, answer.headers.get("Location", ""), replayed)

    def hang_up(self) -> None:
        self.connection.close()


@pytest.fixture
def programs(web_server: Callable[..., Process], recorder: User, table: Table) -> Iterator[list[Program]]:
    key = key_for(recorder, "read", "record")
    server = web_server(TEST_API_WRITES="0")
    crowd = [Program(server.url, key, table) for _ in range(AT_ONCE)]
    yield crowd
    for program in crowd:
        program.hang_up()


@pytest.mark.sized
def test_a_key_sent_32_times_at_once_is_one_hand_and_one_answer(programs, table):
    rounds = []
    for number in range(1, KEYS + 1):
        key = uuid.uuid4()
        rounds.append([(programs[0].hand(number), key)] * AT_ONCE)
    for number, replies in enumerate(together(programs, rounds), start=1):
        assert set(replies) == {replies[0]}, f"hand {number}: {[reply.status for reply in replies]}"
        assert replies[0].status == 201
        assert replies[0].place.endswith(f"/hands/{number}")
        assert sum(not reply.replayed for reply in replies) == 1
    counts = [model.objects.count() for model in (Hand, Revision, Posting, Submission, KeptAnswer)]
    # The answer to a hand is made again from its revision.
    assert counts == [KEYS] * 4 + [0]
    assert Table.objects.get().hands == KEYS
    assert list(differences()) == []


@contextlib.contextmanager
def without_the_unique_answer() -> Iterator[None]:
    """Remove the unique constraint on the hash of a kept answer during the block."""
    guarded = KeptAnswer._meta.get_field("digest")
    # A field caches whether it is unique, and a copy of it does too.
    loose = guarded.clone()
    loose._unique = False
    loose.set_attributes_from_name(guarded.name)
    with connection.schema_editor() as editor:
        editor.alter_field(KeptAnswer, guarded, loose)
    yield
    KeptAnswer.objects.all().delete()
    with connection.schema_editor() as editor:
        editor.alter_field(KeptAnswer, loose, guarded)


def inviters(programs: list[Program], table: Table) -> list[Program]:
    """Programs of an owner who invites: only the kept answer prevents a second invitation."""
    club, owner = table.evening.club, UserFactory(email="owner@example.org")
    Membership.objects.create(club=club, user=owner, role="owner")
    key = key_for(owner, "read", "manage")
    for program in programs:
        program.path = f"/api/v1/clubs/{club.slug}/invitations"
        program.headers["Authorization"] = f"Bearer {key}"
    return programs


def test_a_key_sent_32_times_at_once_is_one_invitation_and_one_answer(programs, table):
    (replies,) = together(inviters(programs, table), [[({"note": "Anna"}, uuid.uuid4())] * AT_ONCE])
    assert set(replies) == {replies[0]}
    assert replies[0].status == 201
    assert sum(not reply.replayed for reply in replies) == 1
    assert Invitation.objects.count() == KeptAnswer.objects.count() == 1


@pytest.mark.rest
def test_without_the_unique_answer_the_answers_differ(programs, table):
    """On a busy machine the requests may arrive one after the other; one round with a difference is enough."""
    owners = inviters(programs, table)
    with without_the_unique_answer():
        for _ in range(100):
            (replies,) = together(owners, [[({"note": "Anna"}, uuid.uuid4())] * AT_ONCE])
            assert any(reply.status == 201 for reply in replies), replies[0]
            if len(set(replies)) > 1:
                return
    pytest.fail("without the unique answer all got one answer")


@pytest.mark.sized
def test_of_programs_with_different_keys_one_stores_its_hand_and_the_others_are_refused(programs, table):
    """Each sends a different hand: the first is stored, and the others get its recorder and the hand."""
    number = 0
    for crowd in CROWDS:
        several = programs[:crowd]
        numbers = range(number + 1, number + RACES // len(CROWDS) + 1)
        rounds = [[(program.hand(n, nth % 4), uuid.uuid4()) for nth, program in enumerate(several)] for n in numbers]
        for replies in together(several, rounds):
            number += 1
            assert sorted(reply.status for reply in replies) == [201] + [409] * (crowd - 1)
            stored = next(reply for reply in replies if reply.status == 201).json()["hand"]["record"]
            for reply in replies:
                if reply.status == 409:
                    problem = reply.json()
                    assert (problem["code"], problem["details"]["number"]) == ("taken", number)
                    assert problem["details"]["record"] == stored
    assert Revision.objects.count() == number
    assert list(differences()) == []


def test_a_repeated_request_gets_the_answer_that_was_lost(programs, table):
    for number in range(1, 11):
        lost, key, hand = programs[number], uuid.uuid4(), programs[0].hand(number)
        lost.send(hand, key)
        lost.hang_up()
        reply = programs[0].post((hand, key))
        assert (reply.status, reply.json()["hand"]["number"]) == (201, number)
    assert Revision.objects.count() == 10
