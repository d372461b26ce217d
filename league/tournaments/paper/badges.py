"""Badges: name, start number, and the number as a QR code that the desk scans. Ten on a page, 90 by 54 millimetres, the
size of the usual holders."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ..room.selectors import Person
from .page import DARK, Pages, page_text
from .printed_tournament import Content, parts

WIDE, HIGH, ACROSS, DOWN = 90.0, 54.0, 2, 5
LEFT, TOP = 15.0, 11.0
PAD = 6.0
CODE = 21.0


def draw(content: Content) -> bytes:
    """Return the badges of everybody who is entered, by start number."""
    pdf = Pages(content, _("Badges"))
    pages = list(parts(content.entrants, ACROSS * DOWN))
    for page, people in enumerate(pages, start=1):
        pdf.bare()
        for place, person in enumerate(people):
            row, column = divmod(place, ACROSS)
            _badge(pdf, LEFT + column * WIDE, TOP + row * HIGH, person)
        _cuts(pdf)
        pdf.ink(DARK)
        pdf.put(LEFT, 289, 120, f"{content.name} · {content.club}", 7.5)
        pdf.put(LEFT + 2 * WIDE - 40, 289, 40, page_text(page, len(pages)), 7.5, align="R")
    return bytes(pdf.output())


def _badge(pdf: Pages, x: float, y: float, person: Person) -> None:
    content, inner = pdf.content, WIDE - 2 * PAD
    pdf.ink()
    pdf.put(x + PAD, y + 7.6, inner * 0.56, content.name, 9.5, bold=True)
    pdf.ink(DARK)
    pdf.put(x + PAD + inner * 0.58, y + 7.6, inner * 0.42, content.club, 8, align="R")
    pdf.ink()
    pdf.rule(x + PAD, y + 11.2, x + WIDE - PAD, y + 11.2, weight=0.4, grey=0)
    pdf.qr(x + WIDE - PAD - CODE, y + 15.5, CODE, str(person.number), mask=person.number % 8)
    pdf.put(x + PAD - 0.6, y + 26, inner - CODE - 5, str(person.number), 62, bold=True)
    under = person.team
    pdf.put(x + PAD, y + (43.6 if under else 45.4), inner, person.name, 21, bold=True, least=11)
    if under:
        pdf.ink(DARK)
        pdf.put(x + PAD, y + 49.4, inner, under, 9)


def _cuts(pdf: Pages) -> None:
    """Draw the lines along which the badges are cut."""
    for column in range(ACROSS + 1):
        x = LEFT + column * WIDE
        pdf.rule(x, TOP - 4, x, TOP + DOWN * HIGH + 4, weight=0.1)
    for row in range(DOWN + 1):
        y = TOP + row * HIGH
        pdf.rule(LEFT - 4, y, LEFT + ACROSS * WIDE + 4, y, weight=0.1)
