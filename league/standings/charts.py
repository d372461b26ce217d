"""Compute the coordinates of charts: lines, bars, ticks and labels. Templates draw them as SVG.

Coordinates are in the units of the viewBox, y downwards, rounded to a tenth. `show` formats a value (points, or Rappen
as francs).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ..money import format_count, format_money, shows_chips

WIDTH = 330
MOST_LINES = 7
"""The number of leading players that a chart draws."""
LINE_HEIGHT = 15.0
"""The distance between labels: one line of text."""
LETTER = 7.3
"""The approximate width of a letter."""
LETTERS = 21
"""The most letters of a name beside its line, so that the lines have two fifths of the width; title and table have the
whole name."""
WIDE_LETTERS = {"W": 1.8, "M": 1.5}
"""Letters that are much wider, in widths of a letter."""
DIGIT = 9.4
"""The width of a bold digit of a bar's value on a phone."""
WIDEST = 40.0
"""The most room for a bar."""
ONE_ROW, ROW = 150, 128
"""The height of a player's evenings as bars: of a single row, and of one of several."""
TOP, BOTTOM = 12.0, 24.0

Format = Callable[[int], str]


@dataclass(frozen=True)
class Tick:
    """A grid line at the y, or an evening at the x, of `at`, with its text."""

    at: float
    text: str


@dataclass(frozen=True)
class ChartLine:
    """The line of one player. At `label_y` its name does not touch another one."""

    name: str
    short: str
    value: str
    css: str
    path: str
    end_x: float
    end_y: float
    label_y: float


@dataclass(frozen=True)
class CourseChart:
    """The course of a season or an evening: one line a player, with the name at its end."""

    width: int
    height: int
    left: float
    right: float
    ticks: list[Tick]
    evenings: list[Tick]
    lines: list[ChartLine]
    mark: tuple[float, float] | None = None
    """The x and y of a marked point."""
    chance: str = ""
    """The path of the band of chance behind the lines."""

    @property
    def tick_x(self) -> float:
        """The right end of the grid's numbers."""
        return round(self.left - 6, 1)

    @property
    def leader_x(self) -> float:
        """The end of the thin line between a player's line and name."""
        return round(self.right + 9, 1)

    @property
    def label_x(self) -> float:
        """The left end of the names."""
        return round(self.right + 12, 1)

    @property
    def lines_behind_first(self) -> list[ChartLine]:
        """The lines in the order of drawing: those with a colour last, above the others."""
        return [line for plain in (True, False) for line in self.lines[::-1] if (line.css == "line-more") is plain]


@dataclass(frozen=True)
class Bar:
    """One evening of a player, above or below the zero line."""

    x: float
    y: float
    width: float
    height: float
    css: str
    title: str
    text_x: float
    text_y: float
    text: str


@dataclass(frozen=True)
class EveningChart:
    """A player's evenings as bars, each with its value and its number; one row of several in a long season. `first` and
    `last` are the numbers at its ends."""

    first: int
    last: int
    width: int
    height: int
    left: float
    right: float
    zero_y: float
    evenings: list[Tick]
    bars: list[Bar]


