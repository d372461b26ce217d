"""The seating by name: everybody with the number of the table, in columns that are read downwards."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..room.selectors import Place
from .page import DARK, EDGE, Pages
from .printed_tournament import Content, parts

GAP = 8.0


def draw(content: Content) -> bytes:
    """Return the list; few names are printed larger, in two columns."""
    pdf = Pages(content, _("Who sits where"))
    places = content.places
    columns, row = (2, 8.4) if len(places) <= 2 * 27 else (3, 5.9)
    top, later = 41.0 + row, 29.0 + row
    first = int((pdf.h - 16 - top) / row) * columns
    more = int((pdf.h - 16 - later) / row) * columns
    pages = [places[:first], *parts(places[first:], more)]
    tables = len(content.room.tables)
    about = ngettext("%(round)s · %(n)d table", "%(round)s · %(n)d tables", tables)
    for page, names in enumerate(pages, start=1):
        start = pdf.begin(page, len(pages), about % {"round": content.round_title, "n": tables})
        # The last page is filled evenly: its columns end at the same height.
        height = -(-len(names) // columns)
        for place, column in enumerate(parts(names, max(height, 1))):
            width = (pdf.inner - (columns - 1) * GAP) / columns
            _column(pdf, EDGE + place * (width + GAP), start, width, row, column)
    return bytes(pdf.output())


def _column(pdf: Pages, x: float, top: float, width: float, row: float, places: Sequence[Place]) -> None:
    size = 9.5 if row < 7 else 12.5
    number, table = size * 0.95, size * 1.35
    pdf.ink(DARK)
    y = top + row / 2
    pdf.put(x, y, number, _("No."), 7.5)
    pdf.put(x + number, y, width - number - table, _("Name"), 7.5)
    pdf.put(x + width - table * 1.6, y, table * 1.6, _("Table"), 7.5, align="R")
    pdf.ink()
    pdf.rule(x, top + row, x + width, top + row, weight=0.3, grey=0)
    for place in places:
        y += row
        pdf.ink(DARK)
        pdf.put(x, y, number - 1, str(place.person.number), size - 1.5)
        pdf.ink()
        if place.table is None:
            pdf.put(x + number, y, width - number - table * 1.9 - 1, place.person.name, size)
            pdf.put(x + width - table * 1.9, y, table * 1.9, _("sits out"), size - 1, italic=True, align="R")
        else:
            pdf.put(x + number, y, width - number - table - 1, place.person.name, size)
            pdf.put(x + width - table, y, table, str(place.table), size + 2.5, bold=True, align="R")
        pdf.rule(x, y + row / 2, x + width, y + row / 2, weight=0.1, grey=185)
