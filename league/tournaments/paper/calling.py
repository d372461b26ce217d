"""The list to call out: table after table in large letters, with a box to tick."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from ..room.selectors import Person
from .page import EDGE, Pages
from .printed_tournament import Content

SIZE, STEP = 13.0, 6.2
"""The size of the names in points, and the height of a line."""
NO_BREAK = "\N{NO-BREAK SPACE}"
LEFT = 24.0
"""The width of the table number."""
BOX = 5.0
WIDTH = 210 - 2 * EDGE - LEFT - BOX - 5

CalledLine = tuple[str, list[str], float]
"""What is large on the left, the names in lines, and the height."""


def draw(content: Content) -> bytes:
    """Return the list; a table is never divided between two pages."""
    pdf = Pages(content, _("To call out"))
    rows = [(str(table.number), _names(table.people)) for table in content.room.tables]
    if content.room.out:
        rows.append(("–", _("Sit out") + f": {_names(content.room.out)}"))
    wrapped = [(number, pdf.wrapped(names, WIDTH, SIZE)) for number, names in rows]
    pages = _pages([(number, names, len(names) * STEP + 5) for number, names in wrapped])
    about = f"{content.round_title} · " + _("the first of each table deals first")
    for page, lines in enumerate(pages, start=1):
        y = pdf.begin(page, len(pages), about)
        for line in lines:
            _line(pdf, y, line)
            y += line[2]
    return bytes(pdf.output())


def _names(people: Sequence[Person]) -> str:
    return ", ".join(f"{person.name}{NO_BREAK}({person.number})" for person in people)


def _pages(lines: Sequence[CalledLine]) -> list[list[CalledLine]]:
    pages: list[list[CalledLine]] = [[]]
    y, end = 41.0, 297.0 - 16
    for line in lines:
        if y + line[2] > end and pages[-1]:
            pages.append([])
            y = 29.0
        pages[-1].append(line)
        y += line[2]
    return pages


def _line(pdf: Pages, y: float, line: CalledLine) -> None:
    number, names, height = line
    pdf.put(EDGE, y + 5.4, LEFT - 4, number, 24, bold=True)
    for place, text in enumerate(names):
        pdf.put(EDGE + LEFT, y + 5.4 + place * STEP, WIDTH, text, SIZE)
    pdf.set_draw_color(0)
    pdf.set_line_width(0.3)
    pdf.rect(210 - EDGE - BOX, y + 2.8, BOX, BOX)
    pdf.rule(EDGE, y + height, 210 - EDGE, y + height, weight=0.15)
