"""The open streams of this process: by topic, with limits, a regular beat and an end."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

BEAT_SECONDS = 20
"""A stream that is silent for longer is cut: by a proxy, or by the phone (static/js/stream.js)."""
LIFE_BEATS = (240, 300)
"""A stream ends after so many beats, about 90 minutes: the phone opens another one, and its rights are checked."""
ENDS_KEPT = 1000
BEAT = b"event: beat\ndata: 1\n\n"

Send = Callable[[Mapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Limits:
    """The streams of a process, of a person and of an address."""

    all: int
    person: int
    address: int


class Stream:
    """An open stream. `topics` are those of its page and of its reader's rights, `owners` the person and address for
    which it is counted."""

    __slots__ = ("ended", "left", "next", "owners", "sending", "slot", "topics", "write")

    def __init__(self, write: Send, topics: frozenset[str], owners: tuple[str, ...]) -> None:
        self.write, self.topics, self.owners = write, topics, owners
        self.left = LIFE_BEATS[0] + secrets.randbelow(LIFE_BEATS[1] - LIFE_BEATS[0])
        self.slot = 0
        self.ended = False
        self.next = b""
        self.sending: asyncio.Task[None] | None = None

    def push(self, piece: bytes, *, last: bool = False) -> None:
        """Send a piece, without waiting for the phone. A phone that has not taken the piece before gets the newest one
        after it: of several news one is enough, and news are more than a beat."""
        if self.ended:
            return
        self.ended = last
        if piece != BEAT or not self.next:
            self.next = piece
        if self.sending is None:
            self.sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        try:
            while self.next:
                piece, self.next = self.next, b""
                await self.write({"type": "http.response.body", "body": piece, "more_body": True})
            if self.ended:
                await self.write({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            self.ended = True
        finally:
            self.sending = None


class Hub:
    """All streams of this process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open = self.sent = self.refused = 0
        self.follows = False
        """True while the messages of the service arrive."""
        self.closing = False
        self.mark = 0
        self._by_topic: dict[str, set[Stream]] = {}
        self._slots: list[set[Stream]] = [set() for _second in range(BEAT_SECONDS)]
        self._owned: Counter[str] = Counter()
        self._ends: deque[tuple[int, frozenset[str]]] = deque(maxlen=ENDS_KEPT)

    def has_room(self, owners: Iterable[str] = ()) -> bool:
        """Return True if these owners may open another stream, and streams have news at all."""
        most = {"user": self.limits.person, "address": self.limits.address}
        full = any(self._owned[owner] >= most[owner.partition(":")[0]] for owner in owners)
        return self.follows and not self.closing and self.open < self.limits.all and not full

    def was_ended(self, topics: frozenset[str], since: int) -> bool:
        """Return True if streams of these topics were ended since the mark: what was checked then may be outdated."""
        first = self._ends[0][0] if self._ends else self.mark
        return first > since + 1 or any(mark > since and topics & ended for mark, ended in self._ends)

    def add(self, stream: Stream) -> None:
        self.open += 1
        self._owned.update(stream.owners)
        stream.slot = self.open % BEAT_SECONDS
        self._slots[stream.slot].add(stream)
        for topic in stream.topics:
            self._by_topic.setdefault(topic, set()).add(stream)

    def remove(self, stream: Stream) -> None:
        self.open -= 1
        self._owned.subtract(stream.owners)
        for owner in stream.owners:
            if self._owned[owner] <= 0:
                del self._owned[owner]
        self._slots[stream.slot].discard(stream)
        for topic in stream.topics:
            members = self._by_topic[topic]
            members.discard(stream)
            if not members:
                del self._by_topic[topic]

    def news(self, topics: Iterable[str], number: int) -> None:
        """Tell the streams of these topics that there is something new."""
        piece = b"event: news\ndata: %d\n\n" % number
        for stream in self._of(topics):
            stream.push(piece)
            self.sent += 1

    def end(self, topics: Iterable[str]) -> None:
        """End the streams of these topics."""
        ended = frozenset(topics)
        self.mark += 1
        self._ends.append((self.mark, ended))
        for stream in self._of(ended):
            stream.push(b"", last=True)

    def end_all(self) -> None:
        """End all streams; none that is being checked begins."""
        self.mark += ENDS_KEPT + 1
        self._ends.clear()
        for members in self._slots:
            for stream in members:
                stream.push(b"", last=True)

    async def beat(self) -> None:
        """Send each stream a beat in each `BEAT_SECONDS`, a part of them each second."""
        due = time.monotonic()
        while True:
            for members in self._slots:
                due += 1
                await asyncio.sleep(due - time.monotonic())
                for stream in members:
                    stream.left -= 1
                    stream.push(BEAT, last=stream.left <= 0)

    def _of(self, topics: Iterable[str]) -> set[Stream]:
        return set().union(*(self._by_topic.get(topic, ()) for topic in topics))
