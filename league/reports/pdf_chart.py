"""A chart in a PDF, drawn from the coordinates of its SVG: vector lines, each with its name at its end.

Each of the coloured lines also has a width or a dash of its own, so that they differ on a printer without colours.
"""

from __future__ import annotations

from ..standings.charts import ChartLine, CourseChart
from ..web.pdf import Paper

COLOURS = {"line-1": (31, 107, 82), "line-2": (138, 94, 0), "line-3": (179, 54, 44), "line-own": (29, 26, 22)}
"""Those of the pages in light mode."""
MORE = (106, 98, 87)
DASHES = {"line-2": (2.4, 1.0), "line-3": (0.9, 0.8)}
GRID = 222
SMALL, NAMES = 7.5, 8.5
ON_PAPER = "middle"
"""The width of the chart whose distances suit these letters."""


def draw_course(paper: Paper, chart: CourseChart, x: float, y: float, width: float) -> float:
    """Draw a chart with its corner at `x`, `y`, and return its height; all in millimetres."""
    scale = width / chart.width

    def at(left: float, top: float) -> tuple[float, float]:
        return x + left * scale, y + top * scale

    paper.set_text_color(80)
    for tick in chart.ticks:
        begin, height = at(chart.left, tick.at)
        paper.rule(begin, height, at(chart.right, 0)[0], height, weight=0.15, grey=GRID)
        paper.put(x, height, chart.tick_x * scale, tick.text, SMALL, align="R")
    for mark in chart.evenings:
        middle, foot = at(mark.at, chart.height - 8)
        paper.put(middle - 6, foot, 12, mark.text, SMALL, align="C")
    for line in chart.lines_behind_first:
        _draw_line(paper, chart, line, x, y, scale)
    paper.set_text_color(0)
    return chart.height * scale


def _draw_line(paper: Paper, chart: CourseChart, line: ChartLine, x: float, y: float, scale: float) -> None:
    colour = COLOURS.get(line.css, MORE)
    named = line.css in COLOURS
    paper.set_draw_color(*colour)
    paper.set_fill_color(*colour)
    paper.set_line_width(0.7 if named else 0.3)
    dash, gap = DASHES.get(line.css, (0.0, 0.0))
    if dash:
        paper.set_dash_pattern(dash=dash, gap=gap)
    points = [(x + left * scale, y + top * scale) for left, top in dots_of(line.path)]
    if len(points) > 1:
        paper.polyline(points)
    paper.set_dash_pattern()
    end_x, end_y = x + line.end_x * scale, y + line.end_y * scale
    paper.ellipse(end_x - 0.8, end_y - 0.8, 1.6, 1.6, "F")
    label_y = y + line.label_y * scale
    paper.set_line_width(0.15)
    paper.line(end_x, end_y, x + chart.leader_x * scale, label_y)
    paper.set_text_color(*colour)
    left = x + chart.label_x * scale
    paper.put(left, label_y, x + chart.width * scale - left, line.short, NAMES, bold=named)


def dots_of(path: str) -> list[tuple[float, float]]:
    """Return the points of a path that has a move and straight lines only, as `CourseChart` writes it."""
    pairs = (dot.split(" ") for dot in path.removeprefix("M").split("L"))
    return [(float(left), float(top)) for left, top in pairs]
