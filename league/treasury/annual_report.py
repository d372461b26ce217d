"""The annual account as a report: page, PDF to be signed, XLSX with a sheet for each table, CSV."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from ..access import ClubAccess
from ..money import format_price
from ..reports.report import Figure, Report
from ..web.csv_download import file_name
from ..web.report_table import Column, Kind, Row, Table
from .annual import AccountYear, Annual, Group


def annual_report(access: ClubAccess, year: Annual) -> Report:
    """Return the report on an annual account, for a reader who may see the ledger. No query."""
    currency = access.club.currency
    kitty = year.kitty
    figures = [
        Figure(_("Kitty at the beginning"), format_price(kitty.ends.opening_minor, currency)),
        Figure(_("Income"), format_price(kitty.in_minor, currency)),
        Figure(_("Expenses"), format_price(kitty.out_minor, currency)),
        Figure(_("Kitty at the end"), format_price(kitty.ends.closing_minor, currency)),
    ]
    tables = [
        _account("kitty", _("Kitty"), kitty),
        _groups("income", _("Income"), year.income, _("Nothing came in.")),
        _groups("expenses", _("Expenses"), year.expenses, _("Nothing was spent.")),
        *([_account("box", _("Box"), year.box)] if year.box.used else []),
        _persons(access, year),
        *([_pots(year)] if year.pots else []),
        _controls(year),
    ]
    return Report(
        kind=_("Annual account"),
        title=days_of(year.first, year.last),
        about=_("The books agree with the ledger.") if year.agrees else _("The books do not agree with the ledger."),
        file=file_name(access, "annual-account", year.first.isoformat(), year.last.isoformat()),
        back=reverse("treasury", kwargs={"club": access.club.slug}),
        figures=figures,
        tables=tables,
        back_text=_("Kitty"),
        signed=(pgettext("signature", "Treasurer"), _("First auditor"), _("Second auditor")),
    )


def days_of(first: date, last: date) -> str:
    """Return the period of an annual account in words."""
    return _("%(first)s to %(last)s") % {
        "first": date_format(first, "DATE_FORMAT"),
        "last": date_format(last, "DATE_FORMAT"),
    }


AT_END = 3
"""The row of an account with its balance at the end."""


def _account(name: str, title: str, account: AccountYear) -> Table:
    lines = [
        (_("At the beginning"), account.ends.opening_minor),
        (_("Came in"), account.in_minor),
        (_("Went out"), -account.out_minor),
        (_("At the end"), account.ends.closing_minor),
    ]
    if account.open_minor:
        text = _("Of this not paid in yet") if account.open_minor > 0 else _("Of this not paid out yet")
        lines += [(text, account.open_minor), (_("In coins, at the end"), account.there_minor)]
    columns = [Column("text", gettext_lazy("What")), Column("amount", gettext_lazy("Amount"), Kind.AMOUNT)]
    rows: list[Row] = [{"text": text, "amount": amount} for text, amount in lines]
    # The balance at the end, and the coins if they are another sum.
    return Table(name, title, columns, rows, results={AT_END, len(rows) - 1})


def _groups(name: str, title: str, groups: Sequence[Group], empty: str) -> Table:
    rows: list[Row] = [{"text": group.text, "lines": group.count, "amount": group.amount_minor} for group in groups]
    columns = [
        Column("text", gettext_lazy("What for")),
        Column("lines", gettext_lazy("Lines"), Kind.COUNT, summed=True),
        Column("amount", gettext_lazy("Amount"), Kind.AMOUNT, summed=True),
    ]
    return Table(name, title, columns, rows, empty=empty)


def _persons(access: ClubAccess, year: Annual) -> Table:
    rows: list[Row] = [
        {
            "name": person.name,
            "gets": person.amount_minor if person.amount_minor > 0 else None,
            "pays": -person.amount_minor if person.amount_minor < 0 else None,
        }
        for person in year.persons
    ]
    columns = [
        Column("name", gettext_lazy("Who")),
        Column("gets", gettext_lazy("gets"), Kind.AMOUNT, summed=True),
        Column("pays", gettext_lazy("pays"), Kind.AMOUNT, summed=True),
    ]
    return Table(
        "outstanding",
        _("Outstanding at the end"),
        columns,
        rows,
        note=_("Of all closed evenings up to the last day. The difference of both sums is the kitty’s and the box’s."),
        empty=_("Nothing is outstanding."),
        links=[
            reverse("player", kwargs={"club": access.club.slug, "player": person.player_id}) for person in year.persons
        ],
    )


def _pots(year: Annual) -> Table:
    rows: list[Row] = [
        {"day": evening.held_on, "evening": f"{evening.title}, {evening.season.name}", "amount": amount}
        for evening, amount in year.pots
    ]
    columns = [
        Column("day", gettext_lazy("Date"), Kind.DATE),
        Column("evening", gettext_lazy("Evening")),
        Column("amount", gettext_lazy("Amount"), Kind.AMOUNT, summed=True),
    ]
    links = [evening.get_absolute_url() for evening, _amount in year.pots]
    return Table("pots", _("Pots on tables"), columns, rows, note=_("Evenings that are still open."), links=links)


def _controls(year: Annual) -> Table:
    rows: list[Row] = [
        {
            "text": control.text,
            "books": control.books_minor,
            "ledger": control.ledger_minor,
            "difference": control.difference_minor,
        }
        for control in year.controls
    ]
    columns = [
        Column("text", gettext_lazy("What")),
        Column("books", gettext_lazy("by the books"), Kind.AMOUNT),
        Column("ledger", gettext_lazy("by the ledger"), Kind.AMOUNT),
        Column("difference", gettext_lazy("Difference"), Kind.AMOUNT, signed=True),
    ]
    note = _("Each sum is computed twice, from other rows. A difference of 0.00 means that both agree.")
    return Table("control", _("Control"), columns, rows, note=note)
