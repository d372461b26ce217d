"""The open streams of a process: limits, what ends while rights are checked, phones that take nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from league.stream import hub as hubs
from league.stream.hub import BEAT, Hub, Limits, Stream
from tests.event_loops import in_a_thread

LIMITS = Limits(all=4, person=2, address=3)


async def nowhere(_message: Mapping[str, Any]) -> None:
    pass


@pytest.fixture
def hub() -> Hub:
    made = Hub(LIMITS)
    made.follows = True
    return made


def stream(*owners: str, topics: tuple[str, ...] = ("table:1",)) -> Stream:
    return Stream(nowhere, frozenset(topics), owners)


@pytest.mark.parametrize(
    ("owners", "room"),
    [
        (("address:a", "user:1"), 2),
        (("address:a",), 3),
        ((), 4),
    ],
)
def test_a_person_an_address_and_the_process_have_so_many(hub: Hub, owners: tuple[str, ...], room: int) -> None:
    opened = []
    while hub.has_room(owners):
        opened.append(stream(*owners))
        hub.add(opened[-1])
    assert len(opened) == room
    assert hub.has_room(("address:b", "user:2")) == (room < LIMITS.all)
    hub.remove(opened[0])
    assert hub.has_room(owners)


@pytest.mark.parametrize("state", ["follows", "closing"])
def test_without_messages_or_at_the_end_there_is_no_room(hub: Hub, state: str) -> None:
    setattr(hub, state, not getattr(hub, state))
    assert not hub.has_room()


def test_a_right_that_is_lost_while_it_is_checked_opens_no_stream(hub: Hub) -> None:
    hub.end(["club:1"])
    since = hub.mark
    assert not hub.was_ended(frozenset({"club:1"}), since)
    hub.end(["club:2"])
    assert not hub.was_ended(frozenset({"club:1"}), since)
    hub.end(["club:1"])
    assert hub.was_ended(frozenset({"club:1"}), since)


def test_nothing_that_was_checked_before_all_ended_opens_a_stream(hub: Hub) -> None:
    since = hub.mark
    hub.end_all()
    assert hub.was_ended(frozenset({"club:1"}), since)
    assert not hub.was_ended(frozenset({"club:1"}), hub.mark)


def test_a_check_that_lasts_longer_than_the_memory_opens_no_stream(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    since = hub.mark
    for number in range(hubs.ENDS_KEPT + 1):
        hub.end([f"user:{number}"])
    assert hub.was_ended(frozenset({"club:1"}), since)


@pytest.mark.parametrize(("ends", "then"), [(False, b"news 2"), (True, b"")])
def test_a_phone_that_takes_nothing_gets_the_newest_piece_afterwards(ends: bool, then: bytes) -> None:
    """News are more than a beat, and the end is more than news."""

    async def run() -> list[bytes]:
        taken: list[bytes] = []
        free = asyncio.Event()

        async def slow(message: Mapping[str, Any]) -> None:
            await free.wait()
            taken.append(message["body"])

        phone = Stream(slow, frozenset(), ())
        phone.push(b"first")
        sending = phone.sending
        assert sending is not None
        await asyncio.wait([sending], timeout=0)
        for piece in (BEAT, b"news 1", BEAT, b"news 2", BEAT):
            phone.push(piece)
        if ends:
            phone.push(b"", last=True)
            phone.push(b"after the end")
        free.set()
        await sending
        return taken

    assert in_a_thread(run()) == [b"first", then]
