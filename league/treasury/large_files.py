"""The files of the treasurer that a worker makes if they are large: a book, the ledger, and the annual account."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import IO

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..access import Right, admit
from ..large_files.kinds import Counted, Kind, Opened, Wanted, register, write_list
from ..reports.large_files import opened
from ..reports.report import Report
from .annual import annual_account, period
from .annual_report import annual_report, days_of
from .book_report import book_name, book_report
from .books import Filters
from .forms import FilterForm, LedgerForm, PeriodForm
from .ledger_lines import LedgerFilters, count_of, file_rows, ledger_list


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


def register_book() -> None:
    """Register the books, the ledger and the annual account."""
    register("treasury-book", Kind(_("Book"), "report", _book))
    register("treasury-ledger", Kind(_("Ledger"), "ledger", _ledger))
    register("annual-account", Kind(_("Annual account"), "report", _annual))
