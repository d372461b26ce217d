"""The sheet to print: the tables of an evening as PDF, on A4 or A5, in black and white.

The columns are those of the screen: the players in the order of play, then the pot. A sheet that is printed during the
evening begins with the sums and the pot of that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.drawing_process import drawn
from league.models import Club, Evening
from league.money import format_money, format_price
from league.web.pdf import FACE, GREY, Paper

from .. import engine_bridge
from ..evening.rule_sentences import rule_sentences
from ..hands import selectors
from ..models import Table
from ..offered import game_of
from . import sheet_code

HANDS = 30
"""The least number of lines for hands on a sheet."""
ROW = 6.0
EXTRA = 2
"""The number of empty columns for players who come later, where there is room at the table."""


@dataclass(frozen=True)
class Sheet:
    """The content of the sheet of one table. Amounts in Rappen; `hands` is the number of hands already stored."""

    club: str
    about: str
    version: str
    game: str
    code: str
    address: str
    names: tuple[str, ...]
    sums: tuple[int, ...]
    hands: int
    pot_minor: int
    rules: tuple[tuple[str, str], ...]
    currency: str

    @property
    def total_minor(self) -> int:
        """All sums and the pot added up, now and after each hand: 0, or the coins carried into the pot."""
        return sum(self.sums) + self.pot_minor

    @property
    def columns(self) -> int:
        """The number of columns: the players, and room for players who come later."""
        return min(len(self.names) + EXTRA, engine_bridge.SEATS[self.game][1])


def sheets_of(
    club: Club, evening: Evening, tables: Sequence[Table], *, size: str, addresses: Mapping[int, str]
) -> bytes:
    """The PDF of the evening's tables; `addresses` has the address of each table's code. Four queries a table."""
    sheets = [_sheet(club, evening, table, addresses[table.pk]) for table in tables]
    return drawn(partial(pdf_of, sheets, size=size, title=f"{club.name}, {evening.title}"), club=club.pk)


def _sheet(club: Club, evening: Evening, table: Table, address: str) -> Sheet:
    table.evening = evening
    view = selectors.table_view(table)
    about = [
        evening.title,
        date_format(evening.held_on, "DATE_FORMAT"),
        _("table %(number)s") % {"number": table.number},
        view.game.title(),
    ]
    version = evening.house_rules.version
    return Sheet(
        club=club.name,
        about=" · ".join(about),
        version=_("House rules, version %(version)s") % {"version": version},
        game=view.game,
        code=sheet_code.code(table.pk),
        address=address,
        names=tuple(seat.nickname for seat in view.seats),
        sums=tuple(seat.balance_minor for seat in view.seats),
        hands=table.hands,
        pot_minor=table.pot_minor,
        rules=tuple(rule_sentences(view.rules, view.game, club.currency)),
        currency=club.currency,
    )


def pdf_of(sheets: Sequence[Sheet], *, size: str, title: str) -> bytes:
    """Draw these sheets as one PDF."""
    pdf = Paper(size, title)
    for sheet in sheets:
        _Drawing(pdf, sheet).draw()
    return bytes(pdf.output())


class _Drawing:
    """Draws the sheet of one table, page by page."""

    def __init__(self, pdf: Paper, sheet: Sheet) -> None:
        self.pdf, self.sheet = pdf, sheet
        self.has_cuts = engine_bridge.has_cuts(sheet.game)
        self.number = sheet.hands
        self.next_line = 1

    def draw(self) -> None:
        """Draw pages until there are enough lines; rules and signatures are at the foot of the last one."""
        drawn = 0
        while True:
            self._begin_page(first=drawn == 0)
            top = self._head() if drawn == 0 else self._short_head()
            foot = self._foot_height()
            fits = int((self.high - self.pdf.edge - foot - top - self._table_head_height()) / ROW)
            carried = drawn == 0 and self._is_carried()
            last = drawn + fits - carried >= HANDS
            if not last:
                fits = int((self.high - self.pdf.edge - self._legend_height() - top - self._table_head_height()) / ROW)
            bottom = self._table(top, fits, carried=carried)
            drawn += fits - carried
            self._legend(bottom)
            if last:
                self._foot()
                return

    def _begin_page(self, *, first: bool) -> None:
        """Begin a page; a small sheet with many columns is in landscape."""
        turned = self.pdf.small and self.sheet.columns > 5
        self.pdf.add_page(orientation="landscape" if turned else "portrait", same=False)
        self.left, self.right = self.pdf.edge, self.pdf.w - self.pdf.edge
        self.wide, self.high = self.right - self.left, self.pdf.h
        self.pdf.set_text_color(0)

    # --- The head ---------------------------------------------------------------------------------------

    def _head(self) -> float:
        """Draw club and evening on the left, the code on the right, and return the height at which the table begins."""
        pdf, sheet, top = self.pdf, self.sheet, self.pdf.edge
        side = 20.0 if pdf.small else 24.0
        pdf.qr(self.right - side, top, side, sheet.address)
        coded = 40.0 if pdf.small else 52.0
        x = self.right - side - 3 - coded
        pdf.put(x, top + 2.2, coded, _("Code of the night"), 7.5, align="R")
        pdf.put(x, top + 9, coded, sheet.code, 18 if pdf.small else 21, bold=True, align="R")
        shown = sheet.address.partition("://")[2].rstrip("/")
        pdf.put(x, top + 15.2, coded, _("Type in the sheet:"), 7, align="R")
        pdf.put(x, top + 18.6, coded, shown, 7, align="R")
        width = x - self.left - 4
        pdf.put(self.left, top + 3.2, width, sheet.club, 15, bold=True)
        about = sheet.about.split(" · ")
        if pdf.small:
            pdf.put(self.left, top + 9.2, width, " · ".join(about[:2]), 8.5)
            pdf.put(self.left, top + 13.4, width, " · ".join(about[2:]), 8.5)
            pdf.put(self.left, top + 17.6, width, sheet.version, 7.5)
        else:
            pdf.put(self.left, top + 10, width, " · ".join(about), 9.5)
            pdf.put(self.left, top + 15, width, sheet.version, 8)
        return top + side + 3

    def _short_head(self) -> float:
        pdf, sheet, top = self.pdf, self.sheet, self.pdf.edge
        pdf.put(self.left, top + 2, self.wide - 40, f"{sheet.club} · {sheet.about}", 8)
        pdf.put(self.right - 38, top + 2, 38, sheet.code, 11, bold=True, align="R")
        return top + 6

    # --- The table --------------------------------------------------------------------------------------

    def _is_carried(self) -> bool:
        return bool(self.sheet.hands or self.sheet.pot_minor or any(self.sheet.sums))

    def _table_head_height(self) -> float:
        return 9.0

    def _widths(self) -> tuple[list[float], float]:
        """The widths of the narrow columns on the left (number, dealer, cuts if there are any), and of the pot."""
        small = self.pdf.small
        narrow = [7.0, 12.0 if small else 14.0]
        if self.has_cuts:
            narrow.append(11.0 if small else 14.0)
        return narrow, 14.0 if small else 18.0

    def _edges(self) -> list[float]:
        """The left edges of all columns, and the right edge of the last."""
        narrow, pot = self._widths()
        each = (self.wide - sum(narrow) - pot) / self.sheet.columns
        edges = [self.left]
        for width in [*narrow, *[each] * self.sheet.columns, pot]:
            edges.append(edges[-1] + width)
        return edges

    def _table(self, top: float, rows: int, *, carried: bool) -> float:
        pdf, edges = self.pdf, self._edges()
        head = self._table_head_height()
        narrow = len(self._widths()[0])
        bottom = top + head + rows * ROW
        self._table_head(top, head, edges, narrow)
        for row in range(rows + 1):
            y = top + head + row * ROW
            strong = row in (0, rows)
            pdf.rule(self.left, y, self.right, y, weight=0.3 if strong else 0.12, grey=0 if strong else GREY)
        for place, x in enumerate(edges):
            outer = place in (0, narrow, len(edges) - 2, len(edges) - 1)
            pdf.rule(x, top, x, bottom, weight=0.3 if outer else 0.15, grey=0 if outer else 90)
        for place in range(narrow, len(edges) - 2):
            x = edges[place] + min(7.0, (edges[place + 1] - edges[place]) * 0.36)
            pdf.rule(x, top + head, x, bottom, weight=0.1, grey=190)
        pdf.rule(self.left, top, self.right, top, weight=0.3, grey=0)
        for row in range(rows):
            y = top + head + (row + 0.5) * ROW
            if carried and row == 0:
                self._carried(y, edges, narrow)
                continue
            self.number += 1
            pdf.put(edges[0], y, edges[1] - edges[0] - 1.2, str(self.number), 8, align="R")
        return bottom

    def _table_head(self, top: float, head: float, edges: Sequence[float], narrow: int) -> None:
        pdf, names = self.pdf, self.sheet.names
        middle = top + head / 2
        titles = [_("No."), pgettext("column", "Dealer"), _("Cuts")][:narrow]
        for place, title in enumerate(titles):
            pdf.put(edges[place] + 0.8, middle, edges[place + 1] - edges[place] - 1.6, title, 7.5, align="C")
        for place in range(self.sheet.columns):
            x, wide = edges[narrow + place], edges[narrow + place + 1] - edges[narrow + place]
            if place >= len(names):
                continue
            pdf.put(x + 1, middle, 3, str(place + 1), 7.5)
            self._name(x + 3.6, middle, wide - 4.4, names[place])
        pdf.put(edges[-2] + 1, middle, edges[-1] - edges[-2] - 2, _("Pot"), 9, bold=True, align="C")

    def _name(self, x: float, middle: float, width: float, name: str) -> None:
        """Write a name on one line, or on two of the same size."""
        pdf = self.pdf
        pdf.writes(name)
        pdf.set_font(FACE, "B", 8)
        if pdf.get_string_width(name) <= width:
            pdf.put(x, middle, width, name, 9, bold=True)
            return
        for size in (8.0, 7.5, 7.0, 6.5, 6.0):
            pdf.set_font(FACE, "B", size)
            cut = _cut(name, lambda part: pdf.get_string_width(part) <= width)
            if cut and pdf.get_string_width(name[cut:].lstrip()) <= width:
                break
        fitting = (place for place in range(1, len(name)) if pdf.get_string_width(name[:place]) <= width)
        cut = cut or max(fitting, default=len(name))
        pdf.put(x, middle - 1.8, width, name[:cut].rstrip(), size, bold=True)
        pdf.put(x, middle + 1.8, width, name[cut:].lstrip(), size, bold=True)

    def _carried(self, y: float, edges: Sequence[float], narrow: int) -> None:
        """Write the sums and the pot at the time of printing."""
        pdf, sheet = self.pdf, self.sheet
        if sheet.hands:
            pdf.put(edges[0], y, edges[1] - edges[0] - 1.2, str(sheet.hands), 8, align="R")
        pdf.put(edges[1] + 0.8, y, edges[2] - edges[1] - 1.6, _("so far"), 7.5, align="C")
        for place, amount in enumerate(sheet.sums):
            x, x2 = edges[narrow + place], edges[narrow + place + 1]
            pdf.put(x + 1, y, x2 - x - 2, format_money(amount, plus="+"), 8, align="R")
        pdf.put(edges[-2] + 1, y, edges[-1] - edges[-2] - 2, format_money(sheet.pot_minor), 8, bold=True, align="R")

    # --- The foot ---------------------------------------------------------------------------------------

    def _legend_text(self) -> str:
        return str(game_of(self.sheet.game).records.paper.legend)

    def _check_text(self) -> str:
        amount = format_price(self.sheet.total_minor, self.sheet.currency)
        return _("Pot: what is in it after the hand, without the next antes. **All sums + pot = %(amount)s**") % {
            "amount": amount
        }

    def _legend_height(self) -> float:
        return 13.5 if self.pdf.small and self.wide < 150 else 9.5

    def _legend(self, top: float) -> None:
        """Write the instructions for the table, and the control sum."""
        taken = self.pdf.block(self.left, top + 1.6, self.wide, self._legend_text(), 7)
        self.pdf.block(self.left, top + 2 + taken, self.wide, self._check_text(), 7)

    def _rules(self) -> list[str]:
        return [f"**{heading}:** {sentence}" for heading, sentence in self.sheet.rules]

    def _rules_height(self) -> float:
        """The height of the rules: that of the higher of the two columns."""
        return max(sum(self._height(text) for text in column) for column in self._columns())

    def _columns(self) -> tuple[list[str], list[str]]:
        rules = self._rules()
        half = (len(rules) + 1) // 2
        return rules[:half], rules[half:]

    def _height(self, text: str) -> float:
        return self.pdf.block_height(self._column(), text, 7) + 0.5

    def _column(self) -> float:
        return (self.wide - 6) / 2

    def _foot_height(self) -> float:
        return self._legend_height() + 5.5 + self._rules_height() + 13

    def _foot(self) -> None:
        """Write house rules and signatures at the bottom of the page."""
        pdf, sheet = self.pdf, self.sheet
        top = self.high - pdf.edge - 13 - self._rules_height() - 5.5
        pdf.put(self.left, top + 2.5, self.wide, sheet.version, 7.5, bold=True)
        for place, column in enumerate(self._columns()):
            y = top + 5.5
            for text in column:
                pdf.block(self.left + place * (self._column() + 6), y, self._column(), text, 7)
                y += self._height(text)
        line = self.high - pdf.edge - 3.5
        for place, label in enumerate((_("written down by"), _("checked by"))):
            x = self.left + place * (self._column() + 6)
            pdf.rule(x, line, x + self._column(), line, weight=0.2, grey=0)
            pdf.put(x, line + 2.2, self._column(), label, 6.5)


def _cut(name: str, fits: Callable[[str], bool]) -> int:
    """The place where a long name is broken: after the last space or hyphen that still fits; 0 where there is none."""
    breaks = [place for place in range(2, len(name)) if name[place - 1] in " -" and fits(name[:place].rstrip())]
    return breaks[-1] if breaks else 0
