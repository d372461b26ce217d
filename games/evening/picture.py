"""The picture of an evening, as visitors see it (`league.sharing`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.sharing.picture_size import EDGE, HEIGHT, WIDTH
from league.sharing.pictures import Heading, headed, title_picture

if TYPE_CHECKING:
    from league.sharing.drawing import Picture

SIZES = (84, 62, 50)
"""The size of the names on the podium: it tells the order of the night."""


@dataclass(frozen=True)
class PodiumRow:
    """A player on the podium; `worth` is empty where a visitor sees neither points nor an amount."""

    rank: str
    name: str
    worth: str


@dataclass(frozen=True)
class NoteOfNight:
    """A highlight: its label and its value; `gold` for a pot."""

    label: str
    text: str
    gold: bool = False


def evening_picture(heading: Heading, rows: Sequence[PodiumRow], notes: Sequence[NoteOfNight], empty: str) -> bytes:
    """Draw the first three of an evening and its highlights. `empty` is the sentence without a hand."""
    if not rows:
        return title_picture(heading, empty)
    picture = headed(heading)
    y = 268.0
    for row, size in zip(rows, SIZES, strict=False):
        y += size * 1.12
        taken = picture.text(WIDTH - EDGE, y, row.worth, size * 0.8, bold=True, right=True, colour="pot", width=300)
        picture.text(EDGE, y, row.rank, 34, colour="soft")
        picture.text(EDGE + 64, y, row.name, size, bold=True, width=WIDTH - 2 * EDGE - 64 - taken - 30)
    _notes(picture, notes[:2])
    return picture.png()


def _notes(picture: Picture, notes: Sequence[NoteOfNight]) -> None:
    width = (WIDTH - 2 * EDGE) / 2
    for place, note in enumerate(notes):
        x, top = EDGE + place * width, HEIGHT - 108
        picture.rule(x, top, x + width - (40 if len(notes) > 1 and place == 0 else 0))
        picture.text(x, top + 34, note.label, 24, colour="soft", width=width - 50)
        picture.text(x, top + 72, note.text, 32, bold=True, colour="pot" if note.gold else "ink", width=width - 50)
