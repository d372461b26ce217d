"""The page of a club's settings."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import Right, club_for
from ..errors import Refused
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .forms import ClubForm
from .services import club_change

FIELDS = (
    "name",
    "place",
    "counts_tricks",
    "settling",
    "visibility",
    "forget_after_months",
    "publishes_rules",
    "publishes_money",
)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """Change name, place, visibility and whether amounts are published; the latter only after a warning was read."""
    access = club_for(request.user, club, Right.MANAGE)
    initial = {name: getattr(access.club, name) for name in FIELDS}
    form = ClubForm(request.POST if request.method == "POST" else None, initial=initial)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            changes = {name: form.cleaned_data[name] for name in FIELDS}
            if changes["publishes_money"] and not access.club.publishes_money and not form.cleaned_data["sure"]:
                form.add_error("sure", _("Read the warning and tick the box, or do not show amounts."))
            else:
                try:
                    club_change(club=access.club, actor=actor_of(request), changes=changes)
                except Refused as refused:
                    show_refusal(form, refused)
                else:
                    messages.success(request, _("Saved."))
                    return see(reverse("club-settings", kwargs={"club": club}))
    context = club_admin_context(access) | {"form": form}
    return render(request, "league/club_admin/club.html", context, status=status)
