"""Stickers with table numbers: eight on a page, each 105 by 74 millimetres, as sheets of labels are sold."""

from __future__ import annotations

from django.utils.translation import gettext as _

from .page import DARK, Pages
from .printed_tournament import Content, parts

WIDE, HIGH, ACROSS, DOWN = 105.0, 74.0, 2, 4
TOP = 0.5


def draw(content: Content) -> bytes:
    """Return a sticker for each table number."""
    pdf = Pages(content, _("Table numbers"))
    pages = list(parts(content.table_numbers(), ACROSS * DOWN))
    for page, numbers in enumerate(pages, start=1):
        pdf.bare()
        for place, number in enumerate(numbers):
            row, column = divmod(place, ACROSS)
            _sticker(pdf, column * WIDE, TOP + row * HIGH, number)
        for row in range(1, DOWN):
            pdf.rule(0, TOP + row * HIGH, 210, TOP + row * HIGH, weight=0.1, grey=200)
        pdf.rule(WIDE, 0, WIDE, 297, weight=0.1, grey=200)
        pdf.ink(DARK)
        pdf.put(170, 293, 34, f"{page}/{len(pages)}", 6.5, align="R")
    return bytes(pdf.output())


def _sticker(pdf: Pages, x: float, y: float, number: int) -> None:
    pdf.ink()
    pdf.put(x + 8, y + 11, WIDE - 16, _("Table"), 15, align="C")
    pdf.put(x + 6, y + 38, WIDE - 12, str(number), 140, bold=True, align="C")
    pdf.ink(DARK)
    pdf.put(x + 8, y + 65, WIDE - 16, f"{pdf.content.name} · {pdf.content.club}", 8.5, align="C")
