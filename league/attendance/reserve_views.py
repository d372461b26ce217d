"""The page of a club's reserves: who is asked in turn when somebody is missing."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import Right, club_for
from ..errors import Refused, form_outdated
from ..web.requests import actor_of, see
from .reserves import reserve_do
from .selectors import players_asked, reserves_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reserves(request: HttpRequest, club: str) -> HttpResponse:
    """Show the list of reserves to those who record; add, move and remove a player."""
    access = club_for(request.user, club, Right.RECORD)
    roster, problem = list(players_asked(access.club)), None
    if request.method == "POST":
        sent = request.POST.get("player", "")
        try:
            player = next((member for member in roster if str(member.pk) == sent), None)
            if player is None:
                raise form_outdated()
            reserve_do(club=access.club, player=player, do=request.POST.get("do", ""), actor=actor_of(request))
            return see(request.path)
        except Refused as refused:
            problem = refused
    listed = reserves_of([access.club.pk])
    known = {reserve.pk for reserve in listed}
    others = [member for member in roster if member.pk not in known]
    context = {"club": access.club, "reserves": listed, "others": others, "problem": problem}
    return render(request, "league/attendance/reserves.html", context, status=problem.status if problem else 200)
