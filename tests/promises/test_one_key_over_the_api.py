"""P4 and P5 over the API: one key, one hand, one answer; of two programs with one hand number one stores it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games.audit import differences
from games.models import Hand, Revision, Table
from league.models import KeptAnswer, Posting, Submission, User
from tests.api.asking import key_for
from tests.processes import Process

from .test_one_key_one_hand import without_the_unique_key

# Beside the 200 keys of the pages; RACE_KEYS asks for more.
KEYS = max(1, int(os.environ.get("RACE_KEYS", "100")) // 5)
RACES = max(4, int(os.environ.get("RACE_HANDS", "100")) // 5)
AT_ONCE = 32
CROWDS = (2, 3, 5, 8)


@dataclass(frozen=True)
class Reply:
    """What a program sees."""

    status: int
    text: bytes
    place: str
    replayed: bool = field(compare=False)

    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


class Program:
    """A program with a key, on a connection of its own."""

    def __init__(self, url: str, key: str, table: Table) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
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

    def post(self, body: dict[str, Any], key: uuid.UUID) -> Reply:
        self.send(body, key)
        answer = self.connection.getresponse()
        text = answer.read()
        replayed = answer.headers.get("Idempotency-Replayed") == "true"
        return Reply(answer.status, text, answer.headers.get("Location", ""), replayed)

    def hang_up(self) -> None:
        self.connection.close()


Round = list[tuple[dict[str, Any], uuid.UUID]]


def together(programs: list[Program], rounds: list[Round]) -> list[list[Reply]]:
    """Round by round all programs post at the same moment; replies in their order."""
    barrier = Barrier(len(programs))

    def play(nth: int) -> list[Reply]:
        replies = []
        for one in rounds:
            barrier.wait(timeout=120)
            replies.append(programs[nth].post(*one[nth]))
        return replies

    with ThreadPoolExecutor(len(programs)) as pool:
        by_program = list(pool.map(play, range(len(programs))))
    return [list(now) for now in zip(*by_program, strict=True)]


@pytest.fixture
def programs(web_server: Callable[..., Process], recorder: User, table: Table) -> Iterator[list[Program]]:
    key = key_for(recorder, "read", "record")
    server = web_server(TEST_API_WRITES="0")
    crowd = [Program(server.url, key, table) for _ in range(AT_ONCE)]
    yield crowd
    for one in crowd:
        one.hang_up()


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
    assert counts == [KEYS] * 5
    assert Table.objects.get().hands == KEYS
    assert list(differences()) == []


@contextlib.contextmanager
def without_the_unique_answer() -> Iterator[None]:
    """The other guard taken away for a while: the key of a kept answer."""
    guarded = KeptAnswer._meta.get_field("digest")
    # A field remembers whether it is unique, and a copy of it would too.
    loose = guarded.clone()
    loose._unique = False
    loose.set_attributes_from_name(guarded.name)
    with connection.schema_editor() as editor:
        editor.alter_field(KeptAnswer, guarded, loose)
    yield
    KeptAnswer.objects.all().delete()
    with connection.schema_editor() as editor:
        editor.alter_field(KeptAnswer, loose, guarded)


def test_without_the_unique_keys_the_answers_differ(programs, table):
    """On a busy machine the programs may come one after the other; it is enough that once they do not."""
    with without_the_unique_key(), without_the_unique_answer():
        for number in range(1, 101):
            same = [(programs[0].hand(number), uuid.uuid4())] * AT_ONCE
            (replies,) = together(programs, [same])
            assert any(reply.status == 201 for reply in replies), replies[0]
            if len(set(replies)) > 1:
                return
    pytest.fail("without the unique keys all got one answer")


def test_programs_with_a_key_each_store_one_hand_and_the_others_are_told(programs, table):
    """Each means another hand: the first is stored, the others are told by whom, and what it is."""
    number = 0
    for crowd in CROWDS:
        several = programs[:crowd]
        numbers = range(number + 1, number + RACES // len(CROWDS) + 1)
        rounds = [[(one.hand(n, nth % 4), uuid.uuid4()) for nth, one in enumerate(several)] for n in numbers]
        for replies in together(several, rounds):
            number += 1
            assert sorted(reply.status for reply in replies) == [201] + [409] * (crowd - 1)
            stored = next(reply for reply in replies if reply.status == 201).told()["hand"]["record"]
            for reply in replies:
                if reply.status == 409:
                    told = reply.told()
                    assert (told["code"], told["details"]["number"]) == ("taken", number)
                    assert told["details"]["record"] == stored
    assert Revision.objects.count() == number
    assert list(differences()) == []


def test_an_answer_that_is_lost_after_the_commit_comes_again(programs, table):
    for number in range(1, 11):
        lost, key, hand = programs[number], uuid.uuid4(), programs[0].hand(number)
        lost.send(hand, key)
        lost.hang_up()
        reply = programs[0].post(hand, key)
        assert (reply.status, reply.told()["hand"]["number"]) == (201, number)
    assert Revision.objects.count() == 10
