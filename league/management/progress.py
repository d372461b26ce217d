"""Progress of a long command: on a terminal one line that counts up, in a log a line for each tenth."""

from __future__ import annotations

import time

from django.core.management.base import OutputWrapper

SECONDS_BETWEEN = 0.1


class Progress:
    """Counts `what` up to `total`: `4800 of 11000 hands`."""

    def __init__(self, out: OutputWrapper, what: str, total: int) -> None:
        self._out, self._what, self._total = out, what, total
        self._done, self._shown_at, self._width = 0, 0.0, 0
        self._on_terminal = out.isatty()

    def add(self, number: int, where: str = "") -> None:
        """Count `number` more, and show the new state with the place `where` the work is."""
        tenths = self._tenths()
        self._done += number
        line = f"{self._done} of {self._total} {self._what}" + (f" ({where})" if where else "")
        if not self._on_terminal:
            if self._tenths() != tenths:
                self._out.write(line)
        elif time.monotonic() - self._shown_at >= SECONDS_BETWEEN or self._done == self._total:
            self._shown_at = time.monotonic()
            self._out.write(f"\r{line:<{self._width}}", ending="")
            self._out.flush()
            self._width = len(line)

    def clear(self) -> None:
        """Remove the counting line from a terminal, so that another line can be printed."""
        if self._on_terminal and self._width:
            self._out.write("\r" + " " * self._width + "\r", ending="")

    def _tenths(self) -> int:
        return self._done * 10 // self._total if self._total else 10
