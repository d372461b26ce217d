"""The distribution of nights: the number of nights by result, as bars with a table behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

MOST_BARS = 12
WIDTH, HEIGHT, TOP, BOTTOM = 360, 170, 20.0, 26.0


@dataclass(frozen=True)
class Bar:
    """The nights from `low` to `high`, both included."""

    low: int
    high: int
    count: int
    x: float
    y: float
    width: float
    height: float
    text_x: float
    css: str


@dataclass(frozen=True)
class Histogram:
    """The bars from the lowest night to the highest one. `zero_x` is where a night of 0 stands."""

    bars: Sequence[Bar]
    width: int = WIDTH
    height: int = HEIGHT
    floor: float = HEIGHT - BOTTOM
    label_y: float = HEIGHT - 8.0


def step_of(low: int, high: int) -> int:
    """Return the width of a class: the smallest of 1, 2, 5, 10, 20 … with which the bars are few enough."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            step = factor * size
            if high // step - low // step < MOST_BARS:
                return step
        size *= 10


def histogram(values: Sequence[int]) -> Histogram | None:
    """Return the distribution of some values; None if there is none."""
    if not values:
        return None
    step = step_of(min(values), max(values))
    count = Counter(value // step for value in values)
    first, last = min(count), max(count)
    wide = WIDTH / (last - first + 1)
    unit = (HEIGHT - TOP - BOTTOM) / max(count.values())
    bars = []
    for place, nth in enumerate(range(first, last + 1)):
        height = round(count[nth] * unit, 1)
        bars.append(
            Bar(
                low=nth * step,
                high=nth * step + step - 1,
                count=count[nth],
                x=round(place * wide + wide * 0.08, 1),
                y=round(HEIGHT - BOTTOM - height, 1),
                width=round(wide * 0.84, 1),
                height=height,
                text_x=round((place + 0.5) * wide, 1),
                css="bar-loss" if nth < 0 else "bar-gain",
            )
        )
    return Histogram(bars)
