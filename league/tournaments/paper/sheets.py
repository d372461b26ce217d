"""Sheets: a table of a round on paper. Each line is a hand: beside each person the chips won or lost so far, then the
pot. Each line adds up to 0, and so does the result."""

from __future__ import annotations

from itertools import pairwise

from django.utils.translation import gettext as _

from ..room.selectors import Person, Seated
from ..rounds import hands_limit
from .page import DARK, EDGE, Pages
from .printed_tournament import Content

MOST_LINES, LINES_WITHOUT_LIMIT = 30, 20
NARROW, POT = 17.0, 24.0
HEAD, RESULT = 15.0, 14.0
CODE = 25.0


def draw(content: Content) -> bytes:
    """Return a page for each table of the drawn round."""
    pdf = Pages(content, _("Sheets"))
    room = content.room
    limit = hands_limit(room.current, room.format) if room.current else 0
    lines = min(limit or LINES_WITHOUT_LIMIT, MOST_LINES)
    for page, table in enumerate(room.tables, start=1):
        pdf.heading = _("Table") + f" {table.number}"
        pdf.begin(page, len(room.tables), content.round_title, large=True)
        _Sheet(pdf, table, lines, limit).draw(content.address(table.number))
    return bytes(pdf.output())


class _Sheet:
    """One page: the people, the lines, the result, the instructions."""

    def __init__(self, pdf: Pages, table: Seated, lines: int, limit: int) -> None:
        self.pdf, self.table, self.lines, self.limit = pdf, table, lines, limit
        each = (pdf.inner - NARROW - POT) / len(table.people)
        self.edges = [EDGE, EDGE + NARROW]
        for _person in table.people:
            self.edges.append(self.edges[-1] + each)
        self.edges.append(EDGE + pdf.inner)
        self.top = 54.0
        under = pdf.bottom - 44 - RESULT
        self.row = min((under - self.top - HEAD) / lines, 12.5)
        self.end = self.top + HEAD + lines * self.row

    def draw(self, address: str) -> None:
        pdf, x = self.pdf, EDGE + self.pdf.inner - CODE
        pdf.qr(x, 22, CODE, address, mask=self.table.number % 8)
        pdf.ink(DARK)
        width = 62.0
        pdf.put(x - width - 4, 25, width, _("Or without paper: scan the code"), 8.5, align="R")
        pdf.put(x - width - 4, 29.5, width, address.partition("://")[2].rstrip("/"), 7.5, align="R")
        pdf.ink()
        self._heads()
        self._lines()
        self._result()
        self._foot()

    def _heads(self) -> None:
        pdf, middle = self.pdf, self.top + HEAD / 2
        pdf.put(EDGE + 1, middle, NARROW - 2, _("Hand"), 8, align="C")
        for person, (x, x2) in zip(self.table.people, pairwise(self.edges[1:-1]), strict=True):
            self._person(x, x2 - x, person)
        pdf.put(self.edges[-2], middle, POT, _("Pot"), 12, bold=True, align="C")

    def _person(self, x: float, width: float, person: Person) -> None:
        pdf = self.pdf
        pdf.put(x + 1.5, self.top + 5, width - 3, person.name, 11.5, bold=True, align="C", least=8)
        pdf.ink(DARK)
        pdf.put(x + 1.5, self.top + 11, width - 3, _("No. %(number)d") % {"number": person.number}, 9, align="C")
        pdf.ink()

    def _lines(self) -> None:
        pdf, right = self.pdf, EDGE + self.pdf.inner
        y = self.top + HEAD
        for line in range(self.lines):
            y = self.top + HEAD + line * self.row
            pdf.rule(EDGE, y, right, y, weight=0.4 if line == 0 else 0.12, grey=0 if line == 0 else 130)
            if self.limit:
                pdf.put(EDGE, y + self.row / 2, NARROW - 3, str(line + 1), 9, align="R")

    def _result(self) -> None:
        pdf, right, y = self.pdf, EDGE + self.pdf.inner, self.end
        pdf.put(EDGE + 1, y + RESULT / 2, NARROW - 2, _("Result"), 9, bold=True, align="C")
        for x in self.edges:
            outer = x in (self.edges[0], self.edges[1], self.edges[-2], self.edges[-1])
            pdf.rule(x, self.top, x, y + RESULT, weight=0.4 if outer else 0.2, grey=0)
        pdf.rule(EDGE, self.top, right, self.top, weight=0.4, grey=0)
        pdf.rule(EDGE, y, right, y, weight=0.9, grey=0)
        pdf.rule(EDGE, y + RESULT, right, y + RESULT, weight=0.9, grey=0)
        pdf.put(EDGE, y + RESULT + 5.5, pdf.inner, _("All results + pot left = 0"), 12, bold=True, align="R")

    def _foot(self) -> None:
        pdf = self.pdf
        how = _(
            "In each line: the chips that each has won (+) or lost (−) since the beginning of the round, and the chips "
            "in the pot. Each line adds up to 0. The last line is the result. %(name)s deals first."
        ) % {"name": self.table.people[0].name}
        pdf.ink(DARK)
        pdf.lines(EDGE, self.end + RESULT + 10.5, pdf.inner, how, 8.5)
        pdf.ink()
        line = pdf.bottom - 8
        half = (pdf.inner - 8) / 2
        for place, label in enumerate((_("written down by"), _("checked by"))):
            x = EDGE + place * (half + 8)
            pdf.rule(x, line, x + half, line, weight=0.25, grey=0)
            pdf.ink(DARK)
            pdf.put(x, line + 3, half, label, 7.5)
            pdf.ink()
