"""A report as PDF: A4, the club on top, figures, tables that go on over pages, page numbers. Lengths in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..models import Club
from ..web.pdf import Paper
from ..web.report_table import Column, Kind, Table
from .pdf_chart import ON_PAPER, draw_course
from .report import Figure, Report, ReportChart

EDGE = 16.0
TOP, FOOT = 26.0, 18.0
ROW, HEAD = 6.2, 7.6
SIZE, SMALL = 9.0, 8.0
PAD = 1.6
DARK, PALE = 80, 200
FELT = (31, 107, 82)
"""The accent of the pages (`--felt` in light mode); it is printed as a dark grey where there is no colour."""
WASH = (242, 245, 240)
FACTS_A_ROW = 4
LOGO = (24.0, 12.0)
"""The most width and height of the logo."""
MOST_TEXT = 42.0
"""A column of text that needs more becomes narrower before the size of the whole table does."""
MOST_HEAD = 20.0
"""The most width that a word of a heading asks for."""
FACT = 17.0
SIGNATURE = 24.0
"""The height of a place for a signature."""
SIGNATURES_A_ROW = 3
NUMBER_WIDTH = 26.0
"""The most width that a heading of numbers gets to be in one line."""
MOST_WHOLE = 16
"""A table of so many rows is not divided: it begins a page instead."""
BULLET = 4.0
"""The text of a list begins so far from the edge."""
WIDE = 11
"""More columns are printed across."""


@dataclass(frozen=True)
class _Place:
    """A column with its left edge and its width."""

    column: Column
    x: float
    width: float


class _Sheets(Paper):
    """The pages of one report. `at` is the height at which the next line begins, `pages_known` the number of pages,
    `counted` is called with half of the rows."""

    def __init__(
        self, club: Club, report: Report, pages: int, counted: Callable[[int], None], logo: BinaryIO | None
    ) -> None:
        super().__init__("a4", f"{report.kind}: {report.title}")
        self.club, self.report = club, report
        self.set_author(club.name)
        self.logo = logo
        self.landscape = any(len(table.columns) > WIDE for table in report.tables)
        self.pages_known = pages
        self.counted = counted
        self.at = 0.0

    @property
    def inner(self) -> float:
        return float(self.w - 2 * EDGE)

    def left_over(self) -> float:
        """Return the height that is free on this page."""
        return float(self.h - FOOT - self.at)

    def ink(self, *colour: int) -> None:
        self.set_text_color(*(colour or (0,)))

    def begin(self) -> None:
        """Begin a page: the first one has a large head, the others a line."""
        first = self.page == 0
        self.add_page(orientation="landscape" if self.landscape else "portrait")
        self.set_fill_color(*FELT)
        self.rect(0, 0, self.w, 3.2, "F")
        half = self.inner / 2 - 2
        taken = self.put_logo(self.logo, EDGE, 6.6, LOGO)
        self.ink(*FELT)
        self.put(EDGE + taken, 13, half - taken, self.club.name, 10.5, bold=True)
        self.ink(DARK)
        self.put(self.w - EDGE - half, 13, half, self.report.kind, 9.5, align="R")
        self.ink()
        if first:
            self._head()
        else:
            self.ink(DARK)
            self.put(EDGE + taken, 18.2, self.inner - taken, self.report.title, 9.5)
            self.ink()
            self.at = TOP

    def _head(self) -> None:
        self.put(EDGE, 27, self.inner, self.report.title, 24, bold=True)
        self.ink(DARK)
        self.at = 34.0
        self.at += self.lines(EDGE, self.at, self.inner, self.report.about, 10.5) + 4
        self.ink()

    def write_figures(self, figures: Sequence[Figure]) -> None:
        """Write the figures in boxes, four in a row."""
        gap = 3.0
        each = (self.inner - (FACTS_A_ROW - 1) * gap) / FACTS_A_ROW
        for place, figure in enumerate(figures):
            column = place % FACTS_A_ROW
            if place and not column:
                self.at += FACT + gap
            x = EDGE + column * (each + gap)
            self.set_fill_color(*WASH)
            self.rect(x, self.at, each, FACT, "F", round_corners=True, corner_radius=1.5)
            self.ink(DARK)
            self.put(x + 2.5, self.at + 4, each - 5, figure.name, SMALL)
            self.ink()
            self.put(
                x + 2.5, self.at + 9, each - 5, figure.value, 13 if len(figure.value) < 14 else 10.5, bold=True, least=8
            )
            self.ink(DARK)
            self.put(x + 2.5, self.at + 13.8, each - 5, figure.note, 7, least=6)
            self.ink()
        if figures:
            self.at += FACT + 7

    def write_chart(self, chart: ReportChart) -> None:
        """Write the chart over the whole width."""
        self._title(f"{chart.title} ({chart.unit})" if chart.unit else chart.title)
        self.at += draw_course(self, chart.courses[ON_PAPER], EDGE, self.at, self.inner) + 8

    def _title(self, title: str) -> None:
        self.put(EDGE, self.at + 3, self.inner, title, 13, bold=True)
        self.at += 8

    def write_list(self, table: Table) -> None:
        """Write the sentences of a table as a list, which begins a page rather than leave its title alone."""
        if self.left_over() < 10 + 2 * ROW:
            self.begin()
        self._title(table.title)
        for cells in table.shown_rows():
            high = len(self.wrapped(cells[0], self.inner - BULLET, SIZE)) * SIZE * 0.47
            if self.left_over() < high:
                self.begin()
            self.set_fill_color(*FELT)
            self.ellipse(EDGE + 0.6, self.at + SIZE * 0.235 - 0.55, 1.1, 1.1, "F")
            self.at += self.lines(EDGE + BULLET, self.at, self.inner - BULLET, cells[0], SIZE) + 1.2
            self.counted(0)
        self.at += 6

    def write_table(self, table: Table, below: float = 0.0) -> None:
        """Write a table; its head is repeated on each page. A short one is on one page, with its sums, its note and
        what is `below` it (a height)."""
        sums = table.sum_cells()
        rows = list(table.shown_rows())
        kept = len(rows) if len(rows) <= MOST_WHOLE else 3
        foot = ROW * bool(sums) + self._note_height(table)
        if self.left_over() < 10 + HEAD + ROW * kept + (foot + below if kept == len(rows) else 0):
            self.begin()
        self._title(table.title)
        if not rows:
            self.ink(DARK)
            self.at += self.lines(EDGE, self.at, self.inner, table.empty, SIZE) + 6
            self.ink()
            return
        places, size = self._places(table, rows, sums)
        self._heads(places)
        for number, cells in enumerate(rows):
            # The last two rows, the sums and what follows them stay together.
            left = len(rows) - number
            if self.left_over() < (ROW * left + foot + below if left <= 2 else ROW):
                self.begin()
                self._heads(places)
            if number in table.results:
                self.rule(EDGE, self.at, self.w - EDGE, self.at, weight=0.35, grey=0)
            self._line(places, cells, size, bold=number in table.results)
            self.counted(number % 2)
        if sums:
            self.rule(EDGE, self.at, self.w - EDGE, self.at, weight=0.35, grey=0)
            self._line(places, sums, size, bold=True)
        self._note(table)
        self.at += 7

    def _note_height(self, table: Table) -> float:
        lines = self.wrapped(table.note, self.inner, SMALL) if table.note else []
        return len(lines) * SMALL * 0.47 + 3 if lines else 0.0

    def _note(self, table: Table) -> None:
        if table.note:
            self.ink(DARK)
            self.at += self.lines(EDGE, self.at + 1.5, self.inner, table.note, SMALL) + 1.5
            self.ink()

    def _places(self, table: Table, rows: list[list[str]], sums: list[str]) -> tuple[list[_Place], float]:
        """Return the columns with their widths, and the size of the text at which they fit."""
        texts = [number for number, column in enumerate(table.columns) if column.kind is Kind.TEXT]
        size = SIZE
        while True:
            wanted = list(self._wanted(table, rows, sums, size))
            # One long name does not make the whole table small: it alone is written smaller, or cut off.
            least = sum(min(width, MOST_TEXT) if number in texts else width for number, width in enumerate(wanted))
            if least <= self.inner or size <= 6:
                break
            size -= 0.5
        wanted = self._with_heads(table, wanted)
        spare = self.inner - sum(wanted)
        if spare >= 0:
            # The free width goes to the texts, most to the longest.
            whole = sum(wanted[number] for number in texts) or 1.0
            for number in texts:
                wanted[number] += spare * wanted[number] / whole
            if not texts:
                wanted = [width + spare / len(wanted) for width in wanted]
        else:
            wanted = _narrowed(wanted, texts, self.inner)
        x, places = EDGE, []
        for column, width in zip(table.columns, wanted, strict=True):
            places.append(_Place(column, x, width))
            x += width
        return places, size

    def _with_heads(self, table: Table, wanted: list[float]) -> list[float]:
        """Widen the columns of numbers so that each heading has one line, and those of amounts are equal, if there is
        room for it."""
        self.fitted("", 1000, SMALL, bold=True)
        amounts = [number for number, column in enumerate(table.columns) if column.kind is Kind.AMOUNT]
        wider = list(wanted)
        for number, column in enumerate(table.columns):
            if column.is_number:
                head = self.get_string_width(column.headed(self.club.currency)) + 2 * PAD + 0.4
                wider[number] = max(wanted[number], min(head, NUMBER_WIDTH))
        for number in amounts:
            wider[number] = max(wider[each] for each in amounts)
        return wider if sum(wider) <= self.inner else wanted

    def _wanted(self, table: Table, rows: list[list[str]], sums: list[str], size: float) -> Iterator[float]:
        """Yield the width that each column needs for its cells; a heading may take two lines."""
        for number, column in enumerate(table.columns):
            cells = [row[number] for row in rows] + sums[number : number + 1]
            longest = max(cells, key=len, default="")
            self.fitted(longest, 1000, size, bold=bool(sums or table.results))
            cell = self.get_string_width(longest)
            words = column.headed(self.club.currency).split()
            self.fitted("", 1000, SMALL, bold=True)
            # A long name as a heading is cut off rather than that all columns become narrow.
            head = min(MOST_HEAD, max((self.get_string_width(word) for word in words), default=0.0))
            yield max(cell, head) + 2 * PAD + 0.4

    def _heads(self, places: Sequence[_Place]) -> None:
        heads = [self.wrapped(p.column.headed(self.club.currency), p.width - 2 * PAD, SMALL) for p in places]
        high = max(HEAD, max(len(lines) for lines in heads) * 3.6 + 3)
        self.set_fill_color(*WASH)
        self.rect(EDGE, self.at, self.inner, high, "F")
        self.ink(DARK)
        for place, lines in zip(places, heads, strict=True):
            align = "R" if place.column.is_number else "L"
            y = self.at + high - 3 - 3.6 * (len(lines) - 1)
            for number, text in enumerate(lines):
                self.put(place.x + PAD, y + 3.6 * number, place.width - 2 * PAD, text, SMALL, bold=True, align=align)
        self.ink()
        self.at += high
        self.set_draw_color(*FELT)
        self.set_line_width(0.4)
        self.line(EDGE, self.at, self.w - EDGE, self.at)

    def _line(self, places: Sequence[_Place], cells: Sequence[str], size: float, *, bold: bool = False) -> None:
        middle = self.at + ROW / 2
        for place, text in zip(places, cells, strict=True):
            if text:
                align = "R" if place.column.is_number else "L"
                self.put(place.x + PAD, middle, place.width - 2 * PAD, text, size, bold=bold, align=align)
        self.at += ROW
        if not bold:
            self.rule(EDGE, self.at, self.w - EDGE, self.at, weight=0.1, grey=PALE)

    def write_signatures(self, names: Sequence[str]) -> None:
        """Write a place for date and signature of each, three in a row; they stay together."""
        if self.left_over() < signed_height(names):
            self.begin()
        gap = 10.0
        a_row = min(SIGNATURES_A_ROW, len(names))
        each = (self.inner - (a_row - 1) * gap) / a_row
        for number, name in enumerate(names):
            x = EDGE + (number % a_row) * (each + gap)
            y = self.at + (number // a_row) * SIGNATURE + SIGNATURE - 8
            self.rule(x, y, x + each, y, weight=0.25, grey=DARK)
            self.ink(DARK)
            self.put(x, y + 3, each, _("%(name)s: date, signature") % {"name": name}, SMALL)
            self.ink()
        self.at += signed_height(names)

    def footer(self) -> None:
        """Write the foot of a page. fpdf2 calls it at the end of each."""
        y = self.h - 9.5
        self.rule(EDGE, y - 4, self.w - EDGE, y - 4, weight=0.15, grey=PALE)
        self.ink(DARK)
        printed = date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT")
        self.put(EDGE, y, self.inner / 2, _("printed %(at)s") % {"at": printed}, SMALL)
        text = _("Page %(page)d of %(pages)d") % {"page": self.page, "pages": self.pages_known}
        self.put(self.w - EDGE - 60, y, 60, text, SMALL, align="R")
        self.ink()


def signed_height(names: Sequence[str]) -> float:
    """Return the height of the places for these signatures."""
    return -(-len(names) // SIGNATURES_A_ROW) * SIGNATURE


def _written(club: Club, report: Report, pages: int, counted: Callable[[int], None], logo: BinaryIO | None) -> _Sheets:
    sheets = _Sheets(club, report, pages, counted, logo)
    sheets.begin()
    sheets.write_figures(report.figures)
    if report.chart:
        sheets.write_chart(report.chart)
    for table in report.tables:
        if table.listed:
            sheets.write_list(table)
        else:
            # Signatures are never alone on a page.
            sheets.write_table(table, 7 + signed_height(report.signed) if table is report.tables[-1] else 0)
    if report.signed:
        sheets.write_signatures(report.signed)
    return sheets


def pdf_of(
    club: Club,
    report: Report,
    counted: Callable[[int], None] = lambda rows: None,
    *,
    logo: BinaryIO | None = None,
) -> bytes:
    """Return the report as PDF. It is written twice where it has several pages: each of them names their number.
    `counted` is called with the rows that were written, half of them each time. Reads nothing of the database."""
    sheets = _written(club, report, 1, counted, logo)
    if sheets.page > 1:
        sheets = _written(club, report, sheets.page, counted, logo)
    return bytes(sheets.output())


def _narrowed(wanted: list[float], texts: list[int], inner: float) -> list[float]:
    """Return widths that fit into `inner`: the widest texts become narrower; numbers keep theirs if that is enough."""
    left = inner - sum(width for number, width in enumerate(wanted) if number not in texts)
    widths = sorted(wanted[number] for number in texts)
    for place, width in enumerate(widths):
        share = left / (len(widths) - place)
        if width >= share > 0:
            return [min(width, share) if number in texts else width for number, width in enumerate(wanted)]
        left -= width
    return [width * inner / sum(wanted) for width in wanted]
