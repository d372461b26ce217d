"""A book of the treasurer as a report: all lines that the filters match with their sums, as page, PDF, XLSX and CSV."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from ..access import ClubAccess
from ..models import Player
from ..money import format_count, format_price
from ..reports.report import Figure, Report
from ..web.csv_download import file_name
from ..web.report_table import Column, Kind, Row, Table, without_empty
from . import books
from .books import BOX, KITTY, PAYMENTS, BookLine, Ends, Filters


def book_name(book: str) -> str:
    """Return the name of a book."""
    return {KITTY: _("Kitty"), BOX: _("Box"), PAYMENTS: _("Payments")}.get(book) or _("Evenings")


def amount_headings(filters: Filters) -> tuple[str, str]:
    """Return the headings of both columns of amounts; of payments between everybody there is only the first one."""
    if filters.book == PAYMENTS:
        return (_("got"), _("gave")) if filters.players else (_("Amount"), "")
    if filters.book in (KITTY, BOX):
        return pgettext("kitty", "in"), pgettext("kitty", "out")
    return _("won"), _("lost")


def book_report(access: ClubAccess, filters: Filters) -> Report:
    """Return the report on a book, the oldest line first, for a reader who may see the ledger. Seven queries at
    most."""
    lines = books.every_line(access.club, filters)
    sums = books.sums_of(access.club, filters)
    ends = books.ends_of(access.club, filters, sums)
    if ends and not lines and not ends.opening_minor:
        ends = None
    currency = access.club.currency
    columns = amount_headings(filters)
    figures = [Figure(columns[0], format_price(sums.in_minor, currency))]
    if columns[1]:
        figures.append(Figure(columns[1], format_price(sums.out_minor, currency)))
    if ends:
        figures.insert(
            0, Figure(_("At the beginning"), format_price(ends.opening_minor, currency), _first_day(filters))
        )
        last = date_format(filters.last or timezone.localdate(), "SHORT_DATE_FORMAT")
        figures.append(Figure(_("At the end"), format_price(ends.closing_minor, currency), last))
    elif columns[1]:
        figures.append(Figure(_("Difference"), format_price(sums.difference_minor, currency, plus="+")))
    return Report(
        kind=book_name(filters.book),
        title=_span(filters),
        about=_about(access, filters, sums.count),
        file=file_name(access, filters.book, *_days(filters)),
        back=f"{reverse('treasury', kwargs={'club': access.club.slug})}?{filters.query()}",
        figures=figures if lines or ends else [],
        tables=[_with_note(_table(filters, lines, columns, ends), left_out(access, filters))],
        back_text=book_name(filters.book),
    )


def _with_note(table: Table, note: str) -> Table:
    """Add a note, which stands alone below a table without lines."""
    return replace(table, note=note, empty=f"{table.empty} {note}".strip())


def left_out(access: ClubAccess, filters: Filters) -> str:
    """Return a sentence about the evenings that a book leaves out; empty where there are none. One query."""
    number = books.evenings_left_out(access.club, filters)
    if not number:
        return ""
    sentence = ngettext(
        "%(n)s evening is not in this book: its season does not count this game. Balances, ledger and annual account"
        " include it.",
        "%(n)s evenings are not in this book: their seasons do not count this game. Balances, ledger and annual account"
        " include them.",
        number,
    )
    return sentence % {"n": format_count(number)}


def _first_day(filters: Filters) -> str:
    return date_format(filters.first, "SHORT_DATE_FORMAT") if filters.first else ""


def _days(filters: Filters) -> list[str]:
    return [day.isoformat() for day in (filters.first, filters.last or timezone.localdate()) if day]


def _span(filters: Filters) -> str:
    last = date_format(filters.last or timezone.localdate(), "DATE_FORMAT")
    if filters.first is None:
        return _("up to %(last)s") % {"last": last}
    return _("%(first)s to %(last)s") % {"first": date_format(filters.first, "DATE_FORMAT"), "last": last}


def _about(access: ClubAccess, filters: Filters, count: int) -> str:
    parts = [ngettext("%(n)s line", "%(n)s lines", count) % {"n": format_count(count)}]
    if filters.player:
        person = Player.objects.filter(club=access.club, pk=filters.player).first()
        parts.insert(0, person.nickname if person else "")
    if filters.undone:
        parts.append(_("with what was undone"))
    return " · ".join(part for part in parts if part)


def _table(filters: Filters, lines: list[BookLine], headings: tuple[str, str], ends: Ends | None) -> Table:
    rows = [_row(line) for line in lines]
    links = [line.url for line in lines]
    if ends:
        rows, links = _with_balances(filters, rows, links, ends)
    columns = [
        Column("day", gettext_lazy("Date"), Kind.DATE),
        Column("text", gettext_lazy("What")),
        Column("person", gettext_lazy("Who")),
        Column("place", gettext_lazy("Evening")),
        Column("state", gettext_lazy("State")),
        Column("in", headings[0], Kind.AMOUNT, summed=True),
        *([Column("out", headings[1], Kind.AMOUNT, summed=True)] if headings[1] else []),
        *([Column("balance", gettext_lazy("Balance"), Kind.AMOUNT)] if ends else []),
    ]
    return Table(
        filters.book,
        book_name(filters.book),
        without_empty(columns, rows, "person", "place", "state"),
        rows,
        empty=_("No line matches what you look for."),
        links=links,
    )


def _with_balances(filters: Filters, rows: list[Row], links: list[str], ends: Ends) -> tuple[list[Row], list[str]]:
    """Add to each row the balance after it, and a row for the balance at each end."""
    held, balanced = ends.opening_minor, []
    for row in rows:
        held += int(str(row["in"] or 0)) - int(str(row["out"] or 0))
        balanced.append({**row, "balance": held})
    closing = _end_row(filters.last or timezone.localdate(), _("Balance at the end"), ends.closing_minor)
    if filters.first is None:
        return [*balanced, closing], [*links, ""]
    opening = _end_row(filters.first, _("Balance at the beginning"), ends.opening_minor)
    return [opening, *balanced, closing], ["", *links, ""]


def _end_row(day: date, text: str, amount_minor: int) -> Row:
    return {"day": day, "text": text, "person": None, "place": None, "state": None, "balance": amount_minor}


def _row(line: BookLine) -> Row:
    states = {"undone": _("undone"), "undoes": _("undoes")}
    return {
        "day": line.day,
        "text": line.text,
        "person": line.person or None,
        "place": line.place or None,
        "state": states.get(line.state),
        "in": line.in_minor,
        "out": line.out_minor,
    }
