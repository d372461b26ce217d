"""The page of the ledger."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import ClubAccess, Right, club_for
from ..large_files.views import offer_if_large
from ..models import Transfer
from ..standings.selectors import current_season
from ..web.club_navigation import club_admin_context
from ..web.csv_download import download, log_download
from . import books
from .forms import LedgerForm
from .large_files import ledger_options
from .ledger_lines import LedgerFilters, count_of, file_rows, ledger_list, read

FORMS = ("", "csv", "excel", "xlsx")


@login_required
@never_cache
@require_safe
def ledger(request: HttpRequest, club: str) -> HttpResponseBase:
    """Show the transfers that the filters find, one page with the sum of all, or send them as a file (`?for=`). An
    address without days begins with the current season."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    form = LedgerForm(request.GET)
    form.is_valid()
    season = current_season(access.club)
    filters = form.filters(access.club, season.starts_on if season else None)
    wanted = request.GET.get("for", "")
    if wanted not in FORMS:
        raise Http404("no such form")
    if wanted:
        return _file(request, access, filters)
    before = form.cleaned_data.get("before")
    page = read(access.club, filters, before)
    context = club_admin_context(access) | {
        "book": "ledger",
        "filters": filters,
        "page": page,
        "first": before is None,
        "older": filters.query(before=page.older) if page.older else "",
        "people": books.people(access.club),
        "kinds": Transfer.Kind.choices,
    }
    return render(request, "league/treasury/ledger.html", context)


def _file(request: HttpRequest, access: ClubAccess, filters: LedgerFilters) -> HttpResponseBase:
    count = partial(count_of, access.club, filters)
    offer = offer_if_large(request, access, "treasury-ledger", access.club.pk, count, ledger_options(filters))
    if offer:
        return offer
    log_download(request, access, "ledger", f"club:{access.club.pk}")
    return download(request, access, ledger_list(access, filters), lambda: file_rows(access, filters))
