"""Table cards: a large number, and the QR code that opens the table. Two on a page, each A5 across."""

from __future__ import annotations

from django.utils.translation import gettext as _

from .page import DARK, EDGE, Pages, page_text
from .printed_tournament import Content, parts

HIGH = 148.5
CODE = 66.0


def draw(content: Content) -> bytes:
    """Return a card for each table number."""
    pdf = Pages(content, _("Table cards"))
    numbers = content.table_numbers()
    pages = list(parts(numbers, 2))
    for page, pair in enumerate(pages, start=1):
        pdf.bare()
        for place, number in enumerate(pair):
            _card(pdf, place * HIGH, number, content.address(number))
        pdf.set_dash_pattern(dash=2, gap=2)
        pdf.rule(0, HIGH, 210, HIGH, weight=0.15)
        pdf.set_dash_pattern()
        pdf.ink(DARK)
        pdf.put(150, 292, 46, page_text(page, len(pages)), 7, align="R")
    return bytes(pdf.output())


def _card(pdf: Pages, y: float, number: int, address: str) -> None:
    content, right = pdf.content, 210 - EDGE
    left = 96.0
    pdf.ink()
    pdf.put(EDGE, y + 16, left - 10, content.name, 13, bold=True)
    pdf.ink(DARK)
    pdf.put(EDGE + left - 6, y + 16, right - EDGE - left + 6, f"{content.club} · {content.day}", 10, align="R")
    pdf.ink()
    pdf.rule(EDGE, y + 22, right, y + 22, weight=0.5, grey=0)
    pdf.put(EDGE, y + 34, left, _("Table"), 22)
    pdf.put(EDGE - 2, y + 74, left, str(number), 170, bold=True)
    x = right - CODE
    pdf.qr(x, y + 32, CODE, address, mask=number % 8)
    pdf.ink(DARK)
    pdf.put(x, y + 103, CODE, address.partition("://")[2].rstrip("/"), 8.5, align="C")
    pdf.ink()
    width = right - EDGE
    scan = _("Scan the code: it opens this table, without an account.")
    taken = pdf.lines(EDGE, y + 113, width, scan, 13, bold=True)
    how = _("One of you records the hands, or hands in the sheet at the end of the round.")
    pdf.lines(EDGE, y + 114.5 + taken, width, how, 13)