def show_money(value: int) -> str:
    """Format Rappen as francs, without decimals if the amount is whole; chips as they are."""
    return format_money(value) if value % 100 or shows_chips() else format_count(value // 100)


def show_points(value: int) -> str:
    """Format points."""
    return format_count(value)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Place labels near the `wanted` positions: in the same order, at least `gap` apart, within low…high.

    The result is the nearest one (least squares, pooled). If there is no room for all, the gap shrinks.
    """
    if not wanted:
        return []
    if len(wanted) > 1:
        gap = min(gap, (high - low) / (len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    # Without i·gap, 'at least a gap apart' becomes 'not decreasing': decreasing neighbours are pooled at their mean.
    pools: list[tuple[float, int]] = []
    for place, index in enumerate(order):
        total, size = wanted[index] - place * gap, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            before, many = pools.pop()
            total, size = total + before, size + many
        pools.append((total, size))
    levels = [total / size for total, size in pools for _ in range(size)]
    top = high - (len(wanted) - 1) * gap
    placed = [0.0] * len(wanted)
    for place, index in enumerate(order):
        placed[index] = round(min(max(levels[place], low), top) + place * gap, 1)
    return placed


def nice_ticks(low: int, high: int, most: int = 4) -> list[int]:
    """Return at most `most` round values within low…high, evenly apart (1, 2 or 5 times a power of ten)."""
    if low >= high:
        return [low]
    size = 1
    while True:
        for factor in (1, 2, 5):
            step = factor * size
            first, last = -(-low // step), high // step
            if last - first < most:
                return [step * n for n in range(first, last + 1)]
        size *= 10


def shorten(name: str, letters: int) -> str:
    """Cut a name with an ellipsis if it is wider than `letters`."""
    if _room(name) <= letters:
        return name
    kept = name[: letters - 1]
    while _room(kept) > letters - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def _room(name: str) -> float:
    """Return the width of a name in letters."""
    return sum(WIDE_LETTERS.get(letter, 1) for letter in name)


def shorten_all(names: Sequence[str], letters: int) -> list[str]:
    """Cut all names; those that would be equal keep their end instead of their middle."""
    cut = [shorten(name, letters) for name in names]
    tail = letters // 2
    return [
        short if cut.count(short) == 1 or short == name else f"{name[: letters - tail - 1]}…{name[-tail:]}"
        for name, short in zip(names, cut, strict=True)
    ]


def _evening_ticks(numbers: Sequence[int], xs: Sequence[float]) -> list[Tick]:
    """Choose the first, the last and a few between: at most six, none of which touches the last."""
    count = len(numbers)
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 1000) if count <= 6 * s)
    shown = [i for i in range(count) if i == 0 or numbers[i] % step == 0]
    last = count - 1
    between = [i for i in shown if numbers[i] - numbers[0] >= step and numbers[last] - numbers[i] >= step]
    kept = [0]
    for i in between:
        # A backdated evening has a high number between low ones: two labels could touch.
        if xs[i] - xs[kept[-1]] >= 22 and xs[last] - xs[i] >= 22:
            kept.append(i)
    return [Tick(xs[i], str(numbers[i])) for i in sorted({*kept, last})]


def drawn_places(count: int, also: Sequence[int], top: int = MOST_LINES) -> list[int]:
    """Return the places of the lines that a chart draws, in order: the first ones, and those of `also`. If there are
    only two more, all are drawn."""
    return sorted({*range(count if count <= top + 2 else top), *(place for place in also if place < count)})


def course_chart(
    evenings: Sequence[int],
    lines: Sequence[tuple[str, Sequence[int | None]]],
    show: Format,
    *,
    from_zero: bool = True,
    coloured: Sequence[int] = (0, 1, 2),
    own: Sequence[int] = (),
    mark: tuple[int, int] | None = None,
    chance: Sequence[tuple[int, int]] = (),
    width: int = WIDTH,
    height: int = 250,
) -> CourseChart | None:
    """Compute the chart of a season, or of an evening with hands for its evenings; None if there is nothing to draw.

    `evenings` are their numbers; each line is a name and its value after each evening, None before the player's first.
    With `from_zero` a line begins at 0 on the evening before that one, and 0 is always visible. `coloured` are the
    places of the lines with a colour of their own, `own` those of the reader or chosen by the reader, `mark` is the
    place of a line and the evening to mark on it. `chance` are the bounds of chance after the first evenings: what is
    beyond the values of the lines is cut off.
    """
    known_lines = [(name, values) for name, values in lines if any(v is not None for v in values)]
    if not evenings or not known_lines:
        return None
    colours = {lines[place][0]: nth for nth, place in enumerate(coloured[:3], start=1) if place < len(lines)}
    own_names = {lines[place][0] for place in own if place < len(lines)}
    marked = mark and (lines[mark[0]][0], mark[1])
    lines = known_lines
    known = [v for _name, values in lines for v in values if v is not None] + ([0] if from_zero else [])
    low, high = min(known), max(known)
    ticks = nice_ticks(low, high)
    letters = min(LETTERS, max(math.ceil(_room(name)) for name, _values in lines))
    left = round(10 + LETTER * max(len(show(t)) for t in ticks), 1)
    right = round(width - LETTER * letters - 14, 1)
    bottom = height - BOTTOM

    def y_of(value: int) -> float:
        return round(bottom - (value - low) * (bottom - TOP) / max(1, high - low), 1)

    parts = len(evenings) if from_zero else max(1, len(evenings) - 1)
    xs = [round(right - (len(evenings) - 1 - i) * (right - left) / parts, 1) for i in range(len(evenings))]
    ends = [next(v for v in reversed(values) if v is not None) for _name, values in lines]
    label_ys = spread([y_of(v) for v in ends], LINE_HEIGHT, TOP - 4, bottom + 4)
    shorts = shorten_all([name for name, _values in lines], letters)
    drawn = []
    for place, (name, values) in enumerate(lines):
        dots = _dots(values, xs, left, y_of, from_zero=from_zero)
        drawn.append(
            ChartLine(
                name=name,
                short=shorts[place],
                value=show(ends[place]),
                css=f"line-{colours[name]}" if name in colours else "line-own" if name in own_names else "line-more",
                path="M" + "L".join(f"{x} {y}" for x, y in dots),
                end_x=dots[-1][0],
                end_y=dots[-1][1],
                label_y=label_ys[place],
            )
        )
    return CourseChart(
        width=width,
        height=height,
        left=left,
        right=right,
        ticks=[Tick(y_of(t), show(t)) for t in ticks],
        evenings=_evening_ticks(evenings, xs),
        lines=drawn,
        mark=_point(dict(lines), evenings, *marked, xs=xs, y_of=y_of) if marked else None,
        chance=_band([(max(low, under), min(high, over)) for under, over in chance], [left, *xs], y_of),
    )


def _band(bounds: Sequence[tuple[int, int]], xs: Sequence[float], y_of: Callable[[int], float]) -> str:
    """Return the path around the bounds, which begins at 0 on the evening before the first."""
    if not bounds:
        return ""
    bounds = [(0, 0), *bounds]
    upper = [f"{x} {y_of(over)}" for x, (_under, over) in zip(xs, bounds, strict=False)]
    lower = [f"{x} {y_of(under)}" for x, (under, _over) in zip(xs, bounds, strict=False)]
    return "M" + "L".join([*upper, *reversed(lower)]) + "Z"


def _dots(
    values: Sequence[int | None], xs: Sequence[float], left: float, y_of: Callable[[int], float], *, from_zero: bool
) -> list[tuple[float, float]]:
    """Return the dots of a line, with a first one at 0 if it begins there."""
    dots = [(xs[i], y_of(v)) for i, v in enumerate(values) if v is not None]
    if from_zero:
        first = next(i for i, v in enumerate(values) if v is not None)
        dots.insert(0, (xs[first - 1] if first else left, y_of(0)))
    return dots


def _point(
    lines: Mapping[str, Sequence[int | None]],
    evenings: Sequence[int],
    name: str,
    evening: int,
    *,
    xs: Sequence[float],
    y_of: Callable[[int], float],
) -> tuple[float, float] | None:
    """Return the dot of a line at an evening, or None if the line has no value there."""
    if evening not in evenings:
        return None
    values, index = lines.get(name, ()), list(evenings).index(evening)
    value = values[index] if index < len(values) else None
    return None if value is None else (xs[index], y_of(value))


def evening_charts(
    evenings: Sequence[int],
    values: Sequence[int | None],
    show: Format,
    *,
    dropped: Collection[int] = (),
    width: int = 360,
) -> list[EveningChart]:
    """Compute the bars of a player's evenings (value None: absent) in rows of one scale, so many that no value touches
    another. Returns nothing if no evening has a value other than 0. `dropped` are the places of evenings that do not
    count."""
    known = [v for v in values if v is not None]
    if not any(known):
        return []
    label = max(DIGIT * max(len(show(v)) for v in known), DIGIT * max(len(str(n)) for n in evenings)) + 5
    rows = -(-len(evenings) // max(1, int((width - 8) // label)))
    a_row = -(-len(evenings) // rows)
    step = min(max(WIDEST, label), (width - 8) / a_row)
    scale = _Scale.of(known, ROW if rows > 1 else ONE_ROW, width)
    places = range(len(evenings))
    return [
        _evening_row(evenings, values, show, places[first : first + a_row], step, scale, dropped)
        for first in range(0, len(evenings), a_row)
    ]


@dataclass(frozen=True)
class _Scale:
    """The height of a row, its zero line and the height of one unit."""

    width: int
    height: int
    zero: float
    unit: float

    @classmethod
    def of(cls, known: Sequence[int], height: int, width: int) -> _Scale:
        """Return the scale that leaves room for the values above the highest and below the lowest bar."""
        low, high = min(0, *known), max(0, *known)
        top, bottom = 20.0, height - BOTTOM - (16.0 if low < 0 else 0.0)
        unit = (bottom - top) / max(1, high - low)
        return cls(width, height, round(top + high * unit, 1), unit)


def _evening_row(
    evenings: Sequence[int],
    values: Sequence[int | None],
    show: Format,
    places: Sequence[int],
    step: float,
    scale: _Scale,
    dropped: Collection[int],
) -> EveningChart:
    """Return the row with the evenings at these places."""
    middles = {place: round(4 + (nth + 0.5) * step, 1) for nth, place in enumerate(places)}
    drawn = [(place, value) for place in places if (value := values[place]) is not None]
    return EveningChart(
        first=evenings[places[0]],
        last=evenings[places[-1]],
        width=scale.width,
        height=scale.height,
        left=4,
        right=round(4 + step * len(places), 1),
        zero_y=scale.zero,
        evenings=[Tick(middles[place], str(evenings[place])) for place in places],
        bars=[_evening_bar(value, show, middles[place], step, scale, place in dropped) for place, value in drawn],
    )


def _evening_bar(value: int, show: Format, middle: float, step: float, scale: _Scale, struck: bool) -> Bar:
    long = round(max(abs(value) * scale.unit, 1.5), 1)
    css = "bar-gain" if value > 0 else "bar-loss" if value < 0 else "bar-none"
    return Bar(
        x=round(middle - step * 0.35, 1),
        y=round(scale.zero - long, 1) if value >= 0 else scale.zero,
        width=round(step * 0.7, 1),
        height=long,
        css=css + (" dropped" if struck else ""),
        title=("+" if value > 0 else "") + show(value),
        text_x=middle,
        text_y=round(scale.zero - long - 6, 1) if value >= 0 else round(scale.zero + long + 14, 1),
        text=show(value),
    )


def show_rank(value: int) -> str:
    """Format a rank. Charts use its negative, so that the first rank is on top."""
    return f"{-value}."
