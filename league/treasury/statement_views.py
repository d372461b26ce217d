"""Pages of statements: who owes the kitty what, bills as PDF, and the account to which they are paid."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import BillingDetails
from ..money import format_money
from ..standings.selectors import current_season
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.csv_download import file_name, log_download
from ..web.requests import actor_of, see
from .balances import main_names
from .bill_pdf import Period, outcome, pdf_of
from .billing import FIELDS, billing_set
from .forms import BillingForm, PeriodForm
from .iban import grouped
from .statements import Statement, billed, statements


@login_required
@never_cache
@require_safe
def statement_list(request: HttpRequest, club: str) -> HttpResponse:
    """Show what each member owes the kitty for a period, with a bill for each sum that is large enough."""
    return _page(request, club_for(request.user, club, Right.SEE_LEDGER))


@login_required
@never_cache
@require_safe
def statements_pdf(request: HttpRequest, club: str) -> HttpResponse:
    """Send the bills as PDF: of everybody who is billed, or the statement of one person (`player`)."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    details = _details(access)
    if details is None:
        return _page(request, access, _("Enter first to which account bills are paid."), status=422)
    period, player = _period(request, access)
    found = _found(access, period)
    chosen = [one for one in found if one.player_id == player] if player else billed(found, details.least_minor)
    if not chosen:
        return _page(request, access, _("Nobody has a bill for these days."), status=404)
    log_download(request, access, "statements", f"club:{access.club.pk}")
    made = b"" if request.method == "HEAD" else pdf_of(access.club, details, chosen, period)
    response = HttpResponse(made, content_type="application/pdf")
    name = file_name(access, "kitty", period.last.isoformat(), *([player] if player else []))
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


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
    context = club_admin_context(access, "treasury") | {"book": "statements", "form": form}
    return render(request, "league/treasury/billing.html", context, status=status)


def _page(request: HttpRequest, access: ClubAccess, problem: str = "", *, status: int = 200) -> HttpResponse:
    period, _player = _period(request, access)
    details = _details(access)
    least = details.least_minor if details else 0
    found = _found(access, period)
    context = club_admin_context(access, "treasury") | {
        "book": "statements",
        "details": details,
        "iban": grouped(details.iban) if details else "",
        "period": period,
        "rows": [(one, one.is_billed(least), outcome(one, least, access.club.currency)) for one in found],
        "billed": len(billed(found, least)),
        "carried_minor": sum(one.carried_minor for one in found),
        "period_minor": sum(one.period_minor for one in found),
        "total_minor": sum(one.total_minor for one in found),
        "may_keep": access.may(Right.KEEP_KITTY),
        "problem": problem,
    }
    return render(request, "league/treasury/statements.html", context, status=status)


def _found(access: ClubAccess, period: Period) -> list[Statement]:
    return statements(access.club, period.first, period.last, main_names(access.club))


def _details(access: ClubAccess) -> BillingDetails | None:
    return BillingDetails.objects.filter(club=access.club).first()


def _initial(access: ClubAccess) -> dict[str, Any]:
    details = _details(access)
    if details is None:
        return {"name": access.club.name, "country": "CH"}
    values = {name: getattr(details, name) for name in FIELDS}
    return values | {"iban": grouped(details.iban), "least_minor": format_money(details.least_minor)}


def _period(request: HttpRequest, access: ClubAccess) -> tuple[Period, int | None]:
    """Return the period that the address names, by default the current season up to today; and the person."""
    form = PeriodForm(request.GET)
    form.is_valid()
    sent, today = form.cleaned_data, timezone.localdate()
    last = sent.get("to") or today
    season = None if sent.get("from") else current_season(access.club, last)
    first = sent.get("from") or (season.starts_on if season else date(last.year, 1, 1))
    return Period(min(first, last), last), sent.get("player")
