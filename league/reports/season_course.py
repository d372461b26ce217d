"""The course of a season in its report: the chart of the leading players, and the table behind it."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..access import ClubAccess
from ..imported_mark import imported_note
from ..models import Season
from ..money import exact_points, unit
from ..standings import charts
from ..standings.live_part import charted
from ..standings.selectors import CourseLine, EveningDay, season_course
from ..standings.standing_lines import StandingLine
from ..web.report_table import Column, Kind, Row, Table, Value, without_empty
from .report import ReportChart

SIZES = {"narrow": (330, 250), "middle": (560, 270), "wide": (860, 300)}
"""Width and height of the chart in units of its viewBox. The letters have a fixed number of units, so each drawing is
for a card of about so many pixels (`report-chart` in `reading.css`)."""


def course_of_season(
    access: ClubAccess, season: Season, lines: Sequence[StandingLine]
) -> tuple[ReportChart | None, list[Table]]:
    """Return the chart, and its table as a list of one; None and an empty list before the second evening. The chart
    shows points; in a season by balance the balances if the reader sees all of them, else the ranks. One query."""
    course = season_course(season, [line.player_id for line in lines])
    if course.held < 2:
        return None, []
    by, title, short, _long = charted(access, season)
    sign = -1 if by == "rank" else 1
    own = [place for place, line in enumerate(course.lines) if line.player_id in access.player_ids]
    drawn = charts.drawn_places(len(course.lines), own)
    shown = [course.lines[place] for place in drawn]
    numbers = [evening.number for evening in course.evenings]
    lines_shown = [
        (
            access.names.show(line.player_id, line.nickname),
            [None if value is None else sign * value for value in line.values(by)],
        )
        for line in shown
    ]
    drawn_own = [drawn.index(place) for place in own]
    by_size = {
        name: charts.course_chart(
            numbers, lines_shown, short, from_zero=by != "rank", own=drawn_own, width=width, height=height
        )
        for name, (width, height) in SIZES.items()
    }
    courses = {name: chart for name, chart in by_size.items() if chart is not None}
    if not courses:
        return None, []
    named = title if by != "points" else _("Points after each evening")
    table = _table(access, season, course.evenings, shown, by, named)
    return ReportChart(named, unit(access.club.currency) if by == "balance" else "", courses, table.name), [table]


def _table(
    access: ClubAccess,
    season: Season,
    evenings: Sequence[EveningDay],
    lines: Sequence[CourseLine],
    by: str,
    title: str,
) -> Table:
    kind = {"points": Kind.POINTS, "balance": Kind.AMOUNT}.get(by, Kind.COUNT)
    columns = [
        Column("held_on", gettext_lazy("Date"), Kind.DATE),
        Column("evening", gettext_lazy("Evening"), Kind.COUNT),
        *(Column(f"player_{line.player_id}", access.names.show(line.player_id, line.nickname), kind) for line in lines),
        Column("imported", gettext_lazy("Imported")),
    ]
    after = {line.player_id: line.values(by) for line in lines}
    rows: list[Row] = []
    for place, evening in enumerate(evenings):
        row: dict[str, Value] = {"held_on": evening.held_on, "evening": evening.number}
        for player, values in after.items():
            value = values[place]
            points = by == "points" and value is not None
            row[f"player_{player}"] = exact_points(value or 0, season.points_scale) if points else value
        row["imported"] = imported_note(evening) or None
        rows.append(row)
    where = {"club": access.club.slug}
    return Table(
        "course",
        title,
        without_empty(columns, rows, "imported"),
        rows,
        links=[reverse("evening", kwargs={**where, "evening": evening.evening_id}) for evening in evenings],
    )
