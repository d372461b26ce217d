"""The files of the treasurer that a worker makes if they are large: a book, the ledger, the annual account, bills."""

from __future__ import annotations

from datetime import date
from functools import cache, partial
from typing import IO

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..access import Right, admit
from ..large_files.kinds import PDF, SPREADSHEET, Counted, Kind, Opened, Wanted, register, write_list
from ..logo.services import logo_file
from ..reports.large_files import opened
from ..reports.report import Report
from .annual import annual_account, period
from .annual_report import annual_report, days_of
from .book_report import book_name, book_report
from .books import Filters
from .forms import FilterForm, LedgerForm, PeriodForm
from .ledger_lines import LedgerFilters, count_of, file_rows, ledger_list
from .statement_files import LOGGED, Statements, bills_name, period_of, statements_of
from .statements import Period

BILL_ROWS = 16
"""A bill, with the drawing of its payment part, takes as long as so many rows of a report."""


def options_of(filters: Filters) -> dict[str, str]:
    """Return the filters as options of a large file."""
    days = {name: day.isoformat() for name, day in (("from", filters.first), ("to", filters.last)) if day}
    return days | {
        "book": filters.book,
        "player": str(filters.player or ""),
        "undone": "1" if filters.undone else "",
    }


def _book(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club, Right.SEE_LEDGER)
    form = FilterForm(dict(wanted.options))
    form.is_valid()
    filters = form.filters(wanted.club)
    make = partial(book_report, access, filters)
    return opened(access, f"club:{access.club.pk}", book_name(filters.book), make)


def ledger_options(filters: LedgerFilters) -> dict[str, str]:
    """Return the filters of the ledger as options of a large file. An empty day is no bound."""
    days = {name: day.isoformat() if day else "" for name, day in (("from", filters.first), ("to", filters.last))}
    return days | {"player": str(filters.player or ""), "kind_of_entry": filters.kind}


def _ledger(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club, Right.SEE_LEDGER)
    form = LedgerForm(dict(wanted.options))
    form.is_valid()
    filters = form.filters(wanted.club)
    listed = ledger_list(access, filters)

    def write(file: IO[bytes], form: str, counted: Counted) -> None:
        write_list(file, access, listed, file_rows(access, filters), counted)

    rows = partial(count_of, wanted.club, filters)
    return Opened(access, f"club:{access.club.pk}", listed.title, lambda: listed.file, rows, write)


def annual_options(first: date, last: date) -> dict[str, str]:
    """Return the days of an annual account as options of a large file."""
    return {"from": first.isoformat(), "to": last.isoformat()}


def _annual(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club, Right.SEE_LEDGER)
    form = PeriodForm(dict(wanted.options))
    form.is_valid()
    sent = form.cleaned_data
    first, last = period(wanted.club, sent.get("from"), sent.get("to"), timezone.localdate())

    def make() -> Report:
        return annual_report(access, annual_account(access.club, first, last))

    return opened(access, f"club:{access.club.pk}", days_of(first, last), make)


def bills_options(period: Period) -> dict[str, str]:
    """Return the days of bills as options of a large file."""
    return {"from": period.first.isoformat(), "to": period.last.isoformat()}


def bill_rows(of: Statements) -> int:
    """Return the number of rows that the bills of all count for."""
    return BILL_ROWS * len(of.bills())


def _bills(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club, Right.SEE_LEDGER)
    form = PeriodForm(dict(wanted.options))
    form.is_valid()
    days = period_of(wanted.club, form.cleaned_data.get("from"), form.cleaned_data.get("to"))

    @cache
    def found() -> Statements:
        """Return the statements. The page of files, which polls, does not call this."""
        of = statements_of(wanted.club, days.first, days.last)
        if of.details is None or not of.bills():
            raise Http404("no bills")
        return of

    def write(file: IO[bytes], form: str, counted: Counted) -> None:
        from .bill_pdf import pdf_of

        of = found()
        assert of.details is not None
        club = access.club
        made = pdf_of(club, of.details, of.bills(), days, lambda: counted(BILL_ROWS), logo=logo_file(club))
        file.write(made)

    name = partial(bills_name, access, days)
    return Opened(access, f"club:{access.club.pk}", str(days), name, lambda: bill_rows(found()), write)


def register_book() -> None:
    """Register the books, the ledger, the annual account and the bills."""
    register("treasury-book", Kind(_("Book"), "report", _book))
    register("treasury-ledger", Kind(_("Ledger"), "ledger", _ledger, forms=(SPREADSHEET,)))
    register("annual-account", Kind(_("Annual account"), "report", _annual))
    register("treasury-bills", Kind(_("Bills"), LOGGED, _bills, forms=(PDF,), page_rows=BILL_ROWS))
