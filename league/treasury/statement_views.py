"""Pages of statements: debts to the kitty, bills as PDF, and the account to which they are paid."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..large_files.kinds import PDF
from ..large_files.views import offer_if_large
from ..models import BillingDetails
from ..money import format_money
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .billing_account import FIELDS, billing_set
from .forms import BillingForm, PeriodForm
from .iban import grouped
from .large_files import bill_rows, bills_options
from .statement_files import Statements, bills_pdf, statements_of
from .statements import outcome


@login_required
@never_cache
@require_safe
def statement_list(request: HttpRequest, club: str) -> HttpResponse:
    """Show each member's debt to the kitty for a period, with a bill for each sum that is large enough."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    of, _player = _statements(request, access)
    return _statements_page(request, access, of)


@login_required
@never_cache
@require_safe
def statements_pdf(request: HttpRequest, club: str) -> HttpResponse:
    """Send the bills as PDF: of everybody who is billed, or the statement of one person (`player`)."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    of, player = _statements(request, access)
    if of.details is None:
        return _statements_page(request, access, of, _("Enter first to which account bills are paid."), status=422)
    options, count = bills_options(of.period), partial(bill_rows, of)
    if not player and (
        offer := offer_if_large(request, access, "treasury-bills", access.club.pk, count, options, form=PDF)
    ):
        return offer
    made = bills_pdf(request, access, of, player)
    return made or _statements_page(request, access, of, _("Nobody has a bill for these days."), status=404)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def billing(request: HttpRequest, club: str) -> HttpResponse:
    """Change the account to which the club's bills are paid."""
    access = club_for(request.user, club, Right.KEEP_KITTY)
    form = BillingForm(request.POST if request.method == "POST" else None, initial=_initial(access))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                billing_set(club=access.club, actor=actor_of(request), values=form.values())
            except Refused as refused:
                show_refusal(form, refused)
            else:
                messages.success(request, _("Saved."))
                return see(reverse("treasury-statements", kwargs={"club": club}))
    context = club_admin_context(access) | {"book": "statements", "form": form}
    return render(request, "league/treasury/billing_account.html", context, status=status)


def _statements_page(
    request: HttpRequest, access: ClubAccess, of: Statements, problem: str = "", *, status: int = 200
) -> HttpResponse:
    details, least, statements = of.details, of.least_minor, of.found
    context = club_admin_context(access) | {
        "book": "statements",
        "details": details,
        "iban": grouped(details.iban) if details else "",
        "period": of.period,
        "rows": [
            (statement, statement.is_billed(least), outcome(statement, least, access.club.currency))
            for statement in statements
        ],
        "billed": len(of.bills()),
        "carried_minor": sum(statement.carried_minor for statement in statements),
        "period_minor": sum(statement.period_minor for statement in statements),
        "total_minor": sum(statement.total_minor for statement in statements),
        "may_keep": access.may(Right.KEEP_KITTY),
        "problem": problem,
    }
    return render(request, "league/treasury/statements.html", context, status=status)


def _details(access: ClubAccess) -> BillingDetails | None:
    return BillingDetails.objects.filter(club=access.club).first()


def _initial(access: ClubAccess) -> dict[str, Any]:
    details = _details(access)
    if details is None:
        return {"name": access.club.name, "country": "CH"}
    values = {name: getattr(details, name) for name in FIELDS}
    return values | {"iban": grouped(details.iban), "least_minor": format_money(details.least_minor)}


def _statements(request: HttpRequest, access: ClubAccess) -> tuple[Statements, int | None]:
    """Return the statements of the period that the address names, and the person."""
    form = PeriodForm(request.GET)
    form.is_valid()
    sent = form.cleaned_data
    return statements_of(access.club, sent.get("from"), sent.get("to")), sent.get("player")
