"""The trend of each player: the ranks of the last evenings, the course of the rank, and the gap to the first one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..money import format_place
from .formula.parts import Formula
from .formula.ranking import CountedEvening, NightScore, Race
from .selectors import Course, CourseLine
from .standing_lines import StandingLine

FORM = 5
"""The number of evenings of a form."""
SPARK = 10
"""The number of evenings of a sparkline."""
WIDTH, HEIGHT, MARGIN = 64.0, 22.0, 4.0


@dataclass(frozen=True)
class Spark:
    """The course of a rank as a small line, the first rank on top. `said` is the same in words."""

    path: str
    end_x: float
    end_y: float
    said: str
    width: float = WIDTH
    height: float = HEIGHT


@dataclass(frozen=True)
class Form:
    """The ranks of the last evenings, None for one that the player missed. `said` is the same in words."""

    ranks: Sequence[int | None]
    said: str


@dataclass(frozen=True)
class Trend:
    """A player's form, course of rank, and gap."""

    form: Form
    spark: Spark | None


def trends(measure: Race, course: Course, *, minimums: bool = True) -> dict[int, Trend]:
    """Return the changes, by player. `measure` measures the evenings. With `minimums` nobody has a rank before
    reaching the least numbers of the formula. No query."""
    nights = _ranks_of_nights(measure, course)
    most = max((row.rank_after for line in course.lines for row in line.rows if row), default=1)
    formula = measure.formula if minimums else Formula()
    return {line.player_id: Trend(_form(line, nights), _spark(line, most, formula)) for line in course.lines}


def counting(measure: Race, course: Course) -> dict[int, int]:
    """Return the number of evenings of each player that count, of those played; empty where all of them count.
    `measure` has played no evening yet. No query."""
    if not measure.formula.leaves_out:
        return {}
    for place, evening in enumerate(course.evenings):
        scores = _scores_of(course, place)
        measure.play(CountedEvening(evening.evening_id, evening.held_on, scores), last=False)
    return measure.counting()


def _scores_of(course: Course, place: int) -> dict[int, NightScore]:
    """Return the scores of an evening of the course."""
    return {
        row.player_id: NightScore(row.hands, row.points, row.change_minor)
        for line in course.lines
        if (row := line.rows[place])
    }


def _ranks_of_nights(measure: Race, course: Course) -> list[dict[int, int]]:
    """Return the ranks of the last evenings that count, each of the players for whom it counts."""
    ranks = []
    for place in reversed(range(len(course.evenings))):
        scores = _scores_of(course, place)
        counted = {
            player: measure.measure(player, score) for player, score in scores.items() if measure.counts(player, score)
        }
        if counted:
            ranks.append(_ranked(counted))
        if len(ranks) == FORM:
            break
    return ranks[::-1]


def _ranked(measures: Mapping[int, int]) -> dict[int, int]:
    ordered = sorted(measures.values(), reverse=True)
    return {player: 1 + ordered.index(measure) for player, measure in measures.items()}


def _form(line: CourseLine, nights: Sequence[Mapping[int, int]]) -> Form:
    ranks = [night.get(line.player_id) for night in nights]
    said = ", ".join(_("absent") if rank is None else format_place(rank) for rank in ranks)
    n = len(ranks)
    sentence = ngettext("Rank of the last evening: %(ranks)s", "Ranks of the last %(n)s evenings: %(ranks)s", n)
    return Form(ranks, sentence % {"n": n, "ranks": said})


def _spark(line: CourseLine, most: int, formula: Formula) -> Spark | None:
    """Return the line of the rank after the last evenings; `most` is the last rank of all."""
    too_few = formula.too_few_after((row.evening_id, row.hands) for row in line.rows if row)
    ranks = [row.rank_after if row and row.evening_id not in too_few else None for row in line.rows][-SPARK:]
    known = [(place, rank) for place, rank in enumerate(ranks) if rank is not None]
    if len(known) < 2:
        return None
    across = (WIDTH - 2 * MARGIN) / (len(ranks) - 1)
    down = (HEIGHT - 2 * MARGIN) / max(1, most - 1)
    dots = [(round(MARGIN + place * across, 1), round(MARGIN + (rank - 1) * down, 1)) for place, rank in known]
    said = ", ".join(format_place(rank) for _place, rank in known)
    return Spark(
        path="M" + "L".join(f"{x} {y}" for x, y in dots),
        end_x=dots[-1][0],
        end_y=dots[-1][1],
        said=_("Rank after each evening: %(ranks)s") % {"ranks": said},
    )


def gaps(lines: Sequence[StandingLine], *, by_points: bool) -> dict[int, int]:
    """Return the gap of each ranked player to the first one, by player, 0 or more: in stored points, or in Rappen
    where amounts rank. Players who are not ranked have none."""
    ranked = [line for line in lines if not line.unranked]
    if not ranked:
        return {}
    worth = {line.player_id: line.points if by_points else line.amount_minor for line in ranked}
    first = worth[ranked[0].player_id]
    return {player: first - own for player, own in worth.items()}
