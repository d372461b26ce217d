"""The picture of a tournament: time and place, numbers of rounds and entrants, and the top of the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...sharing.picture_size import EDGE, WIDTH
from ...sharing.pictures import ROW, ROWS, ROWS_FROM, Heading, RankRow, headed, rank_row

if TYPE_CHECKING:
    from ...sharing.drawing import Picture

FIGURES_FROM = 820
FACT_HIGH = 88


@dataclass(frozen=True)
class Figure:
    """A figure: a label and a short text."""

    label: str
    text: str


def tournament_picture(heading: Heading, figures: Sequence[Figure], rows: Sequence[RankRow], state: str) -> bytes:
    """Draw the first lines of the ranking with the figures beside them; before the first result the figures alone,
    above a sentence with the state of the tournament."""
    picture = headed(heading)
    if not rows:
        for place, figure in enumerate(figures):
            _wide_figure(picture, figure, ROWS_FROM + place * ROW)
        picture.rule(EDGE, ROWS_FROM + len(figures) * ROW, WIDTH - EDGE)
        picture.text(EDGE, ROWS_FROM + len(figures) * ROW + 52, state, 30, colour="soft", width=WIDTH - 2 * EDGE)
        return picture.png()
    for place, row in enumerate(rows[:ROWS]):
        rank_row(picture, row, ROWS_FROM + place * ROW, FIGURES_FROM - 70, first=place == 0)
    for place, figure in enumerate(figures):
        y = ROWS_FROM + 14 + place * FACT_HIGH
        picture.text(FIGURES_FROM, y + 14, figure.label, 24, colour="soft", width=WIDTH - EDGE - FIGURES_FROM)
        picture.text(FIGURES_FROM, y + 52, figure.text, 32, bold=True, width=WIDTH - EDGE - FIGURES_FROM)
    return picture.png()


def _wide_figure(picture: Picture, figure: Figure, y: float) -> None:
    picture.rule(EDGE, y, WIDTH - EDGE)
    picture.text(EDGE, y + 42, figure.label, 30, colour="soft", width=280)
    picture.text(EDGE + 310, y + 42, figure.text, 36, bold=True, width=WIDTH - 2 * EDGE - 310)
