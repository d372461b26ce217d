"""The rating of a person with its uncertainty, and its course over the evenings.

Coordinates of the chart are in the units of its viewBox, y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from ..models import Rating
from ..money import format_count
from ..standings.facts.rating_model import BEGINNER, LEAST, Skill

MOST = 60
"""So many evenings are in the chart and in its table, the newest ones."""
STEP, HEIGHT, MARGIN = 10, 110, 4.0


@dataclass(frozen=True)
class RatedEvening:
    """The rating after an evening. `change` is that of this evening, None for the first one shown."""

    evening_id: int
    number: int
    held_on: date
    skill: Skill
    change: int | None

    @property
    def low(self) -> int:
        """The lower bound, in points."""
        return self.skill.low

    @property
    def high(self) -> int:
        """The upper bound, in points."""
        return self.skill.high


@dataclass(frozen=True)
class RatingChart:
    """The course as paths: the band as an area, the rating as a line; `begin_y` is where everybody begins,
    `end_y` where the line ends."""

    width: int
    height: int
    band: str
    line: str
    begin_y: float
    end_y: float


@dataclass(frozen=True)
class PersonRating:
    """The rating of a person. With too few evenings there are only their number and `least`. `rows` are the evenings of
    the chart, the newest first."""

    evenings: int
    known: bool
    rows: Sequence[RatedEvening]
    chart: RatingChart | None
    says: str = ""
    begin: int = BEGINNER.points
    least: int = LEAST

    @property
    def now(self) -> RatedEvening:
        """The rating after the newest evening."""
        return self.rows[0]


def person_rating(player_id: int) -> PersonRating | None:
    """Return the rating of a player over all seasons of the club; None before an evening with somebody else. One
    query."""
    ratings = Rating.objects.filter(player=player_id, evenings__gt=0).order_by("held_on", "evening")
    columns = ("evening_id", "evening__number", "held_on", "mu", "sigma", "evenings")
    course = [(*row[:3], Skill(*row[3:])) for row in ratings.values_list(*columns)]
    if not course:
        return None
    newest: Skill = course[-1][3]
    shown = [row for row in course if row[3].known][-MOST:]
    if not shown:
        return PersonRating(newest.evenings, False, (), None)
    before = [None, *(row[3].points for row in shown)]
    rows = [
        RatedEvening(evening, number, held_on, skill, None if old is None else skill.points - old)
        for (evening, number, held_on, skill), old in zip(shown, before, strict=False)
    ]
    return PersonRating(
        evenings=newest.evenings,
        known=True,
        rows=rows[::-1],
        chart=_chart(rows) if len(rows) > 1 else None,
        says=" ".join((_exactness(rows[-1]), _compared(rows[-1]))),
    )


def _exactness(now: RatedEvening) -> str:
    """Return a sentence about the remaining part of a beginner's uncertainty."""
    if 2 * now.skill.spread > BEGINNER.spread:
        return _("Little is known yet.")
    if 4 * now.skill.spread > BEGINNER.spread:
        return _("This is roughly known.")
    return _("This is well known.")


def _compared(now: RatedEvening) -> str:
    """Return a sentence if the band is above or below the points at the beginning."""
    values = {"begin": format_count(BEGINNER.points)}
    if now.low > BEGINNER.points:
        return _("Surely stronger than somebody who begins (%(begin)s).") % values
    if now.high < BEGINNER.points:
        return _("Surely weaker than somebody who begins (%(begin)s).") % values
    return _("Nobody can say yet whether stronger or weaker than somebody who begins (%(begin)s).") % values


def _chart(rows: Sequence[RatedEvening]) -> RatingChart:
    low, high = min(BEGINNER.points, *(row.low for row in rows)), max(BEGINNER.points, *(row.high for row in rows))
    unit = (HEIGHT - 2 * MARGIN) / max(1, high - low)

    def y(points: int) -> str:
        return f"{HEIGHT - MARGIN - (points - low) * unit:.1f}"

    width = STEP * (len(rows) - 1)
    upper = [f"{n * STEP} {y(row.high)}" for n, row in enumerate(rows)]
    lower = [f"{n * STEP} {y(row.low)}" for n, row in enumerate(rows)]
    return RatingChart(
        width=width,
        height=HEIGHT,
        band="M" + "L".join([*upper, *reversed(lower)]) + "Z",
        line="M" + "L".join(f"{n * STEP} {y(row.skill.points)}" for n, row in enumerate(rows)),
        begin_y=float(y(BEGINNER.points)),
        end_y=float(y(rows[-1].skill.points)),
    )
