"""Hands that are recorded at a steady rate, as by phones that send a hand again with its key while nobody answers."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from .test_one_key_over_the_api import Program, Reply

AGAIN_SECONDS = 0.2
PATIENCE_SECONDS = 60.0


@dataclass
class Hands:
    """What became of the hands: those that were answered with 201, how often one was sent again, how often after an
    answer in `waits`, the times until the answers, and every other answer, which ends the recording."""

    waits: frozenset[int] = frozenset()
    patience: float = PATIENCE_SECONDS
    acknowledged: set[tuple[int, int]] = field(default_factory=set)
    again: int = 0
    away: int = 0
    seconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def stored(self) -> int:
        return len(self.acknowledged)

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
        while time.monotonic() - began < self.patience:
            reply = self._answer(program, number, key)
            if reply is None or reply.status in self.waits:
                with self.lock:
                    self.again += 1
                    self.away += reply is not None
                self.over.wait(AGAIN_SECONDS)
                continue
            with self.lock:
                self.seconds.append(time.monotonic() - began)
                if reply.status == 201:
                    self.acknowledged.add((program.table_id, number))
                else:
                    self.failed.append(f"{reply.status}: {reply.text[:300]!r}")
            return reply.status == 201
        with self.lock:
            self.failed.append(f"no answer to hand {number}")
        return False

    def _answer(self, program: Program, number: int, key: uuid.UUID) -> Reply | None:
        try:
            return program.post((program.hand(number), key))
        except (OSError, http.client.HTTPException):
            program.hang_up()
            return None


@contextlib.contextmanager
def steady_hands(
    programs: list[Program], rate: float, waits: Iterable[int] = (), patience: float = PATIENCE_SECONDS
) -> Iterator[Hands]:
    """Let the programs together record so many hands a second until the block ends. Each sends a hand again for
    `patience` seconds."""
    hands = Hands(frozenset(waits), patience)
    with ThreadPoolExecutor(len(programs)) as pool:
        recording = [pool.submit(hands.record, program, len(programs) / rate) for program in programs]
        try:
            yield hands
        finally:
            hands.over.set()
        for future in recording:
            future.result()
