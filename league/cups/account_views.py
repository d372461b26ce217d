"""The page on which a person agrees to be one person in cups."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access.gate import own_players
from ..web.requests import actor_of, see
from .consent import consent_set, consents


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_cups(request: HttpRequest) -> HttpResponse:
    """Show which players would be one person, and store the choice."""
    user = actor_of(request)
    assert user is not None
    if request.method == "POST":
        consent_set(user=user, agreed="agreed" in request.POST)
        messages.success(request, _("Saved."))
        return see(request.path)
    players = own_players(user).filter(main=None).select_related("club").order_by("club__name", "nickname")
    return render(request, "account/cups.html", {"players": list(players), "agreed": consents(user)})
