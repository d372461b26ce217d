"""The career as a chart: a bar for each evening, a line for the mean of the last ten, and the seasons below.

Coordinates are in the units of the viewBox, y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..standings.nights import Night

MOST_SEASONS = 4
"""The most seasons that fit side by side on a phone; the table has all."""
MEAN_OF = 10
STEP, HEIGHT, TOP, BOTTOM = 10, 132, 18.0, 4.0
"""A page shows the chart with this height in pixels, so that labels can be placed by its y."""


@dataclass(frozen=True)
class CareerBar:
    """One evening, above or below the zero line."""

    x: float
    y: float
    height: float
    css: str


@dataclass(frozen=True)
class Label:
    """A label on a chart: `x` in hundredths of its width, with a decimal; `value` in tenths of a point for a mean."""

    x: str
    y: float
    value: int


@dataclass(frozen=True)
class Era:
    """A season below the bars. `share` is its part of the width, in hundredths with a decimal."""

    season_id: int
    evenings: int
    share: str


@dataclass(frozen=True)
class CareerRow:
    """A row of the table behind the chart: an evening, its worth, and the mean of the last ten in tenths."""

    night: Night
    value: int
    mean_tenths: int


@dataclass(frozen=True)
class CareerChart:
    """Bars, line and seasons, and the same as rows, the newest evening first."""

    width: int
    height: int
    zero_y: float
    bars: Sequence[CareerBar]
    path: str
    eras: Sequence[Era]
    best: int
    best_label: Label
    mean_label: Label
    with_imported: bool
    evenings: int
    rows: Sequence[CareerRow]


def career_chart(nights: Sequence[Night], values: Sequence[int]) -> CareerChart | None:
    """Return the chart of the nights that a player was present, in order, of the newest seasons; `values` are their
    worths. None with fewer than two nights."""
    newest: list[int] = []
    for night in reversed(nights):
        if night.season_id not in newest:
            newest.append(night.season_id)
    kept = newest[:MOST_SEASONS]
    pairs = [(night, value) for night, value in zip(nights, values, strict=True) if night.season_id in kept]
    if len(pairs) < 2:
        return None
    worth = [value for _night, value in pairs]
    low, high = min(0, *worth), max(0, *worth)
    unit = (HEIGHT - TOP - BOTTOM) / max(1, high - low)
    zero = round(TOP + high * unit, 1)
    means = [_mean(worth[max(0, n + 1 - MEAN_OF) : n + 1]) for n in range(len(worth))]
    dots = [f"{n * STEP + STEP / 2:.0f} {zero - mean * unit:.1f}" for n, mean in enumerate(means)]
    marked = [night.is_imported for night, _value in pairs]
    return CareerChart(
        width=STEP * len(pairs),
        height=HEIGHT,
        zero_y=zero,
        bars=[
            _bar(n, value, zero, unit, imported=is_imported)
            for n, (value, is_imported) in enumerate(zip(worth, marked, strict=True))
        ],
        path="M" + "L".join(dots),
        eras=_eras([night.season_id for night, _value in pairs]),
        best=max(worth),
        best_label=_label(worth.index(max(worth)), len(worth), zero - max(0, *worth) * unit - 5, max(worth)),
        mean_label=Label("100", round(zero - means[-1] * unit - 7, 1), round(10 * means[-1])),
        with_imported=any(marked),
        evenings=len(pairs),
        rows=[CareerRow(night, value, round(10 * mean)) for (night, value), mean in zip(pairs, means, strict=True)][
            ::-1
        ],
    )


def _label(nth: int, of: int, y: float, value: int) -> Label:
    """Return the label above a bar, far enough from both edges."""
    return Label(f"{min(96.0, max(4.0, 100 * (nth + 0.5) / of)):.1f}", round(y, 1), value)


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


def _bar(nth: int, value: int, zero: float, unit: float, *, imported: bool) -> CareerBar:
    long = round(max(abs(value) * unit, 1), 1)
    css = ("loss-bar" if value < 0 else "night-bar") + (" from-file" if imported else "")
    return CareerBar(nth * STEP + 2, round(zero - long, 1) if value >= 0 else zero, long, css)


def _eras(seasons: Sequence[int]) -> list[Era]:
    order = list(dict.fromkeys(seasons))
    return [
        Era(season, seasons.count(season), f"{1000 * seasons.count(season) // len(seasons) / 10:.1f}")
        for season in order
    ]
