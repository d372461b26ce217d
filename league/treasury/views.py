"""The treasurer's pages: the books of kitty, box, payments and evenings, and the balances by person."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused, form_outdated
from ..ledger.club_accounts import held
from ..models import Player
from ..payments.forms import PaidDayForm
from ..payments.services import outstanding_payments
from ..reports.pages import Large, answer
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from . import balances as open_balances
from . import books
from .book_report import amount_headings, book_report, left_out
from .books import BOX, KITTY, Filters
from .forms import EntryForm, FilterForm, UndoForm
from .large_files import options_of
from .services import kitty_book, kitty_undo

NEWEST = 3
"""The number of entries beside the balance of the kitty."""


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def book(request: HttpRequest, club: str) -> HttpResponse:
    """Show a book, filtered, with its sums; without parameters the balance of the kitty and its newest entries. POST
    books money that the kitty spent or got."""
    if request.method != "POST":
        return _book_page(request, club_for(request.user, club, Right.SEE_LEDGER))
    access = club_for(request.user, club, Right.KEEP_KITTY)
    form = EntryForm(request.POST, players=_players(access))
    if not form.is_valid():
        return _book_page(request, access, form, status=422)
    try:
        kitty_book(club=access.club, author=actor_of(request), key=form.cleaned_data["key"], entry=form.entry())
    except Refused as refused:
        show_refusal(form, refused)
        return _book_page(request, access, form, status=refused.status)
    messages.success(request, _("Booked."))
    return see(reverse("treasury", kwargs={"club": club}))


@login_required
@never_cache
@require_POST
def undo(request: HttpRequest, club: str) -> HttpResponse:
    """Undo an entry of the kitty."""
    access = club_for(request.user, club, Right.KEEP_KITTY)
    form = UndoForm(request.POST)
    try:
        if not form.is_valid():
            raise form_outdated()
        sent = form.cleaned_data
        kitty_undo(club=access.club, author=actor_of(request), key=sent["key"], entry_id=sent["entry"])
    except Refused as refused:
        return _book_page(request, access, problem=refused.sentence, status=refused.status)
    messages.success(request, _("Undone. The entry and what undid it stay in the ledger."))
    return see(reverse("treasury", kwargs={"club": club}))


@login_required
@never_cache
@require_safe
def balances(request: HttpRequest, club: str) -> HttpResponse:
    """Show the balances by person, all outstanding payments to be marked at once, and the payments that were marked
    lately."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    outstanding = list(outstanding_payments(access.club))
    mains = open_balances.main_names(access.club)
    all_balances = open_balances.balances(access.club, outstanding, mains)
    lately = open_balances.lately_paid(access.club, mains)
    today = timezone.localdate()
    context = (
        club_admin_context(access)
        | {
            "book": "balances",
            "balances": all_balances,
            "gets_minor": sum(balance.gets_minor for balance in all_balances),
            "pays_minor": sum(balance.pays_minor for balance in all_balances),
            "running_minor": sum(balance.running_minor for balance in all_balances),
            "total_minor": sum(balance.total_minor for balance in all_balances),
            "running": any(balance.running_minor for balance in all_balances),
            "payers": open_balances.payers(outstanding, mains),
            "outstanding": outstanding,
            "outstanding_minor": sum(open_payment.amount_minor for open_payment in outstanding),
            "lately": lately,
            "lately_minor": sum(payment.amount_minor for payment, _payer, _payee in lately),
            "may_record": access.may(Right.RECORD),
            "key": uuid.uuid4(),
            "undo_key": uuid.uuid4(),
            "today": today,
        }
        | PaidDayForm(request.GET).for_page(today)
    )
    return render(request, "league/treasury/balances.html", context)


@login_required
@never_cache
@require_safe
def report(request: HttpRequest, club: str) -> HttpResponseBase:
    """Show a whole book as a report, filtered as its page, or as a file of all forms."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    filters, _after = _filters(request, access)
    large = Large("treasury-book", access.club.pk, options_of(filters))
    return answer(request, access, book_report(access, filters), about=f"club:{access.club.pk}", large=large)


def _book_page(
    request: HttpRequest, access: ClubAccess, form: EntryForm | None = None, *, problem: str = "", status: int = 200
) -> HttpResponse:
    filters, after = _filters(request, access)
    brief = not request.GET
    page = books.read(access.club, filters, after, NEWEST if brief else books.PAGE_SIZE)
    context = club_admin_context(access) | {
        "book": filters.book,
        "brief": brief,
        "filters": filters,
        "last": filters.last or timezone.localdate(),
        "page": page,
        "older": filters.query(before=page.older[0].isoformat(), line=page.older[1]) if page.older else "",
        "first": after is None,
        "columns": amount_headings(filters),
        "left_out": left_out(access, filters),
        "as_file": filters.query(),
        "people": books.people(access.club),
        "may_keep": access.may(Right.KEEP_KITTY),
        "undo_key": uuid.uuid4(),
        "problem": problem,
        **_holdings(access, filters.book),
    }
    if filters.book == KITTY and access.may(Right.KEEP_KITTY):
        context["form"] = form or EntryForm(initial={"key": uuid.uuid4()}, players=_players(access))
    return render(request, "league/treasury/book.html", context, status=status)


def _holdings(access: ClubAccess, book: str) -> dict[str, Any]:
    if book not in (KITTY, BOX):
        return {}
    outstanding = list(outstanding_payments(access.club))
    return {"holdings": open_balances.holdings(held(access.club.pk, book), book, outstanding)}


def _filters(request: HttpRequest, access: ClubAccess) -> tuple[Filters, books.Cursor | None]:
    """Return the filters that the address names, and the line after which the page begins."""
    form = FilterForm(request.GET)
    form.is_valid()
    before, line = form.cleaned_data.get("before"), form.cleaned_data.get("line")
    return form.filters(access.club), (before, line) if before and line else None


def _players(access: ClubAccess) -> Any:
    return Player.objects.filter(club=access.club, main__isnull=True).order_by("nickname")
