"""The page of a person's practice club: open one, or delete it."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.club_admin.practice import practice_club_of, remove_practice_club
from league.models import User
from league.web.client_networks import counted_address
from league.web.requests import see

from ..errors import FormProblem, Refused
from ..opening.views import is_unconfirmed
from .services import practice_open


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Show what a practice club is, or the person's own. A POST opens one, with `remove` it deletes it."""
    assert isinstance(request.user, User)
    club = practice_club_of(request.user)
    if club is None and settings.CLUBS_OPEN == "no" and not request.user.is_superuser:
        raise Http404
    if request.method == "POST" and "remove" in request.POST:
        if club is not None:
            remove_practice_club(club)
            messages.success(request, _("The practice club is deleted."))
        return see(reverse("home"))
    if is_unconfirmed(request.user):
        return render(request, "games/opening/unconfirmed.html", status=409 if request.method == "POST" else 200)
    context = {"club_of_mine": club, "days": settings.PRACTICE_CLUB_DAYS}
    if request.method != "POST":
        return render(request, "games/practice/practice.html", context)
    try:
        address = counted_address(request.META.get("REMOTE_ADDR", ""))
        return see(practice_open(owner=request.user, address=address).get_absolute_url())
    except Refused as refused:
        context["problem"] = FormProblem.of(refused)
        return render(request, "games/practice/practice.html", context, status=refused.status)
