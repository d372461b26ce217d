"""Requests at the same moment close an evening once, and no hand is stored after the closing."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from games.integrity import verify
from games.models import Table
from league.models import Closing, Evening, Receipt, User
from tests.factories import FAILED, create_table, enter
from tests.processes import Process

from .simultaneous_saves import Recorder, Reply, together

pytestmark = pytest.mark.both_databases

AT_ONCE = 8


@pytest.fixture
def table(table: Table) -> Table:
    enter(table, FAILED)
    return table


@pytest.fixture
def crowd(kept_web_server: Process, recorder: User, table: Table) -> Iterator[list[Recorder]]:
    people = [Recorder(kept_web_server.url, recorder, table) for _ in range(AT_ONCE)]
    yield people
    for person in people:
        person.hang_up()


def closing(recorder: Recorder, table: Table, key: uuid.UUID, pot: str = "carry") -> tuple[str, bytes]:
    path = f"/c/{table.evening.club.slug}/e/{table.evening_id}/close/"
    return path, urlencode({"csrfmiddlewaretoken": recorder.token, "key": str(key), "pot": pot}).encode()


class Posting(Recorder):
    """A recorder whose bodies begin with their path."""

    def post(self, body: bytes, path: str = "") -> Reply:
        where, _, rest = body.partition(b"\n")
        return super().post(rest, where.decode())


def at_once(crowd: list[Recorder], sent: list[tuple[str, bytes]]) -> list[Reply]:
    for recorder in crowd:
        recorder.__class__ = Posting
    return together(crowd, [[path.encode() + b"\n" + body for path, body in sent]])[0]


def test_one_key_sent_at_once_closes_once_and_all_get_its_answer(crowd, table):
    key = uuid.uuid4()
    replies = at_once(crowd, [closing(recorder, table, key) for recorder in crowd])
    assert {reply.status for reply in replies} == {303}
    assert (Closing.objects.count(), Receipt.objects.count()) == (1, 1)
    assert list(verify.differences()) == []


def test_of_several_closings_at_once_one_is_stored_and_the_others_are_refused(crowd, table):
    ways = ["carry", "kitty"] * (AT_ONCE // 2)
    sent = [closing(recorder, table, uuid.uuid4(), pot) for recorder, pot in zip(crowd, ways, strict=True)]
    replies = at_once(crowd, sent)
    assert sorted(reply.status for reply in replies) == [303] + [409] * (AT_ONCE - 1)
    assert Closing.objects.count() == 1
    assert list(verify.differences()) == []


def test_a_hand_at_the_same_moment_is_stored_before_the_closing_or_refused(crowd, table):
    path = f"/c/{table.evening.club.slug}/t/{table.pk}/"
    sent = [
        closing(recorder, table, uuid.uuid4()) if nth % 2 else (path, recorder.form(2, uuid.uuid4()))
        for nth, recorder in enumerate(crowd)
    ]
    replies = at_once(crowd, sent)
    assert all(reply.status in (303, 409) for reply in replies)
    assert Evening.objects.get().state == "closed"
    hands = Table.objects.get().hands
    assert len(Receipt.objects.get().content["tables"][0]["hands"]) == hands
    stored = [reply for nth, reply in enumerate(replies) if nth % 2 == 0 and reply.status == 303]
    assert len(stored) == hands - 1
    assert list(verify.differences()) == []


def test_two_evenings_closed_at_once_get_two_receipts_of_one_chain(crowd, table):
    other = create_table(season=table.evening.season, club=table.evening.club, seats=4)
    enter(other, FAILED)
    pair = crowd[:2]
    sent = [closing(recorder, target, uuid.uuid4()) for recorder, target in zip(pair, (table, other), strict=True)]
    replies = at_once(pair, sent)
    assert [reply.status for reply in replies] == [303, 303]
    assert sorted(Receipt.objects.values_list("number", flat=True)) == [1, 2]
    assert list(verify.differences()) == []
