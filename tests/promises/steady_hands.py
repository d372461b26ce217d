"""Hands that are recorded at a steady rate, as by phones that send a hand again with its key while nobody answers."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from .test_one_key_over_the_api import Program

AGAIN_SECONDS = 0.2
PATIENCE_SECONDS = 60.0


@dataclass
class Hands:
    """What became of the hands: how many were stored, how often one was sent again because nobody answered, the longest
    time until an answer, and every answer that was no 201."""

    rate: float
    stored: int = 0
    again: int = 0
    longest: float = 0.0
    failed: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def record(self, program: Program, every: float) -> None:
        """Record hands at one table, one every so many seconds, until the end or the first failure."""
        began = time.monotonic()
        for number in itertools.count(1):
            if self.over.wait(max(0.0, began + (number - 1) * every - time.monotonic())):
                return
            if not self._enter(program, number):
                self.over.set()
                return

    def _enter(self, program: Program, number: int) -> bool:
        key, began = uuid.uuid4(), time.monotonic()
        while time.monotonic() - began < PATIENCE_SECONDS:
            try:
                reply = program.post((program.hand(number), key))
            except (OSError, http.client.HTTPException):
                program.hang_up()
                with self.lock:
                    self.again += 1
                self.over.wait(AGAIN_SECONDS)
                continue
            with self.lock:
                self.longest = max(self.longest, time.monotonic() - began)
                self.stored += reply.status == 201
                if reply.status != 201:
                    self.failed.append(f"{reply.status}: {reply.text[:300]!r}")
            return reply.status == 201
        with self.lock:
            self.failed.append(f"no answer to hand {number}")
        return False


@contextlib.contextmanager
def steady_hands(programs: list[Program], rate: float) -> Iterator[Hands]:
    """Let the programs together record so many hands a second until the block ends."""
    hands = Hands(rate)
    with ThreadPoolExecutor(len(programs)) as pool:
        recording = [pool.submit(hands.record, one, len(programs) / rate) for one in programs]
        try:
            yield hands
        finally:
            hands.over.set()
        for one in recording:
            one.result()
