"""Measure two sides by turns in one run, so that a busy machine slows both."""

import statistics
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

ROUNDS = 7
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
    ratio of the seconds for a unit. ``clock`` is `time.process_time` where CPU seconds are compared."""

    what: str
    unit: str
    ours: Side
    theirs: Side
    must: float | None
    stretch: float | None
    at_most: bool = False
    seconds: float = SECONDS_A_TURN
    clock: Callable[[], float] = time.perf_counter


class Row(NamedTuple):
    """A line of the table: the results of both sides as text, and the measured value with its bounds (medians over the
    rounds). The value is a ratio, or an amount in `unit`. A bound of None does not exist; a value of None was not
    measured, and `ours` is the reason."""

    what: str
    ours: str
    theirs: str
    value: float | None
    must: float | None
    stretch: float | None
    at_most: bool = False
    unit: str = "x"

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        if self._holds(self.stretch):
            return "stretch"
        if self.must is None:
            return "below stretch"
        return "met" if self._holds(self.must) else "MISSED"

    @property
    def failed(self) -> bool:
        return self.verdict in ("MISSED", "not measured")

    def _holds(self, bound: float | None) -> bool:
        if bound is None or self.value is None:
            return False
        return self.value <= bound if self.at_most else self.value >= bound

    def cells(self) -> tuple[str, ...]:
        sign = "≤" if self.at_most else "≥"
        bounds = (
            "-" if bound is None else f"{sign} {_bound(bound)} {self.unit}" for bound in (self.must, self.stretch)
        )
        value = "-" if self.value is None else f"{self.value:.3g} {self.unit}"
        return (self.what, self.ours, self.theirs, value, *bounds, self.verdict)


def not_measured(what: str, reason: object) -> Row:
    """Return a row for a comparison that could not be measured."""
    return Row(what, str(reason), "", None, None, None)


def _bound(bound: float) -> str:
    """Return 0.005 as 1/200, as in the promise."""
    whole = round(1 / bound) if bound else 0
    return f"1/{whole}" if whole >= 10 and abs(bound * whole - 1) < 1e-9 else f"{bound:g}"


def speed(side: Side, seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Run one turn; return units a second."""
    if side.before:
        side.before()
    done = 0
    begun = clock()
    while (spent := clock() - begun) < seconds:
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
    turns = [tuple(speed(side, comparison.seconds, comparison.clock) for side in sides) for _ in range(ROUNDS)]
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
        return f"{milliseconds(1 / units_a_second)} a {comparison.unit}"
    return f"{units_a_second:,.0f} {comparison.unit}/s"


def milliseconds(seconds: float) -> str:
    took = 1000 * seconds
    return f"{took:,.{0 if took >= 100 else 2}f} ms"


def quantile(took: list[float], percent: int) -> float:
    return statistics.quantiles(took, n=100)[percent - 1]


def table(rows: Iterable[Row]) -> str:
    """Return the rows as text, one comparison a line."""
    lines = [("what", "ours", "theirs", "value", "must", "stretch", ""), *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
