"""The paper of a tournament: the list of what can be printed, and each kind as PDF."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..gate import desk_for


@login_required
@never_cache
@require_safe
def papers(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """List what can be printed."""
    found = desk_for(request.user, club, tournament)
    context = {"access": found.access, "club": found.club, "tournament": found.tournament}
    return render(request, "league/tournaments/paper/papers.html", context)


@login_required
@never_cache
@require_safe
def paper(request: HttpRequest, club: str, tournament: str, kind: str) -> HttpResponse:
    """Send one kind of paper as PDF."""
    desk_for(request.user, club, tournament)
    if kind == "badges":
        return papers(request, club, tournament)
    raise Http404("no such paper")
