"""The pictures of the league's pages, from plain data: standings, and a title with a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from django.utils.translation import gettext as _

from ..money import NONE
from .picture_size import EDGE, HEIGHT, WIDTH

if TYPE_CHECKING:
    from .drawing import Picture

ROWS = 5
ROWS_FROM, ROW = 288, 60
FOOTNOTE = HEIGHT - 14
"""The base line of the note below the last line."""
RECORDS, RECORD = 3, 104
"""The records of a picture, and the height of one."""
LINES_FROM = 800
NUMBER, WORDS = 215, 520
"""The most width of what a line is worth: a number, or words."""
LOGO = (240, 130)
"""The most width and height of the logo."""
UP, DOWN = "▲", "▼"


@dataclass(frozen=True)
class Heading:
    """The head of a picture: the club, the subject, a note at the top right, and the club's logo (PNG) below it."""

    club: str
    title: str
    note: str = ""
    logo: BinaryIO | None = None


@dataclass(frozen=True)
class RankRow:
    """A line of the standings, without `rank` for a player who is not ranked. `worth` is points, an amount that every
    reader sees, or a number of hands. `course` has the values after each evening, None before the first one.
    `is_imported`: some of the evenings came from a file. `places`, if not None, are shown in place of the rank: those
    that are possible, `1–4`."""

    rank: int | None
    name: str
    worth: str
    rank_before: int | None = None
    course: Sequence[int | None] = ()
    is_imported: bool = False
    places: str | None = None

    @property
    def before_name(self) -> str:
        """The text before the name."""
        if self.places is not None:
            return self.places
        return NONE if self.rank is None else str(self.rank)

    @property
    def leads(self) -> bool:
        """True if a first line is drawn as that of the leader: not if others may be level with it."""
        return self.places in (None, "1")


@dataclass(frozen=True)
class RecordRow:
    """A record: its label, its value, and its holders."""

    label: str
    value: str
    who: str


def headed(heading: Heading) -> Picture:
    """Return a picture with its head."""
    from .drawing import Picture

    picture = Picture()
    if heading.logo:
        picture.put_logo(heading.logo, WIDTH - EDGE, 112, LOGO)
    room = WIDTH - 2 * EDGE - picture.logo_width
    if heading.note:
        picture.text(WIDTH - EDGE, 80, heading.note, 28, colour="soft", right=True, width=WIDTH / 2)
    picture.text(EDGE, 160, heading.club, 32, colour="soft", width=room)
    picture.text(EDGE, 226, heading.title, 62, bold=True, width=room)
    return picture


def title_picture(heading: Heading, sentence: str) -> bytes:
    """Draw a title with a sentence below it."""
    picture = headed(heading)
    y = 320.0
    for line in wrapped(sentence, 34, 46):
        picture.text(EDGE, y, line, 34, colour="soft", width=WIDTH - 2 * EDGE)
        y += 50
    return picture.png()


def wrapped(text: str, letters: int, most: int) -> list[str]:
    """Break a text at spaces into lines of between `letters` and `most` letters; a longer word stays whole."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(lines[-1]) >= letters or (lines[-1] and len(longer) > most):
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def records_picture(heading: Heading, rows: Sequence[RecordRow], empty: str) -> bytes:
    """Draw records, each with its holder. `empty` is the sentence without one."""
    if not rows:
        return title_picture(heading, empty)
    picture = headed(heading)
    for place, row in enumerate(rows[:RECORDS]):
        y = ROWS_FROM + place * RECORD
        picture.rule(EDGE, y, WIDTH - EDGE)
        picture.text(EDGE, y + 38, row.label, 26, colour="soft", width=WIDTH - 2 * EDGE)
        taken = picture.text(WIDTH - EDGE, y + 84, row.value, 40, bold=True, right=True, width=WIDTH / 2)
        picture.text(EDGE, y + 84, row.who, 37, width=WIDTH - 2 * EDGE - taken - 30)
    return picture.png()


def standings_picture(heading: Heading, rows: Sequence[RankRow], empty: str, *, wide: bool = False) -> bytes:
    """Draw the first lines of the standings, and the course of the season of these players. `empty` is the sentence
    without a line. `wide`: they have no rank, and their worth is words instead of a number."""
    if not rows:
        return title_picture(heading, empty)
    picture = headed(heading)
    shown = rows[:ROWS]
    drawn = _course(picture, shown)
    right = LINES_FROM - 60 if drawn else WIDTH - EDGE
    for place, row in enumerate(shown):
        rank_row(picture, row, ROWS_FROM + place * ROW, right, first=place == 0 and row.leads, wide=wide)
    if any(row.is_imported for row in shown):
        picture.text(EDGE, FOOTNOTE, "* " + _("some imported"), 22, colour="soft")
    return picture.png()


def rank_row(picture: Picture, row: RankRow, y: float, right: float, *, first: bool, wide: bool = False) -> None:
    """Draw one line of a ranking below height `y`, up to `right`. `wide`: without a rank, and its worth is words."""
    picture.rule(EDGE, y, right)
    base, left = y + 43, EDGE if wide else EDGE + (60 if row.places is None else 100)
    if not wide:
        picture.text(EDGE, base, row.before_name, 32, colour="soft")
    colour, most = "pot" if first else "ink", WORDS if wide else NUMBER
    taken = picture.text(right, base, row.worth, 36, bold=True, right=True, colour=colour, width=most)
    move = _move(row)
    room = right - taken - 30 - (70 if move else 0) - (30 if row.is_imported else 0) - left
    end = picture.text(left, base, row.name, 37, bold=first, width=room)
    if row.is_imported:
        end += 6 + picture.text(left + end + 6, base, "*", 37, colour="soft")
    if move:
        colour = "felt" if move.startswith(UP) else "rose"
        picture.text(left + end + 16, base - 2, move, 24, colour=colour)


def _move(row: RankRow) -> str:
    if row.rank is None or row.rank_before is None or row.rank_before == row.rank:
        return ""
    steps = row.rank_before - row.rank
    return f"{UP if steps > 0 else DOWN}{abs(steps)}"


def _course(picture: Picture, rows: Sequence[RankRow]) -> bool:
    """Draw the courses, the leader's last and in colour; nothing below two evenings."""
    values = [value for row in rows for value in row.course if value is not None]
    steps = max((len(row.course) for row in rows), default=0)
    if steps < 2 or not values:
        return False
    low, high = min(values), max(values)
    top, bottom, right = ROWS_FROM + 14, HEIGHT - 62, WIDTH - EDGE - 8

    def at(place: int, value: int) -> tuple[float, float]:
        x = LINES_FROM + (right - LINES_FROM) * place / (steps - 1)
        return x, bottom - (bottom - top) * (value - low) / max(high - low, 1)

    for row in reversed(rows):
        leads = row is rows[0]
        points = [at(place, value) for place, value in enumerate(row.course) if value is not None]
        if len(points) > 1:
            picture.line(points, colour="felt" if leads else "line", weight=5 if leads else 3)
        if points:
            picture.dot(points[-1], 9 if leads else 5, colour="felt" if leads else "edge")
    return True
