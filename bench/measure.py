"""Measure two sides by turns in one run, so that a busy machine slows both."""

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

ROUNDS = 9
SECONDS_A_TURN = 0.12


class Side(NamedTuple):
    """One side of a comparison: ``work`` does ``units`` units; ``before`` prepares a turn and
    is not timed."""

    name: str
    work: Callable[[], object]
    units: int
    before: Callable[[], object] | None = None


class Comparison(NamedTuple):
    """The required ratio of the speeds of ``ours`` and ``theirs``, in units a second; with ``at_most``, the largest
    ratio of the seconds for a unit."""

    what: str
    unit: str
    ours: Side
    theirs: Side
    must: float
    stretch: float
    at_most: bool = False
    seconds: float = SECONDS_A_TURN


class Row(NamedTuple):
    """A line of the table: the results of both sides as text, and their ratio (medians over the rounds)."""

    what: str
    ours: str
    theirs: str
    ratio: float
    must: float
    stretch: float
    at_most: bool = False

    @property
    def verdict(self) -> str:
        if self._holds(self.stretch):
            return "stretch"
        return "met" if self._holds(self.must) else "MISSED"

    def _holds(self, bound: float) -> bool:
        return self.ratio <= bound if self.at_most else self.ratio >= bound

    def cells(self) -> tuple[str, ...]:
        sign = "≤" if self.at_most else "≥"
        bounds = (f"{sign} {bound:g} x" for bound in (self.must, self.stretch))
        return (self.what, self.ours, self.theirs, f"{self.ratio:.3g} x", *bounds, self.verdict)


def speed(side: Side, seconds: float) -> float:
    """Run one turn; return units a second."""
    if side.before:
        side.before()
    done = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        side.work()
        done += side.units
    return done / spent


def measure(comparison: Comparison) -> Row:
    """Measure both sides by turns; the first turn of each is a warm-up."""
    sides = (comparison.ours, comparison.theirs)
    for side in sides:
        if side.before:
            side.before()
        side.work()
    turns = [tuple(speed(side, comparison.seconds) for side in sides) for _ in range(ROUNDS)]
    ratios = [other / mine if comparison.at_most else mine / other for mine, other in turns]
    ours, theirs = (
        f"{_rate(statistics.median(turn[nth] for turn in turns), comparison)} ({side.name})"
        for nth, side in enumerate(sides)
    )
    ratio = statistics.median(ratios)
    return Row(comparison.what, ours, theirs, ratio, comparison.must, comparison.stretch, comparison.at_most)


def _rate(units_a_second: float, comparison: Comparison) -> str:
    """Return units a second for a lower bound, and milliseconds a unit for an upper bound."""
    if comparison.at_most:
        took = 1000 / units_a_second
        return f"{took:,.{0 if took >= 100 else 2}f} ms a {comparison.unit}"
    return f"{units_a_second:,.0f} {comparison.unit}/s"


def table(rows: list[Row]) -> str:
    """Return the rows as text, one comparison a line."""
    lines = [("what", "ours", "theirs", "ratio", "must", "stretch", ""), *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
