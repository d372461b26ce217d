"""The pictures of an evening and of a hand, as visitors see them (`league.sharing`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.sharing.drawing import EDGE, HEIGHT, WIDTH, Picture
from league.sharing.pictures import Heading, headed, title_picture

SIZES = (84, 62, 50)
"""The size of the names on the podium: it tells the order of the night."""
MARK_COLOURS = {"✓": "felt", "✕": "rose"}


@dataclass(frozen=True)
class PodiumRow:
    """A player on the podium; `worth` is empty where a visitor sees neither points nor an amount."""

    rank: str
    name: str
    worth: str


@dataclass(frozen=True)
class NoteOfNight:
    """A highlight: its label and what it was; `gold` for a pot."""

    label: str
    text: str
    gold: bool = False


@dataclass(frozen=True)
class SeatOfHand:
    """A seat that played: name, what the game calls its role, ✓, ✕ or nothing, and its points or amount."""

    name: str
    term: str
    mark: str
    worth: str


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


def hand_picture(heading: Heading, pot: str, seats: Sequence[SeatOfHand], sentence: str) -> bytes:
    """Draw a hand: its pot, and who played with the result. `sentence` is the hand in words if nobody played."""
    if not seats:
        return title_picture(heading, sentence)
    picture = headed(heading)
    if pot:
        picture.text(WIDTH - EDGE - picture.logo_width, 226, pot, 44, bold=True, colour="pot", right=True, width=440)
    high = min((HEIGHT - 300) / len(seats), 92)
    for place, seat in enumerate(seats):
        _seat(picture, seat, 272 + place * high, high, first=place == 0)
    return picture.png()


def _seat(picture: Picture, seat: SeatOfHand, y: float, high: float, *, first: bool) -> None:
    size = min(46 if first else 40, high * 0.62)
    base = y + high * 0.5 + size * 0.36
    picture.rule(EDGE, y, WIDTH - EDGE)
    colour = MARK_COLOURS.get(seat.mark, "soft")
    picture.text(EDGE, base, seat.mark, size, colour=colour)
    taken = picture.text(WIDTH - EDGE, base, seat.worth, size, bold=True, right=True, width=260)
    end = picture.text(EDGE + 64, base, seat.name, size, bold=True, width=520)
    room = WIDTH - 2 * EDGE - 64 - end - 24 - taken - 24
    picture.text(EDGE + 64 + end + 24, base, seat.term, size * 0.8, colour="soft", width=max(room, 60))
