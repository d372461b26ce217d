"""The report on a book of the treasurer, made by a worker if it is large."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from ..access import Right, admit
from ..large_files.kinds import Kind, Opened, Wanted, register
from ..reports.large_files import opened
from .book_report import book_name, book_report
from .books import Filters
from .forms import FilterForm


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


def register_book() -> None:
    """Register the books."""
    register("treasury-book", Kind(_("Book"), "report", _book))
