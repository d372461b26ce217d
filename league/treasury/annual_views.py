"""The page of the annual account."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import Right, club_for
from ..reports.pages import Large, answer
from .annual import annual_account, choices, period
from .annual_report import annual_report
from .forms import PeriodForm
from .large_files import annual_options


@login_required
@never_cache
@require_safe
def annual(request: HttpRequest, club: str) -> HttpResponseBase:
    """Show the annual account of a period, or its file; without a period that of the last season or year."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    today = timezone.localdate()
    form = PeriodForm(request.GET)
    form.is_valid()
    sent = form.cleaned_data
    first, last = period(access.club, sent.get("from"), sent.get("to"), today)
    periods = choices(access.club, today)
    more: dict[str, Any] = {"choose": "league/treasury/_year.html", "choices": periods, "first": first, "last": last}
    report = annual_report(access, annual_account(access.club, first, last))
    large = Large("annual-account", access.club.pk, annual_options(first, last))
    return answer(request, access, report, about=f"club:{access.club.pk}", large=large, more=more)
