"""The curve of a balance with the band of chance behind it. Coordinates are in the units of the viewBox, y downwards.
Does not use Django."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .sums import Luck, NightLuck, half_band

STEP, HEIGHT, MARGIN = 10, 140, 6.0


@dataclass(frozen=True)
class Point:
    """The balance after an evening, what was to be expected by then, and the bounds of chance."""

    night: NightLuck
    actual_minor: int
    expected_minor: int
    low_minor: int
    high_minor: int


@dataclass(frozen=True)
class LuckChart:
    """The paths of band, expected course and balance; `zero_y` is the line of 0, `end_y` where the balance ends."""

    width: int
    height: int
    band: str
    expected: str
    line: str
    zero_y: float
    end_y: float


def course(luck: Luck) -> list[Point]:
    """Return the running sums after each evening."""
    points: list[Point] = []
    actual = expected = 0
    for nth, night in enumerate(luck.nights, start=1):
        actual += night.actual_minor
        expected += night.expected_minor
        half = half_band(luck.nights[:nth])
        points.append(Point(night, actual, expected, expected - half, expected + half))
    return points


def chart_of(points: Sequence[Point]) -> LuckChart | None:
    """Return the chart of at least two evenings. All curves begin at 0."""
    if len(points) < 2:
        return None
    low = min(0, *(min(point.low_minor, point.actual_minor) for point in points))
    high = max(0, *(max(point.high_minor, point.actual_minor) for point in points))
    unit = (HEIGHT - 2 * MARGIN) / max(1, high - low)

    def y(value: int) -> float:
        return round(HEIGHT - MARGIN - (value - low) * unit, 1)

    def dots(values: Sequence[int]) -> list[str]:
        return [f"{place * STEP} {y(value)}" for place, value in enumerate([0, *values])]

    upper, lower = dots([point.high_minor for point in points]), dots([point.low_minor for point in points])
    return LuckChart(
        width=STEP * len(points),
        height=HEIGHT,
        band="M" + "L".join([*upper, *reversed(lower)]) + "Z",
        expected="M" + "L".join(dots([point.expected_minor for point in points])),
        line="M" + "L".join(dots([point.actual_minor for point in points])),
        zero_y=y(0),
        end_y=y(points[-1].actual_minor),
    )
