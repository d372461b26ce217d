"""The seating by table: each table with its people in the order of play."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..room.selectors import Person, Seated
from .page import DARK, EDGE, Pages
from .printed_tournament import Content, parts

ACROSS, GAP = 3, 6.0
LINE = 5.2
PAD = 3.0
NO_BREAK = "\N{NO-BREAK SPACE}"


def draw(content: Content) -> bytes:
    """Return the tables in rows of three, then the sit-outs."""
    pdf = Pages(content, _("Tables"))
    rows = list(parts(content.room.tables, ACROSS))
    pages = _pages(pdf, rows)
    tables, out = len(content.room.tables), content.room.out
    about = ngettext("%(round)s · %(n)d table", "%(round)s · %(n)d tables", tables)
    about = f"{about % {'round': content.round_title, 'n': tables}} · " + _("the first of each table deals first")
    for page, page_rows in enumerate(pages, start=1):
        y = pdf.begin(page, len(pages), about)
        for row in page_rows:
            width = (pdf.inner - (ACROSS - 1) * GAP) / ACROSS
            for place, table in enumerate(row):
                _table(pdf, EDGE + place * (width + GAP), y, width, _height(row), table)
            y += _height(row) + GAP
        if page == len(pages) and out:
            _sit_out(pdf, y, out)
    return bytes(pdf.output())


def _height(row: Sequence[Seated]) -> float:
    return max(len(seated.people) for seated in row) * LINE + 14.0


def _pages(pdf: Pages, rows: Sequence[Sequence[Seated]]) -> list[list[Sequence[Seated]]]:
    """Cut the rows into pages; below the last one there is room for the sit-outs."""
    pages: list[list[Sequence[Seated]]] = [[]]
    y, end, out = 41.0, 297.0 - 17, _out_height(pdf)
    for place, row in enumerate(rows):
        rest = out if place == len(rows) - 1 else 0.0
        if y + _height(row) + rest > end and pages[-1]:
            pages.append([])
            y = 29.0
        pages[-1].append(row)
        y += _height(row) + GAP
    return pages


def _table(pdf: Pages, x: float, y: float, width: float, height: float, table: Seated) -> None:
    pdf.set_draw_color(0)
    pdf.set_line_width(0.25)
    pdf.rect(x, y, width, height)
    number = pdf.put(x + PAD, y + 6.6, 26, str(table.number), 22, bold=True)
    pdf.ink(DARK)
    about = _("fixed table") if table.fixed else _("Table")
    pdf.put(x + PAD + number + 2, y + 8, width - number - 2 * PAD - 2, about, 8)
    pdf.ink()
    line = y + 14.6
    for seat, person in enumerate(table.people, start=1):
        pdf.ink(DARK)
        pdf.put(x + PAD, line, 4, f"{seat}.", 7.5)
        pdf.put(x + width - PAD - 9, line, 9, str(person.number), 8, align="R")
        pdf.ink()
        pdf.put(x + PAD + 4.5, line, width - 2 * PAD - 14, person.name, 10, bold=seat == 1)
        line += LINE


def _sits_out(people: Sequence[Person]) -> str:
    names = ", ".join(f"{person.name}{NO_BREAK}({person.number})" for person in people)
    return _("Sit out") + f": {names}"


def _out_height(pdf: Pages) -> float:
    out = pdf.content.room.out
    return 4 + len(pdf.wrapped(_sits_out(out), 210 - 2 * EDGE, 10.5)) * 10.5 * 0.47 if out else 0.0


def _sit_out(pdf: Pages, y: float, people: Sequence[Person]) -> None:
    pdf.lines(EDGE, y, pdf.inner, _sits_out(people), 10.5)
