"""Two sides measured by turns in one run, so that a busy machine slows both."""

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

ROUNDS = 9
SECONDS_A_TURN = 0.12


class Side(NamedTuple):
    """One side of a comparison: ``work`` does ``units`` of what is counted."""

    name: str
    work: Callable[[], object]
    units: int


class Comparison(NamedTuple):
    """How many times as fast ``ours`` has to be as ``theirs``, in units a second."""

    what: str
    unit: str
    ours: Side
    theirs: Side
    must: float
    stretch: float


class Measured(NamedTuple):
    """Medians over the rounds: units a second of both sides, and their ratio."""

    comparison: Comparison
    ours: float
    theirs: float
    ratio: float

    @property
    def verdict(self) -> str:
        if self.ratio >= self.comparison.stretch:
            return "stretch"
        return "met" if self.ratio >= self.comparison.must else "MISSED"


def speed(side: Side) -> float:
    """Units a second over one turn."""
    done = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS_A_TURN:
        side.work()
        done += side.units
    return done / spent


def measure(comparison: Comparison) -> Measured:
    """Both sides by turns; the first turn of each only warms up."""
    sides = (comparison.ours, comparison.theirs)
    for side in sides:
        side.work()
    turns = [tuple(speed(side) for side in sides) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(turn[side] for turn in turns) for side in range(2))
    return Measured(comparison, ours, theirs, statistics.median(turn[0] / turn[1] for turn in turns))


def table(rows: list[Measured]) -> str:
    """The rows as text, one comparison a line."""
    head = ("what", "ours", "theirs", "ratio", "must", "stretch", "")
    lines = [head] + [
        (
            row.comparison.what,
            f"{row.ours:,.0f} {row.comparison.unit}/s ({row.comparison.ours.name})",
            f"{row.theirs:,.0f} {row.comparison.unit}/s ({row.comparison.theirs.name})",
            f"{row.ratio:.1f} x",
            f"{row.comparison.must:g} x",
            f"{row.comparison.stretch:g} x",
            row.verdict,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
