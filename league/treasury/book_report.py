"""A book of the treasurer as a report: all lines that the filters match with their sums, as page, PDF, XLSX and CSV."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from ..access import ClubAccess
from ..models import Player
from ..money import format_count, format_price
from ..reports.report import Fact, Report
from ..web.csv_download import file_name
from ..web.report_table import Column, Kind, Row, Table, without_empty
from . import books
from .books import BOX, KITTY, PAYMENTS, Filters, Line


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
    """Return the report on a book, the oldest line first, for a reader who may see the ledger. Four queries."""
    lines = books.every_line(access.club, filters)
    sums = books.sums_of(access.club, filters)
    currency = access.club.currency
    columns = amount_headings(filters)
    facts = [Fact(columns[0], format_price(sums.in_minor, currency))]
    if columns[1]:
        facts.append(Fact(columns[1], format_price(sums.out_minor, currency)))
        facts.append(Fact(_("Difference"), format_price(sums.difference_minor, currency, plus="+")))
    return Report(
        kind=book_name(filters.book),
        title=_span(filters),
        about=_about(access, filters, sums.count),
        file=file_name(access, filters.book, *_days(filters)),
        back=f"{reverse('treasury', kwargs={'club': access.club.slug})}?{filters.query()}",
        facts=facts if lines else [],
        tables=[_table(filters, lines, columns)],
        back_text=book_name(filters.book),
    )


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


def _table(filters: Filters, lines: list[Line], headings: tuple[str, str]) -> Table:
    rows = [_row(line) for line in lines]
    columns = [
        Column("day", gettext_lazy("Date"), Kind.DATE),
        Column("text", gettext_lazy("What")),
        Column("person", gettext_lazy("Who")),
        Column("place", gettext_lazy("Evening")),
        Column("state", gettext_lazy("State")),
        Column("in", headings[0], Kind.AMOUNT, summed=True),
        *([Column("out", headings[1], Kind.AMOUNT, summed=True)] if headings[1] else []),
    ]
    return Table(
        filters.book,
        book_name(filters.book),
        without_empty(columns, rows, "person", "place", "state"),
        rows,
        empty=_("No line matches what you look for."),
        links=[line.url for line in lines],
    )


def _row(line: Line) -> Row:
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
