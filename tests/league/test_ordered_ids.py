"""Ids that are ordered by time."""

import itertools
import uuid

import pytest

from games.models import Hand
from league import ordered_ids
from league.models import Posting
from league.ordered_ids import ordered_id
from tests.factories import MADE, create_table, enter


def at(monkeypatch: pytest.MonkeyPatch, milliseconds: int, random: bytes) -> uuid.UUID:
    monkeypatch.setattr(ordered_ids.time, "time_ns", lambda: milliseconds * 1_000_000 + 999_999)
    monkeypatch.setattr(ordered_ids.os, "urandom", lambda size: random * size)
    return ordered_id()


def test_an_id_is_the_time_and_random_bits(monkeypatch):
    # The time of the example in RFC 9562, A.6.
    lowest, highest = (at(monkeypatch, 0x017F22E279B0, random) for random in (b"\0", b"\xff"))
    assert str(lowest) == "017f22e2-79b0-7000-8000-000000000000"
    assert str(highest) == "017f22e2-79b0-7fff-bfff-ffffffffffff"
    assert (lowest.version, lowest.variant) == (7, uuid.RFC_4122)
    assert at(monkeypatch, 0x017F22E279B1, b"\0") > highest


def test_ids_of_one_moment_differ(monkeypatch):
    monkeypatch.setattr(ordered_ids.time, "time_ns", lambda: 1)
    assert len({ordered_id() for _ in range(1000)}) == 1000


@pytest.mark.django_db
def test_hands_and_postings_are_ordered_by_time(monkeypatch):
    table, seconds = create_table(), itertools.count(1)
    # Ids of one millisecond have no order.
    monkeypatch.setattr(ordered_ids.time, "time_ns", lambda: next(seconds) * 10**9)
    for _ in range(6):
        enter(table, MADE)
    hands = list(Hand.objects.order_by("number").values_list("pk", flat=True))
    postings = list(Posting.objects.order_by("created_at").values_list("pk", flat=True))
    for ids in (hands, postings):
        assert len(ids) == 6
        assert all(earlier < other for earlier, other in itertools.pairwise(ids))
